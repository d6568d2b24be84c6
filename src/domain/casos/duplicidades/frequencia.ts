import type { Palavra } from './nome.ts'

/**
 * Rarity of a word of a name, in bits: the share of this installation's cases with it. While there are few cases, shares of the
 * census stand in as so many cases more; with a hundred thousand of one's own they weigh nothing.
 */
const CENSUS_CASES = 2_000

/** Share of a word that is in no table. */
const OTHER = 1 / 5_000

/** Shares of the commonest names, roughly, of the censuses of 2010 and 2022 (IBGE). */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['SILVA', 0.168],
  ['SANTOS', 0.105],
  ['OLIVEIRA', 0.058],
  ['SOUZA', 0.045],
  ['SOUSA', 0.03],
  ['PEREIRA', 0.034],
  ['FERREIRA', 0.031],
  ['LIMA', 0.03],
  ['ALVES', 0.028],
  ['RODRIGUES', 0.027],
  ['COSTA', 0.024],
  ['GOMES', 0.017],
  ['RIBEIRO', 0.017],
  ['MARTINS', 0.016],
  ['CARVALHO', 0.016],
  ['ALMEIDA', 0.015],
  ['BARBOSA', 0.013],
  ['NASCIMENTO', 0.013],
  ['ARAUJO', 0.013],
  ['MARIA', 0.06],
  ['JOSE', 0.027],
  ['ANA', 0.02],
  ['JOAO', 0.018],
  ['ANTONIO', 0.012],
  ['FRANCISCO', 0.009],
  ['CARLOS', 0.008],
  ['PAULO', 0.008],
  ['PEDRO', 0.008],
  ['LUCAS', 0.007],
  ['LUIZ', 0.007],
])

/** Cases with a name, and how many of them have each of these words. */
export interface Frequencias {
  casos: number
  of(palavra: string): number
}

export function raridade(frequencias: Frequencias, { texto }: Pick<Palavra, 'texto'>): number {
  const share = SHARES.get(texto) ?? OTHER
  const cases = frequencias.casos + CENSUS_CASES
  return Math.max(0, Math.log2(cases / (frequencias.of(texto) + share * CENSUS_CASES)))
}
