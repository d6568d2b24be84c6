import type { FastifyReply } from 'fastify'
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  pageOfWebhooks,
  removeWebhook,
  rotateSecret,
  WEBHOOKS_LIST,
  type Webhook as WebhookDoDominio,
} from '../../domain/webhooks/webhooks.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  AlterarWebhook,
  CatalogoDeEventos,
  CriarWebhook,
  fromAlterarWebhook,
  fromCriarWebhook,
  ListaDeWebhooks,
  SegredoTrocado,
  toCatalogo,
  toWebhook,
  Webhook,
  WebhookCriado,
} from './webhooks.shapes.ts'

const tag = 'Webhooks'
export const WebhookPath = Type.Object({ id: Type.String({ maxLength: 60 }) })

export const webhooksRoutesB = [
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Registrar um webhook',
    tag,
    access: requires('agravos.listar'),
    input: { body: CriarWebhook },
    idempotent: { replay: ({ secret: _shownOnce, ...webhook }) => webhook },
    replies: { 201: WebhookCriado },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const { webhook, secret } = await createWebhook(app, caller, fromCriarWebhook(body))
      reply.code(201)
      return { ...toWebhook(webhook), secret }
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'Listar os meus webhooks; com `webhooks.gerenciar`, os das contas que se pode ver',
    tag,
    access: loggedIn,
    input: { list: WEBHOOKS_LIST },
    replies: { 200: ListaDeWebhooks },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfWebhooks(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toWebhook) }
    },
  }),
  route({
    spec: '6',
    method: 'GET',
    path: '/api/v1/webhooks/eventos',
    summary: 'O catálogo dos eventos',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: CatalogoDeEventos },
    errors: [],
    async handle() {
      return toCatalogo()
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/webhooks/{id}',
    summary: 'Ver um webhook',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    versioned: 'read',
    replies: { 200: Webhook },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      return answered(reply, await getWebhook(app, caller, params.id))
    },
  }),
  route({
    spec: '4.7',
    method: 'PUT',
    path: '/api/v1/webhooks/{id}',
    summary: 'Alterar um webhook',
    tag,
    access: loggedIn,
    input: { params: WebhookPath, body: AlterarWebhook },
    versioned: 'write',
    replies: { 200: Webhook },
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return answered(reply, await changeWebhook(app, caller, params.id, fromAlterarWebhook(body), ifMatch))
    },
  }),
  route({
    spec: '4.7',
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    summary: 'Excluir um webhook e o que espera por ele',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request, reply }, app) {
      await removeWebhook(app, caller, params.id, fromIfMatch(request.headers['if-match']))
      reply.code(204)
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/pausar',
    summary: 'Pausar: os eventos esperam',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    replies: { 200: Webhook },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toWebhook(await changeWebhook(app, caller, params.id, { ativo: false }))
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/retomar',
    summary: 'Retomar: o que esperava é entregue agora',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    replies: { 200: Webhook },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toWebhook(await changeWebhook(app, caller, params.id, { ativo: true }))
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/segredo',
    summary: 'Trocar o segredo; por 24 horas valem os dois',
    tag,
    access: loggedIn,
    input: { params: WebhookPath },
    replies: { 200: SegredoTrocado },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      const { secret, anterior_ate } = await rotateSecret(app, caller, params.id)
      return { id: params.id, secret, segredo_anterior_ate: anterior_ate.toISOString() }
    },
  }),
]

function answered(reply: FastifyReply, webhook: WebhookDoDominio) {
  reply.header('etag', etagOf(webhook.versao))
  return toWebhook(webhook)
}
