import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const LIST = 'GET /api/v1/contas-de-servico'
const CREATE = 'POST /api/v1/contas-de-servico'
const ONE = 'GET /api/v1/contas-de-servico/9'
const NEW_KEY = 'POST /api/v1/contas-de-servico/9/chaves'
const LIVE = '0b9f1c86-0000-4000-8000-000000000001'
const RENEW = `POST /api/v1/contas-de-servico/9/chaves/${LIVE}/renovar`
const REVOKE = `DELETE /api/v1/contas-de-servico/9/chaves/${LIVE}`
const SECRET = 'vgk_Xy12Ab34MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAA'

const conta = (more: object = {}) => ({
  id: 9,
  nome: 'Laboratório central',
  finalidade: 'Resultados de exames',
  instituicao: 'Secretaria da Saúde',
  ativo: true,
  criado_em: '2026-10-02T12:00:00.000Z',
  ultimo_acesso: '2026-11-14T09:10:00.000Z',
  chaves_ativas: 2,
  proxima_expiracao: '2026-12-31T12:00:00.000Z',
  ...more,
})
const chave = (more: object = {}) => ({
  id: LIVE,
  nome: 'Produção',
  prefixo: 'vgk_Qw56Er78',
  escopos: ['agravos.listar', 'agravos.criar'],
  redes: ['203.0.113.0/24'],
  criada_em: '2026-10-02T12:00:00.000Z',
  criada_por: { id: 7, nome: 'Ana Souza Lima' },
  expira_em: '2099-12-31T12:00:00.000Z',
  ultimo_uso_em: '2026-11-14T09:10:00.000Z',
  ultimo_uso_ip: '203.0.113.9',
  substituida_em: null,
  revogada_em: null,
  ...more,
})
const CHAVES = [
  chave(),
  chave({
    id: `${LIVE.slice(0, -1)}2`,
    nome: 'Produção',
    prefixo: 'vgk_Ab90Cd12',
    substituida_em: '2026-11-14T09:00:00.000Z',
  }),
  chave({
    id: `${LIVE.slice(0, -1)}3`,
    nome: 'Teste',
    prefixo: 'vgk_Zz00Zz00',
    revogada_em: '2026-11-01T09:00:00.000Z',
    redes: [],
    ultimo_uso_em: null,
    ultimo_uso_ip: null,
  }),
]
const opened = (more: object = {}) => ({
  ...conta(),
  grupos: [{ id: 3, nome: 'analista' }],
  permissoes_efetivas: ['agravos.listar', 'agravos.criar', 'agravos.identificar'],
  territorios: [{ nivel: 'uf', codigo: 'PE', nome: 'Pernambuco' }],
  chaves: CHAVES,
  ...more,
})
const listed = (contas: object[]) => ({
  [LIST]: { body: { contas, total: contas.length, page: 1, size: 25, pages: 1, links: {} } },
})

const PERMISSOES: Permission[] = ['chaves.gerenciar', 'usuarios.listar', 'agravos.listar', 'agravos.criar']
const ME: Answers = { 'GET /api/v1/usuarios/me': perfil(PERMISSOES) }
const ALL: Answers = {
  ...ME,
  ...listed([
    conta(),
    conta({
      id: 10,
      nome: 'Painel do estado',
      ativo: false,
      chaves_ativas: 0,
      proxima_expiracao: null,
      ultimo_acesso: null,
    }),
  ]),
}
const OPENED: Answers = { ...ME, [ONE]: { body: opened() } }

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const fillKey = async (page: Page) => {
  await press(page, 'Nova chave')
  await page.getByLabel('Nome').fill(' Produção ')
  await page.getByLabel('agravos.listar').check()
  await page.getByLabel('Redes').fill('203.0.113.0/24, 198.51.100.7')
}
const createKey = async (page: Page) => {
  await fillKey(page)
  await inDialog(page, 'Criar')
}
const CREATED = { status: 201, body: { ...chave(), chave: SECRET } }

const VIEWS: View[] = [
  {
    name: 'contas-de-servico',
    picture: true,
    path: '/contas-de-servico',
    answers: ALL,
    seen: 'Painel do estado',
  },
  {
    name: 'contas-de-servico-nova',
    path: '/contas-de-servico',
    answers: ALL,
    async act(page) {
      await press(page, 'Nova conta')
      await inDialog(page, 'Criar')
    },
    seen: 'Informe o nome.',
  },
  {
    name: 'contas-de-servico-vazio',
    path: '/contas-de-servico',
    answers: { ...ME, ...listed([]) },
    seen: /^Nenhuma conta de serviço ainda/,
  },
  {
    name: 'contas-de-servico-erro',
    path: '/contas-de-servico',
    answers: { ...ME, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'contas-de-servico-sem-acesso',
    path: '/contas-de-servico',
    answers: { 'GET /api/v1/usuarios/me': perfil(['noticias.listar']) },
    seen: 'chaves.gerenciar',
  },
  {
    name: 'conta-de-servico',
    picture: true,
    path: '/contas-de-servico/9',
    answers: OPENED,
    seen: 'Substituída',
  },
  {
    name: 'conta-de-servico-sem-direitos',
    path: '/contas-de-servico/9',
    answers: { ...ME, [ONE]: { body: opened({ permissoes_efetivas: [], chaves: [], territorios: [] }) } },
    seen: 'Nenhuma chave ainda.',
  },
  {
    name: 'conta-de-servico-nova-chave',
    picture: true,
    path: '/contas-de-servico/9',
    answers: OPENED,
    async act(page) {
      await press(page, 'Nova chave')
      await inDialog(page, 'Criar')
    },
    seen: 'Escolha ao menos um escopo.',
  },
  {
    name: 'conta-de-servico-chave',
    picture: true,
    path: '/contas-de-servico/9',
    answers: { ...OPENED, [NEW_KEY]: CREATED },
    act: createKey,
    seen: SECRET,
  },
]

describe('Service accounts', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('are gone through and opened by keys', async () => {
    await using visited = await visit('/contas-de-servico', { answers: ALL })
    const { page, origin } = visited
    await page.getByText('Painel do estado').first().waitFor()
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(`${origin}/contas-de-servico/10`)
  })

  it('creates an account once and leads to it', async () => {
    const answers = { ...ALL, [CREATE]: { status: 201, body: opened() }, [ONE]: { body: opened() } }
    await using visited = await visit('/contas-de-servico', { answers })
    const { page, asked } = visited
    await press(page, 'Nova conta')
    await page.getByLabel('Nome').fill(' Laboratório central ')
    await page.getByLabel('Finalidade').fill('Resultados')
    await inDialog(page, 'Criar')
    await page.getByRole('heading', { name: 'Chaves' }).waitFor()
    assert.match(page.url(), /\/contas-de-servico\/9$/)
    const bodies = asked.filter(({ name }) => name === CREATE).map(({ body }) => body)
    assert.deepEqual(bodies, [{ nome: 'Laboratório central', finalidade: 'Resultados', instituicao: null }])
  })

  it('offers only the scopes that the account and the person hold, and sends what was chosen', async () => {
    await using visited = await visit('/contas-de-servico/9', { answers: { ...OPENED, [NEW_KEY]: CREATED } })
    const { page, asked } = visited
    await fillKey(page)
    assert.equal(await page.getByLabel(/^agravos\.identificar/).isDisabled(), true)
    await inDialog(page, 'Criar')
    await page.getByText(SECRET).waitFor()
    const [body] = asked.filter(({ name }) => name === NEW_KEY).map((one) => one.body)
    assert.deepEqual(body, {
      ...{ nome: 'Produção', escopos: ['agravos.listar'], validade_dias: 90 },
      redes: ['203.0.113.0/24', '198.51.100.7'],
    })
    await inDialog(page, 'Já guardei')
    await eventually(async () => assert.equal(await page.getByText(SECRET).count(), 0))
  })

  it('renews a live key and shows the new one', async () => {
    await using visited = await visit('/contas-de-servico/9', { answers: { ...OPENED, [RENEW]: CREATED } })
    const { page } = visited
    await press(page, 'Renovar: vgk_Qw56Er78')
    await inDialog(page, 'Renovar')
    await page.getByText(SECRET).waitFor()
    await page.getByText(/^A chave anterior vale até/).waitFor()
  })

  it('revokes a key after a word, and no key that has ended', async () => {
    await using visited = await visit('/contas-de-servico/9', {
      answers: { ...OPENED, [REVOKE]: { status: 204 } },
    })
    const { page, asked } = visited
    assert.equal(await page.getByRole('button', { name: 'Revogar: vgk_Zz00Zz00' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Renovar: vgk_Ab90Cd12' }).count(), 0)
    await press(page, 'Revogar: vgk_Qw56Er78')
    await inDialog(page, 'Revogar')
    await eventually(async () => assert.equal(await page.getByRole('dialog').count(), 0))
    assert.equal(asked.filter(({ name }) => name === REVOKE).length, 1)
  })
})
