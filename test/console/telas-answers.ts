// Screens of people, integrations and administration, each with its requests: for tests of what all screens have in common.
import type { Permission } from '../../src/caller/permissions.ts'
import { ADMIN, type Answer, type Answers, HEALTHY, perfil } from '../harness/console-page.ts'
import { DEFINIDOR } from './agravos-answers.ts'
import { ALERTAS, LIST as ALERTAS_LIST, listed as alertasListed, WATCHER } from './alertas-answers.ts'
import {
  CASES,
  decider,
  PARES,
  LIST as PARES_LIST,
  par,
  listed as paresListed,
} from './duplicidades-answers.ts'
import {
  ONE as EPIZOOTIA,
  OPENED as EPIZOOTIA_OPENED,
  LIST as EPIZOOTIAS,
  IMPORTACOES as EPIZOOTIAS_IMPORTACOES,
  LISTED as EPIZOOTIAS_LISTED,
  epizootia,
  importacao as epizootiasImportacao,
  HISTORICO,
  MANAGES,
  MAPA,
  MAPPED,
} from './epizootias-answers.ts'
import {
  CATALOGO,
  CORRELACAO,
  DEFINES,
  DETAIL,
  JOBS,
  LUGARES,
  page,
  REVISOES,
  ONE as SERIE,
  LIST as SERIES,
  IMPORTACOES as SERIES_IMPORTACOES,
  importacao as seriesImportacao,
  VALORES,
} from './series-answers.ts'
import {
  ALL_GROUPS,
  ALL_USERS,
  conta,
  GRUPO,
  GRUPOS,
  IDENTIDADES,
  MEMBERS,
  ONE_GROUP,
  ONE_USER,
  PERMISSOES,
  RIGHTS,
  ONE as USUARIO,
  LIST as USUARIOS,
} from './usuarios-answers.ts'
import {
  ENTREGAS,
  OPENED as OPEN_WEBHOOK,
  ONE as WEBHOOK,
  ALL as WEBHOOKS,
  LIST as WEBHOOKS_LIST,
} from './webhooks-answers.ts'

export interface Tela {
  path: string
  answers: Answers
  /** What is asked for, in its order, and what is seen of each answer. `within`: parts that are not there without it. */
  parts: readonly (readonly [request: string, seen: string | RegExp, within?: readonly string[]])[]
}

const ME = 'GET /api/v1/usuarios/me'
const as = (...permissoes: Permission[]): Answers => ({ [ME]: perfil(permissoes) })

const noticia = (id: number, titulo: string) => ({
  ...{ id, titulo, resumo: 'Queda de 30 %.', conteudo: 'Texto.', fonte: null, url: null },
  ...{ publicado_em: '2026-11-13T12:00:00.000Z', criado_em: '2026-11-13T12:00:00.000Z' },
  atualizado_em: '2026-11-13T14:00:00.000Z',
})
const registro = {
  ...{ id: 90, data: '2026-11-14T14:30:05.000Z', ator: { id: 9, nome: 'Carlos Teixeira' } },
  ...{ acao: 'login.feito', recurso: null, recurso_id: null, detalhes: {}, endereco_ip: null },
  ...{ request_id: null, hash: 'ab12' },
}
const boletim = {
  ...{ id: 7, tipo_agravo: 'dengue', semana: '202645', publico: true, titulo: 'Dengue em Pernambuco' },
  lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
  ...{ hash: '3f1c9a0b7d2e4856'.repeat(4), versao: '0.1.0', agenda_id: null },
  ...{ criado_em: '2026-11-16T11:00:00.000Z', criado_por: { id: 1, nome: 'Ana Souza' } },
}
const agenda = {
  ...{ id: 2, nome: 'Semanal do estado', dia_semana: 'terca', hora: '08:00', grupos: [], ativo: true },
  pedidos: [{ tipo_agravo: 'todos', publico: false, texto: { titulo: null, destaques: [], nota: null } }],
  ...{ usuario: { id: 7, nome: 'Ana Souza Lima' }, ultima_em: null, ultimo_job: null },
  ...{ proxima_em: '2026-11-17T11:00:00.000Z', criado_em: '2026-11-01T11:00:00.000Z' },
  atualizado_em: '2026-11-01T11:00:00.000Z',
}
const servico = {
  ...{ id: 9, nome: 'Laboratório central', finalidade: 'Resultados de exames', instituicao: null },
  ...{ ativo: true, criado_em: '2026-10-02T12:00:00.000Z', ultimo_acesso: null, chaves_ativas: 1 },
  ...{ proxima_expiracao: null, grupos: [], territorios: [], permissoes_efetivas: ['agravos.listar'] },
}
const chave = {
  ...{ id: '0b9f1c86-0000-4000-8000-000000000001', nome: 'Produção', prefixo: 'vgk_Qw56Er78' },
  ...{ escopos: ['agravos.listar'], redes: [], criada_por: { id: 7, nome: 'Ana Souza Lima' } },
  ...{ criada_em: '2026-10-02T12:00:00.000Z', expira_em: '2099-12-31T12:00:00.000Z' },
  ...{ ultimo_uso_em: null, ultimo_uso_ip: null, substituida_em: null, revogada_em: null },
}
const sessao = {
  ...{ id: 's1', device: 'Firefox em Linux', ip_address: null, location: null, current: true },
  ...{ created_at: '2026-11-10T12:00:00.000Z', last_activity: '2026-11-14T14:50:00.000Z' },
}
const metricas = {
  login_attempts: { successful: 41, failed: 6, last_failed: '2026-11-12T12:00:00.000Z' },
  ...{ password_strength: 'forte', password_age_days: 212, mfa_enabled: false, active_sessions: 1 },
  ...{ suspicious_activities: [], security_score: 33, recommendations: ['Ative o segundo fator'] },
}
const OWN: Answers = {
  [ME]: perfil(),
  'GET /api/v1/usuarios/7': { body: conta({ id: 7, nome: 'Ana Souza Lima' }) },
  'GET /api/v1/auth/sessions': { body: { total: 1, items: [sessao] } },
  'GET /api/v1/auth/security-metrics': { body: metricas },
}

const NOTICIAS = 'GET /api/v1/noticias'
const NOTICIA = 'GET /api/v1/noticias/4'
const AUDITORIA = 'GET /api/v1/auditoria'
const BOLETINS = 'GET /api/v1/agravos/boletins'
const BOLETIM = 'GET /api/v1/agravos/boletins/7'
const AGENDAS = 'GET /api/v1/agravos/agendas'
const SERVICOS = 'GET /api/v1/contas-de-servico'
const SERVICO = 'GET /api/v1/contas-de-servico/9'
const EXCLUIDAS = 'GET /api/v1/epizootias/excluidas'
const TIPOS = 'GET /api/v1/agravos/tipos'
const MALARIA = 'GET /api/v1/agravos/tipos/malaria'
const running = {
  ...{ job_id: 'job_1', status: 'processing', codigo: 'READING', message: 'Lendo', progress: 42 },
  ...{ arquivo_nome: 'enviado.csv', created_at: '2026-11-14T14:00:00.000Z' },
}
const one = (body: object): Answer => ({ body })

export const TELAS: readonly Tela[] = [
  { path: '/usuarios', answers: ALL_USERS, parts: [[USUARIOS, 'Carlos Teixeira']] },
  {
    path: '/usuarios/31',
    answers: ONE_USER,
    parts: [
      [USUARIO, 'Histórico', [RIGHTS, IDENTIDADES]],
      [RIGHTS, 'De onde vem'],
      [IDENTIDADES, 'Nenhuma identidade vinculada.'],
    ],
  },
  {
    path: '/grupos',
    answers: ALL_GROUPS,
    parts: [
      [GRUPOS, 'gestor', [PERMISSOES]],
      [PERMISSOES, 'Listar e ver casos'],
    ],
  },
  {
    path: '/grupos/4',
    answers: ONE_GROUP,
    parts: [
      [GRUPO, 'Editar grupo', [MEMBERS]],
      [MEMBERS, 'Beatriz Nascimento'],
    ],
  },
  {
    path: '/contas-de-servico',
    answers: {
      ...as('chaves.gerenciar'),
      [SERVICOS]: one({ contas: [servico], total: 1, page: 1, size: 25, pages: 1, links: {} }),
    },
    parts: [[SERVICOS, 'Laboratório central']],
  },
  {
    path: '/contas-de-servico/9',
    answers: { ...as('chaves.gerenciar'), [SERVICO]: one({ ...servico, chaves: [chave] }) },
    parts: [[SERVICO, /vgk_Qw56Er78/]],
  },
  { path: '/webhooks', answers: WEBHOOKS, parts: [[WEBHOOKS_LIST, /Esperando/]] },
  {
    path: '/webhooks/wh_a1',
    answers: OPEN_WEBHOOK,
    parts: [
      [WEBHOOK, 'Testar', [ENTREGAS]],
      [ENTREGAS, /^Linhas 1/],
    ],
  },
  {
    path: '/auditoria',
    answers: { ...as('auditoria.ver'), [AUDITORIA]: page([registro]) },
    parts: [[AUDITORIA, 'Carlos Teixeira']],
  },
  {
    path: '/noticias',
    answers: {
      ...as('noticias.listar', 'noticias.criar'),
      [NOTICIAS]: page([noticia(4, 'Casos caem no Recife')]),
    },
    parts: [[NOTICIAS, 'Casos caem no Recife']],
  },
  {
    path: '/noticias/4',
    answers: {
      ...as('noticias.listar', 'noticias.editar'),
      [NOTICIA]: one(noticia(4, 'Casos caem no Recife')),
    },
    parts: [[NOTICIA, 'Texto.']],
  },
  {
    path: '/alertas',
    answers: { ...WATCHER, ...alertasListed(ALERTAS) },
    parts: [[ALERTAS_LIST, /^Linhas 1/]],
  },
  {
    path: '/boletins',
    answers: { ...as('relatorios.gerar'), [BOLETINS]: page([boletim]) },
    parts: [[BOLETINS, 'Dengue em Pernambuco']],
  },
  {
    path: '/boletins/7',
    answers: { ...as('relatorios.gerar'), [BOLETIM]: one({ ...boletim, cabecalho: {}, dados: {} }) },
    parts: [[BOLETIM, /^Dengue, Pernambuco/]],
  },
  {
    path: '/boletins/agendas',
    answers: { ...as('relatorios.gerar'), [AGENDAS]: page([agenda]) },
    parts: [[AGENDAS, 'Semanal do estado']],
  },
  {
    path: '/series',
    answers: { ...DEFINES, [SERIES]: page(CATALOGO) },
    parts: [[SERIES, 'Amplitude térmica']],
  },
  {
    path: '/series/temp_min_sem?municipio=2611606',
    answers: { ...DEFINES, ...DETAIL, 'GET /api/v1/territorios': one({ estados: [] }) },
    parts: [
      [SERIE, 'Editar definição', [VALORES, LUGARES, CORRELACAO, REVISOES]],
      [VALORES, /^Por semana/, [LUGARES]],
      [LUGARES, 'Período do mapa'],
      [CORRELACAO, 'Bruta'],
      [REVISOES, 'Carlos Teixeira'],
    ],
  },
  {
    path: '/series/importacoes',
    answers: { ...DEFINES, [JOBS]: page([running]), [SERIES_IMPORTACOES]: page([seriesImportacao()]) },
    parts: [
      [JOBS, 'enviado.csv'],
      [SERIES_IMPORTACOES, 'clima-recife.csv'],
    ],
  },
  { path: '/agravos', answers: DEFINIDOR, parts: [[TIPOS, 'Raiva humana']] },
  { path: '/agravos/malaria', answers: DEFINIDOR, parts: [[MALARIA, 'Versões']] },
  {
    path: '/duplicidades',
    answers: { ...decider(), [PARES_LIST]: paresListed(PARES) },
    parts: [[PARES_LIST, '4418827']],
  },
  {
    path: '/duplicidades/31',
    answers: { ...decider(), ...CASES, [PARES_LIST]: paresListed([par()]) },
    parts: [[PARES_LIST, 'Mesmo caso: fundir…']],
  },
  {
    path: '/epizootias',
    answers: { ...MANAGES, [EPIZOOTIAS]: EPIZOOTIAS_LISTED },
    parts: [[EPIZOOTIAS, '2026000151']],
  },
  {
    path: '/epizootias?vista=mapa',
    answers: { ...MANAGES, [EPIZOOTIAS]: EPIZOOTIAS_LISTED, [MAPA]: MAPPED },
    parts: [[MAPA, /6 eventos/]],
  },
  {
    path: '/epizootias/12',
    answers: { ...MANAGES, ...EPIZOOTIA_OPENED },
    parts: [
      [EPIZOOTIA, 'Editar', [HISTORICO]],
      [HISTORICO, 'Motivo: engano'],
    ],
  },
  {
    path: '/epizootias/12/editar',
    answers: { ...MANAGES, ...EPIZOOTIA_OPENED },
    parts: [[EPIZOOTIA, 'Localidade']],
  },
  {
    path: '/epizootias/excluidas',
    answers: {
      ...MANAGES,
      [EXCLUIDAS]: page([
        { ...epizootia(), excluido_em: '2026-11-01T12:00:00.000Z', excluido_por: null, motivo: null },
      ]),
    },
    parts: [[EXCLUIDAS, '2026000123']],
  },
  {
    path: '/epizootias/importacoes',
    answers: {
      ...MANAGES,
      [JOBS]: page([running]),
      [EPIZOOTIAS_IMPORTACOES]: page([epizootiasImportacao()]),
    },
    parts: [
      [JOBS, 'enviado.csv'],
      [EPIZOOTIAS_IMPORTACOES, 'primatas.csv'],
    ],
  },
  {
    path: '/conta',
    answers: OWN,
    parts: [
      ['GET /api/v1/usuarios/7', 'Escolher a foto'],
      ['GET /api/v1/auth/security-metrics', 'Ative o segundo fator'],
      ['GET /api/v1/auth/sessions', 'Firefox em Linux'],
    ],
  },
  {
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY },
    parts: [
      ['GET /api/v1/health/detailed', 'Tudo funciona'],
      ['GET /api/v1/sistema', 'Filas'],
      ['GET /api/v1/jobs', 'Nenhum trabalho'],
    ],
  },
]
