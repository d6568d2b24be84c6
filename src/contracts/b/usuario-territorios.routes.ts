import { changeTerritorios, getTerritorios } from '../../domain/usuarios/territorios.ts'
import { requires } from '../../http/access.ts'
import { fromIfMatch } from '../../http/etag.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { Lugares, LugaresComNome } from '../lugar.shapes.ts'
import { route } from '../route.ts'

const tag = 'Usuários'
const UsuarioPath = Type.Object({ id: Id })
const TerritoriosDaConta = Type.Object({ territorios: LugaresComNome }, { title: 'TerritoriosDaConta' })
const SubstituirTerritorios = Type.Object(
  { territorios: Lugares },
  {
    title: 'SubstituirTerritorios',
    examples: [{ territorios: [{ nivel: 'uf', codigo: 'PE' }] }],
  },
)

export const usuarioTerritoriosRoutesB = [
  route({
    spec: '4.4',
    method: 'GET',
    path: '/api/v1/usuarios/{id}/territorios',
    summary: 'Os lugares a que um usuário está vinculado',
    tag,
    access: requires('usuarios.listar', { orSelf: 'id' }),
    input: { params: UsuarioPath },
    replies: { 200: TerritoriosDaConta },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return { territorios: await getTerritorios(app, caller, params.id) }
    },
  }),
  route({
    spec: '4.4',
    method: 'PUT',
    path: '/api/v1/usuarios/{id}/territorios',
    summary: 'Substituir os lugares a que um usuário está vinculado',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: UsuarioPath, body: SubstituirTerritorios },
    versioned: 'write',
    replies: { 200: TerritoriosDaConta },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND'],
    async handle({ params, body, caller, request }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return { territorios: await changeTerritorios(app, caller, params.id, body.territorios, ifMatch) }
    },
  }),
]
