import type { App } from '../app.ts'
import type { Lugar } from './lugar.ts'

/** Population of a place. */
export interface Residentes {
  lugar: Lugar
  /** Null for a municipality without figures. */
  populacao: number | null
  /** Year that the figure is of: the nearest to the one asked for; null without a figure. */
  populacao_ano: number | null
}

/** Without a year, the last one known. */
export function residentesOf(
  { populacao }: Pick<App, 'populacao'>,
  lugar: Lugar,
  ano: number | null,
): Residentes {
  const populacao_ano = populacao.knownYear(ano ?? Number.POSITIVE_INFINITY)
  const residents = populacao.populationOfAll(lugar.municipios, populacao_ano)
  return { lugar, populacao: residents, populacao_ano: residents === null ? null : populacao_ano }
}
