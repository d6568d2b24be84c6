import { randomUUID } from 'node:crypto'
import { type Caller, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { Sql } from '../../db/sql.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { EVENTOS, TIPOS_DE_EVENTO, type TipoDeEvento } from './catalogue.ts'
import {
  anyNew,
  deleteOldEventos,
  type EventoOrdenado,
  type EventoRow,
  holdOrdem,
  insertEventos,
  insertEventosOfNovos,
  lastOrdem,
  listEventosAfter,
  moveToFeed,
  type NovoEventoRow,
  type Recorte,
  sweepNew,
} from './eventos.sql.ts'

/** What a case is filtered by. */
export interface Alcance {
  tipo_agravo: string
  estado_residencia: string | null
  municipio_residencia: number | null
}

type Recurso = 'caso' | 'importacao' | 'usuario'

export interface NovoEvento {
  tipo: TipoDeEvento
  /** The record it is about; events of one are delivered in order. */
  chave: `${Recurso}:${number}`
  dados: Record<string, unknown>
  /** Of a case, as it is and, when that differs, as it was: whoever watches a place learns of what leaves it. */
  alcances?: Alcance[]
  em: Date
}

/** In the transaction of the change, after the record is locked: with it, the event is told or never was. */
export async function emit(tx: Db, eventos: NovoEvento[]): Promise<void> {
  if (eventos.length > 0) await insertEventos(tx, eventos.map(toRow))
}

/**
 * The same as a part of the statement that makes the records, for what is known of each before it has its id: that is found
 * in `novos (id, posicao)`, and told with the rest.
 */
export function emission(recurso: Recurso, eventos: Omit<NovoEvento, 'chave'>[]): Sql {
  return insertEventosOfNovos(eventos.map((evento) => toRow({ ...evento, chave: recurso })))
}

function toRow({
  tipo,
  chave,
  dados,
  alcances,
  em,
}: Omit<NovoEvento, 'chave'> & { chave: string }): NovoEventoRow {
  return {
    id: newEventoId(),
    tipo,
    chave,
    dados,
    tipos_agravo: alcances ? distinct(alcances.map(({ tipo_agravo }) => tipo_agravo)) : null,
    estados: alcances ? distinct(alcances.map(({ estado_residencia }) => estado_residencia)) : null,
    municipios: alcances ? distinct(alcances.map(({ municipio_residencia }) => municipio_residencia)) : null,
    criado_em: em,
  }
}

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

export type EventoNovo = EventoOrdenado

/** Events that have just got their places in the feed, one behind the other. */
export interface Colocados {
  depoisDe: number
  quantos: number
}

/**
 * Gives the next events their place in the feed. Nobody else does so until the end of the transaction; null when another
 * instance is at it.
 */
export async function placeNewEventos(tx: Db, atMost: number): Promise<Colocados | null> {
  const depoisDe = await holdOrdem(tx)
  return depoisDe === null ? null : { depoisDe, quantos: await moveToFeed(tx, depoisDe, atMost) }
}

/** Those of them that somebody waits for. */
export function listColocados(
  tx: Db,
  { depoisDe, quantos }: Colocados,
  tipos: readonly string[],
): Promise<EventoNovo[]> {
  const recorte = { tipos, tipos_agravo: [], estados: [], municipios: [] }
  return listEventosAfter(tx, recorte, depoisDe, null, quantos)
}

/** Cheap to ask, many times a second. */
export const anyNewEvento = ({ db }: Pick<App, 'db'>): Promise<boolean> => anyNew(db)

/** After many have got their place, so that it stays cheap. */
export const sweepNewEventos = ({ db }: Pick<App, 'db'>): Promise<void> => sweepNew(db)

/** From a moment on, in order. */
export function eventosSince(db: Db, recorte: Recorte, since: Date, atMost: number): Promise<EventoNovo[]> {
  return listEventosAfter(db, recorte, 0, since, atMost)
}

/** What is kept for no longer. */
export const forgetEventos = (db: Db, before: Date): Promise<number> => deleteOldEventos(db, before)

/** Of what happens, the caller may learn what they could read. */
export function tiposVisibleTo(caller: Caller): TipoDeEvento[] {
  return TIPOS_DE_EVENTO.filter((tipo) => holds(caller, EVENTOS[tipo].permissao))
}

export const mayLearnOf = (caller: Caller, tipo: string): boolean =>
  tiposVisibleTo(caller).some((visible) => visible === tipo)

export interface Leitura {
  /** Behind which place to begin; null: at the oldest event that is kept. */
  after: number | null
  since: Date | null
  size: number
  recorte: Omit<Recorte, 'tipos'> & { tipos: readonly string[] | null }
}

/** The feed for those whom no webhook reaches: the same events in the same order, each exactly once. */
export async function readEventos(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  { after, since, size, recorte }: Leitura,
): Promise<{ eventos: Evento[]; cursor: number; mais: boolean }> {
  const visible: readonly string[] = tiposVisibleTo(caller)
  const tipos = recorte.tipos?.filter((tipo) => visible.includes(tipo)) ?? visible
  // Taken first: what is passed over by the filter up to here need not be looked at again.
  const end = await lastOrdem(db)
  // Of a database that was set back since: whoever goes on from there would miss all that takes those places anew.
  if (after !== null && after > end)
    throw invalid('query', ['cursor'], 'INVALID_FORMAT', { expected: 'cursor' })
  const rows = await listEventosAfter(db, { ...recorte, tipos }, after ?? 0, since, size + 1)
  const page = rows.slice(0, size)
  const mais = rows.length > size
  const cursor = Math.max(after ?? 0, page.at(-1)?.ordem ?? 0, mais ? 0 : end)
  return { eventos: page.map(toEvento), cursor, mais }
}
