import type { Filter, ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import type { Trecho } from './fichario/achar.ts'
import type { SearchScope } from './fichario/filtrar.ts'
import { countUsuarios, listUsuarios } from './list.sql.ts'
import type { UsuarioWithRights } from './usuarios.sql.ts'

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

type Lists = Pick<App, 'db' | 'fichario'>

/** A run of those who meet the filter. */
interface Run extends Trecho {
  filter: Filter
  scope: SearchScope
}

type Window = Pick<Run, 'size' | 'offset'>

interface Found {
  items: UsuarioWithRights[]
  total: number
}

/** A page by number, as most lists have it. */
export async function pageOfUsuarios(app: Lists, list: ListQuery): Promise<Page<UsuarioWithRights>> {
  const { page, size } = list
  return { ...(await find(app, { ...list, scope: 'name', offset: (page - 1) * size })), page, size }
}

/** A run of rows by offset, with the wider text search. */
export function sliceOfUsuarios(app: Lists, filter: Filter, window: Window): Promise<Found> {
  return find(app, wideRun(filter, window))
}

/** The same for those who can wait and have little memory. */
export function sliceByFilter(app: Pick<App, 'db'>, filter: Filter, window: Window): Promise<Found> {
  return findByFilter(app, wideRun(filter, window))
}

function wideRun(filter: Filter, window: Window): Run {
  return { filter, sort: 'id', order: 'asc', scope: 'wide', ...window }
}

async function find(app: Lists, run: Run): Promise<Found> {
  const achados = await app.fichario.find(run.filter, run.scope, run)
  if (achados === null) return findByFilter(app, run)
  const { total, ids } = achados
  if (total <= run.offset) return { items: [], total }
  const items = await (ids === null
    ? listUsuarios(app.db, run, run)
    : listUsuarios(app.db, { ids }, { ...run, offset: 0 }))
  return { items, total }
}

/** Where the rows end inside the run, their number is known without counting. */
async function findByFilter({ db }: Pick<App, 'db'>, run: Run): Promise<Found> {
  const { size, offset } = run
  const items = await listUsuarios(db, run, run)
  const ended = items.length < size && (items.length > 0 || offset === 0)
  return { items, total: ended ? offset + items.length : await countUsuarios(db, run.filter, run.scope) }
}
