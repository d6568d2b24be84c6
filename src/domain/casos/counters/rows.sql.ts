import { UFS } from '../../../brasil/uf.ts'
import { join, opaque, type Sql, sql } from '../../../db/sql.ts'
import { hasOnsetIn } from '../reading/filters.sql.ts'
import { codesOf, type Period, type Scope, type ScopePlace } from './scope.ts'

/** Rows that numbers of cases are summed up from: counters with the changes queued for them, or the cases themselves. */

export type PlaceLevel = 'pais' | 'estado' | 'municipio'

/** Counted for the country and for states: by month, `perfil` (sex, age band and course, 'F|20-39|1') by year of onset. */
export type Dimension = 'sexo' | 'faixa_etaria' | 'data_inicio_sintomas' | 'perfil'

/** Resolution of the rows of an answer. */
export interface Grain {
  level?: PlaceLevel
  dimension?: Dimension | null
  /**
   * Coarser than `day`, days may come as the first of their month, or of the calendar; `block` is `month` without numbers below zero,
   * which days that are taken off a month have. `semana`: the Sunday of the onset, which is
   * `-infinity` for cases without one, and `infinity` where it cannot be. `ano`: the first Sunday of the year of onset, for
   * profiles of scopes with `hasProfiles`.
   */
  time?: 'day' | 'block' | 'month' | 'ever' | 'semana' | 'ano'
}

/** Place and dimension of the counters that are read. */
export interface Target {
  level: PlaceLevel
  dimension: Dimension | null
}

/** Served by the queue `gerais`, and counted by day too. */
export const isGeneral = ({ level, dimension }: Target) => dimension === null && level !== 'municipio'

/** Counters of a series in a period, and the changes queued for them. */
export function withQueue(
  scope: Scope,
  target: Target,
  series: keyof typeof SERIES,
  pendingStart: Sql,
  period: Period,
): Sql {
  const { level, dimension } = target
  const isByOnset = series === 'semana_sintomas' || series === 'perfil'
  const queue =
    isGeneral(target) && !isByOnset ? sql`casos_contagens_pendentes_gerais` : sql`casos_contagens_pendentes`
  return sql`
    select k.lugar, k.inicio, k.tipo_agravo, k.classe, k.valor, k.total, k.hospitalizados, k.obitos
    from casos_contagens k
    where k.serie = ${SERIES[series]} and ${isCounterOf(level, scope)} and ${hasClass(sql`k`, scope)}
      and ${isIn(sql`k.inicio`, period)}
    union all
    select ${PENDING_PLACE[level]}, ${pendingStart}, p.tipo_agravo, p.classe,
      ${dimension === null ? sql`''` : PENDING_VALUE[dimension]}, p.total, p.hospitalizados, p.obitos
    from ${queue} p
    where ${isPendingIn(scope)} and ${hasClass(sql`p`, scope)} and ${isIn(isByOnset ? sql`p.semana` : sql`p.dia`, period)}`
}

/** Text of the statement, not a parameter: the planner estimates each series by its own size. */
const SERIES = {
  dia: sql`'dia'`,
  mes: sql`'mes'`,
  sempre: sql`'sempre'`,
  semana_sintomas: sql`'semana_sintomas'`,
  sexo: sql`'sexo'`,
  faixa_etaria: sql`'faixa_etaria'`,
  data_inicio_sintomas: sql`'data_inicio_sintomas'`,
  perfil: sql`'perfil'`,
}

const municipioKey = (estado: Sql, municipio: Sql) => sql`${estado} || lpad(${municipio}::text, 7, '0')`

const PENDING_PLACE: Record<PlaceLevel, Sql> = {
  pais: sql`''`,
  estado: sql`p.estado`,
  municipio: municipioKey(sql`p.estado`, sql`p.municipio`),
}

const PENDING_VALUE: Record<Dimension, Sql> = {
  sexo: sql`p.sexo`,
  faixa_etaria: sql`p.faixa_etaria`,
  data_inicio_sintomas: sql`p.data_inicio_sintomas`,
  perfil: sql`p.sexo || '|' || p.faixa_etaria || '|' || p.desfecho`,
}

/** Keys of the counters of states; `--` counts cases without one. */
const ESTADOS = ['--', ...UFS]

/** All counters of a level, or those of the places in scope. */
function isCounterOf(level: PlaceLevel, { lugares }: Scope): Sql {
  if (level === 'pais') return sql`k.lugar = ''`
  if (level === 'estado') {
    const estados = lugares === null ? ESTADOS : codesOf(lugares).ufs
    return sql`k.lugar = any(${opaque(estados, 'text[]')})`
  }
  if (lugares === null) return sql`length(k.lugar) > 2`
  const { ufs } = codesOf(lugares)
  // The state of a municipality's cases is its own: the rules of a case say so.
  const keys = lugares.flatMap(({ uf, codigo }) => (codigo === null ? [] : [`${uf}${codigo}`]))
  if (ufs.length === 0) return sql`k.lugar = any(${opaque(keys, 'text[]')})`
  // A range of the index for each state: behind its own key, before the first character that is no digit.
  const ranges = ufs.map(
    (uf) => sql`k.lugar > ${opaque(uf, 'text')} and k.lugar < ${opaque(`${uf}:`, 'text')}`,
  )
  const ofStates = sql`length(k.lugar) > 2 and (${join(ranges, ' or ')})`
  return keys.length === 0 ? ofStates : sql`(${ofStates} or k.lugar = any(${opaque(keys, 'text[]')}))`
}

function isPendingIn({ lugares }: Scope): Sql {
  if (lugares === null) return sql`true`
  const { ufs, codigos } = codesOf(lugares)
  if (codigos.length === 0) return sql`p.estado = any(${opaque(ufs, 'text[]')})`
  if (ufs.length === 0) return sql`p.municipio = any(${opaque(codigos, 'integer[]')})`
  return sql`(p.estado = any(${ufs}) or p.municipio = any(${codigos}::integer[]))`
}

function hasClass(table: Sql, { tipos, classes }: Scope): Sql {
  return sql`${isOneOf(sql`${table}.tipo_agravo`, tipos)} and ${isOneOf(sql`${table}.classe`, classes)}`
}

function isOneOf(column: Sql, values: string[] | null): Sql {
  return values === null ? sql`true` : sql`${column} = any(${opaque(values, 'text[]')})`
}

function isIn(day: Sql, { from, to }: Period): Sql {
  const since = from === null ? sql`true` : sql`${day} >= ${opaque(from, 'date')}`
  return to === null ? since : sql`${since} and ${day} <= ${opaque(to, 'date')}`
}

const CASO_ESTADO = sql`coalesce(c.estado_residencia, '--')`
const CASO_PLACE: Record<PlaceLevel, Sql> = {
  pais: sql`''`,
  estado: CASO_ESTADO,
  municipio: municipioKey(CASO_ESTADO, sql`coalesce(c.municipio_residencia, 0)`),
}
const CASO_CLASS = sql`coalesce(c.classificacao_final, '')`
const CASO_VALUE: Record<Dimension, Sql> = {
  sexo: sql`coalesce(c.paciente_sexo, '')`,
  faixa_etaria: sql`coalesce(faixa_etaria(c.paciente_idade), '')`,
  data_inicio_sintomas: sql`coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '')`,
  perfil: sql`coalesce(c.paciente_sexo, '') || '|' || coalesce(faixa_etaria(c.paciente_idade), '') || '|'
    || desfecho(c.hospitalizacao, c.evolucao)`,
}

/** The relation without counters: one row for each case of a condition; `-1` takes them off. */
export function ofCasos(
  condition: Sql,
  { level, dimension }: Target,
  time: Grain['time'],
  sign: 1 | -1 = 1,
): Sql {
  const signed = (one: Sql) => (sign === 1 ? one : sql`-${one}`)
  const start =
    time === 'semana'
      ? sql`semana_sintomas(c.data_inicio_sintomas, c.data_notificacao)`
      : sql`c.data_notificacao`
  return sql`
    select (${CASO_PLACE[level]}) collate "C" as lugar, ${start} as inicio,
      c.tipo_agravo collate "C" as tipo_agravo, ${CASO_CLASS} collate "C" as classe,
      (${dimension === null ? sql`''` : CASO_VALUE[dimension]}) collate "C" as valor,
      ${signed(sql`1`)} as total, ${signed(sql`coalesce(c.hospitalizacao, false)::integer`)} as hospitalizados,
      ${signed(sql`coalesce(c.evolucao = 'obito', false)::integer`)} as obitos
    from casos c where c.excluido_em is null and ${condition}`
}

export function isCasoOf({ lugares, tipos, classes, period, sintomas }: Scope): Sql {
  const ofPlace = lugares === null ? sql`true` : isResidentIn(lugares)
  return sql`${ofPlace} and ${isOneOf(sql`c.tipo_agravo`, tipos)} and ${isOneOf(CASO_CLASS, classes)}
    and ${isIn(sql`c.data_notificacao`, period)} and ${hasOnsetIn(sintomas, (day) => opaque(day, 'date'))}`
}

function isResidentIn(lugares: readonly ScopePlace[]): Sql {
  const { ufs, codigos } = codesOf(lugares)
  const inStates = sql`c.estado_residencia = any(${opaque(ufs, 'text[]')})`
  if (codigos.length === 0) return inStates
  const inMunicipios = sql`c.municipio_residencia = any(${opaque(codigos, 'integer[]')})`
  return ufs.length === 0 ? inMunicipios : sql`(${inStates} or ${inMunicipios})`
}
