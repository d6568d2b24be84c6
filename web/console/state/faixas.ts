import { FAIXAS_ETARIAS } from '../../../src/domain/casos/enumeracoes.ts'
import type { Filters } from './filter-address.ts'

/** Age bands of the bulletins as limits of the filter. */

/** Years of an age band: `<1`, `5-9`, `80+`. */
export function yearsOf(faixa: string): { de: number | null; ate: number | null } {
  if (faixa.startsWith('<')) return { de: null, ate: Number(faixa.slice(1)) - 1 }
  if (faixa.endsWith('+')) return { de: Number.parseInt(faixa, 10), ate: null }
  const [de, ate] = faixa.split('-').map(Number)
  return { de: de as number, ate: ate as number }
}

type Idades = Pick<Filters, 'idade_de' | 'idade_ate'>

const limit = (years: number | null) => (years === null ? null : String(years))

/** Null: any age. */
export function idadesOf(faixa: string | null): Idades {
  const { de, ate } = faixa === null ? { de: null, ate: null } : yearsOf(faixa)
  return { idade_de: limit(de), idade_ate: limit(ate) }
}

/** Band with exactly these limits; null where there is none. */
export const faixaOf = ({ idade_de, idade_ate }: Idades): string | null =>
  FAIXAS_ETARIAS.find((faixa) => {
    const idades = idadesOf(faixa)
    return idades.idade_de === idade_de && idades.idade_ate === idade_ate
  }) ?? null
