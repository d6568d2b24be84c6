import type { Municipios } from '../../../brasil/municipios.ts'
import { UFS } from '../../../brasil/uf.ts'
import type { Db } from '../../../db/db.ts'
import { join, prepared, type Sql, sql, unseen } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { type CasoColumns, casoColumns } from '../reading/filters.sql.ts'
import { type Cobertura, coverageOf, type Periodo, type Recorte, recorteOf } from './scope.ts'

/**
 * Numbers of cases: from the counters where they know the answer, from the cases where not. A reader sees no difference:
 * both are the same relation, `(lugar, inicio, tipo_agravo, classe, valor, total, hospitalizados, obitos)`, to sum up.
 */

/** A filter, as the cases and as the counters are asked for it. */
export interface Consulta {
  filter: Filter
  columns: CasoColumns
  recorte: Recorte | null
}

export function consultaOf(filter: Filter, municipios: Municipios): Consulta {
  return { filter, columns: casoColumns(municipios), recorte: recorteOf(filter, municipios) }
}

/** How finely a place is told. */
export type Nivel = 'pais' | 'estado' | 'municipio'

/** Dimensions that are counted, of the country and of states. */
export type Dimensao = 'sexo' | 'faixa_etaria' | 'data_inicio_sintomas'

export interface Detalhe {
  nivel?: Nivel
  dimensao?: Dimensao | null
  /** How finely a time is told. Without days apart they may come as the first of their month, or of the calendar. */
  tempo?: 'dia' | 'mes' | 'sempre'
}

export function contados(consulta: Consulta, detalhe: Detalhe = {}): Sql {
  const { contagens, casos } = partsOf(consulta, detalhe)
  return join([...contagens, ...casos], ' union all ')
}

/**
 * A statement over those numbers. PostgreSQL keeps it where only counters are read: their index serves whatever is asked.
 * What reads cases is planned for the values it is asked for.
 */
export function overContados(consulta: Consulta, detalhe: Detalhe, statementOf: (contados: Sql) => Sql): Sql {
  const { contagens, casos } = partsOf(consulta, detalhe)
  const statement = statementOf(join([...contagens, ...casos], ' union all '))
  return casos.length === 0 ? prepared(statement) : statement
}

/** Which counters and which cases make up the answer. */
function partsOf(
  consulta: Consulta,
  { nivel: wanted = 'pais', dimensao = null, tempo = 'mes' }: Detalhe,
): { contagens: Sql[]; casos: Sql[] } {
  const { recorte } = consulta
  if (recorte === null) return { contagens: [], casos: [ofCasos(consulta, { nivel: wanted, dimensao })] }
  const alvo = { nivel: finer(wanted, recorte), dimensao }
  const { periodo } = recorte
  if (isGeral(alvo) && tempo === 'sempre' && periodo.de === null && periodo.ate === null)
    return { contagens: [ofContagens(recorte, 'sempre', alvo)], casos: [] }
  const { meses, dias } = tempo === 'dia' ? { meses: null, dias: [periodo] } : coverageOf(periodo)
  if (isGeral(alvo)) return { contagens: [ofContagens(recorte, { meses, dias }, alvo)], casos: [] }
  const contagens = meses !== null && isKept(alvo) ? [ofContagens(recorte, { meses, dias: [] }, alvo)] : []
  const days = contagens.length === 0 ? [periodo] : dias
  return { contagens, casos: days.map((periodo) => ofCasos(consulta, alvo, periodo)) }
}

/**
 * All cases are counted by day too, but in municipalities; dimensions by month, but not in municipalities at all. What is
 * counted by day waits apart.
 */
const isGeral = ({ nivel, dimensao }: Alvo) => dimensao === null && nivel !== 'municipio'
const isKept = ({ nivel, dimensao }: Alvo) => dimensao === null || nivel !== 'municipio'

interface Alvo {
  nivel: Nivel
  dimensao: Dimensao | null
}

/** A filter by place needs counters of such places. */
function finer(nivel: Nivel, { estados, municipios }: Recorte): Nivel {
  if (municipios !== null) return 'municipio'
  return estados !== null && nivel === 'pais' ? 'estado' : nivel
}

const SEMPRE: Periodo = { de: null, ate: null }

/** Counters and what waits to be added to them, in one statement: one snapshot. A part for each period finds its index. */
function ofContagens(recorte: Recorte, cobertura: Cobertura | 'sempre', alvo: Alvo): Sql {
  const { nivel, dimensao } = alvo
  const pendentes = isGeral(alvo) ? sql`casos_contagens_pendentes_gerais` : sql`casos_contagens_pendentes`
  const counted = (serie: keyof typeof SERIE, periodo: Periodo) => sql`
    select k.lugar, k.inicio, k.tipo_agravo, k.classe, k.valor, k.total, k.hospitalizados, k.obitos
    from casos_contagens k
    where k.serie = ${SERIE[serie]} and ${isInLugar(nivel, recorte)} and ${isCounted(sql`k`, recorte)}
      and ${isIn(sql`k.inicio`, periodo)}`
  const waiting = (inicio: Sql, periodo: Periodo) => sql`
    select ${LUGAR[nivel]}, ${inicio}, p.tipo_agravo, p.classe, ${dimensao === null ? sql`''` : PENDENTE[dimensao]},
      p.total, p.hospitalizados, p.obitos
    from ${pendentes} p
    where ${isPlaced(recorte)} and ${isCounted(sql`p`, recorte)} and ${isIn(sql`p.dia`, periodo)}`
  const ofMonths = (periodo: Periodo) => [counted(dimensao ?? 'mes', periodo), waiting(MES, periodo)]
  const ofDays = (periodo: Periodo) => [counted('dia', periodo), waiting(sql`p.dia`, periodo)]
  if (cobertura === 'sempre')
    return join([counted('sempre', SEMPRE), waiting(sql`date '0001-01-01'`, SEMPRE)], ' union all ')
  const { meses, dias } = cobertura
  return join([...(meses === null ? [] : ofMonths(meses)), ...dias.flatMap(ofDays)], ' union all ')
}

/** As text of the statement, so that every plan knows how many there are. */
const SERIE = {
  dia: sql`'dia'`,
  mes: sql`'mes'`,
  sempre: sql`'sempre'`,
  sexo: sql`'sexo'`,
  faixa_etaria: sql`'faixa_etaria'`,
  data_inicio_sintomas: sql`'data_inicio_sintomas'`,
}

const MES = sql`date_trunc('month', p.dia::timestamp)::date`

const MUNICIPIO = (estado: Sql, municipio: Sql) => sql`${estado} || lpad(${municipio}::text, 7, '0')`

const LUGAR: Record<Nivel, Sql> = {
  pais: sql`''`,
  estado: sql`p.estado`,
  municipio: MUNICIPIO(sql`p.estado`, sql`p.municipio`),
}

const PENDENTE: Record<Dimensao, Sql> = {
  sexo: sql`p.sexo`,
  faixa_etaria: sql`p.faixa_etaria`,
  data_inicio_sintomas: sql`p.data_inicio_sintomas`,
}

const ESTADOS = ['--', ...UFS]

/** Which counters: all of a level, or those of the places asked for. */
function isInLugar(nivel: Nivel, { estados, municipios }: Recorte): Sql {
  if (nivel === 'pais') return sql`k.lugar = ''`
  if (nivel === 'estado') return sql`k.lugar = any(${unseen(estados ?? ESTADOS, 'text[]')})`
  const inEstados = estados === null ? sql`true` : sql`left(k.lugar, 2) = any(${estados})`
  if (municipios === null) return sql`(length(k.lugar) > 2 and ${inEstados})`
  // The state of a municipality's cases is its own: the rules of a case say so.
  return sql`(k.lugar = any(${municipios.map(({ uf, codigo }) => `${uf}${codigo}`)}) and ${inEstados})`
}

function isPlaced({ estados, municipios }: Recorte): Sql {
  const inEstados = estados === null ? sql`true` : sql`p.estado = any(${unseen(estados, 'text[]')})`
  const inMunicipios =
    municipios === null
      ? sql`true`
      : sql`p.municipio = any(${municipios.map(({ codigo }) => codigo)}::integer[])`
  return sql`${inEstados} and ${inMunicipios}`
}

function isCounted(table: Sql, { tipos, classes }: Recorte): Sql {
  const ofTipos = tipos === null ? sql`true` : sql`${table}.tipo_agravo = any(${unseen(tipos, 'text[]')})`
  const ofClasses = classes === null ? sql`true` : sql`${table}.classe = any(${unseen(classes, 'text[]')})`
  return sql`${ofTipos} and ${ofClasses}`
}

function isIn(day: Sql, { de, ate }: Periodo): Sql {
  const from = de === null ? sql`true` : sql`${day} >= ${unseen(de, 'date')}`
  return ate === null ? from : sql`${from} and ${day} <= ${unseen(ate, 'date')}`
}

const ESTADO_DO_CASO = sql`coalesce(c.estado_residencia, '--')`
const LUGAR_DO_CASO: Record<Nivel, Sql> = {
  pais: sql`''`,
  estado: ESTADO_DO_CASO,
  municipio: MUNICIPIO(ESTADO_DO_CASO, sql`coalesce(c.municipio_residencia, 0)`),
}
const VALOR_DO_CASO: Record<Dimensao, Sql> = {
  sexo: sql`coalesce(c.paciente_sexo, '')`,
  faixa_etaria: sql`coalesce(faixa_etaria(c.paciente_idade), '')`,
  data_inicio_sintomas: sql`coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '')`,
}

/** The cases of the filter that were notified in a period, one by one. */
function ofCasos({ filter, columns }: Consulta, { nivel, dimensao }: Alvo, periodo = SEMPRE): Sql {
  return sql`
    select (${LUGAR_DO_CASO[nivel]}) collate "C" as lugar, c.data_notificacao as inicio,
      c.tipo_agravo collate "C" as tipo_agravo, coalesce(c.classificacao_final, '') collate "C" as classe,
      (${dimensao === null ? sql`''` : VALOR_DO_CASO[dimensao]}) collate "C" as valor,
      1 as total, coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      coalesce(c.evolucao = 'obito', false)::integer as obitos
    from casos c where c.excluido_em is null and ${where(filter, columns)}
      and c.data_notificacao between ${periodo.de ?? '-infinity'} and ${periodo.ate ?? 'infinity'}`
}

export async function countCasos(db: Db, consulta: Consulta): Promise<number> {
  const row = await db.first<{ total: number }>(
    overContados(
      consulta,
      { tempo: 'sempre' },
      (contados) => sql`select coalesce(sum(total), 0) as total from (${contados}) f`,
    ),
  )
  return (row as { total: number }).total
}

/** A month or a day, and how many of its rows come before the one that was looked for. */
export interface Bloco {
  inicio: string
  offset: number
}

/** Which of the days, or months and days, holds the row at `offset`. */
export function findBloco(
  db: Db,
  consulta: Consulta,
  detalhe: Pick<Detalhe, 'tempo'>,
  order: 'asc' | 'desc',
  offset: number,
): Promise<Bloco | null> {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  return db.first(
    overContados(
      consulta,
      detalhe,
      (contados) => sql`
        select inicio, ${offset}::bigint - antes as "offset"
        from (
          select inicio, total, sum(total) over (order by inicio ${direction}) - total as antes
          from (select inicio, sum(total) as total from (${contados}) f group by 1) blocos
        ) somados
        where antes <= ${offset}::bigint and antes + total > ${offset}::bigint`,
    ),
  )
}
