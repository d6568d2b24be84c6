import type { Caller } from '../../caller/caller.ts'
import type { VisaoRow } from '../../domain/visoes/visoes.sql.ts'
import { allVisoes, createVisao, MAX_VISOES, removeVisao, TELAS } from '../../domain/visoes/visoes.ts'
import { loggedIn } from '../../http/access.ts'
import { NoContent } from '../../http/route.ts'
import { DateTime, Id, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'

const tag = 'Visões'
const VisaoPath = Type.Object({ id: Id })

const SalvarVisao = Type.Object(
  {
    nome: ProseText({ maxLength: 80 }),
    tela: OneOf(TELAS),
    consulta: Text({ maxLength: 2000, description: 'Do endereço' }),
    grupo_id: Type.Optional(Nullable(Id)),
  },
  {
    title: 'SalvarVisao',
    examples: [{ nome: 'Óbitos do ano', tela: 'casos', consulta: 'agravo=dengue&evolucao=obito' }],
  },
)
const Visao = Type.Object(
  {
    id: Id,
    nome: Type.String(),
    tela: OneOf(TELAS),
    consulta: Type.String(),
    grupo: Nullable(Type.Object({ id: Id, nome: Type.String() })),
    usuario: Type.Object({ id: Id, nome: Type.String() }),
    propria: Type.Boolean(),
    criado_em: DateTime,
  },
  { title: 'Visao' },
)
const ListaDeVisoes = Type.Object(
  { total: Type.Integer(), maximo: Type.Integer(), visoes: Type.Array(Visao) },
  { title: 'ListaDeVisoes' },
)

function toVisao(row: VisaoRow, { id }: Caller): Static<typeof Visao> {
  return {
    id: row.id,
    nome: row.nome,
    tela: row.tela as (typeof TELAS)[number],
    consulta: row.consulta,
    grupo: row.grupo_id === null ? null : { id: row.grupo_id, nome: row.grupo_nome ?? '' },
    usuario: { id: row.usuario_id, nome: row.usuario_nome },
    propria: row.usuario_id === id,
    criado_em: row.criado_em.toISOString(),
  }
}

export const visoesRoutesB = [
  route({
    spec: '4.18',
    method: 'GET',
    path: '/api/v1/visoes',
    summary: 'As minhas visões e as dos meus grupos',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: ListaDeVisoes },
    errors: [],
    async handle({ caller }, app) {
      const visoes = (await allVisoes(app, caller)).map((row) => toVisao(row, caller))
      return { total: visoes.length, maximo: MAX_VISOES, visoes }
    },
  }),
  route({
    spec: '4.18',
    method: 'POST',
    path: '/api/v1/visoes',
    summary: 'Salvar uma visão',
    tag,
    access: loggedIn,
    input: { body: SalvarVisao },
    replies: { 201: Visao },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const { nome, tela, consulta, grupo_id = null } = body
      const visao = await createVisao(app, caller, { nome, tela, consulta, grupo_id })
      reply.code(201)
      return toVisao(visao, caller)
    },
  }),
  route({
    spec: '4.18',
    method: 'DELETE',
    path: '/api/v1/visoes/{id}',
    summary: 'Excluir uma visão minha',
    tag,
    access: loggedIn,
    input: { params: VisaoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeVisao(app, caller, params.id)
      reply.code(204)
    },
  }),
]
