import { getReachedWithRights, versaoDaConta } from '../domain/contas/contas.ts'
import { loggedIn } from '../http/access.ts'
import { etagOf } from '../http/etag.ts'
import { Id } from '../http/schemas.ts'
import { Type } from '../http/type.ts'
import { fromInclude } from './include.ts'
import { route } from './route.ts'
import {
  DETAIL_INCLUDES,
  DetailQuery,
  seesAll,
  toFullDetail,
  toUsuarioDetail,
  UsuarioDetail,
} from './usuario-detail.shapes.ts'

/** One route of both descriptions, with one answer for both. */
export const usuarioDetailRoutes = [
  route({
    spec: '4.1, 4.4',
    method: 'GET',
    path: '/api/v1/usuarios/{id}',
    summary: 'Ver um usuário',
    tag: 'Usuários',
    access: loggedIn,
    input: { params: Type.Object({ id: Id }), query: DetailQuery },
    versioned: 'read',
    replies: { 200: UsuarioDetail },
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, reply }, app) {
      const include = fromInclude(query.include, DETAIL_INCLUDES)
      const usuario = await getReachedWithRights(app, caller, params.id)
      if (!seesAll(caller, usuario)) return toUsuarioDetail(app, usuario)
      // A hash of what the others do not see could be guessed.
      reply.header('etag', etagOf(versaoDaConta(usuario)))
      return toFullDetail(app, caller, usuario, include)
    },
  }),
]
