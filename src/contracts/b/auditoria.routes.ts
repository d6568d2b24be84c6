import type { AuditoriaRow } from '../../domain/auditoria/auditoria.sql.ts'
import { AUDITORIA_LIST } from '../../domain/auditoria/list.ts'
import { pageOfRegistros } from '../../domain/registros/registros.ts'
import { lastVerificacao, requestVerificacao } from '../../domain/registros/verificacao.ts'
import { requires } from '../../http/access.ts'
import { DateTime, Nullable } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope, ListOf } from './envelope.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const Ator = Type.Object({ id: Type.Integer(), nome: Type.String() })

const Registro = Type.Object(
  {
    id: Type.Integer(),
    data: DateTime,
    ator: Nullable(Ator),
    acao: Type.String(),
    recurso: Nullable(Type.String()),
    recurso_id: Nullable(Type.String()),
    detalhes: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    endereco_ip: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
    hash: Type.String(),
  },
  { title: 'RegistroDeAuditoria' },
)
const Verificacao = Type.Object(
  {
    integra: Type.Boolean(),
    ate: Nullable(DateTime),
    verificada_em: DateTime,
  },
  { title: 'VerificacaoDaAuditoria', description: 'A última verificação da cadeia' },
)
const ListaDeAuditoria = Type.Object(
  { ...ListOf('items', Registro, 'ListaDeAuditoria').properties, verificacao: Nullable(Verificacao) },
  { title: 'ListaDeAuditoria' },
)

function toRegistro(row: AuditoriaRow) {
  return {
    id: row.id,
    data: row.data.toISOString(),
    ator: row.ator_id === null ? null : { id: row.ator_id, nome: row.ator_nome ?? '' },
    acao: row.acao,
    recurso: row.recurso,
    recurso_id: row.recurso_id,
    detalhes: row.detalhes,
    endereco_ip: row.endereco_ip,
    request_id: row.request_id,
    hash: row.hash.toString('hex'),
  }
}

export const auditoriaRoutesB = [
  route({
    spec: '4.8',
    method: 'GET',
    path: '/api/v1/auditoria',
    summary: 'A auditoria; a quem tem território, a dos casos e contas de lá',
    tag: 'Auditoria',
    access: requires('auditoria.ver'),
    input: { list: AUDITORIA_LIST },
    replies: { 200: ListaDeAuditoria },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfRegistros(app, caller, list)
      const last = await lastVerificacao(app)
      return {
        ...envelope(page, request.originalUrl, app.clock.now()),
        items: page.items.map(toRegistro),
        verificacao: last && { ...last, verificada_em: last.verificada_em.toISOString() },
      }
    },
  }),
  route({
    spec: '4.18',
    method: 'POST',
    path: '/api/v1/auditoria/verificar',
    summary: 'Verificar a cadeia da auditoria',
    tag: 'Auditoria',
    access: requires('admin'),
    input: {},
    replies: { 202: JobAceito },
    errors: [],
    async handle({ caller, request, reply }, app) {
      const id = await requestVerificacao(app, caller)
      reply.code(202)
      return toJobAceito(id, 'verificacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
]
