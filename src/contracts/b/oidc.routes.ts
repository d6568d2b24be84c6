import { listIdentidadesOf, unlinkIdentidade } from '../../domain/identidades/identidades.ts'
import { completeSso } from '../../domain/oidc/segundo-fator.ts'
import { getPerfil } from '../../domain/usuarios/perfil.ts'
import { anyone, loggedIn, requires } from '../../http/access.ts'
import { sendCookie, sendSsoCookie, ssoCookieOf } from '../../http/console-cookie.ts'
import { navegadorOf } from '../../http/origin.ts'
import { NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { IN_CONSOLE } from './auth.routes.ts'
import {
  ListaDeIdentidades,
  ListaDeProvedores,
  SegundoFatorDoSso,
  toIdentidades,
  toProvedores,
} from './oidc.shapes.ts'
import { PerfilB, toPerfil } from './usuarios.shapes.ts'

const tag = 'Entrada única'

export const oidcRoutesB = [
  route({
    spec: '4.23',
    method: 'GET',
    path: '/api/v1/auth/oidc',
    summary: 'Provedores de entrada única',
    tag,
    access: anyone,
    input: {},
    replies: { 200: ListaDeProvedores },
    errors: [],
    async handle(_context, app) {
      return { provedores: toProvedores(app.provedores) }
    },
  }),
  route({
    spec: '4.23',
    method: 'POST',
    path: '/api/v1/auth/oidc/segundo-fator',
    summary: 'Concluir a entrada única com o segundo fator',
    tag,
    access: anyone,
    consoleOnly: true,
    input: { body: SegundoFatorDoSso },
    replies: { 200: PerfilB },
    errors: ['INVALID_SSO_ATTEMPT', 'INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE', 'ACCOUNT_LOCKED'],
    async handle({ body, request, reply }, app) {
      const caller = await completeSso(app, ssoCookieOf(request), body.mfa_code, navegadorOf(request))
      sendCookie(reply, caller.cookie)
      sendSsoCookie(reply, null, 0)
      return toPerfil(app, await getPerfil(app, caller, IN_CONSOLE), caller, IN_CONSOLE)
    },
  }),
  route({
    spec: '4.23',
    method: 'GET',
    path: '/api/v1/usuarios/me/identidades',
    summary: 'Minhas identidades de entrada única',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: ListaDeIdentidades },
    errors: [],
    async handle({ caller }, app) {
      return toIdentidades(app.provedores, await listIdentidadesOf(app, caller, caller.id))
    },
  }),
  route({
    spec: '4.23',
    method: 'DELETE',
    path: '/api/v1/usuarios/me/identidades/{id}',
    summary: 'Desvincular uma das minhas identidades',
    tag,
    access: loggedIn,
    input: { params: Type.Object({ id: Id }) },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await unlinkIdentidade(app, caller, caller.id, params.id)
      reply.code(204)
    },
  }),
  route({
    spec: '4.23',
    method: 'GET',
    path: '/api/v1/usuarios/{id}/identidades',
    summary: 'Identidades de entrada única de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: Type.Object({ id: Id }) },
    replies: { 200: ListaDeIdentidades },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toIdentidades(app.provedores, await listIdentidadesOf(app, caller, params.id))
    },
  }),
  route({
    spec: '4.23',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/identidades/{identidade_id}',
    summary: 'Desvincular uma identidade de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: Type.Object({ id: Id, identidade_id: Id }) },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await unlinkIdentidade(app, caller, params.id, params.identidade_id)
      reply.code(204)
    },
  }),
]
