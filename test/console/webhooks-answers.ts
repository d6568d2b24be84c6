import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'

/** Webhooks and deliveries as the service answers them. */

export const LIST = 'GET /api/v1/webhooks'
export const CREATE = 'POST /api/v1/webhooks'
export const CATALOGUE = 'GET /api/v1/webhooks/eventos'
export const ONE = 'GET /api/v1/webhooks/wh_a1'
export const CHANGE = 'PUT /api/v1/webhooks/wh_a1'
export const REMOVE = 'DELETE /api/v1/webhooks/wh_a1'
export const ENTREGAS = 'GET /api/v1/webhooks/wh_a1/entregas'
export const ENTREGA = 'GET /api/v1/webhooks/wh_a1/entregas/31'
export const RESEND = 'POST /api/v1/webhooks/wh_a1/entregas/31/reenviar'
export const REPLAY = 'POST /api/v1/webhooks/wh_a1/reenviar'
export const TEST = 'POST /api/v1/webhooks/wh_a1/testar'
export const PAUSE = 'POST /api/v1/webhooks/wh_a1/pausar'
export const RESUME = 'POST /api/v1/webhooks/wh_a1/retomar'
export const ROTATE = 'POST /api/v1/webhooks/wh_a1/segredo'
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const PERMISSOES: Permission[] = ['agravos.listar', 'agravos.estatisticas', 'webhooks.gerenciar']

export const webhook = (more: object = {}) => ({
  id: 'wh_a1',
  url: 'https://lab.saude.example/vigia',
  eventos: ['agravo.criado', 'agravo.atualizado'],
  ativo: true,
  headers: { 'X-Origem': '********' },
  filtros: { tipo_agravo: ['dengue'], estado: ['PE'], municipio: [], nivel: [], suspeita: [] },
  criado_em: '2026-10-02T12:00:00.000Z',
  atualizado_em: '2026-11-01T12:00:00.000Z',
  usuario: { id: 7, nome: 'Ana Souza Lima' },
  pendentes: 3,
  falhando_desde: null,
  desligado_em: null,
  desligado_por: null,
  segredo_anterior_ate: null,
  ...more,
})

export const WEBHOOKS = [
  webhook(),
  webhook({
    id: 'wh_b2',
    url: 'https://painel.saude.example/entrada',
    eventos: ['alerta.alterado'],
    filtros: {
      tipo_agravo: [],
      estado: [],
      municipio: ['2611606', '2607901'],
      nivel: ['vermelho'],
      suspeita: [],
    },
    falhando_desde: '2026-11-13T09:30:00.000Z',
    pendentes: 1_204,
  }),
  webhook({
    id: 'wh_c3',
    url: 'https://antigo.saude.example/',
    filtros: { tipo_agravo: [], estado: [], municipio: [], nivel: [], suspeita: [] },
    ativo: false,
    desligado_em: '2026-11-10T10:00:00.000Z',
    desligado_por: 'recusado',
    pendentes: 0,
  }),
  webhook({ id: 'wh_d4', url: 'https://pausa.saude.example/', ativo: false, pendentes: 12 }),
]

const page = (items: object[]) => ({
  body: { items, total: items.length, page: 1, size: 25, pages: items.length === 0 ? 0 : 1, links: {} },
})
export const listed = (items: object[]): Answers => ({ [LIST]: page(items) })

export const entrega = (more: object = {}) => ({
  id: 31,
  webhook_id: 'wh_a1',
  evento_id: 'evt_Zk3xNdE2fQm0rTjvYkq1cW8a',
  tipo: 'agravo.criado',
  motivo: 'evento',
  estado: 'entregue',
  tentativas: 1,
  ultima_tentativa: '2026-11-14T12:10:01.000Z',
  proxima_tentativa: null,
  status_http: 200,
  erro: null,
  duracao_ms: 182,
  criado_em: '2026-11-14T12:10:00.000Z',
  concluida_em: '2026-11-14T12:10:01.000Z',
  ...more,
})
export const ENTREGAS_LISTED = page([
  entrega(),
  entrega({
    id: 30,
    tipo: 'agravo.atualizado',
    estado: 'pendente',
    tentativas: 2,
    status_http: 503,
    duracao_ms: 1_041,
    proxima_tentativa: '2026-11-14T15:30:00.000Z',
    concluida_em: null,
  }),
  entrega({
    id: 29,
    criado_em: '2026-11-13T12:10:00.000Z',
    motivo: 'reenvio',
    estado: 'falhou',
    tentativas: 10,
    status_http: null,
    erro: 'tls',
  }),
])

export const detailed = (more: object = {}) => ({
  ...entrega(),
  corpo: '{"id":"evt_Zk3xNdE2fQm0rTjvYkq1cW8a","tipo":"agravo.criado","dados":{"id":123,"versao":1}}',
  resposta: '{"recebido":true}',
  ...more,
})

const EVENTS: [string, Permission][] = [
  ['agravo.criado', 'agravos.listar'],
  ['agravo.atualizado', 'agravos.listar'],
  ['agravo.excluido', 'agravos.listar'],
  ['alerta.alterado', 'agravos.estatisticas'],
  ['usuario.criado', 'usuarios.listar'],
]
export const CATALOGUED: Answers = {
  [CATALOGUE]: {
    body: {
      total: EVENTS.length,
      eventos: EVENTS.map(([nome, permissao]) => ({
        nome,
        permissao,
        descricao: nome,
        schema: {},
        exemplo: {},
      })),
    },
  },
}

export const MANAGER: Answers = { 'GET /api/v1/usuarios/me': perfil(PERMISSOES) }
export const ALL: Answers = { ...MANAGER, ...listed(WEBHOOKS), ...CATALOGUED }
export const OPENED: Answers = { ...ALL, [ONE]: { body: webhook() }, [ENTREGAS]: ENTREGAS_LISTED }
