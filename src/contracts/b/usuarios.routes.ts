import { Type } from 'typebox'
import { setSenha } from '../../domain/senhas/senhas.ts'
import { unlockUsuario } from '../../domain/usuarios/desbloquear.ts'
import { getPerfil } from '../../domain/usuarios/perfil.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'
import { PasswordSet, SetPassword } from './auth.shapes.ts'
import { fromInclude, PerfilB, PerfilQuery, toPerfil } from './usuarios.shapes.ts'

const tag = 'Usuários'
const UsuarioPath = Type.Object({ id: Id })

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
      const include = fromInclude(query.include)
      return toPerfil(await getPerfil(app, caller, include), caller, include)
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
      const { nova_senha, forcar_troca = false, notificar_usuario = false } = body
      const sessoes_invalidadas = await setSenha(app, caller, params.id, {
        nova_senha,
        forcar_troca,
        notificar_usuario,
      })
      return {
        message: 'Senha alterada',
        forcar_troca,
        email_enviado: notificar_usuario,
        sessoes_invalidadas,
      }
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
]
