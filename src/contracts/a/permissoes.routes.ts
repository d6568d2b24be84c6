import { changePermissao, createPermissao, removePermissao } from '../../domain/permissoes/manage.ts'
import { listPermissoes } from '../../domain/permissoes/permissoes.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { NoContent } from '../../http/route.ts'
import { Id, Nullable, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { route } from '../route.ts'

const tag = 'Permissões'
const PermissaoPath = Type.Object({ id: Id })
const PermissaoInput = Type.Object(
  {
    nome: ProseText({ maxLength: 100 }),
    descricao: Type.Optional(Nullable(Text({ maxLength: 500 }))),
  },
  { title: 'PermissaoInput', examples: [{ nome: 'laboratorio.liberar', descricao: 'Liberar resultados' }] },
)

const fromPermissaoInput = ({ nome, descricao = null }: Static<typeof PermissaoInput>) => ({
  nome,
  descricao,
})

export const permissoesRoutesA = [
  route({
    spec: '4.2',
    method: 'GET',
    path: '/api/v1/permissoes/',
    summary: 'Listar permissões',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: Type.Array(PermissaoItem) },
    errors: [],
    async handle(_context, app) {
      return (await listPermissoes(app.db)).map(toPermissaoItem)
    },
  }),
  route({
    spec: '4.2',
    method: 'POST',
    path: '/api/v1/permissoes',
    summary: 'Criar uma permissão',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { body: PermissaoInput },
    replies: { 201: PermissaoItem },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const permissao = await createPermissao(app, caller, fromPermissaoInput(body))
      reply.code(201)
      return toPermissaoItem(permissao)
    },
  }),
  route({
    spec: '4.2',
    method: 'PUT',
    path: '/api/v1/permissoes/{id}',
    summary: 'Alterar uma permissão',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: PermissaoPath, body: PermissaoInput },
    replies: { 200: PermissaoItem },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller }, app) {
      return toPermissaoItem(await changePermissao(app, caller, params.id, fromPermissaoInput(body)))
    },
  }),
  route({
    spec: '4.2',
    method: 'DELETE',
    path: '/api/v1/permissoes/{id}',
    summary: 'Excluir uma permissão',
    tag,
    access: requires('usuarios.gerenciar_permissoes'),
    input: { params: PermissaoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removePermissao(app, caller, params.id)
      reply.code(204)
    },
  }),
]
