import { addDays } from '../brasil/calendar.ts'
import { semanaAt, weekOf } from '../brasil/epi-week.ts'
import type { Municipio, Municipios } from '../brasil/municipios.ts'
import { createRandom } from './random.ts'

/** Made-up climate of one state: seasons, a warm coast and noise. Nobody measured it, and its source says so. */

/** Over the source and the licence of the series that it fills. */
export const ORIGEM_DO_CLIMA = {
  fonte: 'Gerada para demonstração: não são medições',
  licenca: 'Livre, por ser inventada',
}

export interface ArquivoDeClima {
  nome: string
  text: string
}

const UF = 'PE'
const WEEKS = 156
const DAYS = 730
/** Municipalities that daily rain is made for. */
const RAINY = [2611606, 2609600, 2607901, 2604106, 2611101]
/** Apart from the numbers of the cases of a seed. */
const SEEDS = 3_000_000
const YEAR_DAYS = 365.25
/** Days after New Year of the warmest nights and of the wettest days of the coast. */
const WARMEST = 50
const WETTEST = 165

/** 1 at the coast, 0 in the hinterland. */
const coastal = ({ longitude }: Municipio) => Math.min(1, Math.max(0, (longitude + 36.5) / 1.6))
/** 1 on the plateau between them, where nights are cool. */
const high = ({ longitude }: Municipio) => Math.exp(-(((longitude + 36.6) / 0.6) ** 2))

function season(date: string, peak: number): number {
  const day = (Date.parse(`${date}T00:00:00Z`) / 86_400_000) % YEAR_DAYS
  return Math.cos((2 * Math.PI * (day - peak)) / YEAR_DAYS)
}

/** Weekly minimum temperature of all municipalities of the state up to the last week that is over, and daily rain of some. */
export function climaFiles(
  { all, byCodigo }: Municipios,
  { seed, until }: { seed: number; until: string },
): ArquivoDeClima[] {
  const random = createRandom(SEEDS + seed)
  const last = weekOf(until) - 1
  const warm = all
    .filter(({ uf }) => uf === UF)
    .flatMap((municipio) =>
      Array.from({ length: WEEKS }, (_, i) => {
        const { codigo, inicio } = semanaAt(last - WEEKS + 1 + i)
        const usual = 20.5 + 2 * coastal(municipio) - 3 * high(municipio)
        const valor = usual + 1.8 * season(inicio, WARMEST) + 0.5 * random.normal()
        return `${municipio.codigo};${codigo};${decimal(valor)}`
      }),
    )
  const wet = RAINY.flatMap((codigo) => {
    const municipio = byCodigo(codigo) as Municipio
    return Array.from({ length: DAYS }, (_, i) => {
      const date = addDays(until, i - DAYS)
      const share = 0.18 + 0.3 * coastal(municipio) * (1 + season(date, WETTEST)) * 0.8
      const amount = random.chance(share) ? Math.min(120, -9 * Math.log(1 - random.next())) : 0
      return `${codigo};${date};${decimal(amount)}`
    })
  })
  return [
    { nome: 'temperatura-demonstracao.csv', text: ['municipio;semana;temp_min_sem', ...warm].join('\n') },
    { nome: 'chuva-demonstracao.csv', text: ['municipio;data;chuva', ...wet].join('\n') },
  ]
}

const decimal = (value: number) => value.toFixed(1).replace('.', ',')
