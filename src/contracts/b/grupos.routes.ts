import type { FastifyReply } from 'fastify'
import type { GrupoRow } from '../../domain/grupos/grupos.sql.ts'
import {
  addGrupoPermissao,
  changeGrupo,
  createGrupo,
  GRUPOS_LIST,
  getGrupo,
  pageOfGrupos,
  removeGrupo,
  removeGrupoPermissao,
  versaoDoGrupo,
} from '../../domain/grupos/grupos.ts'
import { addMembro, MEMBROS_LIST, pageOfMembros, removeMembro } from '../../domain/grupos/membros.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  AlterarGrupo,
  CriarGrupo,
  ExcluirGrupo,
  fromAlterarGrupo,
  fromCriarGrupo,
  fromExcluirGrupo,
  Grupo,
  GrupoAlterado,
  GrupoCriado,
  ListaDeGrupos,
  ListaDeMembros,
  MembroIncluido,
  PermissoesDoGrupo,
  toGrupo,
  toMembro,
} from './grupos.shapes.ts'

const tag = 'Grupos'
const GrupoPath = Type.Object({ id: Id })
const PermissaoPath = Type.Object({ id: Id, permissao_id: Id })
const GrupoIdPath = Type.Object({ grupo_id: Id })
const MembroPath = Type.Object({ grupo_id: Id, usuario_id: Id })

export const gruposRoutesB = [
  route({
    spec: '4.5',
    method: 'GET',
    path: '/api/v1/grupos',
    summary: 'Listar grupos',
    tag,
    access: requires('grupos.listar'),
    input: { list: GRUPOS_LIST },
    replies: { 200: ListaDeGrupos },
    errors: [],
    async handle({ list, request }, app) {
      const page = await pageOfGrupos(app.db, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), grupos: page.items.map(toGrupo) }
    },
  }),
  route({
    spec: '4.5',
    method: 'POST',
    path: '/api/v1/grupos',
    summary: 'Criar um grupo',
    tag,
    access: requires('grupos.criar'),
    input: { body: CriarGrupo },
    replies: { 201: GrupoCriado },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const grupo = await createGrupo(app, caller, fromCriarGrupo(body))
      reply.code(201)
      return { ...toGrupo(grupo), mensagem: 'Grupo criado com sucesso' }
    },
  }),
  route({
    spec: '4.5',
    method: 'GET',
    path: '/api/v1/grupos/{id}',
    summary: 'Ver um grupo',
    tag,
    access: requires('grupos.listar'),
    input: { params: GrupoPath },
    versioned: 'read',
    replies: { 200: Grupo },
    errors: ['NOT_FOUND'],
    async handle({ params, reply }, app) {
      return answered(reply, await getGrupo(app, params.id))
    },
  }),
  route({
    spec: '4.5',
    method: 'PUT',
    path: '/api/v1/grupos/{id}',
    summary: 'Alterar um grupo',
    tag,
    access: requires('grupos.editar'),
    input: { params: GrupoPath, body: AlterarGrupo },
    versioned: 'write',
    replies: { 200: GrupoAlterado },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const grupo = await changeGrupo(app, caller, params.id, fromAlterarGrupo(body), ifMatch)
      const { id, total_usuarios } = answered(reply, grupo)
      return { id, message: 'Grupo atualizado com sucesso', total_usuarios }
    },
  }),
  route({
    spec: '4.5',
    method: 'DELETE',
    path: '/api/v1/grupos/{id}',
    summary: 'Excluir um grupo',
    tag,
    access: requires('grupos.deletar'),
    input: { params: GrupoPath, query: ExcluirGrupo },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      await removeGrupo(app, caller, params.id, fromExcluirGrupo(query), ifMatch)
      reply.code(204)
    },
  }),
  route({
    spec: '4.5',
    method: 'POST',
    path: '/api/v1/grupos/{grupo_id}/usuarios/{usuario_id}',
    summary: 'Incluir um membro',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: MembroPath },
    replies: { 200: MembroIncluido },
    errors: ['NOT_FOUND'],
    async handle({ params: { grupo_id, usuario_id }, caller }, app) {
      const { total_usuarios } = await addMembro(app, caller, grupo_id, usuario_id)
      return { message: 'Usuário incluído no grupo', grupo_id, usuario_id, total_usuarios }
    },
  }),
  route({
    spec: '4.5',
    method: 'DELETE',
    path: '/api/v1/grupos/{grupo_id}/usuarios/{usuario_id}',
    summary: 'Retirar um membro',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: MembroPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeMembro(app, caller, params.grupo_id, params.usuario_id)
      reply.code(204)
    },
  }),
  route({
    spec: '4.5',
    method: 'GET',
    path: '/api/v1/grupos/{grupo_id}/usuarios',
    summary: 'Listar os membros de um grupo',
    tag,
    access: requires('grupos.listar'),
    input: { params: GrupoIdPath, list: MEMBROS_LIST },
    replies: { 200: ListaDeMembros },
    errors: ['NOT_FOUND'],
    async handle({ params, list, caller, request }, app) {
      const page = await pageOfMembros(app, caller, params.grupo_id, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), usuarios: page.items.map(toMembro) }
    },
  }),
  route({
    spec: '4.5',
    method: 'PUT',
    path: '/api/v1/grupos/{id}/permissoes',
    summary: 'Substituir as permissões de um grupo',
    tag,
    access: requires('grupos.editar'),
    input: { params: GrupoPath, body: PermissoesDoGrupo },
    versioned: 'write',
    replies: { 200: Grupo },
    errors: ['NOT_FOUND'],
    async handle({ params, body: { permissoes_ids }, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return answered(reply, await changeGrupo(app, caller, params.id, { permissoes_ids }, ifMatch))
    },
  }),
  route({
    spec: '4.5',
    method: 'POST',
    path: '/api/v1/grupos/{id}/permissoes/{permissao_id}',
    summary: 'Dar uma permissão a um grupo',
    tag,
    access: requires('grupos.editar'),
    input: { params: PermissaoPath },
    replies: { 200: Grupo },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toGrupo(await addGrupoPermissao(app, caller, params.id, params.permissao_id))
    },
  }),
  route({
    spec: '4.5',
    method: 'DELETE',
    path: '/api/v1/grupos/{id}/permissoes/{permissao_id}',
    summary: 'Retirar uma permissão de um grupo',
    tag,
    access: requires('grupos.editar'),
    input: { params: PermissaoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeGrupoPermissao(app, caller, params.id, params.permissao_id)
      reply.code(204)
    },
  }),
]

function answered(reply: FastifyReply, grupo: GrupoRow) {
  reply.header('etag', etagOf(versaoDoGrupo(grupo)))
  return toGrupo(grupo)
}
