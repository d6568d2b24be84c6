import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, NOBODY, perfil, refusal } from '../harness/console-page.ts'
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
]

describe('The second factor that a group requires', { skip: noBrowser }, () => {
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
})
