import {
  ENTREGAS_LIST,
  getEntrega,
  pageOfEntregas,
  replayEventos,
  resendEntrega,
  testWebhook,
} from '../../domain/webhooks/entregas.ts'
import { loggedIn } from '../../http/access.ts'
import { route } from '../route.ts'
import {
  EntregaDetalhada,
  EntregaPath,
  EventosRepetidos,
  ListaDeEntregas,
  RepetirEventos,
  toEntrega,
  toEntregaDetalhada,
} from './entregas.shapes.ts'
import { envelope } from './envelope.ts'
import { WebhookPath } from './webhooks.routes.ts'

const tag = 'Webhooks'

export const entregasRoutesB = [
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/webhooks/{id}/entregas',
    summary: 'O registro das entregas',
    tag,
    access: loggedIn,
    input: { params: WebhookPath, list: ENTREGAS_LIST },
    replies: { 200: ListaDeEntregas },
    errors: ['NOT_FOUND'],
    async handle({ params, list, caller, request }, app) {
      const page = await pageOfEntregas(app, caller, params.id, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toEntrega) }
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/webhooks/{id}/entregas/{entrega_id}',
    summary: 'Uma entrega, com o que foi enviado e respondido',
    tag,
    access: loggedIn,
    input: { params: EntregaPath },
    replies: { 200: EntregaDetalhada },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toEntregaDetalhada(await getEntrega(app, caller, params.id, params.entrega_id))
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/entregas/{entrega_id}/reenviar',
    summary: 'Entregar de novo, já',
    tag,
    access: loggedIn,
    input: { params: EntregaPath },
    replies: { 202: EntregaDetalhada },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      const entrega = await resendEntrega(app, caller, params.id, params.entrega_id)
      reply.code(202)
      return toEntregaDetalhada(entrega)
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/reenviar',
    summary: 'Entregar de novo tudo o que houve desde um momento',
    tag,
    access: loggedIn,
    input: { params: WebhookPath, body: RepetirEventos },
    replies: { 200: EventosRepetidos, 202: EventosRepetidos },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, reply }, app) {
      const { desde, simular = false } = body
      const total = await replayEventos(app, caller, params.id, { desde: new Date(desde), simular })
      reply.code(simular ? 200 : 202)
      return { message: `${total} evento(s) ${simular ? 'a entregar' : 'na fila'}`, total }
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/testar',
    summary: 'Enviar já um evento de teste e ver a resposta',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    replies: { 200: EntregaDetalhada },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toEntregaDetalhada(await testWebhook(app, caller, params.id))
    },
  }),
]
