import { dateInBrazil } from '../../src/brasil/calendar.ts'
import { semanaAt, weekOf } from '../../src/brasil/epi-week.ts'
import { FAIXAS_ETARIAS } from '../../src/domain/casos/enumeracoes.ts'
import type { Painel } from '../../web/console/api/early.ts'
import type { Answers } from '../harness/console-page.ts'
import { PICTURED_AT } from '../harness/console-views.ts'

/** Answers for the painel, of the weeks up to the time of the pictures: a season with a peak, and few cases in the last weeks. */

const WEEKS = 46
const ESTADOS = ['SP', 'MG', 'PE', 'BA', 'GO', 'PR', 'RJ', 'CE', 'MT', 'RS', 'AM', 'DF']
const MUNICIPIOS = [
  '2611606',
  '2607901',
  '2611101',
  '2604106',
  '2609600',
  '2603454',
  '2610707',
  '2605459',
  '2606002',
  '2600054',
]

const rates = (casos: number, populacao: number) => ({
  casos,
  confirmados: Math.round(casos * 0.66),
  hospitalizados: Math.round(casos * 0.04),
  obitos: Math.round(casos * 0.0006),
  incidencia: Number(((100_000 * casos) / populacao).toFixed(4)),
})

const blocksOf = (weeks: readonly number[]) =>
  [0, 4, 8].map((from) => weeks.slice(from, from + 4).reduce((sum, one) => sum + one, 0))

const NIVEIS = {
  pais: {
    lugar: { nivel: 'pais', codigo: null, nome: 'Brasil' },
    nivel: 'estado',
    codigos: ESTADOS,
    populacao: 212_583_750,
  },
  divisao: {
    lugar: { nivel: 'pais', codigo: null, nome: 'Brasil' },
    nivel: 'municipio',
    codigos: ['3550308', '4314902', ...MUNICIPIOS],
    populacao: 212_583_750,
  },
  estado: {
    lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco' },
    nivel: 'municipio',
    codigos: MUNICIPIOS,
    populacao: 9_539_029,
  },
  municipio: {
    lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife' },
    nivel: null,
    codigos: [],
    populacao: 1_587_707,
  },
} as const

export function painelAnswer(of: keyof typeof NIVEIS = 'pais', times = 1): Painel {
  const { lugar, nivel, codigos, populacao } = NIVEIS[of]
  const current = weekOf(dateInBrazil(new Date(PICTURED_AT)))
  const semanas = Array.from({ length: WEEKS }, (_, i) => {
    const { codigo: semana, inicio, fim } = semanaAt(current - WEEKS + 1 + i)
    const peak = Math.round(times * 2_178 * Math.exp(-(((i - 17) / 9) ** 2)))
    const casos = i > WEEKS - 5 ? Math.round(peak / 3) : peak
    const before = (share: number) => Math.round(peak * share)
    return {
      ...{ semana, inicio, fim },
      ...rates(casos, populacao),
      ...{ anterior: before(0.8), q1: before(0.4), mediana: before(0.5), q3: before(0.6) },
      encerrada: i < WEEKS - 1,
    }
  })
  const total = semanas.reduce((sum, { casos }) => sum + casos, 0)
  const periodo = (from: number, to: number) => {
    const [first, last] = [semanaAt(from), semanaAt(to)]
    return { semana_inicio: first.codigo, semana_fim: last.codigo, inicio: first.inicio, fim: last.fim }
  }
  const casos = codigos.map((_, i) => Math.round(total / 2 ** (i + 1)))
  // The last two are not among those with the most cases; each other rises or falls in its own way.
  const highlights = codigos
    .slice(0, -2)
    .map((_, i) =>
      Array.from({ length: 12 }, (_, week) =>
        week < 4 ? 20 : Math.round((week < 8 ? 7 * (i + 1) : 9) + ((week * (i + 3)) % 3)),
      ),
    )
  return {
    lugar,
    data_base: 'sintomas',
    periodo: periodo(current - WEEKS + 1, current),
    populacao,
    populacao_ano: 2024,
    numeros: { ...rates(total, populacao), obitos_em_investigacao: Math.round(9 * times) },
    anterior: {
      periodo: periodo(current - WEEKS - 51, current - 52),
      ...rates(Math.round(total * 0.8), populacao),
      variacao_pct: 25,
    },
    semanas,
    anos_comparados: [2021, 2022, 2023, 2024, 2025],
    lugares: {
      nivel,
      codigo: [...codigos],
      casos,
      incidencia: casos.map((one, i) => (i === 7 ? null : one / 50)),
      hospitalizados: casos.map((one) => Math.round(one / 25)),
      obitos: casos.map((one) => Math.round(one / 1_600)),
      ultima_semana: casos.map((_, i) => semanaAt(current - (i < 7 ? 1 : 9)).codigo),
      recentes: codigos.map((_, i) =>
        i < highlights.length ? blocksOf(highlights[i] as number[]) : [0, 3, 0],
      ),
    },
    destaques: highlights.map((serie, i) => ({
      codigo: codigos[i] as string,
      ultimas_4_semanas: 40,
      anteriores_4_semanas: 30,
      variacao_pct: 33.33,
      serie,
    })),
    piramide: {
      celulas: (['M', 'F'] as const).flatMap((sexo) =>
        FAIXAS_ETARIAS.map((faixa, i) => ({
          sexo,
          faixa,
          casos: 100 * (9 - Math.abs(i - 5)),
          populacao: 50_000,
          incidencia: 90.5,
        })),
      ),
      sem_sexo_ou_idade: 15,
    },
    classificacao_por_mes: Array.from({ length: 10 }, (_, i) => ({
      mes: semanas[i * 4 + 2]?.inicio.slice(0, 7) as string,
      ...{ confirmado: 900 - 80 * i, descartado: 300, inconclusivo: 80, em_investigacao: 20 * i },
    })),
    dados_ate: '2026-11-14T17:30:00.000Z',
    ultima_importacao: '2026-11-14T11:12:00.000Z',
    estimativas: [4, 3, 2, 1].map((back) => {
      const { codigo } = semanaAt(current - back)
      const casos = semanas.find(({ semana }) => semana === codigo)?.casos ?? 0
      return { semana: codigo, casos: Math.round(casos * (1 + 1 / back)) }
    }),
    alerta: {
      semana: semanaAt(current - 1).codigo,
      ...{ nivel: 'laranja', motivos: ['crescimento', 'acima_da_media'], casos: 112, casos_estimados: 171.4 },
      ...{ incidencia: 10.7, p_rt_maior_1: 0.998, limite_superior: 14.2, qualidade: 'adequada' },
      regra_versao: 1,
    },
  } as Painel
}

/** As many entries as the list shows at first. */
const PENDENCIAS = {
  ...{ atrasado: 412, a_encerrar: 77, obito_a_investigar: 3, obito_sem_investigacao: 2 },
  ...{ sem_hospitalizacao: 1_204, sem_inicio_sintomas: 16, sem_classificacao: 489, possivel_duplicado: 58 },
}

const bairro = (bairro: string | null, casos: number, coordinates: [number, number] | null) => ({
  type: 'Feature',
  geometry: coordinates && { type: 'Point', coordinates },
  properties: {
    municipio: 'Recife',
    codigo_ibge: '2611606',
    estado: 'PE',
    cep: null,
    ...{ bairro, casos, intensidade: 1, radius: 20 },
  },
})

const BAIRROS = {
  type: 'FeatureCollection',
  features: [
    bairro('Boa Viagem', 412, [-34.9, -8.12]),
    bairro('Várzea', 210, [-34.95, -8.04]),
    bairro('Casa Amarela', 96, [-34.92, -8.02]),
    // Without coordinates of their own.
    bairro('Centro', 80, [-34.88, -8.05]),
    bairro('São José', 31, [-34.88, -8.05]),
    bairro(null, 57, null),
  ],
  metadata: { total_pontos: 5, total_casos: 886, max_casos: 412, min_casos: 31, periodo: null },
}

const PERNAMBUCO = {
  estados: [
    {
      codigo: 'PE',
      nome: 'Pernambuco',
      regioes_saude: [
        { codigo: '26001', nome: 'Recife', municipios: [{ codigo: '2611606', nome: 'Recife' }] },
      ],
    },
  ],
}

/** Levels of the places of the map: most of them green. */
const SITUACAO = {
  semana: '202644',
  items: ESTADOS.map((codigo, i) => {
    const nivel = (['vermelho', 'laranja', 'amarelo', 'laranja'] as const)[i] ?? 'verde'
    const motivos = {
      vermelho: ['acima_do_limite'],
      laranja: ['crescimento'],
      amarelo: ['ears_c2'],
      verde: [],
    }
    return {
      ...{ lugar: { nivel: 'estado', codigo, nome: codigo, estado: codigo }, tipo_agravo: 'dengue' },
      ...{ semana: '202644', nivel, motivos: motivos[nivel], casos: 40 - i, casos_estimados: 60.5 - i },
      ...{
        incidencia: 10.7,
        p_rt_maior_1: 0.9,
        limite_superior: 14.2,
        qualidade: 'adequada',
        regra_versao: 1,
      },
    }
  }),
}
export const PARTES = 'GET /api/v1/agravos/casos/painel/partes'

export const ROUTE = 'GET /api/v1/agravos/casos/painel'

export const painelAnswers = (painel: Painel): Answers => ({
  [ROUTE]: { body: painel },
  [PARTES]: { body: { pendencias: PENDENCIAS, bairros: BAIRROS, niveis: SITUACAO } },
  'GET /api/v1/territorios': { body: PERNAMBUCO },
})
