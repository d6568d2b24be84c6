import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Flow, strikeFlows } from '../harness/console-flows.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { casosOf, excluidos } from './casos-data.ts'
import { DEFINES, page as pageOf, SEES, LIST as SERIES, serie, ONE as UMA_SERIE } from './series-answers.ts'
import { conta, ONE, ONE_USER } from './usuarios-answers.ts'

const ADMIN = { 'GET /api/v1/usuarios/me': perfil(['admin'], true) }
const EXCLUIDOS = 'GET /api/v1/agravos/casos/excluidos'
const REMOVE_CASO = 'DELETE /api/v1/agravos/casos/9'
const REMOVE_SERIE = 'DELETE /api/v1/series/temp_min_sem'
const REMOVE_CONTA = 'DELETE /api/v1/usuarios/31'

const DELETED: Answers = { ...casosOf(), ...ADMIN, [EXCLUIDOS]: excluidos }
const ENDED: Answers = {
  ...ONE_USER,
  ...ADMIN,
  [ONE]: { body: conta({ ativo: false }), headers: { etag: '"1"' } },
}
const EMPTY = { valores: 0, lugares: 0, primeiro: null, ultimo: null }
const SERIE: Answers = { ...DEFINES, [UMA_SERIE]: { body: serie(EMPTY) }, [SERIES]: pageOf([]) }

const dialog = (page: Page) => page.getByRole('dialog')
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Remover de vez' }).click()
const openCaso = (page: Page) => page.getByRole('button', { name: 'Remover de vez o caso 4418829' }).click()
const openOne = (page: Page) => page.getByRole('button', { name: 'Remover de vez' }).click()
const tried = (open: (page: Page) => Promise<void>) => async (page: Page) => {
  await open(page)
  await confirm(page)
}
const fill = async (page: Page, typed: string) => {
  await dialog(page).getByLabel('Motivo').fill(' Ordem judicial ')
  await dialog(page)
    .getByLabel(/^Para confirmar/)
    .fill(typed)
}

const VIEWS: View[] = [
  {
    name: 'excluidos-remover',
    picture: true,
    path: '/casos/excluidos',
    answers: DELETED,
    act: tried(openCaso),
    seen: 'Digite 4418829.',
  },
  {
    name: 'usuario-remover',
    picture: true,
    path: '/usuarios/31',
    answers: ENDED,
    act: tried(openOne),
    seen: 'Digite Beatriz Nascimento.',
  },
  {
    name: 'serie-remover',
    picture: true,
    path: '/series/temp_min_sem',
    answers: SERIE,
    act: tried(openOne),
    seen: 'Digite temp_min_sem.',
  },
]

const typedCode = (page: Page) => dialog(page).getByLabel(/^Para confirmar/)
const FLOWS: Flow[] = [
  {
    name: 'remove a series',
    path: '/series/temp_min_sem',
    answers: SERIE,
    request: REMOVE_SERIE,
    ok: { status: 204 },
    async begin(page) {
      await openOne(page)
      await typedCode(page).fill('temp_min_sem')
    },
    send: confirm,
    kept: (page) => typedCode(page).inputValue(),
    done: (page) => page.waitForURL('**/series'),
  },
]

describe('Removal for good', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)
  strikeFlows(FLOWS, visit)

  it('of a deleted case waits for its number and a reason, and sends the version of the list', async () => {
    await using visited = await visit('/casos/excluidos', {
      answers: { ...DELETED, [REMOVE_CASO]: { status: 204 } },
    })
    const { page, asked } = visited
    const sent = () => asked.filter(({ name }) => name === REMOVE_CASO)
    await openCaso(page)
    await fill(page, '441882')
    await confirm(page)
    await dialog(page).getByText('Digite 4418829.').waitFor()
    await fill(page, '4418829')
    await dialog(page).getByLabel('Motivo').fill('  ')
    await confirm(page)
    await dialog(page).getByText('Diga o motivo.').waitFor()
    assert.equal(sent().length, 0)
    await fill(page, ' 4418829 ')
    await confirm(page)
    await page.getByText('Caso 4418829 removido de vez.').waitFor()
    const [request] = sent()
    assert.deepEqual(Object.fromEntries(request?.query ?? []), { motivo: 'Ordem judicial', force: 'true' })
    assert.equal(request?.headers['if-match'], '"2"')
  })

  it('is refused in the words of the service, and what was typed stays', async () => {
    const answers = { ...DELETED, [REMOVE_CASO]: refusal(409, 'CONFLICT') }
    await using visited = await visit('/casos/excluidos', { answers })
    const { page } = visited
    await openCaso(page)
    await fill(page, '4418829')
    await confirm(page)
    await dialog(page).getByText('mensagem CONFLICT').waitFor()
    assert.equal(await dialog(page).getByLabel('Motivo').inputValue(), ' Ordem judicial ')
  })

  it('of an account is of those that are deactivated, by their name, and leads back to the list', async () => {
    {
      const answers = { ...ENDED, [ONE]: { body: conta() } }
      await using visited = await visit('/usuarios/31', { answers })
      await visited.page.getByRole('button', { name: 'Desativar' }).waitFor()
      assert.equal(await visited.page.getByRole('button', { name: 'Remover de vez' }).count(), 0)
    }
    await using visited = await visit('/usuarios/31', { answers: { ...ENDED, [REMOVE_CONTA]: { body: {} } } })
    const { page, asked } = visited
    await openOne(page)
    await fill(page, 'Beatriz Nascimento')
    await confirm(page)
    await page.waitForURL('**/usuarios')
    const sent = asked.find(({ name }) => name === REMOVE_CONTA)
    assert.deepEqual(Object.fromEntries(sent?.query ?? []), { motivo: 'Ordem judicial', force: 'true' })
    assert.equal(sent?.headers['if-match'], '"1"')
  })

  it('of a series waits for its code, asks for no reason, and leads back to the list', async () => {
    await using visited = await visit('/series/temp_min_sem', {
      answers: { ...SERIE, [REMOVE_SERIE]: [refusal(422, 'VALIDATION_ERROR'), { status: 204 }] },
    })
    const { page, asked } = visited
    const sent = () => asked.filter(({ name }) => name === REMOVE_SERIE).length
    const code = typedCode(page)
    await openOne(page)
    assert.equal(await dialog(page).getByLabel('Motivo').count(), 0)
    await code.fill('temp_min')
    await confirm(page)
    await dialog(page).getByText('Digite temp_min_sem.').waitFor()
    assert.equal(sent(), 0)
    await code.fill('temp_min_sem')
    await confirm(page)
    await dialog(page).getByText('mensagem VALIDATION_ERROR').waitFor()
    assert.equal(await code.inputValue(), 'temp_min_sem')
    await confirm(page)
    await page.waitForURL('**/series')
    assert.equal(sent(), 2)
  })

  it('of a series is of those without values, by who defines series', async () => {
    for (const answers of [
      { ...SERIE, [UMA_SERIE]: { body: serie() } },
      { ...SERIE, ...SEES },
    ]) {
      await using visited = await visit('/series/temp_min_sem', { answers })
      await visited.page.getByRole('heading', { name: 'Temperatura mínima, semanal' }).waitFor()
      assert.equal(await visited.page.getByRole('button', { name: 'Remover de vez' }).count(), 0)
    }
  })

  it('is offered to administrators alone', async () => {
    await using cases = await visit('/casos/excluidos', { answers: { ...casosOf(), [EXCLUIDOS]: excluidos } })
    await cases.page.getByText('4418829').waitFor()
    assert.equal(await cases.page.getByRole('button', { name: /Remover de vez/ }).count(), 0)
    const answers = { ...ONE_USER, [ONE]: { body: conta({ ativo: false }) } }
    await using people = await visit('/usuarios/31', { answers })
    await people.page.getByRole('button', { name: 'Reativar' }).waitFor()
    assert.equal(await people.page.getByRole('button', { name: /Remover de vez/ }).count(), 0)
  })
})
