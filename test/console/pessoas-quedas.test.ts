import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { noBrowser } from '../harness/browser.ts'
import { type Flow, simpleFlow, strikeFlows } from '../harness/console-flows.ts'
import { type Answer, type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import {
  ALL_GROUPS,
  ALL_USERS,
  conta,
  GRUPO,
  grupo,
  IDENTIDADES,
  ONE,
  ONE_GROUP,
  ONE_USER,
  SITUACAO,
} from './usuarios-answers.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (name: string) => (page: Page) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: true })
const valuesOf = (page: Page, ...names: string[]) =>
  Promise.all(names.map((name) => field(page, name).inputValue()))
const isGone = (page: Page) => dialog(page).waitFor({ state: 'detached' })
const saved = (page: Page) => page.getByText('Alterações salvas.').waitFor()

const ENDED: Answer = { body: { message: '', sessoes_encerradas: 1 } }
const LOCKED = conta({
  mfa_habilitado: true,
  situacao: { ...SITUACAO, bloqueado_ate: '2099-11-14T15:20:00.000Z', sessoes_ativas: 2 },
})
const of = (body: object): Answers => ({ ...ONE_USER, [ONE]: { body } })
const identidade = (id: number) => ({
  ...{ id, provedor: 'govbr', provedor_nome: 'gov.br' },
  ...{ vinculada_em: '2026-10-02T12:00:00.000Z', ultimo_uso_em: '2026-11-14T14:50:00.000Z' },
})
const linked = (id: number) => ({ body: { total: 1, items: [identidade(id)] } })
const VERSIONED: Answers = { ...ONE_GROUP, [GRUPO]: { body: grupo(), headers: { etag: '"1"' } } }
const JOB = {
  ...{ job_id: 'job_1', status: 'completed', message: 'Pronto', progress: 100 },
  arquivo_url: 'https://vigia.example/api/v1/jobs/job_1/arquivo',
}

const ACCOUNTS: Flow[] = [
  simpleFlow({
    name: 'unlock an account',
    path: '/usuarios/31',
    answers: of(LOCKED),
    request: 'POST /api/v1/usuarios/31/desbloquear',
    by: 'Desbloquear',
    seen: 'A entrada foi desbloqueada.',
  }),
  simpleFlow({
    name: 'invite somebody again',
    path: '/usuarios/31',
    answers: of(conta({ ultimo_login: null })),
    request: 'POST /api/v1/usuarios/31/convite',
    by: 'Enviar convite de novo',
    seen: 'Um novo convite está a caminho.',
  }),
  simpleFlow({
    name: 'reactivate an account',
    path: '/usuarios/31',
    answers: of(conta({ ativo: false })),
    request: 'PUT /api/v1/usuarios/31',
    by: 'Reativar',
    seen: /^Conta reativada/,
  }),
  simpleFlow({
    name: "end somebody's second factor",
    path: '/usuarios/31',
    answers: of(LOCKED),
    request: 'DELETE /api/v1/usuarios/31/mfa',
    ok: ENDED,
    by: ['Encerrar segundo fator', 'Encerrar segundo fator'],
    seen: 'Encerrado; 1 sessão terminou.',
  }),
  simpleFlow({
    name: "end somebody's sessions",
    path: '/usuarios/31',
    answers: of(LOCKED),
    request: 'DELETE /api/v1/usuarios/31/sessoes',
    ok: ENDED,
    by: ['Encerrar sessões', 'Encerrar sessões'],
    seen: 'Encerrado; 1 sessão terminou.',
  }),
  simpleFlow({
    name: "unlink somebody's identity",
    path: '/usuarios/31',
    answers: { ...ONE_USER, [IDENTIDADES]: linked(5) },
    request: 'DELETE /api/v1/usuarios/31/identidades/5',
    ok: { status: 204 },
    by: ['Desvincular gov.br', 'Desvincular'],
    seen: 'Identidade desvinculada.',
  }),
  simpleFlow({
    name: 'set a password',
    path: '/usuarios/31',
    answers: ONE_USER,
    request: 'POST /api/v1/usuarios/31/alterar-senha',
    ok: { body: { sessoes_invalidadas: 1 } },
    by: ['Definir senha', 'Definir senha'],
    seen: 'Guardei a senha',
  }),
  simpleFlow({
    name: 'export the accounts',
    path: '/usuarios',
    answers: {
      ...ALL_USERS,
      'GET /api/v1/usuarios/me': perfil(['usuarios.listar', 'usuarios.exportar']),
      'GET /api/v1/jobs/job_1': { body: JOB },
    },
    request: 'POST /api/v1/usuarios/exportar',
    ok: { body: { job_id: 'job_1' } },
    by: ['Exportar', 'Exportar'],
    seen: 'Baixar o arquivo',
  }),
  {
    name: 'change the data of an account',
    path: '/usuarios/31',
    answers: ONE_USER,
    request: 'PUT /api/v1/usuarios/31',
    ok: { body: {} },
    async begin(page) {
      await button(page, 'Editar dados').click()
      await field(page, 'Cargo').fill('Coordenadora')
    },
    send: inDialog('Salvar'),
    kept: (page) => valuesOf(page, 'Cargo', 'Nome'),
    done: saved,
  },
  {
    name: 'change the direct permissions of an account',
    path: '/usuarios/31',
    answers: ONE_USER,
    request: 'PUT /api/v1/usuarios/31',
    ok: { body: {} },
    async begin(page) {
      await button(page, 'Alterar permissões diretas').click()
      await page.getByRole('checkbox', { name: 'Listar e ver usuários' }).check()
      await dialog(page).getByText('ganha: Listar e ver usuários').waitFor()
    },
    send: inDialog('Salvar'),
    kept: (page) => page.getByRole('checkbox', { name: 'Listar e ver usuários' }).isChecked(),
    done: saved,
  },
  {
    name: 'change the places of an account',
    path: '/usuarios/31',
    answers: ONE_USER,
    request: 'PUT /api/v1/usuarios/31/territorios',
    ok: { body: { territorios: [] } },
    async begin(page) {
      await button(page, 'Alterar território').click()
      await button(page, 'Retirar Olinda (PE)').click()
    },
    send: inDialog('Salvar'),
    kept: (page) => dialog(page).getByRole('listitem').allInnerTexts(),
    done: saved,
  },
]

const picked = (page: Page) =>
  page.getByLabel('Escolher a foto').setInputFiles({
    ...{ name: 'eu.png', mimeType: 'image/png' },
    buffer: PNG.sync.write(new PNG({ width: 40, height: 30 })),
  })

const GROUPS: Flow[] = [
  {
    name: 'make a group',
    path: '/grupos',
    answers: VERSIONED,
    request: 'POST /api/v1/grupos',
    ok: { status: 201, body: { ...grupo(), mensagem: '' } },
    async begin(page) {
      await button(page, 'Novo grupo').click()
      await field(page, 'Nome').fill('vigilancia_olinda')
      await field(page, 'Descrição').fill('Vigilância de Olinda')
    },
    send: inDialog('Criar grupo'),
    kept: (page) => valuesOf(page, 'Nome', 'Descrição'),
    done: (page) => page.waitForURL('**/grupos/4'),
  },
  {
    name: 'change a group',
    path: '/grupos/4',
    answers: VERSIONED,
    request: 'PUT /api/v1/grupos/4',
    ok: { body: grupo() },
    async begin(page) {
      await button(page, 'Editar grupo').click()
      await field(page, 'Descrição').fill('Quem consulta')
    },
    send: inDialog('Salvar'),
    kept: (page) => valuesOf(page, 'Nome', 'Descrição'),
    done: saved,
  },
  {
    name: 'delete a group, its members moved',
    path: '/grupos/4',
    answers: { ...ALL_GROUPS, ...VERSIONED },
    request: 'DELETE /api/v1/grupos/4',
    ok: { status: 204 },
    async begin(page) {
      await button(page, 'Excluir').click()
      await dialog(page).getByLabel('Passar os membros para').selectOption('gestor')
    },
    send: inDialog('Excluir'),
    kept: (page) => dialog(page).getByLabel('Passar os membros para').inputValue(),
    done: (page) => page.waitForURL('**/grupos'),
  },
  {
    name: 'put somebody into a group',
    path: '/grupos/4',
    answers: {
      ...VERSIONED,
      'GET /api/v1/usuarios/50': { body: conta({ id: 50, nome: 'Gilda Paz', grupos: [] }) },
      'GET /api/v1/usuarios/50/permissoes': ONE_USER['GET /api/v1/usuarios/31/permissoes'] as Answer,
    },
    request: 'POST /api/v1/grupos/4/usuarios/50',
    ok: { body: {} },
    async begin(page) {
      await page.getByRole('combobox', { name: 'Incluir uma pessoa' }).fill('gil')
      await page.getByRole('option', { name: /^Gilda Paz/ }).click()
      await button(page, 'Incluir').click()
      await dialog(page).getByText('Nada muda no que a conta pode.').waitFor()
    },
    send: inDialog('Incluir'),
    kept: (page) => page.locator('input[role=combobox]').inputValue(),
    done: (page) => page.getByText('Gilda Paz está no grupo.').waitFor(),
  },
  simpleFlow({
    name: 'take somebody out of a group',
    path: '/grupos/4',
    answers: {
      ...VERSIONED,
      [ONE]: { body: conta() },
      'GET /api/v1/usuarios/31/permissoes': ONE_USER['GET /api/v1/usuarios/31/permissoes'] as Answer,
    },
    request: 'DELETE /api/v1/grupos/4/usuarios/31',
    ok: { status: 204 },
    by: ['Retirar Beatriz Nascimento do grupo', 'Retirar'],
    seen: 'Beatriz Nascimento saiu do grupo.',
  }),
]

const METRICS = {
  login_attempts: { successful: 1, failed: 0, last_failed: null },
  ...{ password_strength: 'forte', password_age_days: 2, mfa_enabled: true, active_sessions: 2 },
  ...{ suspicious_activities: [], security_score: 60, recommendations: [] },
}
const SESSION = {
  ...{ id: 's2', device: 'Chrome em Android', ip_address: null, location: null, current: false },
  ...{ created_at: '2026-11-10T12:00:00.000Z', last_activity: '2026-11-14T14:50:00.000Z' },
}
const OWN: Answers = {
  'GET /api/v1/usuarios/me': perfil(),
  'GET /api/v1/usuarios/7': { body: conta({ id: 7, mfa_habilitado: true }) },
  'GET /api/v1/auth/sessions': { body: { total: 1, items: [SESSION] } },
  'GET /api/v1/auth/security-metrics': { body: METRICS },
}
const prove = (open: string) => async (page: Page) => {
  await button(page, open).click()
  await field(page, 'Senha').fill('Segredo#2026')
  await field(page, 'Código do aplicativo ou de reserva').fill('abcd-efgh')
}
const proven = (page: Page) => valuesOf(page, 'Senha', 'Código do aplicativo ou de reserva')
const password = async (page: Page) => {
  await page.getByLabel('Senha atual').fill('Antiga#2025')
  await page.getByLabel('Nova senha', { exact: true }).fill('Nova#Senha26')
  await page.getByLabel('Repita a nova senha').fill('Nova#Senha26')
}
const passwords = async (page: Page) => [
  await page.getByLabel('Senha atual').inputValue(),
  await page.getByLabel('Nova senha', { exact: true }).inputValue(),
  await page.getByLabel('Repita a nova senha').inputValue(),
]
const SETUP = { qr_code: 'data:,', secret: 'JBSWY3DPEHPK3PXP', backup_codes: ['ABCD-EFGH'], instructions: '' }
const REQUIRED: Answers = {
  'GET /api/v1/usuarios/me': refusal(403, 'MFA_ENROLMENT_REQUIRED'),
  'POST /api/v1/auth/mfa/enable': { body: SETUP },
}

const OWN_ACCOUNT: Flow[] = [
  simpleFlow({
    name: "end a session of one's own",
    path: '/conta',
    answers: OWN,
    request: 'DELETE /api/v1/auth/sessions/s2',
    ok: { status: 204 },
    by: 'Encerrar a sessão em Chrome em Android',
    seen: '1 sessão encerrada.',
  }),
  {
    name: 'change the own password',
    path: '/conta',
    answers: OWN,
    request: 'POST /api/v1/auth/change-password',
    ok: { body: { message: '', sessions_invalidated: 2 } },
    async begin(page) {
      await button(page, 'Trocar a senha').click()
      await password(page)
    },
    send: inDialog('Salvar nova senha'),
    kept: passwords,
    done: (page) => page.getByText(/^Senha trocada/).waitFor(),
  },
  {
    name: 'turn off the second factor',
    path: '/conta',
    answers: OWN,
    request: 'POST /api/v1/auth/mfa/disable',
    ok: { body: { message: '' } },
    begin: prove('Desativar'),
    send: inDialog('Desativar'),
    kept: proven,
    done: (page) => page.getByText('Segundo fator desativado.').waitFor(),
  },
  {
    name: 'make new backup codes',
    path: '/conta',
    answers: OWN,
    request: 'POST /api/v1/auth/mfa/codigos',
    ok: { body: { backup_codes: ['AAAA-1111'] } },
    begin: prove('Novos códigos de reserva'),
    send: inDialog('Novos códigos de reserva'),
    kept: proven,
    done: (page) => page.getByText('AAAA-1111').waitFor(),
  },
  {
    name: 'send a photo',
    path: '/conta',
    answers: OWN,
    request: 'POST /api/v1/usuarios/7/foto-perfil',
    ok: { body: { message: '', avatar_url: 'x' } },
    async begin(page) {
      await picked(page)
      await page.getByLabel('Da esquerda à direita').press('End')
    },
    send: inDialog('Usar esta foto'),
    kept: (page) => page.getByLabel('Da esquerda à direita').inputValue(),
    done: isGone,
  },
  {
    name: 'begin with the second factor that is required',
    path: '/segundo-fator',
    answers: REQUIRED,
    request: 'POST /api/v1/auth/mfa/enable',
    ok: { body: SETUP },
    begin: (page) => button(page, 'Começar').waitFor(),
    send: (page) => button(page, 'Começar').click(),
    kept: async (page) => new URL(page.url()).pathname,
    done: (page) => page.getByText('JBSWY3DPEHPK3PXP').waitFor(),
  },
  {
    name: 'turn on the second factor that is required',
    path: '/segundo-fator',
    answers: REQUIRED,
    request: 'POST /api/v1/auth/mfa/verify',
    ok: { body: { message: '', mfa_enabled: true } },
    async begin(page) {
      await button(page, 'Começar').click()
      await page.getByLabel('Guardei os códigos de reserva').check()
      await page.getByLabel('Código do aplicativo').fill('123456')
    },
    send: (page) => button(page, 'Ativar segundo fator').click(),
    kept: async (page) => [
      await page.getByText('ABCD-EFGH').isVisible(),
      await page.getByLabel('Guardei os códigos de reserva').isChecked(),
      await page.getByLabel('Código do aplicativo').inputValue(),
    ],
    done: (page) => button(page, 'Ativar segundo fator').and(page.locator('[aria-disabled=false]')).waitFor(),
  },
  {
    name: 'change a password that has to be changed',
    path: '/trocar-senha',
    answers: { 'GET /api/v1/usuarios/me': refusal(403, 'PASSWORD_CHANGE_REQUIRED') },
    request: 'POST /api/v1/auth/change-password',
    ok: { body: { message: '', sessions_invalidated: 0 } },
    begin: password,
    send: (page) => button(page, 'Salvar nova senha').click(),
    kept: passwords,
    done: (page) => button(page, 'Salvar nova senha').and(page.locator('[aria-disabled=false]')).waitFor(),
  },
]

const ACCOUNT = {
  ...{ id: 9, nome: 'Laboratório central', finalidade: null, instituicao: null, ativo: true },
  ...{ criado_em: '2026-10-02T12:00:00.000Z', ultimo_acesso: null, chaves_ativas: 1 },
  ...{ proxima_expiracao: null, grupos: [], territorios: [], permissoes_efetivas: ['agravos.listar'] },
}
const KEY = {
  ...{ id: '0b9f1c86-0000-4000-8000-000000000001', nome: 'Produção', prefixo: 'vgk_Qw56Er78' },
  ...{ escopos: ['agravos.listar'], redes: [], criada_por: { id: 7, nome: 'Ana Souza Lima' } },
  ...{ criada_em: '2026-10-02T12:00:00.000Z', expira_em: '2099-12-31T12:00:00.000Z' },
  ...{ ultimo_uso_em: null, ultimo_uso_ip: null, substituida_em: null, revogada_em: null },
}
const MACHINES: Answers = {
  'GET /api/v1/usuarios/me': perfil(['chaves.gerenciar', 'agravos.listar']),
  'GET /api/v1/contas-de-servico': {
    body: { contas: [ACCOUNT], total: 1, page: 1, size: 25, pages: 1, links: {} },
  },
  'GET /api/v1/contas-de-servico/9': { body: { ...ACCOUNT, chaves: [KEY] } },
}
const MADE: Answer = { status: 201, body: { ...KEY, chave: 'vgk_segredo' } }
const KEYS = 'POST /api/v1/contas-de-servico/9/chaves'

const SERVICE: Flow[] = [
  {
    name: 'make a service account',
    path: '/contas-de-servico',
    answers: MACHINES,
    request: 'POST /api/v1/contas-de-servico',
    ok: { status: 201, body: ACCOUNT },
    repeats: true,
    async begin(page) {
      await button(page, 'Nova conta').click()
      await dialog(page).getByLabel('Nome').fill('Laboratório central')
      await dialog(page).getByLabel('Finalidade').fill('Resultados')
    },
    send: inDialog('Criar'),
    kept: async (page) => [
      await dialog(page).getByLabel('Nome').inputValue(),
      await dialog(page).getByLabel('Finalidade').inputValue(),
    ],
    done: (page) => page.waitForURL('**/contas-de-servico/9'),
  },
  {
    name: 'make a key',
    path: '/contas-de-servico/9',
    answers: MACHINES,
    request: KEYS,
    ok: MADE,
    repeats: true,
    async begin(page) {
      await button(page, 'Nova chave').click()
      await dialog(page).getByLabel('Nome').fill('Produção')
      await dialog(page).getByLabel('agravos.listar').check()
    },
    send: inDialog('Criar'),
    kept: async (page) => [
      await dialog(page).getByLabel('Nome').inputValue(),
      await dialog(page).getByLabel('agravos.listar').isChecked(),
    ],
    done: (page) => page.getByText('vgk_segredo').waitFor(),
  },
  simpleFlow({
    name: 'renew a key',
    path: '/contas-de-servico/9',
    answers: MACHINES,
    request: `${KEYS}/${KEY.id}/renovar`,
    ok: MADE,
    by: ['Renovar: vgk_Qw56Er78', 'Renovar'],
    seen: 'vgk_segredo',
  }),
  {
    ...simpleFlow({
      name: 'revoke a key',
      path: '/contas-de-servico/9',
      answers: MACHINES,
      request: `${KEYS.replace('POST', 'DELETE')}/${KEY.id}`,
      ok: { status: 204 },
      by: ['Revogar: vgk_Qw56Er78', 'Revogar'],
      seen: '',
    }),
    done: isGone,
  },
]

describe('A flow of people in the middle of which the network fails', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  strikeFlows([...ACCOUNTS, ...GROUPS, ...OWN_ACCOUNT, ...SERVICE], visit)
  const provedores = [{ id: 'govbr', nome: 'gov.br' }]
  const unlink = simpleFlow({
    name: "unlink an identity of one's own",
    path: '/conta',
    answers: { ...OWN, 'GET /api/v1/usuarios/me/identidades': linked(3) },
    request: 'DELETE /api/v1/usuarios/me/identidades/3',
    ok: { status: 204 },
    by: 'Desvincular gov.br',
    seen: /^Identidade desvinculada/,
  })
  strikeFlows([unlink], consoleVisits(provedores))
})
