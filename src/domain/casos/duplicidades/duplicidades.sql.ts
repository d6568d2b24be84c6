import type { Municipios } from '../../../brasil/municipios.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { pageOf } from '../../../db/page.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { type Columns, where } from '../../../db/where.ts'
import type { FilterTest, ListQuery, Page } from '../../../filter.ts'
import { LISTED_COLUMNS, type ListedCaso } from '../casos.sql.ts'
import { casoColumns } from '../reading/filters.sql.ts'
import type { FaixaDoPar, Sinais } from './escore.ts'
import { opens } from './fusoes.sql.ts'
import type { SituacaoDoPar } from './situacao.ts'

export interface DuplicidadeRow {
  id: number
  caso_1: number
  caso_2: number
  escore: number
  faixa: FaixaDoPar
  sinais: Sinais
  versao_pesos: number
  situacao: SituacaoDoPar
  encontrada_em: Date
  decidida_em: Date | null
  decidida_por_id: number | null
  decidida_por_nome: string | null
  motivo: Buffer | null
  fusao_id: number | null
}

const DUPLICIDADE = sql`d.id, d.caso_1, d.caso_2, d.escore, d.faixa, d.sinais, d.versao_pesos, d.situacao, d.encontrada_em,
  d.decidida_em, d.decidida_por_id, d.decidida_por_nome, d.motivo, d.fusao_id`

/** Both cases, of which an undecided pair has none that is excluded; of a removed one there is no pair. */
const FROM = sql`duplicidades d join casos um on um.id = d.caso_1 join casos outro on outro.id = d.caso_2`
const STANDS = sql`(d.situacao <> 'pendente' or um.excluido_em is null and outro.excluido_em is null)`

type Viewer = Pick<Caller, 'id' | 'territorio'>

/** Condition on `d`: the caller may open both cases. */
export const opensBoth = (caller: Viewer, municipios: Municipios): Sql =>
  sql`(${opens(sql`d.caso_1`, caller, municipios)} and ${opens(sql`d.caso_2`, caller, municipios)})`

/** Fields of cases, which a pair has where one of its two does. */
const OF_CASES = ['estado', 'regiao_saude', 'municipio', 'data_inicio', 'data_fim', 'importacao_id'] as const

function columnsOf(municipios: Municipios): Columns {
  const casos = casoColumns(municipios)
  const ofEither = (test: FilterTest) =>
    sql`exists (select from casos c where c.id in (d.caso_1, d.caso_2) and ${where(test, casos)})`
  return {
    fields: {
      id: sql`d.id`,
      situacao: sql`d.situacao`,
      faixa: sql`d.faixa`,
      escore: sql`d.escore::double precision`,
      tipo_agravo: sql`um.tipo_agravo`,
      encontrada_em: sql`d.encontrada_em`,
      decidida_em: sql`d.decidida_em`,
    },
    required: new Set(['id', 'situacao', 'faixa', 'escore', 'tipo_agravo', 'encontrada_em']),
    conditions: Object.fromEntries(OF_CASES.map((field) => [field, ofEither])),
    search: (contains) =>
      sql`(plain(um.numero_notificacao) like plain(${contains}) or plain(outro.numero_notificacao) like plain(${contains}))`,
  }
}

export function pageOfDuplicidadeRows(
  db: Db,
  municipios: Municipios,
  caller: Viewer,
  list: ListQuery,
): Promise<Page<DuplicidadeRow>> {
  const only = sql`${STANDS} and ${opensBoth(caller, municipios)}`
  const listing = { select: DUPLICIDADE, from: FROM, columns: columnsOf(municipios), id: sql`d.id`, only }
  return pageOf(db, listing, list)
}

/** Pairs of one case, decided ones too, the likeliest first. */
export function listOfCaso(
  db: Db,
  municipios: Municipios,
  caller: Viewer,
  casoId: number,
): Promise<DuplicidadeRow[]> {
  return db.rows(sql`
    select ${DUPLICIDADE} from ${FROM}
    where (d.caso_1 = ${casoId} or d.caso_2 = ${casoId}) and ${STANDS} and ${opensBoth(caller, municipios)}
    order by d.escore desc, d.id limit 100`)
}

export function findDuplicidade(
  db: Db,
  municipios: Municipios,
  caller: Viewer,
  id: number,
): Promise<DuplicidadeRow | null> {
  return db.first(sql`
    select ${DUPLICIDADE} from ${FROM} where d.id = ${id} and ${STANDS} and ${opensBoth(caller, municipios)}`)
}

/** Zero where somebody decided before. */
export function decide(
  tx: Db,
  id: number,
  { situacao, motivo, fusao_id }: Pick<DuplicidadeRow, 'situacao' | 'motivo' | 'fusao_id'>,
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update duplicidades set situacao = ${situacao}, motivo = ${motivo}, fusao_id = ${fusao_id}, decidida_em = ${now},
      decidida_por_id = ${by.id}, decidida_por_nome = ${by.nome}
    where id = ${id} and situacao = 'pendente'`)
}

/** A case of a pair as lists tell it, excluded or not. */
export interface CasoDoPar extends ListedCaso {
  versao: number
  excluido: boolean
}

export async function listCasosDosPares(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CasoDoPar>> {
  const rows = await db.value<CasoDoPar[]>(sql`
    select coalesce(json_agg(p), '[]') from (
      select c.id, ${LISTED_COLUMNS}, c.versao, c.excluido_em is not null as excluido from casos c
      where c.id = any(${ids}::integer[])
    ) p`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Of these cases, the live ones that the caller may open. */
export async function listAcessiveis(
  db: Db,
  municipios: Municipios,
  caller: Viewer,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ id: number }>(sql`
    select v.id from casos v
    where v.id = any(${ids}::integer[]) and v.excluido_em is null and ${opens(sql`v.id`, caller, municipios)}`)
  return new Set(rows.map(({ id }) => id))
}

export interface SealedNome {
  id: number
  tipo_agravo: string
  numero_notificacao: string
  data_notificacao: string
  sigilo: Buffer | null
}

export function listSealed(db: Db, ids: readonly number[]): Promise<SealedNome[]> {
  return db.rows(sql`
    select c.id, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.sigilo from casos c
    where c.id = any(${ids}::integer[])`)
}

export interface QualidadeRow {
  faixa: FaixaDoPar
  situacao: SituacaoDoPar
  total: number
}

/** Pairs by band and decision, of those that the caller may see. */
export function countByFaixa(db: Db, municipios: Municipios, caller: Viewer): Promise<QualidadeRow[]> {
  return db.rows(sql`
    select d.faixa, d.situacao, count(*)::integer as total from ${FROM}
    where ${STANDS} and ${opensBoth(caller, municipios)} group by d.faixa, d.situacao`)
}
