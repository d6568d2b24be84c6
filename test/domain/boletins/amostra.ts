import { firstWeekOf, semanaAt, weeksIn } from '../../../src/brasil/epi-week.ts'
import type { NivelDeAlerta } from '../../../src/domain/alertas/nivel.ts'
import type {
  Boletim,
  CelulaDoBoletim,
  LugarDoMapa,
  SecaoDoBoletim,
  SemanaContada,
  SemanaDoBoletim,
  Valor,
} from '../../../src/domain/boletins/dados.ts'
import { CAMPOS_DO_BOLETIM } from '../../../src/domain/boletins/dados.ts'
import { FAIXAS_ETARIAS } from '../../../src/domain/casos/enumeracoes.ts'

/** Invented bulletins of real shape: a season that peaks in week 15, the same at every run. */

const ANO = 2026
const SEMANA = 20
const POPULACAO = 9_562_007

const shown = (valor: number | null): Valor => ({ valor, suprimido: false })
const hidden: Valor = { valor: null, suprimido: true }
const round = (value: number, decimals = 4) => Number(value.toFixed(decimals))

function semanaDe(ano: number, numero: number): SemanaDoBoletim {
  const { codigo, inicio, fim } = semanaAt(firstWeekOf(ano) + numero - 1)
  return { semana: codigo, inicio, fim }
}

const casosDe = (ano: number, numero: number, size: number) =>
  Math.round(size * (1 + (ano % 3) / 2) * Math.exp(-((numero - 15) ** 2) / 90) + (size / 40) * (numero % 4))

const weeks = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

const anoDe = (ano: number, last: number, size: number): SemanaContada[] =>
  weeks(last).map((numero) => {
    const casos = casosDe(ano, numero, size)
    return {
      ...semanaDe(ano, numero),
      casos,
      incidencia: round((casos / POPULACAO) * 100_000),
      suprimido: false,
    }
  })

const MUNICIPIOS: readonly [string, string, number, number, number, NivelDeAlerta, NivelDeAlerta, number][] =
  [
    ['2600054', 'Abreu e Lima', -7.9, -34.9, 103_945, 'amarelo', 'verde', 21],
    ['2602902', 'Cabo de Santo Agostinho', -8.28, -35.03, 216_969, 'laranja', 'laranja', 96],
    ['2604106', 'Caruaru', -8.28, -35.98, 402_290, 'vermelho', 'laranja', 512],
    ['2605459', 'Fernando de Noronha', -3.84, -32.41, 3_316, 'verde', 'verde', 0],
    ['2606002', 'Garanhuns', -8.88, -36.5, 151_064, 'verde', 'amarelo', 12],
    ['2607901', 'Jaboatão dos Guararapes', -8.11, -35.01, 683_285, 'laranja', 'amarelo', 240],
    ['2609600', 'Olinda', -8.0, -34.85, 365_402, 'amarelo', 'amarelo', 88],
    ['2610707', 'Paulista', -7.94, -34.87, 362_960, 'verde', 'verde', 31],
    ['2611101', 'Petrolina', -9.39, -40.5, 414_083, 'vermelho', 'vermelho', 733],
    ['2611606', 'Recife', -8.05, -34.88, 1_587_707, 'laranja', 'vermelho', 640],
    ['2613909', 'Serra Talhada', -7.99, -38.29, 98_143, 'verde', 'verde', 7],
    ['2616407', 'Vitória de Santo Antão', -8.12, -35.29, 143_799, 'verde', 'verde', 15],
  ]

const lugares: LugarDoMapa[] = MUNICIPIOS.map(
  ([codigo, nome, latitude, longitude, populacao, nivel, nivel_anterior, casos_4_semanas]) => ({
    ...{ codigo, nome, estado: 'PE', latitude, longitude, nivel, nivel_anterior, casos_4_semanas },
    incidencia_4_semanas: round((casos_4_semanas / populacao) * 100_000),
    populacao,
    suprimido: false,
  }),
)

const celulas: CelulaDoBoletim[] = (['M', 'F'] as const).flatMap((sexo, s) =>
  FAIXAS_ETARIAS.map((faixa, i) => {
    const casos = 40 + 30 * s + ([20, 90, 160, 210, 260, 900, 620, 240, 60][i] ?? 0)
    const populacao = 60_000 + 90_000 * (i % 5) + 4_000 * s
    return {
      sexo,
      faixa,
      casos,
      populacao,
      incidencia: round((casos / populacao) * 100_000),
      suprimido: false,
    }
  }),
)

function secaoDe(tipo_agravo: SecaoDoBoletim['tipo_agravo'], size: number): SecaoDoBoletim {
  const atual = anoDe(ANO, SEMANA, size)
  const casosDoAno = atual.reduce((sum, { casos }) => sum + (casos ?? 0), 0)
  const anterior = anoDe(ANO - 1, SEMANA, size).reduce((sum, { casos }) => sum + (casos ?? 0), 0)
  const recentes = atual.slice(-4).reduce((sum, { casos }) => sum + (casos ?? 0), 0)
  const mediaDe = (numero: number) => round((casosDe(2025, numero, size) / POPULACAO) * 100_000 + 0.5)
  return {
    tipo_agravo,
    populacao: POPULACAO,
    populacao_ano: 2024,
    numeros: {
      casos_ano: shown(casosDoAno),
      incidencia_ano: shown(round((casosDoAno / POPULACAO) * 100_000)),
      casos_4_semanas: shown(recentes),
      incidencia_4_semanas: shown(round((recentes / POPULACAO) * 100_000)),
      casos_ano_anterior: shown(anterior),
      variacao_pct: shown(round((100 * (casosDoAno - anterior)) / anterior, 2)),
      confirmados: shown(Math.round(casosDoAno * 0.6)),
      obitos: shown(7),
      obitos_em_investigacao: shown(12),
      letalidade: { ...shown(0.05), inferior: 0.0242, superior: 0.1031 },
      nivel: 'laranja',
      motivos: ['crescimento', 'acima_da_media'],
      nivel_anterior: 'amarelo',
    },
    curva: {
      anos: [
        { ano: ANO, semanas: atual },
        ...[ANO - 1, ANO - 2].map((ano) => ({ ano, semanas: anoDe(ano, weeksIn(ano), size) })),
      ],
      nowcast: atual.slice(-8).map(({ semana, inicio, fim, casos }, i) => ({
        ...{ semana, inicio, fim },
        conhecidos: casos,
        estimados: Math.round((casos ?? 0) * (1 + i * i * 0.02)),
        inferior_95: Math.round((casos ?? 0) * (1 + i * i * 0.008)),
        superior_95: Math.round((casos ?? 0) * (1 + i * i * 0.045)),
        suprimido: false,
      })),
      nowcast_motivo: null,
      nowcast_duvidoso: false,
    },
    diagrama: {
      ano: ANO,
      qualidade: 'adequada',
      anos_base: [2017, 2018, 2020, 2021, 2022, 2023, 2025],
      anos_excluidos: [2016, 2019, 2024],
      semanas: weeks(weeksIn(ANO)).map((numero) => {
        const media = mediaDe(numero)
        const observed = atual[numero - 1]
        const incidencia = observed?.incidencia ?? null
        const limite_superior = round(media * 1.4)
        return {
          ...semanaDe(ANO, numero),
          media,
          limite_inferior: round(media * 0.6),
          limite_superior,
          casos: observed?.casos ?? null,
          incidencia,
          estimados: null,
          incidencia_julgada: incidencia,
          zona: zonaDe(incidencia, media, limite_superior),
          suprimido: false,
          limites_suprimidos: false,
        }
      }),
      semanas_acima: 3,
      consecutivas_acima: 0,
    },
    rt: {
      semanas: weeks(26).map((i) => {
        const rt = round(1 + 0.5 * Math.sin(i / 4), 6)
        const { codigo, inicio, fim } = semanaAt(firstWeekOf(ANO) + SEMANA - 27 + i)
        return {
          ...{ semana: codigo, inicio, fim, rt },
          ...{ inferior: round(rt - 0.1 - i / 150, 6), superior: round(rt + 0.12 + i / 100, 6) },
          ...{ p_maior_1: rt > 1 ? 0.99 : 0.03, confiavel: i > 2, estimado: i > 18, suprimido: false },
        }
      }),
    },
    mapa: { tipo: 'municipio', lugares },
    municipios: {
      maior_incidencia: lugares
        .filter(({ casos_4_semanas }) => casos_4_semanas !== 0)
        .toSorted((a, b) => (b.incidencia_4_semanas ?? 0) - (a.incidencia_4_semanas ?? 0))
        .slice(0, 10),
      mudaram_de_nivel: lugares.filter(({ nivel, nivel_anterior }) => nivel !== nivel_anterior),
    },
    piramide: { celulas, sem_sexo_ou_idade: shown(14), estrutura_ano: 2024 },
    sorotipos:
      tipo_agravo !== 'dengue'
        ? null
        : {
            contagens: [
              { sorotipo: 'DENV1', casos: 41 },
              { sorotipo: 'DENV2', casos: 118 },
              { sorotipo: 'DENV3', casos: 9 },
              { sorotipo: 'DENV4', casos: 0 },
            ],
            predominante: 'DENV2',
            suprimido: false,
          },
    qualidade: {
      inicio: '2025-05-25',
      fim: '2026-05-23',
      casos: shown(casosDoAno + 900),
      atrasados: shown(231),
      completude: CAMPOS_DO_BOLETIM.map((campo, i) => {
        const de = 2400
        const preenchidos = [2310, 2190, 2100, 1600, 1100][i] ?? 0
        const faixa = (['excelente', 'bom', 'regular', 'ruim', 'muito_ruim'] as const)[i] ?? null
        return { campo, preenchidos, de, pct: round((100 * preenchidos) / de, 2), faixa, suprimido: false }
      }),
    },
  }
}

function zonaDe(incidencia: number | null, media: number, limite: number) {
  if (incidencia === null) return null
  if (incidencia > limite) return 'epidemico'
  return incidencia > media ? 'esperado' : 'abaixo'
}

/** Dengue in a state. */
export const BOLETIM_DO_ESTADO: Boletim = {
  cabecalho: {
    lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
    agravos: ['dengue'],
    semana: semanaDe(ANO, SEMANA),
    publico: false,
    dados_ate: '2026-05-25T11:42:07.123Z',
    texto: {
      titulo: null,
      destaques: ['Casos crescem no Sertão & no Agreste', 'Atenção a <Petrolina>'],
      nota: 'Números sujeitos a revisão.',
    },
  },
  dados: {
    secoes: [secaoDe('dengue', 400)],
    notas: {
      populacao: { fonte: 'DATASUS/IBGE', ultimo_ano: 2024 },
      supressao: null,
      bairros_minimo: 5,
      rt: { janela: 3, intervalo_geracao_media: 3, intervalo_geracao_desvio: 1 },
      diagrama: { metodo: 'media_movel', anos: 10, janela: 5, desvios: 2 },
      nowcast: { intervalo: 95 },
      software: { nome: 'Vigia', versao: '0.1.0' },
    },
  },
}

/** All three diseases in a state. */
export const BOLETIM_DE_TODOS: Boletim = {
  cabecalho: { ...BOLETIM_DO_ESTADO.cabecalho, agravos: ['dengue', 'zika', 'chikungunya'] },
  dados: {
    ...BOLETIM_DO_ESTADO.dados,
    secoes: [secaoDe('dengue', 400), secaoDe('zika', 12), secaoDe('chikungunya', 90)],
  },
}

/** A municipality of few cases, for the public: hidden cells of every kind, bairros, nothing known of limits and estimates. */
export const BOLETIM_PUBLICO_DO_MUNICIPIO: Boletim = {
  cabecalho: {
    ...BOLETIM_DO_ESTADO.cabecalho,
    lugar: { nivel: 'municipio', codigo: '2613909', nome: 'Serra Talhada', estado: 'PE' },
    publico: true,
    texto: { titulo: 'Boletim da dengue', destaques: [], nota: null },
  },
  dados: {
    secoes: [secaoPublica()],
    notas: { ...BOLETIM_DO_ESTADO.dados.notas, supressao: { minimo: 5 } },
  },
}

function secaoPublica(): SecaoDoBoletim {
  const secao = secaoDe('dengue', 12)
  const isSmall = (casos: number | null) => casos !== null && casos > 0 && casos < 5
  const nothing = { rt: null, inferior: null, superior: null, p_maior_1: null, suprimido: true }
  return {
    ...secao,
    numeros: {
      ...secao.numeros,
      confirmados: hidden,
      obitos: hidden,
      obitos_em_investigacao: hidden,
      letalidade: { ...hidden, inferior: null, superior: null },
    },
    curva: {
      anos: secao.curva.anos.map(({ ano, semanas }) => ({
        ano,
        semanas: semanas.map((one) =>
          isSmall(one.casos) ? { ...one, casos: null, incidencia: null, suprimido: true } : one,
        ),
      })),
      nowcast: [],
      nowcast_motivo: 'poucos_casos',
      nowcast_duvidoso: false,
    },
    diagrama: {
      ...secao.diagrama,
      qualidade: 'insuficiente',
      anos_base: [2025],
      anos_excluidos: [],
      semanas: secao.diagrama.semanas.map((one) => ({
        ...one,
        ...{ media: null, limite_inferior: null, limite_superior: null, zona: null },
        ...(isSmall(one.casos) && {
          casos: null,
          incidencia: null,
          incidencia_julgada: null,
          suprimido: true,
        }),
      })),
      semanas_acima: null,
      consecutivas_acima: null,
    },
    rt: { semanas: secao.rt.semanas.map((one, i) => (i % 5 === 0 ? { ...one, ...nothing } : one)) },
    mapa: {
      tipo: 'bairro',
      bairros: [
        { nome: 'Centro', casos_4_semanas: 14, suprimido: false },
        { nome: 'Bom Jesus', casos_4_semanas: 6, suprimido: false },
      ],
      demais: hidden,
    },
    municipios: { maior_incidencia: [], mudaram_de_nivel: [] },
    piramide: {
      ...secao.piramide,
      celulas: celulas.map((one, i) =>
        i % 4 === 0 ? { ...one, casos: null, incidencia: null, suprimido: true } : one,
      ),
      sem_sexo_ou_idade: hidden,
    },
    sorotipos: {
      contagens: (['DENV1', 'DENV2', 'DENV3', 'DENV4'] as const).map((sorotipo) => ({
        sorotipo,
        casos: null,
      })),
      predominante: null,
      suprimido: true,
    },
    qualidade: {
      ...secao.qualidade,
      atrasados: hidden,
      completude: secao.qualidade.completude.map((one, i) =>
        i === 0 ? { ...one, preenchidos: null, de: null, pct: null, faixa: null, suprimido: true } : one,
      ),
    },
  }
}
