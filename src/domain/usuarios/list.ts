import type { Db } from '../../db/db.ts'
import type { Filter, ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import { listUsuariosWithRights } from '../contas/contas.ts'
import { countUsuarios, listUsuariosIds, type Slice } from './list.sql.ts'

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

type Needs = Pick<App, 'db'>

interface Found {
  items: UsuarioWithRights[]
  total: number
}

/** One page by number, with the text search in name and email. */
export async function pageOfUsuarios({ db }: Needs, list: ListQuery): Promise<Page<UsuarioWithRights>> {
  const { page, size } = list
  return { ...(await find(db, { ...list, scope: 'name', offset: (page - 1) * size })), page, size }
}

/** Rows by limit and offset in the order of ids, with the text search also in city, state and institution. */
export function sliceOfUsuarios(
  { db }: Needs,
  filter: Filter,
  window: Pick<Slice, 'size' | 'offset'>,
): Promise<Found> {
  return find(db, { filter, sort: 'id', order: 'asc', scope: 'wide', ...window })
}

/** Finds the ids of the slice, then reads groups and permissions for those alone. Beyond the last row only the count is left. */
async function find(db: Db, wanted: Slice): Promise<Found> {
  const found = await listUsuariosIds(db, wanted)
  const [first] = found
  if (first === undefined)
    return { items: [], total: wanted.offset === 0 ? 0 : await countUsuarios(db, wanted) }
  const ids = found.map(({ id }) => id)
  return { items: await listUsuariosWithRights(db, ids), total: first.total }
}
