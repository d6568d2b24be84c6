import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil } from '../harness/console-page.ts'
import { accepted, job, NO_JOBS, RUNNING, SEND } from './importacoes-answers.ts'

const FILE = { name: 'DENGBR26_PE.csv', mimeType: 'text/csv', buffer: Buffer.from('NU_NOTIFIC\r\n1\r\n') }
const NEWS = { body: { nao_lidas: 0, total: 0, notificacoes: [] } }
const ANSWERS: Answers = {
  'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.importar']),
  'GET /api/v1/notificacoes': NEWS,
  'GET /api/v1/agravos/casos': { body: { tipos: [], total: 0, page: 1, size: 50, pages: 0, links: {} } },
  'GET /api/v1/agravos/importacoes': {
    body: { items: [], total: 0, page: 1, size: 25, pages: 0, links: {} },
  },
  'GET /api/v1/jobs': NO_JOBS,
}
const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(FILE)
const leave = (page: Page) =>
  page.getByRole('navigation').first().getByRole('link', { name: 'Casos', exact: true }).click()
const mark = (page: Page) => page.getByRole('banner').getByRole('link', { name: FILE.name })

describe('A file that is being sent', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('goes on while another screen is open, which says so and leads back', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answers = {
      ...ANSWERS,
      [SEND]: { after: promise, ...accepted('job_1') },
      'GET /api/v1/jobs/job_1': job({ ...RUNNING, job_id: 'job_1' }),
    }
    await using visited = await visit('/importacoes/nova', { answers, alone: true })
    const { page, asked } = visited
    await choose(page)
    await page.getByText(`Enviando ${FILE.name}`).waitFor()
    assert.equal(await mark(page).count(), 0, 'its own screen says it at length')
    await leave(page)
    await page.waitForURL('**/casos')
    await mark(page).waitFor()
    assert.match((await mark(page).innerText()) ?? '', /^Enviando \d+ %/)
    await mark(page).click()
    await page.waitForURL('**/importacoes/nova')
    await page.getByText(`Enviando ${FILE.name}`).waitFor()
    await leave(page)
    await mark(page).waitFor()
    resolve()
    await mark(page).waitFor({ state: 'detached' })
    assert.equal(asked.filter(({ name }) => name === SEND).length, 1, 'nothing is sent twice')
  })

  it('tells on every screen that it did not arrive', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answers = { ...ANSWERS, [SEND]: { after: promise, status: 413, body: { error: { code: 'X' } } } }
    await using visited = await visit('/importacoes/nova', { answers, alone: true })
    const { page } = visited
    await choose(page)
    await page.getByText(`Enviando ${FILE.name}`).waitFor()
    await leave(page)
    await mark(page).waitFor()
    resolve()
    await mark(page).getByText('Envio interrompido').waitFor()
    await mark(page).click()
    await page.getByRole('button', { name: 'Enviar de novo' }).waitFor()
  })
})
