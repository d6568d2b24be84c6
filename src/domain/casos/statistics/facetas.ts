import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { type Selection, selectionOf } from '../counters/counters.sql.ts'
import { withinTerritorio } from '../territorio.ts'
import { countBy, countValues, type GroupKey, type ValueCount, type ValueKey } from './estatisticas.sql.ts'
import { readNumbers } from './fonte.ts'
import { CLASS_FIELDS, withoutTests } from './recorte.ts'

/** Numbers beside the values of a filter: how many cases each would leave, were it chosen instead of the present one. */

/** Fields that filters are offered for: the key they are counted by, and the tests that a choice would replace. */
const CAMPOS = {
  tipo_agravo: { counted: 'tipo_agravo', own: ['tipo_agravo', 'agravo_codigo'] },
  estado: { counted: 'estado', own: ['estado'] },
  regiao_saude: { counted: 'municipio', own: ['regiao_saude'] },
  municipio: { counted: 'municipio', own: ['municipio'] },
  cnes: { listed: 'cnes', own: ['cnes'] },
  classificacao: { counted: 'classificacao', own: CLASS_FIELDS },
  criterio_confirmacao: { listed: 'criterio_confirmacao', own: ['criterio_confirmacao'] },
  evolucao: { listed: 'evolucao', own: ['evolucao'] },
  hospitalizacao: { listed: 'hospitalizacao', own: ['hospitalizacao'] },
  status: { listed: 'status', own: ['status'] },
  sexo: { counted: 'sexo', own: ['sexo'] },
  faixa_etaria: { counted: 'faixa_etaria', own: ['idade'] },
  raca: { listed: 'raca', own: ['raca'] },
  gestante: { listed: 'gestante', own: ['gestante'] },
  zona: { listed: 'zona', own: ['zona'] },
} satisfies Record<string, { own: readonly string[] } & ({ counted: GroupKey } | { listed: ValueKey })>
export type CampoDaFaceta = keyof typeof CAMPOS
export const CAMPOS_DA_FACETA = Object.keys(CAMPOS) as CampoDaFaceta[]

export const MOST_VALUES = 100

export interface ValorDaFaceta {
  /** As the filter takes it; null: not informed. */
  valor: string | null
  /** Of a place. */
  nome: string | null
  total: number
}

export interface Faceta {
  campo: CampoDaFaceta
  /** The most frequent values. */
  valores: ValorDaFaceta[]
  /** Number of all values, and of the cases that have one of those not listed. */
  distintos: number
  outros: number
}

export async function facetasOf(
  app: Pick<App, 'db' | 'reader' | 'municipios' | 'territorios'>,
  caller: Caller,
  campos: readonly CampoDaFaceta[],
  filter: Filter,
): Promise<Faceta[]> {
  const { municipios, territorios } = app
  const asked = campos.map((campo) => {
    const others = withinTerritorio(withoutTests(filter, CAMPOS[campo].own), caller)
    return { campo, selection: selectionOf(others, municipios) }
  })
  const counted = asked.every(
    ({ campo, selection }) => selection.scope !== null && 'counted' in CAMPOS[campo],
  )
  return readNumbers(app, { counted }, (from) =>
    from.snapshot(async (tx) => {
      const facetas: Faceta[] = []
      for (const { campo, selection } of asked)
        facetas.push(toFaceta(campo, await valuesOf(tx, campo, selection)))
      return facetas
    }),
  )

  async function valuesOf(db: Db, campo: CampoDaFaceta, selection: Selection): Promise<ValueCount[]> {
    const by = CAMPOS[campo]
    if ('listed' in by) return countValues(db, by.listed, selection)
    const rows = await countBy<string | number>(db, by.counted, selection)
    const counted = rows.map(({ valor, total }) => ({ valor: valor === null ? null : String(valor), total }))
    return campo === 'regiao_saude' ? byRegiao(counted) : counted
  }

  function byRegiao(rows: readonly ValueCount[]): ValueCount[] {
    const regiaoOf = ({ valor }: ValueCount) =>
      (valor === null ? null : municipios.byCodigo(Number(valor))?.regiao)?.codigo ?? null
    return [...Map.groupBy(rows, regiaoOf)].map(([codigo, parts]) => ({
      valor: codigo === null ? null : String(codigo),
      total: totalOf(parts),
    }))
  }

  function toFaceta(campo: CampoDaFaceta, rows: readonly ValueCount[]): Faceta {
    const sorted = rows.toSorted((a, b) => b.total - a.total || byValor(a, b))
    const shown = sorted.slice(0, MOST_VALUES)
    return {
      campo,
      valores: shown.map((row) => ({ ...row, nome: nameOf(campo, row.valor) })),
      distintos: rows.length,
      outros: totalOf(sorted.slice(MOST_VALUES)),
    }
  }

  function nameOf(campo: CampoDaFaceta, valor: string | null): string | null {
    if (valor === null) return null
    if (campo === 'municipio') return municipios.byCodigo(Number(valor))?.nome ?? null
    if (campo === 'regiao_saude') return territorios.regiaoByCodigo(Number(valor))?.nome ?? null
    return null
  }
}

const totalOf = (rows: readonly ValueCount[]) => rows.reduce((sum, { total }) => sum + total, 0)

/** Unknown ones last. */
function byValor({ valor: a }: ValueCount, { valor: b }: ValueCount): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : 1
}
