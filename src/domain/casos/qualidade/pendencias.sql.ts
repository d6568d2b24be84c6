import type { Db } from '../../../db/db.ts'
import { join, type Sql, sql } from '../../../db/sql.ts'
import { type Columns, slice, where } from '../../../db/where.ts'
import { type Filter, type FilterTest, type ListQuery, valuesOf } from '../../../filter.ts'
import { LISTED_COLUMNS, type ListedCaso } from '../casos.sql.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import type { CasoColumns } from '../reading/filters.sql.ts'
import { duplicadosAmong } from './duplicados.sql.ts'
import {
  ABERTO,
  CONTRADICOES,
  DIAS_PARA_INVESTIGAR,
  DUPLICADO,
  SEM_HOSPITALIZACAO,
  SEM_INVESTIGACAO,
  TRABALHO,
} from './regras.ts'
import type { Candidatos } from './selecao.ts'

/** Work list: cases with something to complete, close or correct. */

/** Day it is made, and the cases whose possible duplicates belong to it; null: none are looked for. */
export interface WorkList {
  filter: Filter
  columns: CasoColumns
  hoje: string
  candidatos: Candidatos | null
  /** Diseases whose forms do not ask for a hospitalisation. */
  semHospitalizacao: readonly TipoAgravo[]
}

/** Deadline of an open case. */
const PRAZO = sql`case when c.pendencias & ${1 << ABERTO}::integer <> 0
  then c.data_notificacao + t.prazo_encerramento_dias end`

/** Bits that count: not a field that the form does not have, nor a death of today or yesterday. */
function bitsOf({ hoje, semHospitalizacao }: WorkList): Sql {
  const isRecent = sql`c.pendencias & ${1 << SEM_INVESTIGACAO}::integer <> 0
    and coalesce(c.data_obito, c.data_notificacao) + ${DIAS_PARA_INVESTIGAR}::integer >= ${hoje}::date`
  const recent = sql`case when ${isRecent} then ${1 << SEM_INVESTIGACAO}::integer else 0 end`
  const bits = sql`c.pendencias & ~ ${recent}`
  if (semHospitalizacao.length === 0) return sql`(${bits})`
  const isNotAsked = sql`c.tipo_agravo = any(${[...semHospitalizacao]}::text[])`
  return sql`(${bits} & ~ case when ${isNotAsked} then ${1 << SEM_HOSPITALIZACAO}::integer else 0 end)`
}

/** Statement that looks for duplicates once, however often it names them. */
const withDuplicados = ({ candidatos }: WorkList, statement: Sql): Sql =>
  candidatos === null
    ? statement
    : sql`with duplicados (id) as materialized (${duplicadosAmong(candidatos)}) ${statement}`

const isDuplicado = ({ candidatos }: WorkList): Sql =>
  candidatos === null ? sql`false` : sql`(c.id in (select d.id from duplicados d))`

/** Columns of the list of cases, with its deadline to sort and its codes to filter by. */
export function workColumns(list: WorkList): Columns {
  const { columns, hoje } = list
  const bits = bitsOf(list)
  const conditions: Record<string, () => Sql> = {
    atrasado: () => sql`(${PRAZO} < ${hoje}::date)`,
    a_encerrar: () => sql`(${PRAZO} >= ${hoje}::date)`,
    [DUPLICADO]: () => isDuplicado(list),
    ...Object.fromEntries(
      [...CONTRADICOES, ...TRABALHO].map(({ codigo, bit }) => [
        codigo,
        () => sql`(${bits} & ${1 << bit}::integer <> 0)`,
      ]),
    ),
  }
  const ofCode = (codigo: string) => (conditions[codigo] as () => Sql)()
  const pendencia = (test: FilterTest) => {
    const codes = valuesOf(test).map(String)
    const any = sql`coalesce(${join([sql`false`, ...codes.map(ofCode)], ' or ')}, false)`
    return test.op === 'ne' ? sql`not ${any}` : any
  }
  return {
    ...columns,
    fields: { ...columns.fields, prazo: PRAZO },
    conditions: { ...columns.conditions, pendencia },
  }
}

/**
 * Cases of the list in two parts: those that have work in themselves, from their own index, and those that are only possible
 * duplicates.
 */
function workOf(list: WorkList, select: Sql, also: Sql = sql`true`): Sql {
  const columns = workColumns(list)
  const bits = bitsOf(list)
  const part = (condition: Sql) => sql`
    select ${select} from casos c join tipos_agravo t on t.codigo = c.tipo_agravo
    where c.excluido_em is null and ${condition} and ${also} and ${where(list.filter, columns)}`
  // The first test is the index's.
  const ofItself = part(sql`c.pendencias <> 0 and ${bits} <> 0`)
  if (list.candidatos === null) return ofItself
  return sql`${ofItself} union all ${part(sql`${bits} = 0 and ${isDuplicado(list)}`)}`
}

export function countWork(db: Db, list: WorkList): Promise<number> {
  return db.value(withDuplicados(list, sql`select count(*) from (${workOf(list, sql`c.id`)}) w`))
}

/** A case of the list with what its pendencies are made of. */
export interface PendingCaso extends ListedCaso {
  pendencias: number
  prazo: string | null
  obito_em: string | null
  duplicado: boolean
}

export function listWork(
  db: Db,
  list: WorkList,
  { sort, order, page, size }: ListQuery,
  atMost: number,
): Promise<PendingCaso[]> {
  const key = workColumns(list).fields[sort] as Sql
  const inOrder =
    order === 'asc' ? sql`p.chave asc nulls last, p.id asc` : sql`p.chave desc nulls last, p.id desc`
  const statement = sql`
    select coalesce(json_agg(to_json(w) order by w.posicao), '[]') from (
      select p.posicao, c.id, ${LISTED_COLUMNS}, ${bitsOf(list)} as pendencias, ${PRAZO} as prazo, c.data_obito as obito_em,
        ${isDuplicado(list)} as duplicado
      from (
        select p.id, row_number() over (order by ${inOrder}) as posicao
        from (${workOf(list, sql`c.id, ${key} as chave`)}) p
        order by ${inOrder} ${slice(atMost, (page - 1) * size)}
      ) p
      join casos c on c.id = p.id join tipos_agravo t on t.codigo = c.tipo_agravo
    ) w`
  return db.value(withDuplicados(list, statement))
}

/** Cases of a municipality with the same bits, before or beyond their deadline. */
export interface WorkTally {
  municipio: number | null
  pendencias: number
  vencido: boolean
  total: number
}

export function tallyWork(db: Db, list: WorkList): Promise<WorkTally[]> {
  const columns = sql`c.municipio_residencia as municipio, ${bitsOf(list)} as pendencias,
    c.data_notificacao + t.prazo_encerramento_dias < ${list.hoje}::date as vencido`
  const statement = sql`
    select w.municipio, w.pendencias, w.vencido, count(*)::integer as total
    from (${workOf(list, columns)}) w group by 1, 2, 3`
  return db.rows(withDuplicados(list, statement))
}

/** Possible duplicates of each municipality. */
export function tallyDuplicados(
  db: Db,
  list: WorkList,
): Promise<{ municipio: number | null; total: number }[]> {
  const statement = sql`
    select w.municipio, count(*)::integer as total
    from (${workOf(list, sql`c.municipio_residencia as municipio`, isDuplicado(list))}) w group by 1`
  return db.rows(withDuplicados(list, statement))
}
