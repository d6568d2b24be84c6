import type { Db } from '../../db/db.ts'
import { prepared, type Sql, sql } from '../../db/sql.ts'
import { sweepQueue } from '../../db/sweep.ts'

export interface EventoRow {
  id: string
  tipo: string
  dados: Record<string, unknown>
  criado_em: Date
}

export interface NewEventoRow extends EventoRow {
  chave: string
  tipos_agravo: string[] | null
  estados: string[] | null
  municipios: number[] | null
  /** Municipalities of notification. */
  notificacao: number[] | null
  /** Account that an event without a case belongs to. */
  dono_id: number | null
  /** Health region that an event is about. */
  regioes: number[] | null
  /** Alert levels, the new and the former one. */
  niveis: string[] | null
  /** Suspicions of an event in animals. */
  suspeitas: string[] | null
}

const COLUMNS = sql`id, tipo, chave, dados, tipos_agravo, estados, municipios, notificacao, dono_id, regioes, niveis, suspeitas,
  criado_em`

const recordsOf = (eventos: NewEventoRow[]) => sql`jsonb_to_recordset(${JSON.stringify(eventos)}::jsonb) as (
  id text, tipo text, chave text, dados jsonb, tipos_agravo text[], estados text[], municipios integer[],
  notificacao integer[], dono_id integer, regioes integer[], niveis text[], suspeitas text[], criado_em timestamptz)`

export function insertEventos(db: Db, eventos: NewEventoRow[]): Promise<number> {
  return db.run(
    prepared(sql`insert into eventos_novos (${COLUMNS}) select ${COLUMNS} from ${recordsOf(eventos)}`),
  )
}

/** Part of a statement that makes records: their ids come from its `novos (id, posicao)`. */
export function insertEventosOfNovos(eventos: NewEventoRow[]): Sql {
  return sql`
    insert into eventos_novos (${COLUMNS})
    select e.id, e.tipo, e.chave || ':' || n.id, e.dados || jsonb_build_object('id', n.id), e.tipos_agravo, e.estados,
      e.municipios, e.notificacao, e.dono_id, e.regioes, e.niveis, e.suspeitas, e.criado_em
    from rows from (${recordsOf(eventos)}) with ordinality as e
    join novos n on n.posicao = e.ordinality order by n.posicao`
}

/** Locks the end of the feed and returns its last position; null when another instance holds it. */
export async function lockFeedEnd(tx: Db): Promise<number | null> {
  const row = await tx.first<{ ordem: number }>(sql`select ordem from eventos_fim for update skip locked`)
  return row?.ordem ?? null
}

/** Cheap enough for a poll: an index scan, which skips dead rows sooner than one of the table. */
export async function anyNewEvento(db: Db): Promise<boolean> {
  return (await db.first(sql`select from eventos_novos order by numero limit 1`)) !== null
}

/** Appends new events to the feed by number, which for one record is the order of its changes. Returns how many. */
export function moveToFeed(tx: Db, last: number, atMost: number): Promise<number> {
  return tx.run(sql`
    with novos as (
      delete from eventos_novos
      where numero = any(array(select numero from eventos_novos order by numero limit ${atMost}))
      returning numero, ${COLUMNS}
    ), fim as (
      update eventos_fim set ordem = ${last}::bigint + (select count(*) from novos)
    )
    insert into eventos (ordem, ${COLUMNS})
    select ${last}::bigint + row_number() over (order by numero), ${COLUMNS} from novos`)
}

/** Keeps the table of new events short. Not inside a transaction. */
export const sweepNewEventos = (db: Db): Promise<void> => sweepQueue(db, sql`eventos_novos`)

export interface OrderedEvento extends NewEventoRow {
  ordem: number
}

const EVENTO = sql`e.id, e.tipo, e.chave, e.dados, e.tipos_agravo, e.estados, e.municipios, e.notificacao, e.dono_id,
  e.regioes, e.niveis, e.suspeitas, e.criado_em, e.ordem`

export interface EventoFilter {
  tipos: readonly string[]
  tipos_agravo: readonly string[]
  estados: readonly string[]
  municipios: readonly number[]
  niveis: readonly string[]
  suspeitas: readonly string[]
  /** Account with the places that it is bound to; null: no bounds. */
  bounds: EventoBounds | null
}

export interface EventoBounds {
  usuarioId: number
  estados: readonly string[]
  municipios: readonly number[]
  /** Whole health regions. */
  regioes: readonly number[]
  notificacao: readonly number[]
}

/** `isInReach` in SQL. */
function inReach(bounds: EventoBounds | null): Sql {
  if (bounds === null) return sql`true`
  return sql`case when e.estados is null then coalesce(e.dono_id = ${bounds.usuarioId}, false)
    else e.estados && ${bounds.estados}::text[] or coalesce(e.municipios && ${bounds.municipios}::integer[], false)
      or coalesce(e.notificacao && ${bounds.notificacao}::integer[], false)
      or coalesce(e.regioes && ${bounds.regioes}::integer[], false) end`
}

/** Compares only the properties an event has: events that are not about a case or a place pass. */
function matching({
  tipos,
  tipos_agravo,
  estados,
  municipios,
  niveis,
  suspeitas,
  bounds,
}: EventoFilter): Sql {
  return sql`e.tipo = any(${tipos})
    and (cardinality(${tipos_agravo}::text[]) = 0 or coalesce(e.tipos_agravo && ${tipos_agravo}::text[], true))
    and (cardinality(${estados}::text[]) = 0 or coalesce(e.estados && ${estados}::text[], true))
    and (cardinality(${municipios}::integer[]) = 0 or coalesce(e.municipios && ${municipios}::integer[], true))
    and (cardinality(${niveis}::text[]) = 0 or coalesce(e.niveis && ${niveis}::text[], true))
    and (cardinality(${suspeitas}::text[]) = 0 or coalesce(e.suspeitas && ${suspeitas}::text[], true))
    and ${inReach(bounds)}`
}

export function listEventosAfter(
  db: Db,
  filter: EventoFilter,
  after: number,
  since: Date | null,
  size: number,
): Promise<OrderedEvento[]> {
  return db.rows(sql`
    select ${EVENTO} from eventos e
    where e.ordem > ${after} and e.criado_em >= coalesce(${since}::timestamptz, '-infinity') and ${matching(filter)}
    order by e.ordem limit ${size}`)
}

export async function findFeedEnd(db: Db): Promise<number> {
  const row = await db.first<{ ordem: number }>(sql`select ordem from eventos_fim`)
  return row?.ordem ?? 0
}

export function forgetEventos(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from eventos where criado_em < ${before}`)
}
