import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Flow, strikeFlows } from '../harness/console-flows.ts'
import { type Answer, type Answers, consoleVisits, perfil } from '../harness/console-page.ts'
import {
  ACKNOWLEDGE,
  ACKNOWLEDGED,
  ALERTAS,
  alerta,
  listed as alertasListed,
  NOTA,
  WATCHER,
} from './alertas-answers.ts'
import { ALL_GROUPS, ALL_USERS, conta, grupo, ONE_USER } from './usuarios-answers.ts'
import { CREATE, OPENED, REPLAY, webhook } from './webhooks-answers.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (name: string) => (page: Page) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: true })
const saved = (page: Page) => page.getByText('Alterações salvas.').waitFor()

const OWN: Answers = {
  'GET /api/v1/usuarios/me': perfil(),
  'GET /api/v1/usuarios/7': { body: conta({ id: 7 }) },
  'GET /api/v1/auth/sessions': { body: { total: 0, items: [] } },
  'GET /api/v1/auth/security-metrics': {
    body: {
      login_attempts: { successful: 1, failed: 0, last_failed: null },
      ...{ password_strength: 'forte', password_age_days: 2, mfa_enabled: false, active_sessions: 1 },
      ...{ suspicious_activities: [], security_score: 60, recommendations: [] },
    },
  },
  'POST /api/v1/auth/mfa/enable': {
    body: { qr_code: 'data:,', secret: 'JBSWY3DPEHPK3PXP', backup_codes: ['ABCD-EFGH'], instructions: '' },
  },
}
const NEWS: Answers = {
  'GET /api/v1/usuarios/me': perfil(['noticias.listar', 'noticias.criar']),
  'GET /api/v1/noticias': { body: { items: [], total: 0, page: 1, size: 12, pages: 0, links: {} } },
}
const SCHEDULES: Answers = {
  'GET /api/v1/usuarios/me': perfil(['relatorios.gerar']),
  'GET /api/v1/agravos/agendas': { body: { items: [], total: 0, page: 1, size: 25, pages: 0, links: {} } },
}

const FLOWS: Flow[] = [
  {
    name: 'invite somebody',
    path: '/usuarios',
    answers: ALL_USERS,
    request: 'POST /api/v1/usuarios',
    ok: { status: 201, body: { ...conta({ id: 40 }), message: '' } },
    repeats: true,
    async begin(page) {
      await button(page, 'Novo usuário').click()
      await field(page, 'Nome').fill('Elisa Rocha')
      await field(page, 'E-mail').fill('elisa@saude.example')
      await dialog(page).getByRole('checkbox', { name: 'usuario', exact: true }).check()
    },
    send: inDialog('Criar conta'),
    kept: async (page) => [
      await field(page, 'Nome').inputValue(),
      await field(page, 'E-mail').inputValue(),
      await dialog(page).getByRole('checkbox', { name: 'usuario', exact: true }).isChecked(),
    ],
    done: (page) => page.getByText('A conta existe, e o convite vai para elisa@saude.example.').waitFor(),
  },
  {
    name: 'change the groups of an account',
    path: '/usuarios/31',
    answers: ONE_USER,
    request: 'PUT /api/v1/usuarios/31/grupos',
    ok: { body: {} },
    async begin(page) {
      await button(page, 'Alterar grupos').click()
      await page.getByRole('checkbox', { name: 'gestor' }).check()
    },
    send: inDialog('Salvar'),
    kept: (page) => page.getByRole('checkbox', { name: 'gestor' }).isChecked(),
    done: saved,
  },
  {
    name: 'deactivate an account',
    path: '/usuarios/31',
    answers: {
      ...ONE_USER,
      'GET /api/v1/usuarios/31': {
        body: conta({ desativacao: { sessoes_encerradas: 1, grupos_removidos: 1, casos: 0 } }),
      },
    },
    request: 'DELETE /api/v1/usuarios/31',
    ok: { body: {} },
    async begin(page) {
      await button(page, 'Desativar').click()
      await field(page, 'Motivo').fill('Mudou de secretaria')
    },
    send: inDialog('Desativar'),
    kept: (page) => field(page, 'Motivo').inputValue(),
    done: (page) => page.getByText('Conta desativada.').waitFor(),
  },
  {
    name: 'save ticks of the permission table',
    path: '/grupos',
    answers: { ...ALL_GROUPS, 'GET /api/v1/grupos/4': { body: grupo(), headers: { etag: '"1"' } } },
    request: 'PUT /api/v1/grupos/4/permissoes',
    ok: { body: {} },
    async begin(page) {
      await page.getByRole('checkbox', { name: 'Listar e ver usuários, para usuario', exact: true }).check()
      await button(page, 'Conferir e salvar').click()
    },
    send: inDialog('Salvar'),
    kept: (page) => dialog(page).getByText('ganha: Listar e ver usuários').isVisible(),
    done: saved,
  },
  {
    name: 'make a webhook',
    path: '/webhooks',
    answers: OPENED,
    request: CREATE,
    ok: { status: 201, body: { ...webhook(), secret: 'whsec_x' } },
    repeats: true,
    async begin(page) {
      await button(page, 'Novo webhook').click()
      await page.getByLabel('Endereço').fill('https://novo.saude.example/vigia')
      await page.getByLabel(/^Caso registrado/).check()
    },
    send: inDialog('Cadastrar'),
    kept: async (page) => [
      await page.getByLabel('Endereço').inputValue(),
      await page.getByLabel(/^Caso registrado/).isChecked(),
    ],
    done: (page) => page.getByText('whsec_x').waitFor(),
  },
  {
    name: 'count a replay',
    path: '/webhooks/wh_a1',
    answers: OPENED,
    request: REPLAY,
    ok: { body: { message: '', total: 4 } },
    async begin(page) {
      await button(page, 'Repetir desde…').click()
      await page.getByLabel(/^Desde/).fill('2026-11-14T00:00')
    },
    send: inDialog('Contar'),
    kept: (page) => page.getByLabel(/^Desde/).inputValue(),
    done: (page) =>
      dialog(page)
        .getByText(/^4 eventos/)
        .waitFor(),
  },
  {
    name: 'publish news',
    path: '/noticias',
    answers: NEWS,
    request: 'POST /api/v1/noticias',
    ok: { status: 201, body: { id: 4 } },
    async begin(page) {
      await button(page, 'Publicar notícia').first().click()
      await field(page, 'Título').fill('Vacinação')
      await field(page, 'Texto').fill('Começa na segunda-feira.')
    },
    send: inDialog('Publicar'),
    kept: async (page) => [await field(page, 'Título').inputValue(), await field(page, 'Texto').inputValue()],
    done: (page) => page.waitForURL('**/noticias/4'),
  },
  {
    name: 'make a schedule',
    path: '/boletins/agendas',
    answers: SCHEDULES,
    request: 'POST /api/v1/agravos/agendas',
    ok: { status: 201, body: {} },
    async begin(page) {
      await button(page, 'Nova agenda').first().click()
      await field(page, 'Agenda').fill('Semanal')
      await button(page, 'Incluir este boletim').click()
    },
    send: inDialog('Salvar agenda'),
    kept: (page) => field(page, 'Agenda').inputValue(),
    done: (page) => page.getByText('Agenda salva.').waitFor(),
  },
  {
    name: 'acknowledge an alert',
    path: '/alertas',
    answers: { ...WATCHER, ...alertasListed(ALERTAS) },
    request: ACKNOWLEDGE,
    ok: { body: alerta(ACKNOWLEDGED) },
    async begin(page) {
      await button(page, 'Reconhecer: Laranja, Recife').click()
      await dialog(page).getByRole('textbox').fill(NOTA)
    },
    send: inDialog('Reconhecer'),
    kept: (page) => dialog(page).getByRole('textbox').inputValue(),
    done: (page) => dialog(page).waitFor({ state: 'detached' }),
  },
  {
    name: 'save the own profile',
    path: '/conta',
    answers: OWN,
    request: 'PUT /api/v1/usuarios/7',
    ok: {
      body: {
        ...{ id: 7, message: '', campos_alterados: ['cargo'] },
        requer_acao: { email_verificacao: false, relogin: false },
      },
    },
    begin: (page) => page.getByLabel('Cargo').fill('Coordenadora'),
    send: (page) => button(page, 'Salvar perfil').click(),
    kept: (page) => page.getByLabel('Cargo').inputValue(),
    done: (page) => page.getByText('Perfil salvo.').waitFor(),
  },
  {
    name: 'turn on the second factor',
    path: '/conta',
    answers: OWN,
    request: 'POST /api/v1/auth/mfa/verify',
    ok: { body: { message: '' } } as Answer,
    async begin(page) {
      await button(page, 'Ativar o segundo fator').click()
      await dialog(page).getByRole('checkbox').check()
      await dialog(page).getByRole('textbox').fill('123456')
    },
    send: inDialog('Ativar'),
    kept: async (page) => [
      await dialog(page).getByText('ABCD-EFGH').isVisible(),
      await dialog(page).getByRole('checkbox').isChecked(),
      await dialog(page).getByRole('textbox').inputValue(),
    ],
    done: (page) => dialog(page).waitFor({ state: 'detached' }),
  },
]

describe('A flow of people, rights, webhooks, news and account in the middle of which the network fails', {
  skip: noBrowser,
}, () => {
  strikeFlows(FLOWS, consoleVisits())
})
