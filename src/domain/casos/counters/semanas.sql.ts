import { type Columns, listsOf } from '../../../db/columns.ts'
import type { Db } from '../../../db/db.ts'
import { join, opaque, prepared, type Sql, sql } from '../../../db/sql.ts'
import { GRUPO_CONFIRMADO, type TipoAgravo } from '../enumeracoes.ts'
import { codesOf, type ScopePlace } from './scope.ts'

/**
 * Numbers by week of onset, from the series `semana_sintomas` and `atraso` and the queue `detalhes`; weeks with notified cases from
 * the series `dia` and the queue `gerais`. Each answer is one statement, hence of one snapshot, and reads one range of the primary
 * key for each place.
 */

/** Weeks of one disease in some places together. */
export interface WeekQuery {
  tipo: TipoAgravo
  /** States and municipalities, none inside another; null: the country. */
  lugares: readonly ScopePlace[] | null
  /** First and last Sunday; null: no limit. */
  from: string | null
  to: string | null
}

/** Reserved weeks: cases without an onset, and with one that cannot be. */
export const SEM_DATA = '-infinity'
export const INICIO_IMPLAUSIVEL = 'infinity'

/** Week of onset, group of classifications, cases, in hospital, deaths. */
export type GroupedWeek = [
  inicio: string,
  grupo: string,
  total: number,
  hospitalizados: number,
  obitos: number,
]

const GRUPO = sql`case when classe = any(${opaque(GRUPO_CONFIRMADO, 'text[]')}) then 'confirmado'
  when classe = '' then 'em_investigacao' else classe end`
const HAS_CASES = sql`sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0`

/** Grouped weeks of the period, the reserved ones, and the number of all cases whatever their week. */
export async function sumWeeks(db: Db, query: WeekQuery): Promise<{ total: number; semanas: GroupedWeek[] }> {
  const counts = join(
    [ofCounters(SEMANA, query, isInPeriod(sql`k.inicio`, query)), ofCounters(SEMANA, query, IS_RESERVED)],
    ' union all ',
  )
  const isAsked = sql`(${isInPeriod(sql`p.semana`, query)} or not isfinite(p.semana))`
  const { total, inicio, grupo, casos, hospitalizados, obitos } = await db.one<
    { total: number } & Columns<{
      inicio: string
      grupo: string
      casos: number
      hospitalizados: number
      obitos: number
    }>
  >(
    prepared(sql`
      select (${totalOf(query)}) as total, ${listsOf(['inicio', 'grupo', 'casos', 'hospitalizados', 'obitos'])}
      from (
        select inicio, ${GRUPO} as grupo, sum(total) as casos, sum(hospitalizados) as hospitalizados, sum(obitos) as obitos
        from (${counts} union all ${ofQueue(query, isAsked)}) c
        group by 1, 2 having ${HAS_CASES} order by 1, 2
      ) semanas`),
  )
  const weekAt = (i: number) => [inicio[i], grupo[i], casos[i], hospitalizados[i], obitos[i]] as GroupedWeek
  return { total, semanas: inicio.map((_, i) => weekAt(i)) }
}

/** Text of the statement, not a parameter: the planner estimates each series by its own size. */
const SEMANA = sql`'semana_sintomas'`
const ATRASO = sql`'atraso'`
const IS_RESERVED = sql`k.inicio = any(array[date '-infinity', date 'infinity'])`

function isInPeriod(day: Sql, { from, to }: Pick<WeekQuery, 'from' | 'to'>): Sql {
  return sql`${day} between ${opaque(from ?? '0001-01-01', 'date')} and ${opaque(to ?? '9999-12-31', 'date')}`
}

const isOfTipo = (table: Sql, { tipo }: WeekQuery) => sql`${table}.tipo_agravo = ${opaque(tipo, 'text')}`

/** Key of a place in the counters. */
const keyOf = ({ uf, codigo }: ScopePlace) => (codigo === null ? uf : `${uf}${codigo}`)

function isCounterAt({ lugares }: WeekQuery): Sql {
  return lugares === null ? sql`k.lugar = ''` : sql`k.lugar = any(${opaque(lugares.map(keyOf), 'text[]')})`
}

function ofCounters(serie: Sql, query: WeekQuery, isAsked: Sql): Sql {
  return sql`
    select k.lugar, k.inicio, k.classe, k.valor, k.total, k.hospitalizados, k.obitos from casos_contagens k
    where k.serie = ${serie} and ${isCounterAt(query)} and ${isAsked} and ${isOfTipo(sql`k`, query)}`
}

/** Changes that are not in the counters yet, in their columns; `lugar` matters where places are told apart. */
function ofQueue(
  query: WeekQuery,
  isAsked: Sql,
  {
    lugar = sql`''`,
    classe = sql`p.classe`,
    valor = sql`''`,
  }: { lugar?: Sql; classe?: Sql; valor?: Sql } = {},
): Sql {
  return sql`
    select ${lugar} as lugar, p.semana as inicio, ${classe} as classe, ${valor} as valor, p.total, p.hospitalizados, p.obitos
    from casos_contagens_pendentes p
    where ${isPendingAt(query)} and ${isAsked} and ${isOfTipo(sql`p`, query)}`
}

function isPendingAt({ lugares }: WeekQuery): Sql {
  if (lugares === null) return sql`true`
  const { ufs, codigos } = codesOf(lugares)
  if (codigos.length === 0) return sql`p.estado = any(${opaque(ufs, 'text[]')})`
  if (ufs.length === 0) return sql`p.municipio = any(${opaque(codigos, 'integer[]')})`
  return sql`(p.estado = any(${opaque(ufs, 'text[]')}) or p.municipio = any(${opaque(codigos, 'integer[]')}))`
}

/** All cases of the places: the series `sempre`, to which states are added by the queue `gerais` and municipalities by the other. */
function totalOf(query: WeekQuery): Sql {
  const { lugares } = query
  const { ufs, codigos } = codesOf(lugares ?? [])
  const pending = (queue: Sql, isThere: Sql) =>
    sql`select p.total from ${queue} p where ${isThere} and ${isOfTipo(sql`p`, query)}`
  const parts = [
    sql`select k.total from casos_contagens k
      where k.serie = 'sempre' and ${isCounterAt(query)} and k.inicio = date '0001-01-01' and ${isOfTipo(sql`k`, query)}`,
  ]
  if (lugares === null) parts.push(pending(sql`casos_contagens_pendentes_gerais`, sql`true`))
  if (ufs.length > 0)
    parts.push(pending(sql`casos_contagens_pendentes_gerais`, sql`p.estado = any(${opaque(ufs, 'text[]')})`))
  if (codigos.length > 0)
    parts.push(
      pending(sql`casos_contagens_pendentes`, sql`p.municipio = any(${opaque(codigos, 'integer[]')})`),
    )
  return sql`select coalesce(sum(total), 0) from (${join(parts, ' union all ')}) t`
}

/** Places that are counted one by one, each by its key: a state's letters and the code of a municipality, or '' for the country. */
export type NivelContado = 'pais' | 'estado' | 'municipio'

/** Weeks of one place in order, each with its numbers at the same position. */
export interface PlaceWeeks {
  lugar: string
  /** By their numbers (`weekOf`): dates are slow to write and to read. */
  semanas: number[]
  notificados: number[]
  provaveis: number[]
  confirmados: number[]
}

/** The place of a queued change, at a level. */
const PENDING_PLACE: Record<NivelContado, Sql> = {
  pais: sql`''`,
  estado: sql`p.estado`,
  municipio: sql`p.estado || lpad(p.municipio::text, 7, '0')`,
}

/** Cells of one place, as they are counted: a week has one for each classification, and others for changes that are still queued. */
interface PlaceCells {
  lugar: string
  semanas: number[]
  totais: number[]
  /** Letters of `LETRA`. */
  grupos: string
}

const LETRA = sql`case when classe = 'descartado' then 'd'
  when classe = any(${opaque(GRUPO_CONFIRMADO, 'text[]')}) then 'c' else 'o' end`

/**
 * The same weeks for each of many places of one level apart; those without cases have none. Cells are added up here: grouping and
 * sorting them by week costs PostgreSQL more than all the rest.
 */
export async function sumWeeksByPlace(db: Db, nivel: NivelContado, query: WeekQuery): Promise<PlaceWeeks[]> {
  const counts = ofCounters(SEMANA, query, isInPeriod(sql`k.inicio`, query))
  const queue = ofQueue(query, isInPeriod(sql`p.semana`, query), { lugar: PENDING_PLACE[nivel] })
  const rows = await db.rows<PlaceCells>(
    prepared(sql`
      select lugar, json_agg((inicio - date '1970-01-04') / 7) as semanas, json_agg(total) as totais,
        string_agg(${LETRA}, '') as grupos
      from (${counts} union all ${queue}) c
      group by lugar`),
  )
  return rows.map(addUp).filter(({ semanas }) => semanas.length > 0)
}

function addUp({ lugar, semanas, totais, grupos }: PlaceCells): PlaceWeeks {
  const [first, last] = extentOf(semanas)
  const sums = () => new Int32Array(last - first + 1)
  const [notificados, provaveis, confirmados] = [sums(), sums(), sums()]
  for (let i = 0; i < semanas.length; i++) {
    const [at, total, grupo] = [(semanas[i] as number) - first, totais[i] as number, grupos[i]]
    addAt(notificados, at, total)
    if (grupo !== 'd') addAt(provaveis, at, total)
    if (grupo === 'c') addAt(confirmados, at, total)
  }
  const counted: number[] = []
  for (const [at, total] of notificados.entries()) if (total !== 0) counted.push(at)
  const shown = (counts: Int32Array) => counted.map((at) => counts[at] as number)
  return {
    lugar,
    semanas: counted.map((at) => first + at),
    notificados: shown(notificados),
    provaveis: shown(provaveis),
    confirmados: shown(confirmados),
  }
}

function addAt(counts: Int32Array, at: number, total: number): void {
  counts[at] = (counts[at] as number) + total
}

function extentOf(semanas: readonly number[]): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const week of semanas) {
    if (week < first) first = week
    if (week > last) last = week
  }
  return [first, last]
}

/**
 * Delays of one place, each with its numbers at the same position: Sunday of the onset, delay in weeks (-1: unknown, 27: more than 26),
 * cases. The same week and delay may come more than once: they are to be added up.
 */
export interface PlaceDelays {
  lugar: string
  inicios: string[]
  atrasos: number[]
  totais: number[]
}

/** Delays of all cases, discarded ones too, for each of many places of one level apart. */
export function listDelaysByPlace(db: Db, nivel: NivelContado, query: WeekQuery): Promise<PlaceDelays[]> {
  const counts = ofCounters(ATRASO, query, isInPeriod(sql`k.inicio`, query))
  const queue = ofQueue(query, isInPeriod(sql`p.semana`, query), {
    lugar: PENDING_PLACE[nivel],
    valor: sql`p.atraso::text`,
  })
  return db.rows(
    prepared(sql`
      select lugar, json_agg(inicio) as inicios, json_agg(valor::integer) as atrasos, json_agg(total) as totais
      from (${counts} union all ${queue}) c
      group by lugar`),
  )
}

/** Cases of a week of onset that were typed in `atraso` weeks later (-1: unknown, 27: more than 26). */
export interface DelayedCases {
  inicio: string
  /** Probable or discarded. */
  situacao: 'p' | 'd'
  atraso: number
  total: number
}

export async function listDelays(db: Db, query: WeekQuery): Promise<DelayedCases[]> {
  const counts = ofCounters(ATRASO, query, isInPeriod(sql`k.inicio`, query))
  const queue = ofQueue(query, isInPeriod(sql`p.semana`, query), {
    classe: sql`case when p.classe = 'descartado' then 'd' else 'p' end`,
    valor: sql`p.atraso::text`,
  })
  const { inicio, situacao, atraso, total } = await db.one<Columns<DelayedCases>>(
    prepared(sql`
      select ${listsOf(['inicio', 'situacao', 'atraso', 'total'])} from (
        select inicio, classe as situacao, valor::integer as atraso, sum(total) as total
        from (${counts} union all ${queue}) c
        group by 1, 2, 3 having sum(total) <> 0 order by 1, 2, 3
      ) atrasos`),
  )
  const delayAt = (i: number) =>
    ({ inicio: inicio[i], situacao: situacao[i], atraso: atraso[i], total: total[i] }) as DelayedCases
  return inicio.map((_, i) => delayAt(i))
}

/** Sunday of the first week of onset that a disease ever had in some places; null without cases. */
export function firstOnset(db: Db, query: Pick<WeekQuery, 'tipo' | 'lugares'>): Promise<string | null> {
  const all = { ...query, from: null, to: null }
  const keys = query.lugares?.map(keyOf) ?? ['']
  return db.value(
    prepared(sql`
      select min(inicio) from (
        select (
          select k.inicio from casos_contagens k
          where k.serie = ${SEMANA} and k.lugar = l.lugar and ${isInPeriod(sql`k.inicio`, all)} and ${isOfTipo(sql`k`, all)}
            and k.total > 0
          order by k.inicio limit 1
        ) as inicio
        from unnest(${opaque(keys, 'text[]')}) l (lugar)
        union all
        select p.semana from casos_contagens_pendentes p
        where ${isPendingAt(all)} and ${isInPeriod(sql`p.semana`, all)} and ${isOfTipo(sql`p`, all)} and p.total > 0
      ) f`),
  )
}

/** Disease in whole states, or in the country (null), and the spans of weeks that are asked about. */
export interface NotifiedQuery {
  tipo: TipoAgravo
  ufs: readonly string[] | null
  /** Each from a Sunday on. */
  spans: readonly { ano: number; inicio: string; semanas: number }[]
  /** Weeks with cases that a span needs. */
  atLeast: number
}

/** A state, or '' for the country, with a year in which cases were notified in enough weeks. */
export interface NotifiedYear {
  lugar: string
  ano: number
}

/** Spans with cases by week of notification in enough weeks: one counter for each week, whatever the classification. */
export function listNotifiedYears(
  db: Db,
  { tipo, ufs, spans, atLeast }: NotifiedQuery,
): Promise<NotifiedYear[]> {
  const isThere = ufs === null ? sql`true` : sql`p.estado = any(${opaque(ufs, 'text[]')})`
  const isInSpan = (sunday: Sql) => sql`${sunday} between a.inicio and a.inicio + 7 * (a.semanas - 1)`
  const column = <K extends keyof NotifiedQuery['spans'][number]>(key: K) => spans.map((span) => span[key])
  return db.rows(
    prepared(sql`
      with pendentes as materialized (
        select ${ufs === null ? sql`''` : sql`p.estado`} as lugar, semana_de(p.dia) as inicio, p.total
        from casos_contagens_pendentes_gerais p
        where ${isThere} and p.tipo_agravo = ${opaque(tipo, 'text')}
      )
      select l.lugar, a.ano
      from unnest(${opaque(ufs ?? [''], 'text[]')}) l (lugar),
        unnest(${opaque(column('ano'), 'integer[]')}, ${opaque(column('inicio'), 'date[]')},
          ${opaque(column('semanas'), 'integer[]')}) a (ano, inicio, semanas)
      where (
        select count(*) from (
          select from (
            select k.inicio, k.total from casos_contagens k
            where k.serie = 'semana_notificacao' and k.lugar = l.lugar and ${isInSpan(sql`k.inicio`)}
              and k.tipo_agravo = ${opaque(tipo, 'text')}
            union all
            select p.inicio, p.total from pendentes p where p.lugar = l.lugar and ${isInSpan(sql`p.inicio`)}
          ) casos
          group by inicio having sum(total) > 0
        ) semanas
      ) >= ${opaque(atLeast, 'integer')}
      order by 1, 2`),
  )
}
