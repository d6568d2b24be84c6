import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Municipio } from './municipios.ts'
import { clampedTo, keptWithList } from './populacao.ts'
import { type Figures, parseFigures, readBytes } from './tabela.ts'

/** Residents of one sex and age band. */
export interface SexoEFaixa {
  sexo: string
  faixa: string
  populacao: number
}

/** Residents by municipality, year, sex and age band. */
export interface EstruturaEtaria {
  anos: readonly number[]
  /** As for the population of all: a year outside of the table takes the nearest. */
  knownYear(ano: number): number
  /** Sums of a place, every sex and band in the order of the table; null where no municipality has figures. */
  structureOf(municipios: readonly Municipio[], ano: number): readonly SexoEFaixa[] | null
}

/** Loads at the first call and keeps it: 2 MiB that only statistics by age need. A failed load is tried again. */
export function lazyEstruturaEtaria(): () => Promise<EstruturaEtaria> {
  let loaded: Promise<EstruturaEtaria> | undefined
  return () => {
    loaded ??= loadEstruturaEtaria().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

async function loadEstruturaEtaria(): Promise<EstruturaEtaria> {
  const bytes = await promisify(gunzip)(await readBytes('populacao-sexo-faixa.csv.gz'))
  return indexEstruturaEtaria(parseFigures(bytes))
}

function indexEstruturaEtaria({ columns, cells, start }: Figures): EstruturaEtaria {
  const parts = columns.map((column) => column.split(' ') as [ano: string, sexo: string, faixa: string])
  const anos = [...new Set(parts.map(([ano]) => Number(ano)))]
  const first = anos[0] as number
  const groups = parts.filter(([ano]) => Number(ano) === first)
  const knownYear = clampedTo(anos)
  const structures = anos.map((_ano, n) =>
    keptWithList((municipios) => {
      const starts = municipios.map(({ codigo }) => start(codigo)).filter((begin) => begin !== undefined)
      if (starts.length === 0) return null
      return groups.map(([, sexo, faixa], i) => ({
        sexo,
        faixa,
        populacao: starts.reduce((sum, begin) => sum + (cells[begin + n * groups.length + i] as number), 0),
      }))
    }),
  )
  return {
    anos,
    knownYear,
    structureOf: (municipios, ano) => structures[knownYear(ano) - first]?.(municipios) ?? null,
  }
}
