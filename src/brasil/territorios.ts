import type { Municipio, RegiaoSaude } from './municipios.ts'
import { NOMES_DOS_ESTADOS, UFS, type Uf } from './uf.ts'

export interface Estado {
  uf: Uf
  nome: string
  /** IBGE, two digits: the first two of its municipalities. */
  codigo: number
}

/** States, health regions and their municipalities; each list in the order of the codes. */
export interface Territorios {
  /** In the order of the abbreviations. */
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
    estados: UFS.map((uf) => ({
      uf,
      nome: NOMES_DOS_ESTADOS[uf],
      codigo: Math.floor((municipiosOf.get(uf)?.[0]?.codigo ?? 0) / 100_000),
    })),
    regioes,
    regiaoByCodigo: (codigo) => regiaoByCodigo.get(codigo) ?? null,
    regioesOf: (uf) => regioesOf.get(uf) ?? [],
    municipiosOf: (uf) => municipiosOf.get(uf) ?? [],
    municipiosOfRegiao: (codigo) => municipiosOfRegiao.get(codigo) ?? [],
  }
}
