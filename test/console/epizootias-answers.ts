// Answers of the API that the tests of events in animals share.
import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'
import { page } from './series-answers.ts'

export const LIST = 'GET /api/v1/epizootias'
export const ONE = 'GET /api/v1/epizootias/12'
export const HISTORICO = 'GET /api/v1/epizootias/12/historico'
export const MAPA = 'GET /api/v1/epizootias/mapa'
export const PROXIMAS = 'GET /api/v1/epizootias/proximas'
export const POST = 'POST /api/v1/epizootias'
export const PUT = 'PUT /api/v1/epizootias/12'
export const DELETE = 'DELETE /api/v1/epizootias/12'
export const RESTORE = 'POST /api/v1/epizootias/12/restaurar'
export const IMPORTACOES = 'GET /api/v1/epizootias/importacoes'

const VALORES: Answers = {
  'GET /api/v1/epizootias/valores': {
    body: {
      items: [
        { campo: 'suspeita', codigo: 'febre_amarela', rotulo: 'Febre amarela' },
        { campo: 'suspeita', codigo: 'raiva', rotulo: 'Raiva' },
        { campo: 'suspeita', codigo: 'mormo', rotulo: 'Mormo' },
        { campo: 'especie', codigo: 'alouatta', rotulo: 'Alouatta (bugio, guariba)' },
      ],
    },
  },
}

export const RASCUNHOS = 'GET /api/v1/rascunhos'
/** A draft of the form of an event. */
export const rascunho = (id: string, epizootia_id: number | null = null, conteudo?: object) => ({
  ...{ id, formulario: 'epizootia', caso_id: null, epizootia_id, tamanho: 100 },
  ...{ criado_em: '2026-10-20T12:00:00.000Z', atualizado_em: '2026-10-20T12:00:00.000Z' },
  expira_em: '2026-11-19T12:00:00.000Z',
  ...(conteudo && { conteudo }),
})
export const rascunhos = (...saved: object[]) => ({
  body: { total: saved.length, maximo: 50, rascunhos: saved },
})

const of = (permissoes: Permission[]): Answers => ({
  'GET /api/v1/usuarios/me': perfil(permissoes),
  [RASCUNHOS]: rascunhos(),
  'PUT /api/v1/rascunhos/{uuid}': { body: rascunho('11111111-2222-4333-8444-555555555555') },
  'DELETE /api/v1/rascunhos/{uuid}': { status: 204 },
  ...VALORES,
})
export const SEES = of(['epizootias.listar'])
export const REGISTERS = of(['epizootias.listar', 'epizootias.registrar'])
export const MANAGES = of(['epizootias.listar', 'epizootias.registrar', 'epizootias.deletar'])

export const DEFINES = of(['epizootias.listar', 'series.definir'])
export const ADD_VALOR = 'POST /api/v1/epizootias/valores'
export const REMOVE_VALOR = 'DELETE /api/v1/epizootias/valores/suspeita/mormo'

export const epizootia = (more: object = {}) => ({
  ...{ id: 12, numero: '2026000123', data_ocorrencia: '2026-10-12', mes_ocorrencia: 10 },
  ...{ ano_ocorrencia: 2026, precisao_data: 'dia', semana: '202641', data_notificacao: '2026-10-13' },
  ...{ municipio: 'Recife', codigo_ibge: '2611606', estado: 'PE', localidade: 'Dois Irmãos', zona: 'urbana' },
  ...{ latitude: -8.0123, longitude: -34.9456, ambiente: 'parque' },
  ...{ especie_grupo: 'pnh', especie: 'Callithrix', animais_doentes: 1, animais_mortos: 2 },
  ...{ suspeita: 'febre_amarela', material_coletado: true, data_coleta: '2026-10-14' },
  ...{ laboratorio_resultado: 'positivo', classificacao: 'confirmada', criterio: 'laboratorial' },
  data_encerramento: null,
  criado_por: { id: 7, nome: 'Ana Souza Lima' },
  ...{ criado_em: '2026-10-13T12:00:00.000Z', atualizado_em: '2026-10-20T12:00:00.000Z' },
  ...{ versao: 3, importacao_id: null },
  ...more,
})
export const detalhe = (more: object = {}) =>
  epizootia({ observacao: 'Guardas acharam perto da trilha.', ...more })

export const EVENTS = [
  epizootia(),
  epizootia({
    ...{ id: 13, numero: 'MS-77', data_ocorrencia: null, mes_ocorrencia: 3, semana: null },
    ...{ municipio: 'Olinda', localidade: null, classificacao: 'em_investigacao', animais_doentes: null },
  }),
  epizootia({
    ...{ id: 14, numero: '2026000140', municipio: 'Caruaru', suspeita: 'mormo', especie_grupo: 'equideo' },
    ...{ especie: null, classificacao: 'descartada', animais_mortos: 1, animais_doentes: 0 },
  }),
  epizootia({
    ...{
      id: 15,
      numero: '2026000151',
      municipio: 'Petrolina',
      suspeita: 'raiva',
      especie_grupo: 'quiroptero',
    },
    ...{ especie: null, classificacao: 'indeterminada', animais_mortos: 1, animais_doentes: null },
  }),
]
export const LISTED = page(EVENTS)

const mark = (id: number, [longitude, latitude]: number[], more: object) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: {
    ...{ id, municipio: 'Recife', codigo_ibge: '2611606', estado: 'PE', animais_mortos: 2 },
    ...{ data_ocorrencia: '2026-10-12', ano_ocorrencia: 2026, especie_grupo: 'pnh', exata: true },
    ...{ suspeita: 'febre_amarela', classificacao: 'confirmada' },
    ...more,
  },
})
const RECIFE = [-34.9, -8.05]
export const MAPPED = {
  body: {
    type: 'FeatureCollection',
    features: [
      mark(12, RECIFE, {}),
      mark(21, RECIFE, {}),
      mark(22, RECIFE, { classificacao: 'descartada' }),
      mark(13, [-36.5, -8.3], {
        ...{ municipio: 'Caruaru', codigo_ibge: '2604106', classificacao: 'em_investigacao' },
      }),
      mark(14, [-38, -8], {
        municipio: 'Serra Talhada',
        codigo_ibge: '2613909',
        classificacao: 'descartada',
      }),
      mark(15, [-40.5, -9.3], {
        ...{ municipio: 'Petrolina', codigo_ibge: '2611101', classificacao: 'indeterminada' },
      }),
    ],
    metadata: { nivel: 'ponto', total_eventos: 6 },
  },
}

const carlos = { id: 8, nome: 'Carlos Teixeira' }
export const CHANGES = page([
  {
    ...{ data: '2026-10-20T12:00:00.000Z', acao: 'atualizado', usuario: carlos, motivo: null },
    alteracoes: [
      { campo: 'classificacao', anterior: 'em_investigacao', novo: 'confirmada' },
      { campo: 'criterio', anterior: null, novo: 'laboratorial' },
    ],
  },
  {
    ...{ data: '2026-10-15T12:00:00.000Z', acao: 'restaurado', usuario: carlos, motivo: null },
    alteracoes: [],
  },
  {
    ...{ data: '2026-10-14T12:00:00.000Z', acao: 'excluido', usuario: carlos, motivo: 'engano' },
    alteracoes: [],
  },
  {
    ...{ data: '2026-10-13T12:00:00.000Z', acao: 'criado', usuario: { id: 7, nome: 'Ana Souza Lima' } },
    ...{ motivo: null, alteracoes: [] },
  },
])
export const OPENED: Answers = { [ONE]: { body: detalhe() }, [HISTORICO]: CHANGES }

export const importacao = (more: object = {}) => ({
  ...{ id: 51, job_id: 'job_feita', usuario: { id: 7, nome: 'Ana Souza Lima' } },
  arquivo: { nome: 'primatas.csv', formato: 'csv', layout: 'ministerio_pnh' },
  ...{ total_linhas: 2_560, importados: 2_556, atualizados: 0, inalterados: 2, duplicados_no_arquivo: 0 },
  ...{ erros: 2, avisos: 0, criado_em: '2026-11-10T12:00:00.000Z', desfeita_em: null, desfeita_por: null },
  ...more,
})

export const resultado = (more: object = {}) => ({
  ...{ modo: 'validar', total_linhas: 2_560, importados: 2_556, atualizados: 0, inalterados: 2 },
  ...{ duplicados_no_arquivo: 0, erros: 2, avisos: 0, tempo_processamento: 0.8 },
  erros_detalhados: [
    { linha: 17, erro: 'municipio: município desconhecido' },
    { linha: 20, erro: 'data_ocorrencia: no futuro' },
  ],
  avisos_detalhados: [],
  arquivo: { nome: 'primatas.csv', tamanho: 23, formato: 'csv', layout: 'ministerio_pnh' },
  importacao_id: null,
  ...more,
})
