import { login } from '../../domain/sessoes/login.ts'
import { getUsuario } from '../../domain/usuarios/usuarios.ts'
import { anyone, loggedIn } from '../../http/access.ts'
import { originOf } from '../origin.ts'
import { route } from '../route.ts'
import { TokenResponse, toTokenResponse } from '../token.shapes.ts'
import { LoggedUser, LoginA, LoginForm, toLoggedUser } from './usuarios.shapes.ts'

export const usuariosRoutesA = [
  route({
    spec: '4.1',
    method: 'POST',
    path: '/api/v1/usuarios/login',
    summary: 'Entrar com e-mail e senha',
    tag: 'Autenticação',
    access: anyone,
    input: { body: LoginA },
    replies: { 200: TokenResponse },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE'],
    async handle({ body, request }, app) {
      return toTokenResponse(await login(app, { email: body.email, senha: body.password }, originOf(request)))
    },
  }),
  route({
    spec: '5',
    method: 'POST',
    path: '/api/v1/usuarios/login_sw',
    summary: 'Entrar pelo fluxo de senha do OAuth 2.0',
    tag: 'Autenticação',
    access: anyone,
    input: { body: LoginForm },
    consumes: 'form',
    replies: { 200: TokenResponse },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE'],
    async handle({ body, request }, app) {
      return toTokenResponse(
        await login(app, { email: body.username, senha: body.password }, originOf(request)),
      )
    },
  }),
  route({
    spec: '4.1',
    method: 'GET',
    path: '/api/v1/usuarios/logado',
    summary: 'O usuário da sessão atual',
    tag: 'Autenticação',
    access: loggedIn,
    input: {},
    replies: { 200: LoggedUser },
    errors: [],
    async handle({ caller }, app) {
      return toLoggedUser(await getUsuario(app, caller.id))
    },
  }),
]
