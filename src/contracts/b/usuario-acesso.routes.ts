import { inviteUsuario } from '../../domain/usuarios/convite.ts'
import { endMfa, endSessoesOf } from '../../domain/usuarios/encerrar.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'

const tag = 'Usuários'
const UsuarioPath = Type.Object({ id: Id })
const AcessoEncerrado = Type.Object(
  { message: Type.String(), sessoes_encerradas: Type.Integer() },
  { title: 'AcessoEncerrado' },
)

export const usuarioAcessoRoutesB = [
  route({
    spec: '4.17',
    method: 'POST',
    path: '/api/v1/usuarios/{id}/convite',
    summary: 'Convidar de novo um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath },
    replies: { 200: Message },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller }, app) {
      await inviteUsuario(app, caller, params.id)
      return { message: 'Convite a caminho' }
    },
  }),
  route({
    spec: '4.17',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/mfa',
    summary: 'Encerrar o segundo fator de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath },
    replies: { 200: AcessoEncerrado },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller }, app) {
      const sessoes_encerradas = await endMfa(app, caller, params.id)
      return { message: 'Segundo fator encerrado', sessoes_encerradas }
    },
  }),
  route({
    spec: '4.17',
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/sessoes',
    summary: 'Encerrar as sessões de um usuário',
    tag,
    access: requires('usuarios.editar'),
    input: { params: UsuarioPath },
    replies: { 200: AcessoEncerrado },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      const sessoes_encerradas = await endSessoesOf(app, caller, params.id)
      return { message: 'Sessões encerradas', sessoes_encerradas }
    },
  }),
]
