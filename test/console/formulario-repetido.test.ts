import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal, type Visit } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { casoListado } from './casos-data.ts'
import { CRIAR, EDITOR } from './formulario-answers.ts'

const NOVO = '/casos/novo'
const LIST = 'GET /api/v1/agravos/casos'
const save = (page: Page, name = 'Salvar') => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => page.getByRole('textbox', { name })

async function fillRequired(page: Page): Promise<void> {
  await page.getByLabel('Agravo').selectOption('dengue')
  await field(page, 'Nº da notificação').fill('4418823')
  await field(page, 'Data da notificação').fill('12032026')
  await field(page, 'Nome do paciente').fill('Maria Plantada')
  const municipio = page.getByRole('combobox', { name: 'Município de residência' })
  await municipio.fill('reci')
  await page.getByRole('option', { name: /Recife/ }).waitFor()
  await municipio.press('Tab')
}

const REPEATED = refusal(409, 'POSSIBLE_DUPLICATE', {
  duplicidades: [
    { id: 7, faixa: 'quase_certa' },
    { id: 8, faixa: 'possivel' },
  ],
})
const ASKED: Answers = {
  ...EDITOR,
  'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.criar', 'agravos.duplicidades']),
  [CRIAR]: [REPEATED, EDITOR[CRIAR] as object],
  [LIST]: { body: { total: 1, page: 1, size: 2, pages: 1, links: {}, meta: {}, tipos: [casoListado(7)] } },
}
const sent = ({ asked }: Visit) => asked.filter(({ name }) => name === CRIAR)

const VIEWS: View[] = [
  {
    name: 'ficha-repetido',
    picture: true,
    path: NOVO,
    answers: ASKED,
    async act(page) {
      await fillRequired(page)
      // Its line moves the buttons above it.
      await page
        .getByText(/Rascunho salvo/)
        .first()
        .waitFor()
      await save(page)
    },
    seen: 'Notificação 4418827, de 12/03/2026',
  },
]

describe('A second notification of one person', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('is asked about before it is saved, and saved where that is wanted', async () => {
    await using visited = await visit(NOVO, { answers: ASKED })
    const { page } = visited
    await fillRequired(page)
    await save(page, 'Salvar e registrar outro')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nada foi salvo ainda.').waitFor()
    const link = dialog.getByRole('link', { name: /Notificação 4418827/ })
    assert.equal(await link.getAttribute('href'), '/casos/7')
    await dialog.getByText('Caso 8').waitFor()
    await dialog.getByRole('button', { name: 'Salvar assim mesmo' }).click()
    await page.getByText('Notificação 4418823 registrada.').waitFor()
    assert.deepEqual(
      sent(visited).map(({ query }) => query.get('duplicidade')),
      ['recusar', null],
    )
    assert.equal(await field(page, 'Nome do paciente').inputValue(), '', 'the next form, as was asked')
  })

  it('is left in the form where it is not, and asked about again', async () => {
    await using visited = await visit(NOVO, { answers: { ...ASKED, [CRIAR]: REPEATED } })
    const { page } = visited
    await fillRequired(page)
    await save(page)
    await page.getByRole('button', { name: 'Voltar à ficha' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    assert.equal(await field(page, 'Nome do paciente').inputValue(), 'Maria Plantada')
    await save(page)
    await page.getByText('Nada foi salvo ainda.').waitFor()
    assert.deepEqual(
      sent(visited).map(({ query }) => query.get('duplicidade')),
      ['recusar', 'recusar'],
    )
  })

  it('is not looked for on behalf of those who may not decide about duplicates', async () => {
    await using visited = await visit(NOVO, { answers: EDITOR })
    await fillRequired(visited.page)
    await save(visited.page)
    await visited.page.waitForURL('**/casos/7')
    assert.deepEqual(
      sent(visited).map(({ query }) => query.get('duplicidade')),
      [null],
    )
  })
})
