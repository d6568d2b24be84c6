import type { Municipio, RegiaoSaude } from './municipios.ts'
import { ESTADOS_IBGE, type Estado } from './uf.ts'

/** States, health regions and their municipalities; each list in the order of the codes. */
export interface Territorios {
  estados: readonly Estado[]
  regioes: readonly RegiaoSaude[]
  regiaoByCodigo(codigo: number): RegiaoSaude | null
  regioesOf(uf: string): readonly RegiaoSaude[]
  municipiosOf(uf: string): readonly Municipio[]
  /** None for a code that is no region's. */
  municipiosOfRegiao(codigo: number): readonly Municipio[]
}

export function indexTerritorios(all: readonly Municipio[]): Territorios {
  const municipiosOf = Map.groupBy(all, ({ uf }) => uf)
  const municipiosOfRegiao = Map.groupBy(all, ({ regiao }) => regiao?.codigo ?? null)
  const regiaoByCodigo = new Map(
    all.flatMap(({ regiao }) => (regiao === null ? [] : [[regiao.codigo, regiao] as const])),
  )
  const regioes = [...regiaoByCodigo.values()].toSorted((a, b) => a.codigo - b.codigo)
  const regioesOf = Map.groupBy(regioes, ({ uf }) => uf)
  return {
    estados: ESTADOS_IBGE,
    regioes,
    regiaoByCodigo: (codigo) => regiaoByCodigo.get(codigo) ?? null,
    regioesOf: (uf) => regioesOf.get(uf) ?? [],
    municipiosOf: (uf) => municipiosOf.get(uf) ?? [],
    municipiosOfRegiao: (codigo) => municipiosOfRegiao.get(codigo) ?? [],
  }
}
