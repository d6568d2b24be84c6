// Answers of the API that the tests of the import screens share.
import { type Answers, perfil } from '../harness/console-page.ts'

export const JOB = 'job_conferencia'
export const IMPORT = 'job_importacao'
const BULK = 'POST /api/v1/agravos/casos/bulk'
const CRIADO = '2026-11-14T15:00:00.000Z'

export const IMPORTER: Answers = {
  'GET /api/v1/usuarios/me': perfil(['agravos.importar', 'agravos.listar', 'agravos.estatisticas']),
}

export const job = (more: object) => ({
  body: {
    job_id: JOB,
    tipo: 'importacao',
    trabalho: 'validacao',
    status: 'completed',
    status_url: '',
    message: 'Validação concluída',
    codigo: 'COMPLETED',
    arquivo_nome: 'DENGBR26_PE.csv',
    progress: 100,
    created_at: CRIADO,
    completed_at: CRIADO,
    ...more,
  },
})

export const RUNNING = { status: 'processing', codigo: 'READING', progress: 42, completed_at: null }

const COUNTS = {
  total_linhas: 2_050,
  importados: 1_200,
  atualizados: 311,
  inalterados: 500,
  duplicados_no_arquivo: 2,
  erros: 37,
  avisos: 3,
}
const coluna = (nome: string, campo: string | null, uso = 'usada', sugestao: string | null = null) => ({
  nome,
  campo,
  uso,
  sugestao,
  exemplo: uso === 'usada' ? '1' : null,
})

export const RESULTADO = {
  ...COUNTS,
  modo: 'importar',
  tempo_processamento: 3.2,
  erros_detalhados: [{ linha: 1_204, numero_notificacao: '4418823', erro: 'Início depois da notificação' }],
  avisos_detalhados: [{ linha: 8, numero_notificacao: '4418824', aviso: 'Sexo ilegível' }],
  arquivo: { nome: 'DENGBR26_PE.csv', sha256: 'ab', tamanho: 19_300_000, formato: 'csv', layout: 'sinan' },
  importacao_id: 9,
}

export const CONFERENCIA = {
  ...RESULTADO,
  modo: 'validar',
  importacao_id: null,
  colunas: [
    coluna('NU_NOTIFIC', 'numero_notificacao'),
    coluna('CS_SEX0', null, 'desconhecida', 'CS_SEXO'),
    coluna('NM_MAE_PAC', null, 'ignorada'),
  ],
  codificacao: 'windows-1252',
  delimitador: ';',
  amostra: [{ linha: 2, valores: ['4418822', '***', '***'] }],
  periodo: { inicio: '2026-01-04', fim: '2026-11-08' },
  problemas: [
    {
      codigo: 'AFTER',
      campo: 'data_inicio_sintomas',
      coluna: 'DT_SIN_PRI',
      regra: 'Início dos sintomas depois da notificação',
      quantidade: 37,
      linhas: [1_204],
    },
  ],
  avisos_agrupados: [
    {
      codigo: 'UNREAD_VALUE',
      campo: 'paciente_sexo',
      coluna: 'CS_SEXO',
      regra: 'Valor desconhecido: não aproveitado',
      quantidade: 2,
      linhas: [8],
    },
    { codigo: 'FILE', campo: null, coluna: null, regra: 'Sem número de lote', quantidade: 1, linhas: [] },
  ],
  efeito_por_semana: {
    data_base: 'sintomas',
    semanas: [
      { semana: '202640', antes: 120, depois: 180 },
      { semana: '202641', antes: 90, depois: 300 },
      { semana: '202642', antes: 12, depois: 8 },
    ],
    sem_semana: 4,
  },
  arquivo_guardado_ate: '2026-11-14T16:00:00.000Z',
}

export const importacao = (more: object = {}) => ({
  id: 9,
  job_id: IMPORT,
  usuario: { id: 7, nome: 'Ana Souza Lima' },
  arquivo: RESULTADO.arquivo,
  ...COUNTS,
  criado_em: CRIADO,
  desfeita_em: null,
  desfeita_por: null,
  ...more,
})

const page = (items: object[], total = items.length) => ({
  body: { total, page: 1, size: 25, pages: 1, items, links: {}, meta: { timestamp: CRIADO } },
})

export const NO_JOBS: Answers = { 'GET /api/v1/jobs': page([]) }
export const jobs = (...items: object[]): Answers => ({
  'GET /api/v1/jobs': page(items.map((one) => job(one).body)),
})
export const lista = (...items: object[]): Answers => ({ 'GET /api/v1/agravos/importacoes': page(items) })
export const CASOS: Answers = { 'GET /api/v1/agravos/casos': page([], 1_511) }

/** What the check of a file answers. */
export const checked = (more: object = {}): Answers => ({
  ...IMPORTER,
  ...NO_JOBS,
  [`GET /api/v1/jobs/${JOB}`]: job({
    resultado: { ...CONFERENCIA, ...more },
    rejeitados_url: 'x',
  }),
})

export const ended = (more: object): Answers => ({ ...IMPORTER, [`GET /api/v1/jobs/${JOB}`]: job(more) })

export const accepted = (job_id: string) => ({
  status: 202,
  body: { job_id, status: 'processing', status_url: '', message: '' },
})

export const imported: Answers = {
  ...IMPORTER,
  ...CASOS,
  [`GET /api/v1/jobs/${IMPORT}`]: job({
    job_id: IMPORT,
    trabalho: 'importacao',
    resultado: RESULTADO,
    rejeitados_url: 'x',
  }),
}

export const undoing = (result: object | null, more: object = {}) =>
  job({
    job_id: 'job_simulacao',
    tipo: 'desfazer_importacao',
    trabalho: 'simulacao',
    importacao_id: 9,
    ...(result !== null && { result }),
    ...more,
  })

export const SEND = BULK
