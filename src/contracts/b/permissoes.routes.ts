import type { PermissaoRow } from '../../domain/permissoes/permissoes.sql.ts'
import { listPermissoes } from '../../domain/permissoes/permissoes.ts'
import { loggedIn } from '../../http/access.ts'
import { Id, Nullable } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { toPermissaoItem } from '../permissao.shapes.ts'
import { route } from '../route.ts'

const PermissaoComCategoria = Type.Object(
  { id: Id, nome: Type.String(), descricao: Nullable(Type.String()), categoria: Type.String() },
  { title: 'PermissaoComCategoria' },
)

const Catalogo = Type.Object(
  { total: Type.Integer(), categorias: Type.Record(Type.String(), Type.Array(PermissaoComCategoria)) },
  { title: 'CatalogoDePermissoes' },
)

/** The module before the dot; a name without a dot belongs to none. */
const categoriaOf = (nome: string) => (nome.includes('.') ? (nome.split('.')[0] as string) : 'geral')

function toCatalogo(rows: PermissaoRow[]) {
  const items = rows.map((row) => ({ ...toPermissaoItem(row), categoria: categoriaOf(row.nome) }))
  return { total: items.length, categorias: Object.fromEntries(Map.groupBy(items, (item) => item.categoria)) }
}

export const permissoesRoutesB = [
  route({
    spec: '4.5',
    method: 'GET',
    path: '/api/v1/permissoes',
    summary: 'Permissões por categoria',
    tag: 'Permissões',
    access: loggedIn,
    input: {},
    replies: { 200: Catalogo },
    errors: [],
    async handle(_context, app) {
      return toCatalogo(await listPermissoes(app.db))
    },
  }),
]
