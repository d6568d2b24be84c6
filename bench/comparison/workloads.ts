import { addDays } from '../../src/brasil/calendar.ts'
import type { Municipio } from '../../src/brasil/municipios.ts'
import { UFS } from '../../src/brasil/uf.ts'
import type { Random } from '../../src/demo/random.ts'
import { TIPOS_AGRAVO } from '../../src/domain/casos/enumeracoes.ts'
import { bodyOf, completeCase } from './complete-cases.ts'
import { COUNTER } from './load.ts'

/** One request, as the service and as the baseline spell it. */
interface Ask {
  service: string
  baseline: string
  body?: string
}

/** Requests of one kind, all of them different, and how much of the baseline the service must reach. */
export interface Workload {
  name: string
  method: 'GET' | 'POST'
  asks: Ask[]
  /** Requests per second, as a share of the baseline's. */
  atLeast: number
  /** p99, as a multiple of the baseline's. */
  p99AtMost: number
  /** Bound on the change of the service's own speed by a larger table. */
  within: number
}

const API = '/api/v1/agravos/casos'
const DIFFERENT = 2_000
/** The years of the demo data. */
const FIRST_DAY = '2016-01-01'
const DAYS = 3_890
const SIZE = 50
/** Page in the middle of a million cases. */
const FAR = 10_000
const ORDERS = ['asc', 'desc'] as const

/** Seeded workloads: the same requests for the same seed. `cases` bounds the far pages of small tables. */
export function workloadsOf(
  random: Random,
  municipios: readonly Municipio[],
  ids: { first: number; last: number },
  cases: number,
): Workload[] {
  const days = (length: number) => {
    const de = addDays(FIRST_DAY, random.below(DAYS - length))
    return { de, ate: addDays(de, length - 1) }
  }
  const listOf = (page: number, size: number, order: string) => ({
    service: `${API}?page=${page}&size=${size}&sort=data_notificacao&order=${order}`,
    baseline: `/casos?page=${page}&size=${size}&order=${order}`,
  })
  const summaryOf = (estado: string | null, { de, ate }: { de: string; ate: string }) => {
    const place = estado === null ? '' : `&estado=${estado}`
    return {
      service: `${API}/estatisticas/resumo?agregacao=mes&data_inicio=${de}&data_fim=${ate}${place}`,
      baseline: `/resumo?de=${de}&ate=${ate}${place}`,
    }
  }
  const far = Math.min(FAR, Math.floor(cases / SIZE / 2))
  return [
    {
      name: 'list: state, disease, 30 days',
      method: 'GET',
      asks: different(() => {
        const { de, ate } = days(30)
        const [estado, tipo] = [random.pick(UFS), random.pick(TIPOS_AGRAVO)]
        return {
          service: `${API}?size=${SIZE}&estado=${estado}&agravo_codigo=${tipo}&data_inicio=${de}&data_fim=${ate}`,
          baseline: `/casos?size=${SIZE}&estado=${estado}&tipo=${tipo}&de=${de}&ate=${ate}`,
        }
      }),
      atLeast: 1,
      p99AtMost: 1,
      within: 0.2,
    },
    {
      name: 'list without filter',
      method: 'GET',
      asks: different(() => listOf(1 + random.below(30), 30 + random.below(41), random.pick(ORDERS))),
      atLeast: 80,
      p99AtMost: 1,
      within: 0.2,
    },
    {
      name: 'page 10,000',
      method: 'GET',
      asks: different(() => listOf(Math.ceil(far * (0.9 + 0.2 * random.next())), SIZE, random.pick(ORDERS))),
      atLeast: 120,
      p99AtMost: 1,
      within: 0.3,
    },
    {
      name: 'by id',
      method: 'GET',
      asks: different(() => {
        const id = ids.first + random.below(ids.last - ids.first + 1)
        return { service: `${API}/${id}`, baseline: `/casos/${id}` }
      }),
      atLeast: 0.7,
      p99AtMost: 1.5,
      within: 0.1,
    },
    {
      name: 'create, every field filled in',
      method: 'POST',
      asks: different(() => ({
        service: API,
        baseline: '/casos',
        body: bodyOf(completeCase(random, municipios, COUNTER)),
      })),
      atLeast: 0.8,
      p99AtMost: 1.5,
      within: 0.1,
    },
    {
      name: 'summary of a year, one state',
      method: 'GET',
      asks: different(() => summaryOf(random.pick(UFS), days(365))),
      atLeast: 25,
      p99AtMost: 1,
      within: 0.3,
    },
    {
      name: 'summary of a period, Brazil',
      method: 'GET',
      asks: different(() => summaryOf(null, days(180 + random.below(1_000)))),
      atLeast: 25,
      p99AtMost: 1,
      within: 0.3,
    },
  ]
}

/** Distinct requests, as many as there are up to the number asked for. */
function different(make: () => Ask): Ask[] {
  const asks = new Map<string, Ask>()
  for (let tries = 0; asks.size < DIFFERENT && tries < 20 * DIFFERENT; tries++) {
    const ask = make()
    asks.set(ask.body ?? ask.service, ask)
  }
  return [...asks.values()]
}
