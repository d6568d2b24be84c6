import { setFoto } from '../../domain/fotos/fotos.ts'
import { MAX_PHOTO_BYTES } from '../../domain/fotos/image.ts'
import { withinReach } from '../../domain/territorios/alcance.ts'
import { sliceOfUsuarios } from '../../domain/usuarios/list.ts'
import { removeUsuario } from '../../domain/usuarios/remove.ts'
import { resolvePermissoes } from '../../domain/usuarios/signup.ts'
import { changeUsuario, setAtivo } from '../../domain/usuarios/update.ts'
import { AppError } from '../../errors/catalogue.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { fromIfMatch } from '../../http/etag.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { collect, MULTIPART_OVERHEAD } from '../../http/uploads.ts'
import { avatarUrl } from '../avatar.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'
import { toUsuarioBase } from '../usuario.shapes.ts'
import { withNestedPaths } from './nested-paths.ts'
import {
  fromListQueryA,
  fromUpdateA,
  ListQueryA,
  PaginatedUsers,
  toUsuarioListItem,
  UpdateA,
  UsuarioBase,
} from './usuarios.shapes.ts'

const tag = 'Usuários'
const UsuarioPath = Type.Object({ id: Id })
const FotoAlterada = Type.Object(
  { message: Type.String(), avatar_url: Type.String() },
  { title: 'FotoAlterada' },
)

const list = {
  spec: '4.1',
  method: 'GET',
  summary: 'Listar usuários (limit, offset)',
  tag,
  access: loggedIn,
  input: { query: ListQueryA },
  replies: { 200: PaginatedUsers },
  errors: [],
} as const

export const usuariosRoutesA = [
  // With the final slash always; without it when `limit` or `offset` ask for this form.
  ...['/api/v1/usuarios/', '/api/v1/usuarios'].map((path) =>
    route({
      ...list,
      errors: [],
      path,
      async handle({ query, caller }, app) {
        const { limit, offset } = query
        const filter = withinReach(fromListQueryA(query), caller)
        const { items, total } = await sliceOfUsuarios(app, filter, { size: limit, offset })
        const usuarios = items.map((usuario) => toUsuarioListItem(app, usuario))
        return { total, limit, offset, usuarios }
      },
    }),
  ),
  route({
    spec: '4.1',
    method: 'PUT',
    path: '/api/v1/usuarios/{id}',
    summary: 'Alterar um usuário',
    tag,
    access: requires('usuarios.editar', { orSelf: 'id' }),
    input: { params: UsuarioPath, body: UpdateA },
    versioned: 'write',
    replies: { 200: UsuarioBase },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, request }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const { usuario, permissoes } = body
      const given = { permissoes: usuario.permissoes ?? [], permissoes_ids: permissoes ?? [] }
      const touched = usuario.permissoes !== undefined || permissoes !== undefined
      return withNestedPaths(async () => {
        const { permissoes_ids, problems } = await resolvePermissoes(app, given)
        if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
        const change = { ...fromUpdateA(body), ...(touched && { permissoes_ids }) }
        return toUsuarioBase(app, (await changeUsuario(app, caller, params.id, change, { ifMatch })).usuario)
      })
    },
  }),
  route({
    spec: '4.1',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}',
    summary: 'Remover um usuário',
    tag,
    access: requires('usuarios.deletar'),
    input: { params: UsuarioPath },
    versioned: 'write',
    replies: { 200: Message },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request }, app) {
      await removeUsuario(app, caller, params.id, fromIfMatch(request.headers['if-match']))
      return { message: 'Usuário removido' }
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/desativar',
    summary: 'Desativar um usuário',
    tag,
    access: requires('usuarios.deletar'),
    input: { params: UsuarioPath },
    replies: { 200: Message },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      await setAtivo(app, caller, params.id, false)
      return { message: 'Usuário desativado' }
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/reativar',
    summary: 'Reativar um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath },
    replies: { 200: Message },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      await setAtivo(app, caller, params.id, true)
      return { message: 'Usuário reativado' }
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/foto-perfil',
    summary: 'Enviar a foto do perfil',
    tag,
    access: requires('usuarios.editar', { orSelf: 'id' }),
    input: { params: UsuarioPath, upload: { field: 'file', maxBytes: MAX_PHOTO_BYTES, store: collect } },
    consumes: 'multipart',
    bodyLimit: MAX_PHOTO_BYTES + MULTIPART_OVERHEAD,
    replies: { 200: FotoAlterada },
    errors: ['NOT_FOUND'],
    async handle({ params, upload, caller }, app) {
      const versao = await setFoto(app, caller, params.id, upload.stored)
      return { message: 'Foto alterada', avatar_url: avatarUrl(app, params.id, versao) }
    },
  }),
]
