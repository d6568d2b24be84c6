import { getFoto } from '../../domain/fotos/fotos.ts'
import { setSenha } from '../../domain/senhas/senhas.ts'
import { createUsuario, newUsuarioProblems } from '../../domain/usuarios/create.ts'
import { assertEditable } from '../../domain/usuarios/editable.ts'
import { userStatistics } from '../../domain/usuarios/estatisticas.ts'
import { addGrupo, addPermissao, dropGrupo, dropPermissao, getRights } from '../../domain/usuarios/links.ts'
import {
  pageOfUsuarios,
  pageWithLocks,
  USUARIOS_LIST,
  usuariosFilterProblems,
} from '../../domain/usuarios/list.ts'
import { getPerfil, PERFIL_INCLUDES } from '../../domain/usuarios/perfil.ts'
import { excludeUsuario } from '../../domain/usuarios/remove.ts'
import { unlockUsuario } from '../../domain/usuarios/unlock.ts'
import { changeUsuario, type EditResult } from '../../domain/usuarios/update.ts'
import { AppError } from '../../errors/catalogue.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { fromIfMatch, isCurrent } from '../../http/etag.ts'
import { Binary, NoContent } from '../../http/route.ts'
import { Id, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { fromInclude } from '../include.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'
import { PasswordSet, SetPassword } from './auth.shapes.ts'
import { BuscarUsuarios, fromBuscar, ResultadoDaBusca, toResultado } from './buscar.shapes.ts'
import { envelope } from './envelope.ts'
import { AlterarUsuario, fromAlterarUsuario } from './usuario-change.shapes.ts'
import {
  CriarUsuario,
  EstatisticasDeUsuarios,
  EstatisticasQuery,
  ExcluirUsuario,
  fromCriarUsuario,
  GruposDoUsuario,
  ListaDeUsuarios,
  PerfilB,
  PerfilQuery,
  PermissoesDoUsuario,
  toEstatisticas,
  toPerfil,
  toPermissoesDoUsuario,
  toUsuarioCriado,
  toUsuarioItem,
  UsuarioAlterado,
  UsuarioCriado,
  UsuarioExcluido,
} from './usuarios.shapes.ts'

const tag = 'Usuários'
const UsuarioPath = Type.Object({ id: Id })
const GrupoPath = Type.Object({ id: Id, grupo_id: Id })
const PermissaoPath = Type.Object({ id: Id, permissao_id: Id })
const FotoQuery = Type.Object({ tamanho: OneOf(['grande', 'pequena'], { default: 'grande' }) })

const toAlterado = (id: number, { campos_alterados, email_verificacao, relogin }: EditResult) => ({
  id,
  message: 'Usuário atualizado com sucesso',
  campos_alterados,
  requer_acao: { email_verificacao, relogin },
})

export const usuariosRoutesB = [
  route({
    spec: '4.3',
    method: 'GET',
    path: '/api/v1/usuarios/me',
    summary: 'O meu perfil',
    tag,
    access: loggedIn,
    input: { query: PerfilQuery },
    replies: { 200: PerfilB },
    errors: [],
    async handle({ query, caller }, app) {
      const include = fromInclude(query.include, PERFIL_INCLUDES)
      return toPerfil(app, await getPerfil(app, caller, include), caller, include)
    },
  }),
  route({
    spec: '4.4',
    method: 'GET',
    path: '/api/v1/usuarios',
    summary: 'Listar usuários',
    tag,
    access: requires('usuarios.listar'),
    input: { list: USUARIOS_LIST },
    checkFilter: usuariosFilterProblems,
    replies: { 200: ListaDeUsuarios },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageWithLocks(app, caller, list)
      const items = page.items.map((usuario) => toUsuarioItem(app, usuario))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios',
    summary: 'Criar um usuário',
    tag,
    access: requires('usuarios.criar'),
    input: { body: CriarUsuario },
    check: (body, app) => newUsuarioProblems(app, body),
    idempotent: true,
    replies: { 201: UsuarioCriado },
    errors: ['OUT_OF_TERRITORY'],
    async handle({ body, caller, request, reply }, app) {
      const problems = await newUsuarioProblems(app, body)
      if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
      const usuario = await createUsuario(app, caller, fromCriarUsuario(body, request.language))
      reply.code(201)
      return toUsuarioCriado(app, usuario)
    },
  }),
  route({
    spec: '4.4',
    method: 'PUT',
    path: '/api/v1/usuarios/{id}',
    summary: 'Alterar um usuário',
    tag,
    access: requires('usuarios.editar', { orSelf: 'id' }),
    input: { params: UsuarioPath, body: AlterarUsuario },
    versioned: 'write',
    replies: { 200: UsuarioAlterado },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, request }, app) {
      await assertEditable(app, caller, params.id, body)
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const result = await changeUsuario(app, caller, params.id, fromAlterarUsuario(body), { ifMatch })
      return toAlterado(params.id, result)
    },
  }),
  route({
    spec: '4.4',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}',
    summary: 'Desativar um usuário, com motivo',
    tag,
    access: requires('usuarios.deletar'),
    input: { params: UsuarioPath, query: ExcluirUsuario },
    versioned: 'write',
    replies: { 200: UsuarioExcluido },
    errors: ['NOT_FOUND', 'OUT_OF_TERRITORY'],
    async handle({ params, query, caller, request }, app) {
      const { motivo, transferir_para = null, force = false } = query
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const how = { motivo, transferir_para, force }
      const acoes_realizadas = await excludeUsuario(app, caller, params.id, how, ifMatch)
      const message = force ? 'Usuário removido' : 'Usuário desativado'
      return { message, avisos: [], acoes_realizadas }
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/alterar-senha',
    summary: 'Definir a senha de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath, body: SetPassword },
    replies: { 200: PasswordSet },
    errors: ['WEAK_PASSWORD', 'NOT_FOUND'],
    async handle({ params, body, caller }, app) {
      const { nova_senha, forcar_troca = false } = body
      const sessoes_invalidadas = await setSenha(app, caller, params.id, { nova_senha, forcar_troca })
      return { message: 'Senha alterada', forcar_troca, email_enviado: true, sessoes_invalidadas }
    },
  }),
  route({
    spec: '3.2',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/desbloquear',
    summary: 'Encerrar o bloqueio de login de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath },
    replies: { 200: Message },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      await unlockUsuario(app, caller, params.id)
      return { message: 'Conta desbloqueada' }
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/grupos/{grupo_id}',
    summary: 'Incluir um usuário em um grupo',
    tag,
    access: requires('usuarios.gerenciar_grupos'),
    input: { params: GrupoPath },
    replies: { 200: UsuarioAlterado },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toAlterado(params.id, await addGrupo(app, caller, params.id, params.grupo_id))
    },
  }),
  route({
    spec: '4.4',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/grupos/{grupo_id}',
    summary: 'Retirar um usuário de um grupo',
    tag,
    access: requires('usuarios.gerenciar_grupos'),
    input: { params: GrupoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await dropGrupo(app, caller, params.id, params.grupo_id)
      reply.code(204)
    },
  }),
  route({
    spec: '4.4',
    method: 'PUT',
    path: '/api/v1/usuarios/{id}/grupos',
    summary: 'Substituir os grupos de um usuário',
    tag,
    access: requires('usuarios.gerenciar_grupos'),
    input: { params: UsuarioPath, body: GruposDoUsuario },
    versioned: 'write',
    replies: { 200: UsuarioAlterado },
    errors: ['NOT_FOUND'],
    async handle({ params, body: { grupos_ids }, caller, request }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return toAlterado(params.id, await changeUsuario(app, caller, params.id, { grupos_ids }, { ifMatch }))
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/permissoes/{permissao_id}',
    summary: 'Dar uma permissão a um usuário',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: PermissaoPath },
    replies: { 200: UsuarioAlterado },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toAlterado(params.id, await addPermissao(app, caller, params.id, params.permissao_id))
    },
  }),
  route({
    spec: '4.4',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/permissoes/{permissao_id}',
    summary: 'Retirar uma permissão de um usuário',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: PermissaoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await dropPermissao(app, caller, params.id, params.permissao_id)
      reply.code(204)
    },
  }),
  route({
    spec: '4.4',
    method: 'GET',
    path: '/api/v1/usuarios/{id}/permissoes',
    summary: 'O que um usuário pode, e de onde vem',
    tag,
    access: requires('usuarios.listar', { orSelf: 'id' }),
    input: { params: UsuarioPath },
    replies: { 200: PermissoesDoUsuario },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toPermissoesDoUsuario(await getRights(app, caller, params.id))
    },
  }),
  route({
    spec: '4.4',
    method: 'GET',
    path: '/api/v1/usuarios/estatisticas',
    summary: 'Números dos usuários',
    tag,
    access: requires('usuarios.listar'),
    input: { query: EstatisticasQuery },
    replies: { 200: EstatisticasDeUsuarios },
    errors: [],
    async handle({ query, caller }, app) {
      const { periodo, agrupar_por } = query
      return toEstatisticas(await userStatistics(app, caller, periodo, agrupar_por ?? null), periodo)
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios/buscar',
    summary: 'Buscar usuários com filtros aninhados',
    tag,
    access: requires('usuarios.listar'),
    input: { body: BuscarUsuarios },
    replies: { 200: ResultadoDaBusca },
    errors: [],
    async handle({ body, caller }, app) {
      const { list, incluir } = fromBuscar(app, body)
      return toResultado(app, await pageOfUsuarios(app, caller, list), incluir)
    },
  }),
  route({
    spec: '2.4',
    method: 'GET',
    path: '/api/v1/usuarios/{id}/foto',
    summary: 'A foto de um usuário (WebP)',
    tag,
    access: loggedIn,
    input: { params: UsuarioPath, query: FotoQuery },
    replies: { 200: Binary, 304: NoContent },
    produces: 'image/webp',
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request, reply }, app) {
      const { conteudo, versao } = await getFoto(app, caller, params.id, query.tamanho === 'pequena')
      const etag = `"${versao}-${query.tamanho}"`
      // The address names the version, so a client may keep it: this client alone, and what the console kept for our pages alone.
      reply.headers({ etag, 'cache-control': 'private, max-age=86400', vary: 'Sec-Fetch-Site' })
      if (isCurrent(request.headers['if-none-match'], etag)) {
        reply.code(304)
        return undefined
      }
      reply.type('image/webp')
      return conteudo
    },
  }),
]
