// Answers of the API that the tests of alerts share.
import { type Answers, perfil } from '../harness/console-page.ts'

export const LIST = 'GET /api/v1/agravos/alertas'
export const ONE = 'GET /api/v1/agravos/alertas/41'
export const ACKNOWLEDGE = 'POST /api/v1/agravos/alertas/41/reconhecer'

export const WATCHER: Answers = {
  'GET /api/v1/usuarios/me': perfil(['dashboard.visualizar', 'agravos.estatisticas', 'agravos.listar']),
}

export const REGRAS = 'GET /api/v1/agravos/alertas/regras'
export const SAVE_REGRA = 'PUT /api/v1/agravos/alertas/regras'

export const regra = (more: object = {}) => ({
  ...{ tipo_agravo: 'dengue', versao: 3, p_crescimento: 0.95, casos_janela: 5 },
  ...{ casos_amarelo: 5, casos_laranja: 5, casos_vermelho: 10, incidencia_4_semanas: 100 },
  ...more,
})
export const ADMINISTRATOR: Answers = {
  'GET /api/v1/usuarios/me': perfil(['admin'], true),
  [REGRAS]: { body: { total: 2, regras: [regra(), regra({ tipo_agravo: 'zika', versao: 1 })] } },
}

const RECIFE = { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' }

export const alerta = (more: object = {}) => ({
  id: 41,
  tipo_agravo: 'dengue',
  lugar: RECIFE,
  semana: '202645',
  nivel: 'laranja',
  nivel_anterior: 'amarelo',
  motivos: ['crescimento', 'acima_da_media'],
  casos: 112,
  casos_estimados: 171.4,
  incidencia: 10.7,
  p_rt_maior_1: 0.998,
  limite_superior: 14.2,
  qualidade: 'adequada',
  regra_versao: 1,
  criado_em: '2026-11-15T06:05:00.000Z',
  reconhecido: false,
  reconhecido_em: null,
  reconhecido_por: null,
  ...more,
})

export const ACKNOWLEDGED = {
  reconhecido: true,
  reconhecido_em: '2026-11-15T12:30:00.000Z',
  reconhecido_por: 'Carlos Teixeira',
}
export const NOTA = 'Equipe de campo enviada; reunião na segunda-feira.'

/** One of each level, place and state of notice. */
export const ALERTAS = [
  alerta(),
  alerta({
    id: 40,
    lugar: { nivel: 'estado', codigo: 'CE', nome: 'Ceará', estado: 'CE' },
    tipo_agravo: 'chikungunya',
    nivel: 'vermelho',
    nivel_anterior: null,
    motivos: ['acima_do_limite'],
    ...ACKNOWLEDGED,
  }),
  alerta({
    id: 39,
    lugar: { nivel: 'regiao_saude', codigo: '26010', nome: 'Recife', estado: 'PE' },
    nivel: 'amarelo',
    nivel_anterior: 'verde',
    motivos: ['ears_c2', 'dados_alterados'],
  }),
  alerta({
    id: 38,
    lugar: { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null },
    tipo_agravo: 'zika',
    nivel: 'verde',
    nivel_anterior: 'amarelo',
    motivos: [],
    limite_superior: null,
  }),
]

export const listed = (items: object[], total = items.length, pages = 1): Answers => ({
  [LIST]: { body: { total, page: 1, size: 25, pages, items, links: {}, meta: {} } },
})
