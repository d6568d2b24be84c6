import { getUsuario } from '../../domain/contas/contas.ts'
import { requestReset } from '../../domain/senhas/senhas.ts'
import { login } from '../../domain/sessoes/login.ts'
import { refresh } from '../../domain/sessoes/refresh.ts'
import { logout } from '../../domain/sessoes/sessoes.ts'
import { signup } from '../../domain/usuarios/signup.ts'
import { anyone, loggedIn } from '../../http/access.ts'
import { originOf } from '../../http/origin.ts'
import { Type } from '../../http/type.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'
import { LOGIN_ERRORS, RefreshToken, TokenResponse, toLoginInput, toTokenResponse } from '../token.shapes.ts'
import { toUsuarioBase } from '../usuario.shapes.ts'
import { withNestedPaths } from './nested-paths.ts'
import {
  EmailQuery,
  fromSignup,
  LoggedUser,
  LoginA,
  LoginForm,
  Signup,
  toLoggedUser,
  UsuarioBase,
} from './usuarios.shapes.ts'

const tag = 'Autenticação'
const RefreshQuery = Type.Object({ refresh_token: RefreshToken })

export const PASSWORD_GRANT = '/api/v1/usuarios/login_sw'

export const contaRoutesA = [
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/login',
    replacedBy: 'POST /api/v1/auth/login',
    summary: 'Entrar com e-mail e senha',
    tag,
    access: anyone,
    input: { body: LoginA },
    replies: { 200: TokenResponse },
    errors: LOGIN_ERRORS,
    async handle({ body, request }, app) {
      const input = toLoginInput(request, {
        email: body.email,
        senha: body.password,
        mfa_code: body.mfa_code,
      })
      return toTokenResponse(await login(app, input, originOf(request)))
    },
  }),
  route({
    spec: '5',
    method: 'POST',
    path: PASSWORD_GRANT,
    summary: 'Entrar pelo fluxo de senha do OAuth 2.0',
    tag,
    access: anyone,
    input: { body: LoginForm },
    consumes: 'form',
    replies: { 200: TokenResponse },
    errors: LOGIN_ERRORS,
    async handle({ body, request }, app) {
      const input = toLoginInput(request, {
        email: body.username,
        senha: body.password,
        mfa_code: body.mfa_code,
      })
      return toTokenResponse(await login(app, input, originOf(request)))
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/refresh-token',
    replacedBy: 'POST /api/v1/auth/refresh',
    summary: 'Trocar o refresh token por um novo par',
    tag,
    access: anyone,
    input: { query: RefreshQuery },
    replies: { 200: TokenResponse },
    errors: ['INVALID_REFRESH_TOKEN'],
    async handle({ query, request }, app) {
      return toTokenResponse(await refresh(app, query.refresh_token, originOf(request)))
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/signup',
    summary: 'Criar uma conta com a chave mestra',
    tag,
    access: anyone,
    input: { body: Signup },
    replies: { 201: UsuarioBase },
    errors: ['INVALID_MASTER_KEY'],
    async handle({ body, request, reply }, app) {
      const input = fromSignup(body, request.language)
      const usuario = await withNestedPaths(() =>
        signup(app, body.usuario.master_key, input, originOf(request)),
      )
      reply.code(201)
      return toUsuarioBase(app, usuario)
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/reset-password',
    replacedBy: 'POST /api/v1/auth/forgot-password',
    summary: 'Pedir um link para redefinir a senha',
    tag,
    access: anyone,
    input: { query: EmailQuery },
    replies: { 200: Message },
    errors: [],
    async handle({ query }, app) {
      await requestReset(app, query.email)
      return { message: 'Se o e-mail estiver cadastrado, você receberá as instruções' }
    },
  }),
  route({
    spec: '4.1',
    method: 'GET',
    path: '/api/v1/usuarios/logado',
    summary: 'O usuário da sessão atual',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: LoggedUser },
    errors: [],
    async handle({ caller }, app) {
      return toLoggedUser(app, await getUsuario(app, caller.id))
    },
  }),
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/logout',
    replacedBy: 'POST /api/v1/auth/logout',
    summary: 'Encerrar a sessão do refresh token',
    tag,
    access: loggedIn,
    whilePasswordMustChange: true,
    whileMfaIsMissing: true,
    input: { query: RefreshQuery },
    replies: { 200: Message },
    errors: ['INVALID_REFRESH_TOKEN'],
    async handle({ query, caller }, app) {
      await logout(app, caller, { refresh_token: query.refresh_token, everywhere: false })
      return { message: 'Sessão encerrada' }
    },
  }),
]
