import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, HEALTHY, NOBODY, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'

const ME = 'GET /api/v1/usuarios/me'
const ENABLE = 'POST /api/v1/auth/mfa/enable'
const VERIFY = 'POST /api/v1/auth/mfa/verify'
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click()

/** One dark dot: what the picture is does not matter here. */
const QR =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const SETUP = {
  qr_code: QR,
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  backup_codes: [...'ABCDEFGHJK'].map((letter) => `${letter.repeat(5)}-23456`),
  instructions: '',
}
const REQUIRED: Answers = {
  [ME]: refusal(403, 'MFA_ENROLMENT_REQUIRED'),
  [ENABLE]: { body: SETUP },
}

/** An administrator with the password alone. */
const administrador = (more: object = {}) => {
  const { body } = perfil(['admin'], true)
  return { body: { ...body, mfa_habilitado: false, preferencias: {}, ...more } }
}
const OFFERED: Answers = { ...HEALTHY, [ME]: administrador(), [ENABLE]: { body: SETUP } }
const PUT_OFF = 'PUT /api/v1/usuarios/me/preferencias'

const VIEWS: View[] = [
  { name: 'segundo-fator-exigido', picture: true, path: '/casos', answers: REQUIRED, seen: 'Começar' },
  {
    name: 'segundo-fator-ativar',
    picture: true,
    path: '/casos',
    answers: REQUIRED,
    act: press('Começar'),
    seen: 'Códigos de reserva',
  },
  { name: 'segundo-fator-oferecido', picture: true, path: '/', answers: OFFERED, seen: 'Agora não' },
]

describe('The second factor that a group requires, or that is offered', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('stands before every screen until its first code was right, and then lets in', async () => {
    const answers = {
      ...REQUIRED,
      [ME]: [refusal(403, 'MFA_ENROLMENT_REQUIRED'), perfil()],
      [VERIFY]: [
        refusal(422, 'VALIDATION_ERROR', {
          details: [{ field: 'code', message: 'Código incorreto', code: 'INVALID_CODE' }],
        }),
        { body: { message: '', mfa_enabled: true } },
      ],
    }
    await using visited = await visit('/casos', { answers })
    const { page, asked } = visited
    await press('Começar')(page)
    assert.equal(new URL(page.url()).pathname, '/segundo-fator')
    await press('Ativar segundo fator')(page)
    await page.getByText('Guarde os códigos antes de continuar.').waitFor()
    await page.getByText('Digite os seis algarismos que o aplicativo mostra.').waitFor()
    assert.ok(!asked.some(({ name }) => name === VERIFY))
    await page.getByLabel('Guardei os códigos de reserva').check()
    await page.getByLabel('Código do aplicativo').fill('123456')
    await press('Ativar segundo fator')(page)
    await page.getByText('Código incorreto').waitFor()
    await page.getByLabel('Código do aplicativo').fill('654321')
    await press('Ativar segundo fator')(page)
    await page.getByRole('navigation', { name: 'Principal' }).first().waitFor()
    const codes = asked.filter(({ name }) => name === VERIFY).map(({ body }) => body)
    assert.deepEqual(codes, [{ code: '123456' }, { code: '654321' }])
  })

  it('says in the words of the service why it could not begin', async () => {
    const answers = { ...REQUIRED, [ENABLE]: refusal(409, 'CONFLICT') }
    await using visited = await visit('/casos', { answers })
    await press('Começar')(visited.page)
    await visited.page.getByText('mensagem CONFLICT').waitFor()
  })

  it('can be left by signing out', async () => {
    const answers = { ...REQUIRED, 'DELETE /api/v1/auth/sessao': { status: 204 } }
    await using visited = await visit('/casos', { answers })
    await press('Sair')(visited.page)
    await visited.page.getByLabel('E-mail').waitFor()
  })

  it('is no screen for those of whom nothing is required', async () => {
    {
      await using visited = await visit('/segundo-fator', { answers: NOBODY })
      await visited.page.getByLabel('E-mail').waitFor()
    }
    const answers = { [ME]: perfil() }
    await using visited = await visit('/segundo-fator', { answers })
    await visited.page.getByRole('navigation', { name: 'Principal' }).first().waitFor()
    assert.notEqual(new URL(visited.page.url()).pathname, '/segundo-fator')
  })

  it('is offered to administrators as they sign in, can be put off, and does not come back', async () => {
    const answers = {
      ...OFFERED,
      [ME]: [
        refusal(401, 'UNAUTHORIZED'),
        administrador(),
        administrador({ preferencias: { fator_adiado: true } }),
      ],
      'POST /api/v1/auth/sessao': { body: {} },
      [PUT_OFF]: [refusal(503, 'UNAVAILABLE'), { body: { fator_adiado: true } }],
    }
    await using visited = await visit('/sistema', { answers })
    const { page, asked, origin } = visited
    await page.getByLabel('E-mail').fill('ana@saude.example')
    await page.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    await page.keyboard.press('Enter')
    await page.getByText('Esta conta administra o Vigia').waitFor()
    assert.equal(page.url(), `${origin}/segundo-fator?voltar=%2Fsistema`)
    await press('Agora não')(page)
    await page.getByText('mensagem UNAVAILABLE').waitFor()
    await press('Agora não')(page)
    await page.getByRole('heading', { name: 'Sistema', exact: true }).waitFor()
    assert.equal(page.url(), `${origin}/sistema`)
    assert.deepEqual(asked.find(({ name }) => name === PUT_OFF)?.body, { fator_adiado: true })
    await page.goto(`${origin}/entrar?voltar=%2Fsistema`)
    await page.getByRole('heading', { name: 'Sistema', exact: true }).waitFor()
    const stored = String(await page.evaluate('JSON.stringify(localStorage)'))
    assert.ok(!stored.includes('fator_adiado'), 'it is the account’s, not the browser’s')
  })

  it('that was offered is turned on, and leads on to the address that was asked for', async () => {
    const answers = {
      ...OFFERED,
      [ME]: [administrador(), administrador({ mfa_habilitado: true })],
      [VERIFY]: { body: { message: '', mfa_enabled: true } },
    }
    await using visited = await visit('/entrar?voltar=%2Fsistema', { answers })
    const { page } = visited
    await press('Começar')(page)
    await page.getByLabel('Guardei os códigos de reserva').check()
    await page.getByLabel('Código do aplicativo').fill('123456')
    await press('Ativar segundo fator')(page)
    await page.getByRole('heading', { name: 'Sistema', exact: true }).waitFor()
  })

  it('follows the password that an installation has generated', async () => {
    const answers = {
      ...OFFERED,
      [ME]: [refusal(403, 'PASSWORD_CHANGE_REQUIRED'), administrador()],
      'POST /api/v1/auth/change-password': { body: {} },
    }
    await using visited = await visit('/painel', { answers })
    const { page } = visited
    await page.getByText('A senha atual foi gerada pelo sistema').waitFor()
    await page.getByLabel('Senha atual').fill('gerada-na-instalacao')
    await page.getByLabel('Nova senha', { exact: true }).fill('Segredo#2026')
    await page.getByLabel('Repita a nova senha').fill('Segredo#2026')
    await press('Salvar nova senha')(page)
    await page.getByText('Esta conta administra o Vigia').waitFor()
  })

  it('is offered to nobody who opens another address, has one, or does not administer', async () => {
    for (const me of [administrador({ mfa_habilitado: true }), administrador({ admin: false })]) {
      await using visited = await visit('/entrar?voltar=%2Fajuda', { answers: { ...OFFERED, [ME]: me } })
      await visited.page.getByRole('heading', { name: 'Ajuda', exact: true }).waitFor()
    }
    await using visited = await visit('/ajuda', { answers: OFFERED })
    await visited.page.getByRole('heading', { name: 'Ajuda', exact: true }).waitFor()
  })
})
