import { Type } from 'typebox'
import { allPermissoes } from '../../domain/permissoes/permissoes.ts'
import { loggedIn } from '../../http/access.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { route } from '../route.ts'

export const permissoesRoutesA = [
  route({
    spec: '4.2',
    method: 'GET',
    path: '/api/v1/permissoes/',
    summary: 'Listar permissões',
    tag: 'Permissões',
    access: loggedIn,
    input: {},
    replies: { 200: Type.Array(PermissaoItem) },
    errors: [],
    async handle(_context, app) {
      return (await allPermissoes(app)).map(toPermissaoItem)
    },
  }),
]
