import type { Caller } from '../../caller/caller.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import { type Filter, type ListQuery, type ListRules, type Page, valuesOf } from '../../filter.ts'
import type { App } from '../app.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import { listUsuariosWithRights } from '../contas/contas.ts'
import { withinReach } from '../territorios/alcance.ts'
import { relatedCodes } from '../territorios/lugares.ts'
import { countUsuarios, listUsuariosIds, lockedAmong, type Slice } from './list.sql.ts'

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
    bloqueado: { type: 'boolean' },
    nunca_entrou: { type: 'boolean' },
    servico: { type: 'boolean' },
    grupo_id: { type: 'integer', operators: ['eq', 'in'] },
    territorio: { type: 'text', operators: ['eq', 'in'] },
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

type Reference = Pick<App, 'municipios' | 'territorios'>
type Needs = Pick<App, 'db' | 'clock'> & Reference
type Bound = Pick<Caller, 'id' | 'territorio'>

interface Found {
  items: UsuarioWithRights[]
  total: number
}

/** Problems of a filter that only the domain can find: places that do not exist. */
export function usuariosFilterProblems(filter: Filter, reference: Reference): Problem[] {
  const ids = placesIn(filter).filter((codigo) => relatedCodes(reference, codigo) === null)
  return ids.length === 0 ? [] : [problem('query', ['territorio'], 'UNKNOWN', { ids })]
}

function placesIn(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(placesIn)
  return filter.kind === 'test' && filter.field === 'territorio' ? valuesOf(filter).map(String) : []
}

/** An account of a list, with whether its login is locked now. */
export type UsuarioDaLista = UsuarioWithRights & { bloqueado: boolean }

/** The same page with the locks that stand: of the accounts of the page alone, not of all that match. */
export async function pageWithLocks(
  app: Needs,
  caller: Bound,
  list: ListQuery,
): Promise<Page<UsuarioDaLista>> {
  const page = await pageOfUsuarios(app, caller, list)
  const ids = page.items.map(({ id }) => id)
  const locked = await lockedAmong(app.db, ids, app.clock.now())
  return { ...page, items: page.items.map((usuario) => ({ ...usuario, bloqueado: locked.has(usuario.id) })) }
}

/** One page by number, with the text search in name and email, of the accounts that the caller reaches. */
export async function pageOfUsuarios(
  app: Needs,
  caller: Bound,
  list: ListQuery,
): Promise<Page<UsuarioWithRights>> {
  const { page, size } = list
  const filter = withinReach(list.filter, caller)
  return { ...(await find(app, { ...list, filter, scope: 'name', offset: (page - 1) * size })), page, size }
}

/**
 * Rows by limit and offset in the order of ids, with the text search also in city, state and institution. The filter must be within
 * the reach of the one who asks (`withinReach`).
 */
export function sliceOfUsuarios(
  app: Needs,
  filter: Filter,
  window: Pick<Slice, 'size' | 'offset'>,
): Promise<Found> {
  return find(app, { filter, sort: 'id', order: 'asc', scope: 'wide', ...window })
}

/** Finds the ids of the slice, then reads groups and permissions for those alone. Beyond the last row only the count is left. */
async function find({ db, clock, ...reference }: Needs, asked: Omit<Slice, 'now'>): Promise<Found> {
  const wanted = { ...asked, filter: withCodes(asked.filter, reference), now: clock.now() }
  const found = await listUsuariosIds(db, wanted)
  const [first] = found
  if (first === undefined)
    return { items: [], total: wanted.offset === 0 ? 0 : await countUsuarios(db, wanted) }
  const ids = found.map(({ id }) => id)
  return { items: await listUsuariosWithRights(db, ids), total: first.total }
}

/** Places that a filter names, as the codes of all places that contain them or lie inside. */
function withCodes(filter: Filter, reference: Reference): Filter {
  if (filter.kind === 'and' || filter.kind === 'or')
    return { ...filter, of: filter.of.map((one) => withCodes(one, reference)) }
  if (filter.kind !== 'test' || filter.field !== 'territorio') return filter
  const codes = valuesOf(filter).flatMap((codigo) => relatedCodes(reference, String(codigo)) ?? [])
  return { ...filter, op: 'in', value: [...new Set(codes)] }
}
