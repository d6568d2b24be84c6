import type { FastifyReply } from 'fastify'
import type { AgendaRow } from '../../domain/boletins/agendas.sql.ts'
import {
  AGENDAS_LIST,
  changeAgenda,
  createAgenda,
  getAgenda,
  pageOfAgendas,
  removeAgenda,
  versaoDaAgenda,
} from '../../domain/boletins/agendas.ts'
import { arquivoDoBoletim } from '../../domain/boletins/arquivo.ts'
import {
  BOLETINS_LIST,
  getBoletim,
  pageOfBoletins,
  pedirBoletim,
  removeBoletim,
} from '../../domain/boletins/boletins.ts'
import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { Binary, NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import {
  Agenda,
  AlterarAgenda,
  ArquivoQuery,
  Boletim,
  CriarAgenda,
  fromAlterarAgenda,
  fromCriarAgenda,
  fromPedido,
  ListaDeAgendas,
  ListaDeBoletins,
  PedirBoletim,
  toAgenda,
  toBoletim,
  toBoletimResumido,
} from './boletins.shapes.ts'
import { envelope } from './envelope.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const tag = 'Boletins'
const access = requires('relatorios.gerar')
const IdPath = Type.Object({ id: Id })

const MEDIA_TYPES = { html: 'text/html', pdf: 'application/pdf' } as const
/** The document has its style and its fonts inside; nothing runs, nothing is fetched. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

export const boletinsRoutesB = [
  route({
    spec: '4.15',
    method: 'POST',
    path: '/api/v1/agravos/boletins',
    summary: 'Pedir um boletim epidemiológico',
    tag,
    access,
    input: { body: PedirBoletim },
    replies: { 202: JobAceito },
    errors: ['OUT_OF_TERRITORY'],
    async handle({ body, caller, request, reply }, app) {
      const id = await pedirBoletim(app, caller, { ...fromPedido(body), semana: body.semana })
      reply.code(202)
      return toJobAceito(id, 'boletim', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.15',
    method: 'GET',
    path: '/api/v1/agravos/boletins',
    summary: 'Listar os boletins',
    tag,
    access,
    input: { list: BOLETINS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeBoletins },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfBoletins(app, caller, list)
      const items = page.items.map(toBoletimResumido)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.15',
    method: 'GET',
    path: '/api/v1/agravos/agendas',
    summary: 'Listar as minhas agendas de boletim',
    tag,
    access,
    input: { list: AGENDAS_LIST },
    replies: { 200: ListaDeAgendas },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfAgendas(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toAgenda) }
    },
  }),
  route({
    spec: '4.15',
    method: 'POST',
    path: '/api/v1/agravos/agendas',
    summary: 'Criar uma agenda de boletim',
    tag,
    access,
    input: { body: CriarAgenda },
    replies: { 201: Agenda },
    errors: ['OUT_OF_TERRITORY', 'CONFLICT'],
    async handle({ body, caller, reply }, app) {
      const agenda = await createAgenda(app, caller, fromCriarAgenda(body))
      reply.code(201)
      return toAgenda(agenda)
    },
  }),
  route({
    spec: '4.15',
    method: 'GET',
    path: '/api/v1/agravos/agendas/{id}',
    summary: 'Ver uma agenda de boletim',
    tag,
    access,
    input: { params: IdPath },
    versioned: 'read',
    replies: { 200: Agenda },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      return answered(reply, await getAgenda(app, caller, params.id))
    },
  }),
  route({
    spec: '4.15',
    method: 'PUT',
    path: '/api/v1/agravos/agendas/{id}',
    summary: 'Alterar uma agenda de boletim',
    tag,
    access,
    input: { params: IdPath, body: AlterarAgenda },
    versioned: 'write',
    replies: { 200: Agenda },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return answered(reply, await changeAgenda(app, caller, params.id, fromAlterarAgenda(body), ifMatch))
    },
  }),
  route({
    spec: '4.15',
    method: 'DELETE',
    path: '/api/v1/agravos/agendas/{id}',
    summary: 'Excluir uma agenda de boletim',
    tag,
    access,
    input: { params: IdPath },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request, reply }, app) {
      await removeAgenda(app, caller, params.id, fromIfMatch(request.headers['if-match']))
      reply.code(204)
    },
  }),
  route({
    spec: '4.15',
    method: 'GET',
    path: '/api/v1/agravos/boletins/{id}',
    summary: 'Ler os dados de um boletim',
    tag,
    access,
    input: { params: IdPath },
    replies: { 200: Boletim },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toBoletim(await getBoletim(app, caller, params.id))
    },
  }),
  route({
    spec: '4.15',
    method: 'GET',
    path: '/api/v1/agravos/boletins/{id}/arquivo',
    summary: 'Baixar um boletim, como página ou PDF',
    tag,
    access: requires('relatorios.exportar'),
    input: { params: IdPath, query: ArquivoQuery },
    produces: Object.values(MEDIA_TYPES),
    replies: { 200: Binary },
    errors: ['NOT_FOUND'],
    async handle({ params, query: { formato }, caller, request, reply }, app) {
      const { nome, content } = await arquivoDoBoletim(app, caller, params.id, {
        formato,
        language: request.language,
      })
      reply
        .type(formato === 'html' ? 'text/html; charset=utf-8' : MEDIA_TYPES.pdf)
        .header('content-disposition', `inline; filename="${nome}"`)
        .header('content-security-policy', POLICY)
        .header('vary', 'accept-language')
      return content
    },
  }),
  route({
    spec: '4.15',
    method: 'DELETE',
    path: '/api/v1/agravos/boletins/{id}',
    summary: 'Excluir um boletim',
    tag,
    access,
    input: { params: IdPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeBoletim(app, caller, params.id)
      reply.code(204)
    },
  }),
]

function answered(reply: FastifyReply, agenda: AgendaRow) {
  reply.header('etag', etagOf(versaoDaAgenda(agenda)))
  return toAgenda(agenda)
}
