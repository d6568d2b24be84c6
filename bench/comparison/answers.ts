import type { Municipio } from '../../src/brasil/municipios.ts'
import { UFS } from '../../src/brasil/uf.ts'
import type { Random } from '../../src/demo/random.ts'

/** Requests for one answer at a time, with the time that it may take. */
export interface Question {
  name: string
  paths: string[]
  p50AtMost: number
  p99AtMost: number
}

const API = '/api/v1/agravos/casos'
const DIFFERENT = 500
const TIPOS = ['dengue', 'zika', 'chikungunya']
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

/** Epidemiology of one place: half municipalities, the rest health regions, states and the country. */
export function questionsOf(random: Random, municipios: readonly Municipio[]): Question[] {
  const place = () => {
    const municipio = pick(random, municipios)
    const kind = random.below(10)
    if (kind < 5) return `municipio=${municipio.codigo}`
    if (kind < 7 && municipio.regiao !== null) return `regiao_saude=${municipio.regiao.codigo}`
    return kind < 9 ? `estado=${pick(random, UFS)}` : ''
  }
  const paths = (route: string, more = '') =>
    Array.from(
      { length: DIFFERENT },
      () => `${API}/${route}?tipo_agravo=${pick(random, TIPOS)}&${place()}${more}`,
    )
  const OF_ONE_PLACE = { p50AtMost: 10, p99AtMost: 50 }
  return [
    { name: 'curve', paths: paths('estatisticas/curva'), ...OF_ONE_PLACE },
    { name: 'control diagram', paths: paths('estatisticas/diagrama-controle'), ...OF_ONE_PLACE },
    { name: 'reproduction number', paths: paths('estatisticas/rt', '&nowcast=false'), ...OF_ONE_PLACE },
    { name: 'delays', paths: paths('estatisticas/atrasos'), ...OF_ONE_PLACE },
    // Some of the requests estimate hyperparameters, which may take 250 ms.
    { name: 'nowcast', paths: paths('estatisticas/nowcast'), p50AtMost: 30, p99AtMost: 250 },
    {
      name: 'indicators',
      paths: paths('estatisticas/indicadores', '&semana_inicio=202401&semana_fim=202452'),
      ...OF_ONE_PLACE,
    },
    { name: 'painel', paths: paths('painel', '&classificacao=provavel'), p50AtMost: 20, p99AtMost: 100 },
  ]
}

/** The diagrams of all municipalities and diseases, page by page. */
export const allDiagrams = (municipios: number, size: number): string[] =>
  TIPOS.flatMap((tipo) =>
    Array.from(
      { length: Math.ceil(municipios / size) },
      (_, i) =>
        `${API}/estatisticas/diagrama-controle?tipo_agravo=${tipo}&nivel=municipio&resumo=true&page=${i + 1}&size=${size}`,
    ),
  )
export const ALL_DIAGRAMS_SECONDS = 8
