import { savePreferencias } from '../../domain/usuarios/preferencias.ts'
import { loggedIn } from '../../http/access.ts'
import { route } from '../route.ts'
import { Preferencias } from './preferencias.shapes.ts'

export const preferenciasRoutesB = [
  route({
    spec: '4.18',
    method: 'PUT',
    path: '/api/v1/usuarios/me/preferencias',
    summary: 'Mudar as minhas preferências; só o que se envia muda',
    tag: 'Usuários',
    access: loggedIn,
    input: { body: Preferencias },
    replies: { 200: Preferencias },
    errors: [],
    async handle({ body, caller }, app) {
      return savePreferencias(app, caller, body)
    },
  }),
]
