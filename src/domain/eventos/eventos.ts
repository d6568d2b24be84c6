import { randomUUID } from 'node:crypto'
import { type Caller, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { Sql } from '../../db/sql.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { boundsOf, type LugarDoEvento, lugaresOf } from './alcance.ts'
import { EVENTOS, TIPOS_DE_EVENTO, type TipoDeEvento } from './catalogue.ts'
import {
  type EventoFilter,
  type EventoRow,
  findFeedEnd,
  insertEventos,
  insertEventosOfNovos,
  listEventosAfter,
  lockFeedEnd,
  moveToFeed,
  type NewEventoRow,
  type OrderedEvento,
} from './eventos.sql.ts'

export { anyNewEvento, forgetEventos, type OrderedEvento, sweepNewEventos } from './eventos.sql.ts'

/** Properties of a case that receivers filter by; the place of notification counts for their territory alone. */
export interface CasoScope {
  tipo_agravo: string
  estado_residencia: string | null
  municipio_residencia: number | null
  municipio_notificacao: number | null
}

/** Place and suspicion of an event in animals. */
export interface EpizootiaScope {
  suspeita: string
  estado: string
  municipio: number
}

type Recurso = 'caso' | 'importacao' | 'usuario' | 'serie' | 'epizootia'

/** Place of an alert. A larger one is of those that see all of it: the country of nobody who is bound to a place. */
export interface LugarScope {
  tipo_agravo: string
  estado: string | null
  /** Of an alert about a health region. */
  regiao_saude: number | null
  /** Of an alert about a municipality. */
  municipio: number | null
  /** The new level and the former one. */
  niveis: (string | null)[]
}

export interface NewEvento {
  tipo: TipoDeEvento
  /** The record it is about; the events of one record are delivered in order. */
  chave: `${Recurso}:${number}` | `lugar:${string}` | `tipo_agravo:${string}`
  dados: Record<string, unknown>
  /** Of a case: its present scope and, where it changed, the former one, whose receivers learn that it left. */
  scopes?: CasoScope[]
  /** Of an alert. */
  lugar?: LugarScope
  /** Of an event in animals: as of a case. */
  epizootias?: EpizootiaScope[]
  /** Of an import: the account that made it, the only bound one to learn of it. */
  dono_id?: number | null
  em: Date
}

/** Transactional outbox: called in the transaction of the change, after the record is locked, and committed with it. */
export async function emit(tx: Db, eventos: NewEvento[]): Promise<void> {
  if (eventos.length > 0) await insertEventos(tx, eventos.map(toRow))
}

/** The same as a part of the statement that makes the records; `dados.id` is filled in from its `novos (id, posicao)`. */
export function emission(recurso: Recurso, eventos: Omit<NewEvento, 'chave'>[]): Sql {
  return insertEventosOfNovos(eventos.map((evento) => toRow({ ...evento, chave: recurso })))
}

function toRow({
  tipo,
  chave,
  dados,
  scopes = undefined,
  lugar = undefined,
  epizootias = undefined,
  dono_id = null,
  em,
}: Omit<NewEvento, 'chave'> & { chave: string }): NewEventoRow {
  return {
    id: newEventoId(),
    tipo,
    chave,
    dados,
    tipos_agravo: scopes ? distinct(scopes.map(({ tipo_agravo }) => tipo_agravo)) : null,
    estados: scopes ? distinct(scopes.map(({ estado_residencia }) => estado_residencia)) : null,
    municipios: scopes ? distinct(scopes.map(({ municipio_residencia }) => municipio_residencia)) : null,
    notificacao: scopes ? distinct(scopes.map(({ municipio_notificacao }) => municipio_notificacao)) : null,
    dono_id,
    regioes: null,
    niveis: null,
    suspeitas: null,
    criado_em: em,
    ...(lugar && placed(lugar)),
    ...(epizootias && sighted(epizootias)),
  }
}

const placed = ({ tipo_agravo, estado, regiao_saude, municipio, niveis }: LugarScope) => ({
  tipos_agravo: [tipo_agravo],
  estados: distinct([estado]),
  municipios: distinct([municipio]),
  regioes: distinct([regiao_saude]),
  niveis: distinct(niveis),
})

const sighted = (epizootias: EpizootiaScope[]) => ({
  suspeitas: distinct(epizootias.map(({ suspeita }) => suspeita)),
  estados: distinct(epizootias.map(({ estado }) => estado)),
  municipios: distinct(epizootias.map(({ municipio }) => municipio)),
})

export const newEventoId = () => `evt_${randomUUID().replaceAll('-', '')}`

const distinct = <T>(values: (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))]

export interface Evento {
  id: string
  tipo: string
  timestamp: string
  dados: Record<string, unknown>
}

export function toEvento({ id, tipo, criado_em, dados }: EventoRow): Evento {
  return { id, tipo, timestamp: criado_em.toISOString(), dados }
}

/** An event as a reader of the feed sees it. */
export interface EventoDoFeed extends Evento {
  /** Places that the reader may know; none: the event is about no place. */
  lugares: LugarDoEvento[]
}

export const toEventoDoFeed = (
  row: OrderedEvento,
  reader: Pick<Caller, 'territorio'>,
  municipios: App['municipios'],
): EventoDoFeed => ({ ...toEvento(row), lugares: lugaresOf(row, reader, municipios) })

/** A run of events in the feed: the `count` positions behind `after`. */
export interface FeedRange {
  after: number
  count: number
}

/** Appends new events to the feed, under a lock until the end of the transaction; null when another instance holds it. */
export async function placeNewEventos(tx: Db, atMost: number): Promise<FeedRange | null> {
  const after = await lockFeedEnd(tx)
  return after === null ? null : { after, count: await moveToFeed(tx, after, atMost) }
}

export function listEventosIn(
  tx: Db,
  { after, count }: FeedRange,
  tipos: readonly string[],
): Promise<OrderedEvento[]> {
  const filter = {
    tipos,
    tipos_agravo: [],
    estados: [],
    municipios: [],
    niveis: [],
    suspeitas: [],
    bounds: null,
  }
  return listEventosAfter(tx, filter, after, null, count)
}

/** Events from a moment on, in the order of the feed. */
export function eventosSince(
  db: Db,
  filter: EventoFilter,
  since: Date,
  atMost: number,
): Promise<OrderedEvento[]> {
  return listEventosAfter(db, filter, 0, since, atMost)
}

/** Kinds of events about records that the caller may read. */
export function tiposVisibleTo(caller: Pick<Caller, 'permissoes' | 'holdsAll'>): TipoDeEvento[] {
  return TIPOS_DE_EVENTO.filter((tipo) => holds(caller, EVENTOS[tipo].permissao))
}

export const mayLearnOf = (caller: Caller, tipo: string): boolean =>
  tiposVisibleTo(caller).some((visible) => visible === tipo)

export interface FeedQuery {
  /** Position to continue behind; null: from the oldest event that is kept. */
  after: number | null
  since: Date | null
  size: number
  filter: Omit<EventoFilter, 'tipos' | 'bounds'> & { tipos: readonly string[] | null }
}

type Reading = Pick<App, 'db' | 'municipios'>
type Reader = Pick<Caller, 'id' | 'permissoes' | 'holdsAll' | 'territorio'>

/** The feed for clients that no webhook reaches: the same events in the same order, each exactly once. */
export async function readEventos(
  app: Reading,
  caller: Reader,
  query: FeedQuery,
): Promise<{ eventos: EventoDoFeed[]; cursor: number; mais: boolean }> {
  const { rows, ...page } = await pageOfEventos(app, caller, query)
  return { eventos: rows.map((row) => toEventoDoFeed(row, caller, app.municipios)), ...page }
}

/** The same with the position of each event. */
export async function pageOfEventos(
  { db, municipios }: Reading,
  caller: Reader,
  { after, since, size, filter }: FeedQuery,
): Promise<{ rows: OrderedEvento[]; cursor: number; mais: boolean }> {
  const visible: readonly string[] = tiposVisibleTo(caller)
  const tipos = filter.tipos?.filter((tipo) => visible.includes(tipo)) ?? visible
  // Read first: the next request need not scan again what the filter excludes up to here.
  const end = await findFeedEnd(db)
  // A cursor of a database that was restored to an earlier state: going on from it would skip the events that take its positions.
  if (after !== null && after > end)
    throw invalid('query', ['cursor'], 'INVALID_FORMAT', { expected: 'cursor' })
  const asked = { ...filter, tipos, bounds: boundsOf(municipios, caller) }
  const rows = await listEventosAfter(db, asked, after ?? 0, since, size + 1)
  const page = rows.slice(0, size)
  const mais = rows.length > size
  const cursor = Math.max(after ?? 0, page.at(-1)?.ordem ?? 0, mais ? 0 : end)
  return { rows: page, cursor, mais }
}
