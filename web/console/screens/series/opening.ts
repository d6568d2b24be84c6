import { semanaAt, weekOf } from '../../../../src/brasil/epi-week.ts'
import type { Periodo } from '../../../../src/domain/series/periodos.ts'
import { ufOfCode } from '../../state/estados.ts'
import { preferences } from '../../state/preferences.ts'
import { api, session } from '../../state/session.ts'
import { type Place, placeOf } from './recorte.ts'
import { type Lugares, periodParameter, type Serie } from './serie-data.ts'

/** Days of a period, at the most. */
const DAYS: Record<Periodo, number> = { dia: 1, semana: 7, mes: 31, ano: 366 }
const DAY_MS = 86_400_000

const CODES: Record<Periodo, (day: string) => string> = {
  dia: (day) => day,
  semana: (day) => semanaAt(weekOf(day)).codigo,
  mes: (day) => day.slice(0, 7),
  ano: (day) => day.slice(0, 4),
}

/** The last periods of a series: the very last may not have enough days for a value yet. */
function lastPeriods({ ultimo }: Pick<Serie, 'ultimo'>, por: Periodo): string[] {
  if (ultimo === null) return []
  const before = new Date(Date.parse(`${ultimo}T00:00:00Z`) - DAYS[por] * DAY_MS).toISOString()
  return [ultimo, before.slice(0, 10)].map(CODES[por])
}

/** Places of the account, the one it starts with first: `uf:PE`, `municipio:2611606`. */
function ownPlaces(): string[] {
  const { value } = session
  const own = value.kind === 'open' ? value.perfil.territorios : []
  return [
    preferences.value.territorio ?? '',
    ...own.map(({ nivel, codigo }) => `${nivel}:${codigo}`),
  ].flatMap((place) => place.split(':')[1] ?? [])
}

/**
 * A place to open a series at that has no values for the whole country: one of the account's with a value in the newest periods, else
 * the first that has one. Null where no place has.
 */
export async function openingOf(serie: Serie, por: Periodo): Promise<Place | null> {
  const { codigo, nivel } = serie
  for (const em of lastPeriods(serie, por)) {
    const query = { nivel, ...periodParameter(por, em) } as never
    const { lugares } = (await api.get('/api/v1/series/{codigo}/lugares', {
      params: { codigo },
      query,
    })) as Lugares
    const known = lugares.flatMap(({ lugar, valor }) =>
      valor === null || lugar.codigo === null ? [] : [lugar.codigo],
    )
    const ufOf = (code: string) => (code.length === 2 ? code : ufOfCode(code))
    const own = ownPlaces()
    const found =
      own.find((code) => known.includes(code)) ??
      known.find((code) => own.some((one) => ufOf(one) === ufOf(code))) ??
      known[0]
    if (found !== undefined) return placeOf(found)
  }
  return null
}
