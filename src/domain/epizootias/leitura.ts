import { type Caller, holds } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import {
  countHistorico,
  type EpizootiaExcluidaRow,
  type EpizootiaRow,
  findEpizootia,
  findEpizootias,
  findExcluidas,
  type HistoricoDeEpizootiaRow,
  listHistorico,
  type SealedRow,
} from './epizootias.sql.ts'
import { epizootiaColumns, inside } from './filtros.sql.ts'
import { assertInside } from './gravar.ts'
import { unseal, unsealHistory } from './sigilo.ts'

/**
 * Reading of events, cut by the territory. The spot and the observation are for those who may register: the spot can be somebody's
 * yard, and the observation may name them. Others read coordinates of about a kilometre.
 */

type Needs = Pick<App, 'db' | 'cipher' | 'municipios'>

export const mayLocate = (caller: Pick<Caller, 'permissoes' | 'holdsAll'>): boolean =>
  holds(caller, 'epizootias.registrar')

/** About a kilometre. */
export const roughly = (degrees: number): number => Math.round(degrees * 100) / 100

type Located = { latitude: number | null; longitude: number | null }

/** An event as the caller may see it. */
export function seenBy<T extends Located>(caller: Pick<Caller, 'permissoes' | 'holdsAll'>, row: T): T {
  const { latitude, longitude } = row
  if (mayLocate(caller) || latitude === null || longitude === null) return row
  return { ...row, latitude: roughly(latitude), longitude: roughly(longitude) }
}

export async function pageOfEpizootias(
  { db, municipios }: Needs,
  caller: Caller,
  list: ListQuery,
): Promise<Page<EpizootiaRow>> {
  const listing = { columns: epizootiaColumns(municipios), only: inside(caller.territorio) }
  const page = await findEpizootias(db, list, listing)
  return { ...page, items: page.items.map((row) => seenBy(caller, row)) }
}

/** Deleted events, for those who may restore them. */
export async function pageOfExcluidas(
  { db, municipios }: Needs,
  caller: Caller,
  list: ListQuery,
): Promise<Page<EpizootiaExcluidaRow>> {
  const listing = { columns: epizootiaColumns(municipios), only: inside(caller.territorio) }
  const page = await findExcluidas(db, list, listing)
  return { ...page, items: page.items.map((row) => seenBy(caller, row)) }
}

export interface EpizootiaVista extends EpizootiaRow {
  /** Null for those who may not register. */
  observacao: string | null
}

async function open({ db }: Pick<App, 'db'>, caller: Caller, id: number): Promise<SealedRow> {
  const row = await findEpizootia(db, id)
  if (row === null) throw new AppError('NOT_FOUND')
  assertInside(caller, row)
  return row
}

export async function getEpizootia(app: Needs, caller: Caller, id: number): Promise<EpizootiaVista> {
  const row = await open(app, caller, id)
  return { ...seenBy(caller, row), observacao: mayLocate(caller) ? unseal(app.cipher, row) : null }
}

export const HISTORICO_LIST: ListRules = {
  fields: {},
  sortable: ['data'],
  defaultSort: { field: 'data', order: 'desc' },
}

export interface Acontecido {
  data: Date
  acao: string
  usuario: { id: number | null; nome: string } | null
  alteracoes: { campo: string; anterior: unknown; novo: unknown }[]
  motivo: string | null
}

/** Newest first by default. The creation has no row of its own: it is made of the event, as the oldest line. */
export async function historicoDaEpizootia(
  app: Needs,
  caller: Caller,
  id: number,
  { page, size, order }: Pick<ListQuery, 'page' | 'size' | 'order'>,
): Promise<Page<Acontecido>> {
  const row = await open(app, caller, id)
  const changes = await countHistorico(app.db, id)
  const from = (page - 1) * size
  const creationAt = order === 'asc' ? 0 : changes
  const withCreation = from <= creationAt && creationAt < from + size
  const rows = await listHistorico(app.db, id, {
    size: withCreation ? size - 1 : size,
    offset: creationAt < from ? from - 1 : from,
    order,
  })
  const items = rows.map((one) => toAcontecido(app, caller, one))
  if (withCreation) items.splice(creationAt - from, 0, creation(row))
  return { items, total: changes + 1, page, size }
}

const creation = ({ criado_em, criado_por_id, criado_por_nome }: SealedRow): Acontecido => ({
  data: criado_em,
  acao: 'criado',
  usuario: criado_por_nome === null ? null : { id: criado_por_id, nome: criado_por_nome },
  alteracoes: [],
  motivo: null,
})

function toAcontecido({ cipher }: Needs, caller: Caller, row: HistoricoDeEpizootiaRow): Acontecido {
  const sees = mayLocate(caller)
  const { motivo = null, ...secret } = sees ? unsealHistory(cipher, row) : {}
  const shown = (campo: string, value: unknown) =>
    !sees && (campo === 'latitude' || campo === 'longitude') && typeof value === 'number'
      ? roughly(value)
      : value
  const alteracoes = Object.entries({ ...row.alteracoes, ...secret }).map(([campo, values]) => {
    const [anterior, novo] = (values ?? [null, null]) as [unknown, unknown]
    return { campo, anterior: shown(campo, anterior), novo: shown(campo, novo) }
  })
  const { data, acao, usuario_id, usuario_nome } = row
  const usuario = usuario_nome === null ? null : { id: usuario_id, nome: usuario_nome }
  return { data, acao, usuario, alteracoes, motivo: motivo as string | null }
}
