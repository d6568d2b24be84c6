import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, type perfil, refusal } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { CASO, casosOf, detalhe, identified, PLANTED } from './casos-data.ts'
import { CRIAR, EDITOR, fillRequired } from './formulario-answers.ts'
import { accepted, IMPORTER, SEND } from './importacoes-answers.ts'

const ME = 'GET /api/v1/usuarios/me'
const SESSAO = 'POST /api/v1/auth/sessao'
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED')
const FILE = { name: 'DENGBR26_PE.csv', mimeType: 'text/csv', buffer: Buffer.from('NU_NOTIFIC\r\n1\r\n') }

/** The account of the visit, as another person has it. */
function otherOf(answers: Answers) {
  const { body } = answers[ME] as ReturnType<typeof perfil>
  return { body: { ...body, id: 8, nome: 'Bia Prado', email: 'bia@saude.example' } }
}

async function signIn(page: Page, email: string | null): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Sua sessão terminou' })
  await dialog.waitFor()
  if (email !== null) await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
  await page.keyboard.press('Enter')
}

describe('Another person who signs in over an interrupted screen', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('does not see the patient that the first one identified', async () => {
    const given = casosOf()
    await using visited = await visit('/casos/7', {
      answers: { ...given, [SESSAO]: { body: {} }, [CASO]: [{ body: detalhe() }, { body: identified() }] },
    })
    const { page, answers } = visited
    await page.getByRole('button', { name: 'Identificar paciente' }).click()
    await page.getByRole('button', { name: 'Mostrar' }).click()
    await page.getByText(PLANTED).first().waitFor()
    answers['DELETE /api/v1/agravos/casos/7'] = UNAUTHORIZED
    await page.getByRole('button', { name: 'Excluir' }).click()
    await page.getByLabel('Motivo').fill('Registrado duas vezes')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Excluir/ })
      .click()
    answers[ME] = otherOf(given)
    answers[CASO] = { body: detalhe() }
    await signIn(page, 'bia@saude.example')
    await page.getByRole('button', { name: /Bia Prado/ }).waitFor()
    await page.getByRole('button', { name: 'Identificar paciente' }).waitFor()
    assert.equal(await page.getByText(PLANTED).count(), 0)
    const removals = visited.asked.filter(({ name }) => name.startsWith('DELETE'))
    assert.equal(removals.length, 1, 'nothing that the first one asked for is asked as the second')
  })

  it('does not send what the first one typed; the first one does', async () => {
    for (const [email, times] of [
      ['bia@saude.example', 1],
      [null, 2],
    ] as const) {
      const answers = { ...EDITOR, [SESSAO]: { body: {} }, [CRIAR]: UNAUTHORIZED }
      await using visited = await visit('/casos/novo', { answers })
      const { page } = visited
      const requests = () => visited.asked.filter(({ name }) => name === CRIAR).length
      await fillRequired(page)
      await page.getByRole('button', { name: 'Salvar', exact: true }).click()
      if (email !== null) visited.answers[ME] = otherOf(EDITOR)
      await signIn(page, email)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: email === null ? /Ana Souza/ : /Bia Prado/ }).waitFor()
      await eventually(() => assert.equal(requests(), times))
      const numero = page.getByRole('textbox', { name: 'Nº da notificação' })
      assert.equal(await numero.inputValue(), email === null ? '4418823' : '')
    }
  })

  it('finds no file that the first one chose', async () => {
    const answers = { ...IMPORTER, [SESSAO]: { body: {} }, [SEND]: UNAUTHORIZED }
    await using visited = await visit('/importacoes/nova', { answers })
    const { page } = visited
    await page.getByRole('button', { name: /Ana Souza/ }).waitFor()
    visited.answers[ME] = [UNAUTHORIZED, otherOf(IMPORTER)]
    visited.answers[SEND] = [UNAUTHORIZED, accepted('job_1')]
    await page.locator('input[type=file]').setInputFiles(FILE)
    await signIn(page, 'bia@saude.example')
    await page.getByRole('button', { name: /Bia Prado/ }).waitFor()
    await page.getByText('Escolha um arquivo ou solte-o aqui').waitFor()
    assert.equal(await page.getByText(FILE.name).count(), 0)
    assert.equal(visited.asked.filter(({ name }) => name === SEND).length, 1)
  })

  it('is not led to the list of the first one, also after a sign-out', async () => {
    const given = casosOf()
    const answers = {
      ...given,
      [SESSAO]: { body: {} },
      'DELETE /api/v1/auth/sessao': { status: 204 },
      'GET /api/v1/agravos/casos/1': { body: detalhe() },
    }
    await using visited = await visit('/casos?busca=Salgado', { answers })
    const { page } = visited
    await page.getByRole('link', { name: '4418821', exact: true }).click()
    const back = page.getByRole('link', { name: 'Voltar para a lista' })
    assert.equal(await back.getAttribute('href'), '/casos?busca=Salgado')
    await page.getByRole('button', { name: /Ana Souza/ }).click()
    visited.answers[ME] = otherOf(given)
    await page.getByRole('button', { name: 'Sair' }).click()
    await page.getByLabel('E-mail').fill('bia@saude.example')
    await page.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Bia Prado/ }).waitFor()
    assert.equal(await back.getAttribute('href'), '/casos')
  })
})
