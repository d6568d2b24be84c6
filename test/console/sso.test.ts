import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, HEALTHY, NOBODY, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const ME = 'GET /api/v1/usuarios/me'
const CODE = 'POST /api/v1/auth/oidc/segundo-fator'
const IDENTITIES = 'GET /api/v1/usuarios/me/identidades'
const UNLINK = 'DELETE /api/v1/usuarios/me/identidades/3'

const PROVEDORES = [
  { id: 'govbr', nome: 'gov.br' },
  { id: 'saude-pe', nome: 'Secretaria Estadual de Saúde de Pernambuco' },
]
const identidade = {
  id: 3,
  provedor: 'govbr',
  provedor_nome: 'gov.br',
  vinculada_em: '2026-10-02T12:00:00.000Z',
  ultimo_uso_em: '2026-11-14T14:50:00.000Z',
}
const ANA = {
  ...perfil(['agravos.listar']).body,
  ...{ cpf: null, telefone: null, avatar_url: null, departamento: null, cidade: 'Recife', estado: 'PE' },
  ...{ ativo: true, plano: 'basico', email_verificado: true, mfa_habilitado: true, territorios: [] },
  ...{ sessoes_ativas: 1, criado_em: '2026-01-05T12:00:00.000Z', atualizado_em: '2026-11-01T12:00:00.000Z' },
  ultimo_acesso: '2026-11-14T11:00:00.000Z',
}
const CONTA: Answers = {
  [ME]: { body: ANA },
  [`GET /api/v1/usuarios/${ANA.id}`]: { body: ANA },
  'GET /api/v1/auth/sessions': { body: { total: 0, items: [] } },
  'GET /api/v1/auth/security-metrics': {
    body: {
      login_attempts: { successful: 4, failed: 0, last_failed: null },
      password_strength: 'forte',
      password_age_days: 12,
      mfa_enabled: true,
      active_sessions: 1,
      suspicious_activities: [],
      security_score: 90,
      recommendations: [],
    },
  },
  [IDENTITIES]: { body: { total: 1, items: [identidade] } },
}

const VIEWS: View[] = [
  { name: 'entrar-provedores', picture: true, path: '/entrar', answers: NOBODY, seen: 'Entrar com gov.br' },
  {
    name: 'entrar-sso-codigo',
    picture: true,
    path: '/entrar?sso=govbr&voltar=%2Fcasos',
    answers: NOBODY,
    seen: 'gov.br confirmou quem você é',
  },
  {
    name: 'entrar-sso-recusado',
    path: '/entrar?erro=sem_conta',
    answers: NOBODY,
    seen: 'Não há conta no Vigia para esta identidade',
  },
  {
    name: 'conta-identidades',
    path: '/conta',
    answers: CONTA,
    seen: 'Desvincular',
  },
]

describe('Single sign-on in the console', { skip: noBrowser }, () => {
  const visit = consoleVisits(PROVEDORES)

  inspectViews(VIEWS, visit)

  const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmar' }).click()

  it('leads to the address of the provider, with the way back', async () => {
    await using visited = await visit('/casos?uf=PE', { answers: NOBODY })
    const { page, asked, origin } = visited
    const link = page.getByRole('link', { name: 'Entrar com gov.br' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), '/entrar/oidc/govbr?volta=%2Fcasos%3Fuf%3DPE')
    assert.ok(!asked.some(({ name }) => name.includes('oidc')), 'the page needs no request for the buttons')
    await link.click()
    await page.waitForURL(`${origin}/entrar/oidc/govbr?volta=%2Fcasos%3Fuf%3DPE`)
  })

  it('asks for the second factor, says what was wrong, and goes on to the address that was asked for', async () => {
    const answers: Answers = {
      ...HEALTHY,
      [ME]: [refusal(401, 'UNAUTHORIZED'), perfil(['admin'], true)],
      [CODE]: [refusal(401, 'INVALID_CREDENTIALS'), { body: {} }],
    }
    await using visited = await visit('/entrar?sso=govbr&voltar=%2Fsistema', { answers })
    const { page, asked, origin } = visited
    await page.getByLabel('Código').waitFor()
    await confirm(page)
    await page.getByText('Preencha este campo.').waitFor()
    await page.getByLabel('Código').fill('111 111')
    await confirm(page)
    await page.getByText('mensagem INVALID_CREDENTIALS').waitFor()
    await page.getByRole('button', { name: 'Usar um código de reserva' }).click()
    await page.getByLabel('Código de reserva').fill('ABCDE-23456')
    await confirm(page)
    await page.getByRole('heading', { name: 'Sistema', exact: true }).waitFor()
    assert.equal(page.url(), `${origin}/sistema`)
    const sent = asked.filter(({ name }) => name === CODE).map(({ body }) => body)
    assert.deepEqual(sent, [{ mfa_code: '111111' }, { mfa_code: 'ABCDE-23456' }])
  })

  it('is offered over a screen whose session ended, in a window of its own, and the screen goes on', async () => {
    const ok = perfil(['admin'], true)
    const answers: Answers = {
      ...HEALTHY,
      // Opened with a session, which then ends; the first look finds nobody, the second somebody.
      [ME]: [ok, refusal(401, 'UNAUTHORIZED'), ok],
      'GET /api/v1/health/detailed': [
        refusal(401, 'UNAUTHORIZED'),
        ...[HEALTHY['GET /api/v1/health/detailed'] ?? []].flat(),
      ],
    }
    await using visited = await visit('/sistema', { answers })
    const { page, asked, origin } = visited
    const dialog = page.getByRole('dialog')
    const link = dialog.getByRole('link', { name: 'Entrar com gov.br' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), '/entrar/oidc/govbr?volta=%2Fsistema')
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await other.close()
    const looked = () => page.evaluate(`dispatchEvent(new Event('focus'))`)
    const before = asked.filter(({ name }) => name === ME).length
    await looked()
    await eventually(() => assert.ok(asked.filter(({ name }) => name === ME).length > before))
    await looked()
    await page.getByText('Banco de dados').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal(page.url(), `${origin}/sistema`)
  })

  it('leads back to the sign-in when the attempt is over', async () => {
    const answers = { ...NOBODY, [CODE]: refusal(400, 'INVALID_SSO_ATTEMPT') }
    await using visited = await visit('/entrar?sso=govbr', { answers })
    const { page } = visited
    await page.getByLabel('Código').fill('123456')
    await confirm(page)
    await page.getByText('mensagem INVALID_SSO_ATTEMPT').waitFor()
    await page.getByRole('link', { name: 'Começar de novo' }).click()
    await page.getByRole('link', { name: 'Entrar com gov.br' }).waitFor()
  })

  it('knows a reason of the service only, and asks nobody unknown for a code', async () => {
    await using visited = await visit('/entrar?erro=constructor&sso=outro', { answers: NOBODY })
    await visited.page.getByText('Não foi possível entrar. Tente de novo.').waitFor()
    await visited.page.getByLabel('E-mail').waitFor()
  })

  it('unlinks an identity of the own account', async () => {
    await using visited = await visit('/conta', { answers: { ...CONTA, [UNLINK]: { status: 204 } } })
    const { page, asked, answers } = visited
    const unlink = page.getByRole('button', { name: 'Desvincular gov.br' })
    await unlink.waitFor()
    answers[IDENTITIES] = { body: { total: 0, items: [] } }
    await unlink.click()
    await page.getByText('Identidade desvinculada.').waitFor()
    await page.getByText('Nenhuma identidade vinculada.').waitFor()
    assert.ok(asked.some(({ name }) => name === UNLINK))
  })

  it('speaks the three languages', async () => {
    for (const [locale, text] of [
      ['en-US', 'Sign in with gov.br'],
      ['es-ES', 'Entrar con gov.br'],
    ] as const) {
      await using visited = await visit('/entrar', { answers: NOBODY, locale })
      await visited.page.getByRole('link', { name: text }).waitFor()
    }
  })
})
