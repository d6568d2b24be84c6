import { semanaAt, weekOf } from '../../../../src/brasil/epi-week.ts'
import { ARRIVING_WEEKS } from '../../../../src/charts/scales.ts'
import type { Painel } from '../../api/early.ts'
import type { Filters } from '../../state/filter-address.ts'
import { isDividedFurther, lugaresOf } from './figures.ts'

export interface SilentPlace {
  codigo: string
  /** Last week with cases of the period; null: none in all of it. */
  ultima: string | null
  casos: number
}

export interface Silent {
  /** First and last of the weeks without a case. */
  from: string
  to: string
  places: SilentPlace[]
}

/**
 * Municipalities without a case of the recorte in the last ended week. By onset the last four weeks, which are still arriving everywhere.
 * `all`: every municipality of the place, where that is known; those without any case come last. Null where the period does not reach
 * these weeks, days cut them, or the place is the country.
 */
export function silentOf(
  painel: Painel,
  { periodo, base }: Pick<Filters, 'periodo' | 'base'>,
  today: string,
  all: readonly string[],
): Silent | null {
  if (periodo.kind === 'datas' || painel.lugares.nivel !== 'municipio' || isDividedFurther(painel))
    return null
  const ended = weekOf(today) - 1
  const from = semanaAt(ended - (base === 'notificacao' ? 0 : ARRIVING_WEEKS - 1)).codigo
  const to = semanaAt(ended).codigo
  if (from < painel.periodo.semana_inicio || to > painel.periodo.semana_fim) return null
  const known = lugaresOf(painel.lugares).flatMap(({ codigo, ultimaSemana, casos }) =>
    codigo === null ? [] : [{ codigo, ultima: ultimaSemana, casos }],
  )
  const withCases = new Set(known.map(({ codigo }) => codigo))
  return {
    from,
    to,
    places: [
      ...known.filter(({ ultima }) => ultima !== null && ultima < from),
      ...all.filter((codigo) => !withCases.has(codigo)).map((codigo) => ({ codigo, ultima: null, casos: 0 })),
    ],
  }
}
