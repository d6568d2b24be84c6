import type { Db } from '../../db/db.ts'
import type { Filter, ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { countUsuarios, listUsuarios, type SearchScope, type UsuarioWithRights } from './usuarios.sql.ts'

export const USUARIOS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    nome: { type: 'text', plain: 'like' },
    email: { type: 'text', plain: 'like' },
    cpf: { type: 'text', operators: ['eq', 'ne', 'in'] },
    cidade: { type: 'text', plain: 'like' },
    estado: { type: 'text', plain: 'like' },
    instituicao: { type: 'text', plain: 'like' },
    cargo: { type: 'text', plain: 'like' },
    departamento: { type: 'text', plain: 'like' },
    admin: { type: 'boolean' },
    ativo: { type: 'boolean' },
    plano: { type: 'text', operators: ['eq', 'ne', 'in'] },
    email_verificado: { type: 'boolean' },
    mfa_habilitado: { type: 'boolean' },
    grupo_id: { type: 'integer', operators: ['eq', 'in'] },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
    ultimo_acesso: { type: 'datetime' },
  },
  sortable: [
    'id',
    'nome',
    'email',
    'cidade',
    'estado',
    'cargo',
    'departamento',
    'admin',
    'ativo',
    'criado_em',
    'atualizado_em',
    'ultimo_acesso',
  ],
  defaultSort: { field: 'id', order: 'asc' },
}

/** A page by number, as most lists have it. */
export async function pageOfUsuarios(
  { db }: Pick<App, 'db'>,
  list: ListQuery,
): Promise<Page<UsuarioWithRights>> {
  const { page, size } = list
  return { ...(await windowOf(db, list, { size, offset: (page - 1) * size }, 'name')), page, size }
}

/** A run of rows by offset, with the wider text search. */
export async function sliceOfUsuarios(
  { db }: Pick<App, 'db'>,
  filter: Filter,
  window: { size: number; offset: number },
): Promise<{ items: UsuarioWithRights[]; total: number }> {
  return windowOf(db, { sort: 'id', order: 'asc', filter }, window, 'wide')
}

/** Where the rows end inside the window, their number is known without counting. */
async function windowOf(
  db: Db,
  list: Omit<ListQuery, 'page' | 'size'>,
  window: { size: number; offset: number },
  scope: SearchScope,
): Promise<{ items: UsuarioWithRights[]; total: number }> {
  const items = await listUsuarios(db, list, window, scope)
  const ended = items.length < window.size && (items.length > 0 || window.offset === 0)
  const total = ended ? window.offset + items.length : await countUsuarios(db, list.filter, scope)
  return { items, total }
}
