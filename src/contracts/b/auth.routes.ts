import { Type } from 'typebox'
import { login } from '../../domain/sessoes/login.ts'
import { AppError, problem } from '../../errors/catalogue.ts'
import { anyone } from '../../http/access.ts'
import { Text } from '../../http/schemas.ts'
import { originOf } from '../origin.ts'
import { route } from '../route.ts'
import { TokenResponse, toTokenResponse } from '../token.shapes.ts'

const Email = Type.Optional(Text({ minLength: 1, maxLength: 254 }))
const Senha = Type.Optional(Text({ minLength: 1, maxLength: 1000 }))

const LoginB = Type.Object(
  { username: Email, password: Senha, email: Email, senha: Senha },
  {
    title: 'LoginB',
    description: '`username` e `password`, ou `email` e `senha`, em qualquer combinação',
    examples: [{ username: 'ana@saude.gov.br', password: 'Segredo#2026' }],
  },
)

export const authRoutesB = [
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Entrar com e-mail e senha',
    tag: 'Autenticação',
    access: anyone,
    input: { body: LoginB },
    replies: { 200: TokenResponse },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE'],
    async handle({ body, request }, app) {
      const email = body.username ?? body.email
      const senha = body.password ?? body.senha
      const problems = [
        ...(email === undefined ? [problem('body', ['username'], 'REQUIRED', {})] : []),
        ...(senha === undefined ? [problem('body', ['password'], 'REQUIRED', {})] : []),
      ]
      if (email === undefined || senha === undefined) throw new AppError('VALIDATION_ERROR', { problems })
      return toTokenResponse(await login(app, { email, senha }, originOf(request)))
    },
  }),
]
