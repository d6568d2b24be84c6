import type { UFS } from '../../src/brasil/uf.ts'
import { COUNTER } from './load.ts'

/** What is asked of both, and how much of the baseline the service must reach. */
export interface Workload {
  name: string
  method: 'GET' | 'POST'
  /** Asked in turn, so that no single answer is measured. */
  paths: { service: string; baseline: string }[]
  body?: string
  /** Requests per second, as a share of the baseline's. */
  atLeast: number
  /** How far a larger table may change the service's own speed. */
  within: number
}

const API = '/api/v1/agravos/casos'
/** Months in and out of the season, of a small year and of the largest. */
const MONTHS = ['2019-04', '2022-03', '2023-08', '2024-02', '2024-03', '2025-05']
const STATES = ['SP', 'MG', 'GO', 'PE', 'PR', 'AM'] as const satisfies (typeof UFS)[number][]
const lastDayOf = (month: string) => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}
const YEAR = { de: '2023-01-01', ate: '2023-12-31' }

export function workloadsOf(ids: { first: number; last: number }): Workload[] {
  const someIds = Array.from(
    { length: 500 },
    (_, i) => ids.first + Math.floor(((ids.last - ids.first) * i) / 500),
  )
  const summary = (estado: string | null) => ({
    service: `${API}/estatisticas/resumo?agregacao=mes&data_inicio=${YEAR.de}&data_fim=${YEAR.ate}${estado ? `&estado=${estado}` : ''}`,
    baseline: `/resumo?de=${YEAR.de}&ate=${YEAR.ate}${estado ? `&estado=${estado}` : ''}`,
  })
  return [
    {
      name: 'list, one state, type and month',
      method: 'GET',
      paths: MONTHS.flatMap((month) =>
        STATES.map((estado) => ({
          service: `${API}?estado=${estado}&agravo_codigo=dengue&data_inicio=${month}-01&data_fim=${lastDayOf(month)}`,
          baseline: `/casos?estado=${estado}&tipo=dengue&de=${month}-01&ate=${lastDayOf(month)}`,
        })),
      ),
      atLeast: 1,
      within: 0.2,
    },
    {
      name: 'list without filter',
      method: 'GET',
      paths: [{ service: API, baseline: '/casos' }],
      atLeast: 50,
      within: 0.2,
    },
    {
      name: 'page 10,000',
      method: 'GET',
      paths: [{ service: `${API}?page=10000`, baseline: '/casos?page=10000' }],
      atLeast: 80,
      within: 0.3,
    },
    {
      name: 'by id',
      method: 'GET',
      paths: someIds.map((id) => ({ service: `${API}/${id}`, baseline: `/casos/${id}` })),
      atLeast: 0.6,
      within: 0.1,
    },
    {
      name: 'create',
      method: 'POST',
      paths: [{ service: API, baseline: '/casos' }],
      body: JSON.stringify({
        tipo_agravo: 'dengue',
        numero_notificacao: COUNTER,
        data_notificacao: '2026-03-12',
        data_inicio_sintomas: '2026-03-08',
        paciente_nome: 'Maria da Silva Santos',
        paciente_data_nascimento: '1990-05-20',
        paciente_sexo: 'F',
        municipio_residencia: 2611606,
        estado_residencia: 'PE',
        bairro_residencia: 'Boa Viagem',
        dados_especificos: { febre: true, mialgia: true, prova_laco: 'negativa' },
      }),
      atLeast: 0.8,
      within: 0.1,
    },
    {
      name: 'summary of a year, one state',
      method: 'GET',
      paths: STATES.map(summary),
      atLeast: 20,
      within: 0.3,
    },
    { name: 'summary of a year, Brazil', method: 'GET', paths: [summary(null)], atLeast: 20, within: 0.3 },
  ]
}
