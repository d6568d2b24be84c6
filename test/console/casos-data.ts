import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'

/** Answers of the service for the screens of cases. */

export const LIST = 'GET /api/v1/agravos/casos'
export const CASO = 'GET /api/v1/agravos/casos/7'
export const PENDENCIAS = 'GET /api/v1/agravos/casos/qualidade/pendencias'
export const TERRITORIOS = 'GET /api/v1/territorios'
export const FACETAS = 'GET /api/v1/agravos/casos/facetas'
/** Name of a patient: it may be nowhere once the session is over. */
export const PLANTED = 'Zulmira Plantada Inconfundível'

export const ALL: Permission[] = [
  'agravos.listar',
  'agravos.criar',
  'agravos.editar',
  'agravos.deletar',
  'agravos.exportar',
  'agravos.estatisticas',
  'agravos.identificar',
]

export const casoListado = (id: number, more: object = {}) => ({
  id,
  tipo_agravo: 'dengue',
  numero_notificacao: String(4_418_820 + id),
  data_notificacao: '2026-03-12T00:00:00-03:00',
  semana_epidemiologica: '202610',
  data_inicio_sintomas: '2026-03-08',
  semana_epidemiologica_sintomas: '202610',
  paciente: { nome: 'M. S. S.', idade: 35, sexo: 'F', gestante: false },
  endereco: {
    municipio_residencia: 'Caruaru',
    codigo_ibge: '2604106',
    estado_residencia: 'PE',
    bairro: 'Salgado',
    zona: 'urbana',
  },
  classificacao_final: 'dengue_com_sinais_alarme',
  criterio_confirmacao: 'laboratorial',
  evolucao: 'cura',
  hospitalizacao: false,
  status: 'encerrado',
  dados_especificos: { febre: true },
  unidade_notificante: { nome: 'UBS Centro', cnes: '2345678' },
  criado_em: '2026-03-12T12:00:00.000Z',
  atualizado_em: '2026-05-03T12:12:00.000Z',
  ...more,
})

const envelope = (total: number, page = 1, size = 50) => ({
  total,
  page,
  size,
  pages: Math.ceil(total / size),
  links: { first: null, prev: null, next: null, last: null },
  meta: { timestamp: '2026-11-14T15:00:00.000Z' },
})

export const lista = (total: number, page = 1) => ({
  body: {
    ...envelope(total, page),
    tipos: Array.from({ length: Math.min(6, total) }, (_, at) =>
      casoListado(
        at + 1,
        at === 1 ? { status: 'em_investigacao', classificacao_final: null, evolucao: 'obito' } : {},
      ),
    ),
  },
})
export const EMPTY = { body: { ...envelope(0), tipos: [] } }
export const withoutPendencias = { body: { ...envelope(0), items: [] } }

const MOMENTS = ['2026-03-12T12:00:00.000Z', '2026-04-02T12:00:00.000Z', '2026-05-03T12:12:00.000Z'] as const
export const BEFORE = MOMENTS[1]
const ana = { id: 7, nome: 'Ana Souza Lima' }

export const detalhe = (more: object = {}) => ({
  ...casoListado(7),
  paciente: {
    ...casoListado(7).paciente,
    data_nascimento: null,
    raca: 'parda',
    escolaridade: null,
    ocupacao: null,
  },
  endereco: {
    ...casoListado(7).endereco,
    logradouro: null,
    numero: null,
    cep: null,
    latitude: null,
    longitude: null,
  },
  local_infeccao: { municipio: null, estado: null, pais: null },
  classificacao_inicial: 'suspeito',
  dados_clinicos: {
    sinais_sintomas: { dor_abdominal: true },
    comorbidades: ['diabetes'],
    data_internacao: null,
    uti: null,
  },
  dados_laboratoriais: { ns1: 'positivo', data_ns1: '2026-03-10' },
  data_investigacao: '2026-03-13',
  data_encerramento: '2026-05-03',
  data_obito: null,
  investigacao: { locais_frequentados: null, viagem_recente: false },
  responsavel: ana,
  origem: { importacao_id: 12, linha: 44 },
  versao: 3,
  acesso: 'residencia',
  historico: [
    {
      data: MOMENTS[2],
      acao: 'atualizado',
      usuario: ana,
      detalhes: { alteracoes: [{ campo: 'evolucao', anterior: null, novo: 'cura' }] },
    },
    {
      data: MOMENTS[1],
      acao: 'atualizado',
      usuario: null,
      detalhes: { alteracoes: [{ campo: 'paciente_data_nascimento', anterior: null, novo: null }] },
    },
    { data: MOMENTS[0], acao: 'criado', usuario: ana, detalhes: {} },
  ],
  anexos: [
    {
      id: 3,
      nome: 'anexo-3.png',
      tipo: 'exame',
      formato: 'image/png',
      tamanho: 204_800,
      descricao: null,
      enviado_por: ana,
      url: 'https://x/api/v1/agravos/casos/7/anexos/3',
      uploaded_at: MOMENTS[1],
    },
  ],
  ...more,
})

export const identified = () => {
  const caso = detalhe()
  return {
    ...caso,
    paciente: { ...caso.paciente, nome: PLANTED, data_nascimento: '1991-02-03' },
    endereco: { ...caso.endereco, logradouro: 'Rua Plantada', numero: '15', cep: '55000-000' },
    anexos: caso.anexos.map((anexo) => ({ ...anexo, descricao: 'Sorologia do segundo dia' })),
  }
}

const municipio = (codigo: string, nome: string) => ({
  codigo,
  nome,
  sede: { latitude: 0, longitude: 0 },
  populacao: null,
})
export const PERNAMBUCO = {
  body: {
    totais: { estados: 1, regioes_saude: 1, municipios: 2 },
    anos: [],
    estados: [
      {
        codigo: 'PE',
        codigo_ibge: '26',
        nome: 'Pernambuco',
        populacao: null,
        regioes_saude: [
          {
            codigo: '26004',
            nome: 'RS Caruaru',
            populacao: null,
            municipios: [municipio('2604106', 'Caruaru'), municipio('2611606', 'Recife')],
          },
        ],
        municipios_sem_regiao: [],
      },
    ],
  },
}

const faceta = (campo: string, values: Record<string, number>) => ({
  campo,
  valores: Object.entries(values).map(([valor, total]) => ({ valor, nome: null, total })),
  distintos: Object.keys(values).length,
  outros: 0,
})
export const FACETED = {
  body: {
    facetas: [
      faceta('classificacao', { dengue_grave: 3, confirmado: 4, descartado: 20, em_investigacao: 5 }),
      faceta('tipo_agravo', { dengue: 30, zika: 2 }),
      faceta('sexo', { F: 20, M: 12 }),
      faceta('hospitalizacao', { true: 1, false: 31 }),
    ],
    calculado_em: '2026-11-14T15:00:00.000Z',
  },
}

export const casosOf = (permissoes: Permission[] = ALL): Answers => ({
  'GET /api/v1/usuarios/me': perfil(permissoes),
  [LIST]: lista(965),
  [CASO]: { body: detalhe() },
  [PENDENCIAS]: withoutPendencias,
  [TERRITORIOS]: PERNAMBUCO,
  [FACETAS]: FACETED,
})

export const excluidos = {
  body: {
    ...envelope(1),
    items: [
      {
        id: 9,
        versao: 2,
        tipo_agravo: 'dengue',
        numero_notificacao: '4418829',
        data_notificacao: '2026-03-12T00:00:00-03:00',
        paciente: { nome: 'J. P.' },
        excluido_em: '2026-10-01T12:00:00.000Z',
        excluido_por: ana,
      },
    ],
  },
}
