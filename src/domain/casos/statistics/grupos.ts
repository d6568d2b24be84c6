import type { Municipios } from '../../../brasil/municipios.ts'
import type { Db } from '../../../db/db.ts'
import type { Selection } from '../counters/counters.sql.ts'
import { FAIXAS_ETARIAS, SEXOS } from '../enumeracoes.ts'
import { type CaseKey, type Counts, countBy, countCasosBy } from './estatisticas.sql.ts'
import { MINIMUM_CELL } from './mapa.sql.ts'
import { type CountsWithRates, sumOf, withRates } from './numeros.ts'

/** Groups that a summary can be asked for. Pairs are written with `*`. */
export const AGRUPAMENTOS = [
  'tipo_agravo',
  'faixa_etaria',
  'sexo',
  'estado',
  'regiao_saude',
  'municipio',
  'bairro',
  'cnes',
  'faixa_etaria*sexo',
  'mes*classificacao',
] as const
export type Agrupamento = (typeof AGRUPAMENTOS)[number]

const OF_CASES: readonly Agrupamento[] = ['bairro', 'cnes', 'faixa_etaria*sexo', 'mes*classificacao']

/** False for groups that are counted over the cases. */
export const isOfCounters = (key: Agrupamento) => !OF_CASES.includes(key)

export interface CountedGroup extends CountsWithRates {
  /** Null: unknown, or a bairro with few cases. */
  valor: string | null
  /** Of a municipality, a health region or a bairro. */
  nome: string | null
  /** Of a pair, each null where it is unknown. */
  valores: (string | null)[] | null
}

type Row = Counts & { valor: string | number | null; exemplo?: string | null }

export async function groupsOf(
  db: Db,
  key: Agrupamento,
  selection: Selection,
  municipios: Municipios,
): Promise<CountedGroup[]> {
  switch (key) {
    case 'regiao_saude': {
      const rows = await countBy<number>(db, 'municipio', selection)
      return byRegiao(rows, municipios)
    }
    case 'bairro':
      return byBairro(await countCasosBy(db, key, selection), municipios)
    case 'cnes':
    case 'faixa_etaria*sexo':
    case 'mes*classificacao':
      return (await countCasosBy(db, key, selection)).map((row) => groupOf(row, null, pairOf(key, row.valor)))
    default:
      return labelled(key, await countBy<string | number>(db, key, selection), municipios)
  }
}

function groupOf(
  { valor, exemplo: _, ...counted }: Row,
  nome: string | null,
  valores: CountedGroup['valores'] = null,
): CountedGroup {
  return { valor: valor === null ? null : String(valor), nome, valores, ...withRates(counted) }
}

function pairOf(key: CaseKey, valor: string | null): CountedGroup['valores'] {
  return key.includes('*') && valor !== null ? valor.split('*').map((part) => part || null) : null
}

const nameIn = (municipios: Municipios, codigo: number) => municipios.byCodigo(codigo)?.nome ?? null

function byRegiao(rows: (Counts & { valor: number | null })[], municipios: Municipios): CountedGroup[] {
  const regiaoOf = ({ valor }: { valor: number | null }) =>
    valor === null ? null : (municipios.byCodigo(valor)?.regiao ?? null)
  const groups = [...Map.groupBy(rows, regiaoOf)].map(([regiao, parts]) =>
    groupOf({ valor: regiao?.codigo ?? null, ...sumOf(parts) }, regiao?.nome ?? null),
  )
  return groups.toSorted(
    (a, b) => Number(a.valor === null) - Number(b.valor === null) || Number(a.valor) - Number(b.valor),
  )
}

/** Cases from which on a bairro is named. */
export const MINIMO_DO_BAIRRO = MINIMUM_CELL

/** Bairros of few cases are one group without a name, as on the map. */
function byBairro(rows: (Row & { valor: string | null })[], municipios: Municipios): CountedGroup[] {
  const isShown = ({ valor, total }: Row) => valor !== null && total >= MINIMUM_CELL
  const shown = rows.filter(isShown).map((row) => {
    const codigo = Number(row.valor?.slice(0, 7))
    return groupOf({ ...row, valor: row.exemplo ?? null }, nameIn(municipios, codigo))
  })
  const rest = rows.filter((row) => !isShown(row))
  return rest.length === 0 ? shown : [...shown, groupOf({ valor: null, ...sumOf(rest) }, null)]
}

const ORDERS: Partial<Record<Agrupamento, readonly string[]>> = { faixa_etaria: FAIXAS_ETARIAS, sexo: SEXOS }

/** Sorts groups as the form does, where it has an order; unknown values last. */
function labelled(key: Agrupamento, rows: Row[], municipios: Municipios): CountedGroup[] {
  const order = ORDERS[key]
  const rank = ({ valor }: Row) =>
    valor === null ? Number.POSITIVE_INFINITY : (order?.indexOf(String(valor)) ?? 0)
  const sorted = order ? rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)) : rows
  const nome = ({ valor }: Row) =>
    key === 'municipio' && valor !== null ? nameIn(municipios, Number(valor)) : null
  return sorted.map((row) => groupOf(row, nome(row)))
}
