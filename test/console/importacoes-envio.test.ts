import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil } from '../harness/console-page.ts'
import {
  accepted,
  checked,
  IMPORT,
  imported,
  JOB,
  job,
  jobs,
  NO_JOBS,
  RUNNING,
  SEND,
} from './importacoes-answers.ts'

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

  it('keeps no other one from being chosen once it is checked', async () => {
    const answers = { ...ANSWERS, ...checked(), [SEND]: accepted(JOB) }
    await using visited = await visit('/importacoes/nova', { answers })
    const { page } = visited
    await choose(page)
    await page.waitForURL('**/importacoes/nova?job=job_conferencia')
    await page.getByRole('link', { name: /^Continuar para a conferência/ }).click()
    await page.getByRole('link', { name: 'Trocar arquivo' }).click()
    await page.getByText('Escolha um arquivo ou solte-o aqui').waitFor()
    assert.equal(page.url(), `${visited.origin}/importacoes/nova`)
    await choose(page)
    await page.waitForURL('**/importacoes/nova?job=job_conferencia')
    assert.equal(visited.asked.filter(({ name }) => name === SEND).length, 2)
  })

  it('goes on while the result of another import is looked at', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answers = { ...ANSWERS, ...checked(), ...imported, [SEND]: { after: promise, ...accepted(JOB) } }
    await using visited = await visit('/importacoes/nova', { answers })
    const { page, asked } = visited
    await choose(page)
    await page.getByText(`Enviando ${FILE.name}`).waitFor()
    await page.evaluate(`history.pushState(null, '', '/importacoes/nova?job=${IMPORT}')`)
    await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    await page.getByRole('link', { name: 'Importar outro arquivo' }).waitFor()
    await page.goBack()
    await page.getByText(`Enviando ${FILE.name}`).waitFor()
    resolve()
    await page.waitForURL('**/importacoes/nova?job=job_conferencia')
    assert.equal(asked.filter(({ name }) => name === SEND).length, 1)
  })

  it('is not sent again after an import that failed, while its check is kept', async () => {
    const failed = { job_id: IMPORT, trabalho: 'importacao', status: 'failed', codigo: 'FAILED' }
    const answers = {
      ...ANSWERS,
      ...checked(),
      ...jobs({ arquivo_guardado_ate: '2099-01-01T00:00:00.000Z' }),
      [`GET /api/v1/jobs/${IMPORT}`]: job(failed),
    }
    await using visited = await visit(`/importacoes/nova?job=${IMPORT}`, { answers })
    const { page } = visited
    await page.getByRole('link', { name: 'Voltar à conferência' }).click()
    await page.getByRole('button', { name: /^Importar/ }).waitFor()
    assert.equal(page.url(), `${visited.origin}/importacoes/nova?job=${JOB}&etapa=conferencia`)
  })
})
