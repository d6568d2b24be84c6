// Answers of the API that the tests of series share.
import { dateInBrazil } from '../../src/brasil/calendar.ts'
import { semanaAt, weekOf } from '../../src/brasil/epi-week.ts'
import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'
import { PICTURED_AT } from '../harness/console-views.ts'

export const LIST = 'GET /api/v1/series'
export const ONE = 'GET /api/v1/series/temp_min_sem'
export const VALORES = 'GET /api/v1/series/temp_min_sem/valores'
export const LUGARES = 'GET /api/v1/series/temp_min_sem/lugares'
export const CORRELACAO = 'GET /api/v1/series/temp_min_sem/correlacao'
export const REVISOES = 'GET /api/v1/series/temp_min_sem/revisoes'
export const PUT = 'PUT /api/v1/series/temp_min_sem'
export const PAINEL = 'GET /api/v1/series/painel'
export const IMPORTACOES = 'GET /api/v1/series/importacoes'
export const JOBS = 'GET /api/v1/jobs'

const READS: Permission[] = ['series.listar', 'agravos.estatisticas']
export const SEES: Answers = { 'GET /api/v1/usuarios/me': perfil(READS) }
export const DEFINES: Answers = {
  'GET /api/v1/usuarios/me': perfil([...READS, 'series.importar', 'series.definir']),
}

export const page = (items: object[], size = 50) => ({
  body: { items, total: items.length, page: 1, size, pages: items.length === 0 ? 0 : 1, links: {}, meta: {} },
})

const ORIGEM = { fonte: 'InfoDengue', licenca: 'Dados abertos, com citação', atribuicao: null }

export const serie = (more: object = {}) => ({
  codigo: 'temp_min_sem',
  nome: 'Temperatura mínima, semanal',
  descricao: 'Média das mínimas diárias da semana.',
  ...{ dominio: 'ambiental', tema: 'clima', unidade: 'Cel', tipo_valor: 'numero', categorias: [] },
  ...{ periodo: 'semana', nivel: 'municipio', agrega_tempo: 'media', agrega_lugar: 'media_populacao' },
  ...{ minimo: -20, maximo: 50, casas: 1, validade: 0, derivada: null },
  limiares: [{ codigo: 'receptivo', rotulo: 'Receptivo', operador: 'gte', valor: 22, semanas: 3 }],
  ...ORIGEM,
  fonte_url: 'https://127.0.0.1/fonte',
  ...{ publica: true, ativa: true, versao: 3 },
  ...{ criado_em: '2026-01-05T12:00:00.000Z', atualizado_em: '2026-06-01T12:00:00.000Z' },
  ...{ valores: 19_240, lugares: 185, primeiro: '2024-11-17', ultimo: '2026-11-01' },
  atualizada_em: '2026-11-10T12:00:00.000Z',
  ...more,
})

export const CHUVA = serie({
  ...{ codigo: 'chuva', nome: 'Chuva', unidade: 'mm', periodo: 'dia', limiares: [], fonte_url: null },
  ...{ fonte: 'INMET', licenca: 'Dados abertos', valores: 134_680, agrega_tempo: 'soma' },
})

export const CATALOGO = [
  serie(),
  CHUVA,
  serie({
    ...{ codigo: 'amplitude_termica', nome: 'Amplitude térmica', limiares: [], valores: 0, lugares: 0 },
    ...{ primeiro: null, ultimo: null, periodo: 'dia' },
    derivada: { tipo: 'diferenca', minuendo: 'temp_max', subtraendo: 'temp_min' },
  }),
  serie({
    ...{ codigo: 'raiva_animal', nome: 'Raiva animal confirmada', dominio: 'animal', tema: 'fauna' },
    ...{ unidade: '{animais}', periodo: 'mes', ativa: false, limiares: [], valores: 12, lugares: 3 },
    ...{ primeiro: '2025-01-01', ultimo: '2025-12-01' },
  }),
]

const last = weekOf(dateInBrazil(new Date(PICTURED_AT))) - 1
export const WEEKS = 104
const RECIFE = { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' }
const warm = (i: number) => Number((22.2 + 1.9 * Math.cos((2 * Math.PI * (i - 14)) / 52)).toFixed(1))

export const valores = (more: object = {}) => ({
  ...{ serie: 'temp_min_sem', nome: 'Temperatura mínima, semanal', unidade: 'Cel', periodo: 'semana' },
  lugar: RECIFE,
  parcial: false,
  valores: Array.from({ length: WEEKS }, (_, i) => {
    const { codigo, inicio, fim } = semanaAt(last - WEEKS + 1 + i)
    const isMissing = i > 40 && i < 45
    return {
      ...{ semana: codigo, inicio, fim, valor: isMissing ? null : warm(i), cobertura: isMissing ? 0 : 1 },
      repetido: false,
      limiares: { receptivo: isMissing ? null : i > 1 && [i, i - 1, i - 2].every((at) => warm(at) >= 22) },
    }
  }),
  sem_valor: 4,
  ...ORIGEM,
  ...{ revisao: 3, atualizada_em: '2026-11-10T12:00:00.000Z' },
  ...more,
})

const MUNICIPIOS = [
  ['2611606', 'Recife', 23.4],
  ['2607901', 'Jaboatão dos Guararapes', 23.1],
  ['2609600', 'Olinda', 23.3],
  ['2604106', 'Caruaru', 19.8],
  ['2611101', 'Petrolina', 22.7],
  ['2606002', 'Garanhuns', 17.2],
  ['2605459', 'Fernando de Noronha', null],
] as const
export const LAST_WEEK = semanaAt(last).codigo

export const lugares = (more: object = {}) => ({
  ...{ serie: 'temp_min_sem', unidade: 'Cel', nivel: 'municipio', periodo: 'semana', em: LAST_WEEK },
  ...ORIGEM,
  lugares: MUNICIPIOS.map(([codigo, nome, valor]) => ({
    lugar: { nivel: 'municipio', codigo, nome, estado: 'PE' },
    ...{ valor, cobertura: valor === null ? 0 : 1, repetido: false },
  })),
  ...more,
})

export const ESTADOS = lugares({
  nivel: 'estado',
  lugares: (['PE', 'PB', 'CE', 'SP'] as const).map((uf, i) => ({
    lugar: { nivel: 'estado', codigo: uf, nome: uf, estado: uf },
    ...{
      valor: i === 3 ? null : 21 + i,
      cobertura: 1,
      cobertura_lugar: i === 3 ? 0.1 : 0.82,
      repetido: false,
    },
  })),
})

export const correlacao = (isRaw: boolean) => ({
  ...{ serie: 'temp_min_sem', lugar: RECIFE, parcial: false, metodo: 'spearman', dessazonalizada: !isRaw },
  periodo: { semana_inicio: '202447', semana_fim: '202645', inicio: '2024-11-17', fim: '2026-11-14' },
  defasagens: Array.from({ length: 27 }, (_, defasagem) => {
    const r = (isRaw ? 0.52 : 0.09) * Math.cos((2 * Math.PI * (defasagem - 9)) / 52)
    const half = isRaw ? 0.16 : 0.19
    return {
      defasagem,
      n: 98 - defasagem,
      r,
      n_efetivo: 41.5,
      inferior: r - half,
      superior: r + half,
      motivo: null,
    }
  }),
  ...{ maior: null, bruta_maior: { defasagem: 9, r: 0.52 } },
  nota: 'Correlação não é causa; com a sazonalidade, quase toda série climática se correlaciona com os casos.',
  ...ORIGEM,
})

const REVISADAS = [
  {
    ...{
      ano: 2026,
      revisao: 3,
      ate: '2026-11-10T12:00:00.000Z',
      usuario: 'Carlos Teixeira',
      importacao_id: 41,
    },
    alterados: [
      { inicio: '2026-10-25', antes: null, depois: 22.9 },
      { inicio: '2026-10-18', antes: 22.1, depois: 22.4 },
    ],
  },
]

/** The season taken out is asked for first, then the raw one. */
export const DETAIL: Answers = {
  [ONE]: { body: serie() },
  [VALORES]: { body: valores() },
  [LUGARES]: { body: lugares() },
  [CORRELACAO]: [{ body: correlacao(false) }, { body: correlacao(true) }],
  [REVISOES]: page(REVISADAS, 10),
}

export const importacao = (more: object = {}) => ({
  ...{ id: 41, job_id: 'job_feita', usuario: { id: 7, nome: 'Ana Souza Lima' } },
  arquivo: { nome: 'clima-recife.csv', formato: 'csv', layout: 'infodengue' },
  ...{ total_linhas: 575, importados: 3_372, atualizados: 12, inalterados: 40, apagados: 0 },
  ...{ duplicados_no_arquivo: 0, erros: 2, avisos: 1, criado_em: '2026-11-10T12:00:00.000Z' },
  ...{ desfeita_em: null, desfeita_por: null },
  ...more,
})

export const resultado = (more: object = {}) => ({
  ...{ modo: 'validar', total_linhas: 575, importados: 3_372, atualizados: 12, inalterados: 40 },
  ...{ duplicados_no_arquivo: 0, erros: 2, avisos: 1, sem_lugar: 3, tempo_processamento: 0.8 },
  series: [
    { codigo: 'temp_min_sem', valores: 562, lugares: 1, primeiro: '2014-12-28', ultimo: '2025-12-28' },
    { codigo: 'umid_med_sem', valores: 562, lugares: 1, primeiro: '2014-12-28', ultimo: '2025-12-28' },
  ],
  erros_detalhados: [
    { linha: 17, erro: 'tempmin: 61 está acima do máximo da série (50).' },
    { linha: 20, erro: 'SE: 202453 não existe.' },
  ],
  avisos_detalhados: [{ linha: 170, aviso: 'data_iniSE 2018-04-04 não é um domingo.' }],
  arquivo: { nome: 'clima-recife.csv', tamanho: 23, formato: 'csv', layout: 'infodengue' },
  importacao_id: null,
  ...more,
})

export const job = (id: string, more: object = {}) => ({
  body: {
    ...{
      job_id: id,
      tipo: 'importacao_series',
      trabalho: 'validacao',
      status: 'completed',
      codigo: 'COMPLETED',
    },
    ...{ message: 'Conferência concluída', progress: 100, arquivo_nome: 'clima-recife.csv' },
    ...{ created_at: '2026-11-14T14:00:00.000Z', completed_at: '2026-11-14T14:00:02.000Z' },
    resultado: resultado(),
    ...more,
  },
})
