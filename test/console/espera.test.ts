import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, HEALTHY } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { CASO, casosOf, detalhe, excluidos, LIST } from './casos-data.ts'
import { EDITOR, RASCUNHO, UUID } from './formulario-answers.ts'
import { CASOS, IMPORTER, importacao, lista, NO_JOBS } from './importacoes-answers.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'

const never = { after: new Promise<void>(() => undefined) }

async function giveUp(page: Page): Promise<void> {
  await page.getByText('Está demorando…').last().waitFor()
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByText('Você cancelou a consulta.').waitFor()
}

describe('What is waited for', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('can be given up: a case that is to be edited, a draft, the code of a screen', async () => {
    for (const [path, answers] of [
      ['/casos/7/editar', { ...EDITOR, [CASO]: never }],
      [`/casos/novo?rascunho=${UUID}`, { ...EDITOR, [`GET ${RASCUNHO}`]: never }],
    ] as const) {
      await using visited = await visit(path, { answers })
      await giveUp(visited.page)
    }
    await using visited = await visit('/sistema', { answers: { ...ADMIN, ...HEALTHY }, alone: true })
    const { page } = visited
    await page.getByText('Banco de dados').waitFor()
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/assets\/ajuda-/, async (route) => {
      await promise
      await route.continue()
    })
    await page.keyboard.press('?')
    await giveUp(page)
    resolve()
    await page.getByRole('heading', { name: 'Ajuda', exact: true }).waitFor()
  })

  it('is loaded with the page, once, where its code is gone after an upgrade', async () => {
    const answers = { ...ADMIN, ...painelAnswers(painelAnswer()) }
    await using visited = await visit('/painel?uf=PE', { answers, alone: true })
    const { page, origin } = visited
    const table = page.locator('.curve-card').getByRole('button', { name: 'Tabela' })
    await table.waitFor()
    await page.route(/\/assets\/curve-table-/, (route) => route.abort())
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    await table.click()
    await eventually(() => assert.deepEqual(loads, [`${origin}/painel?uf=PE`]))
    await table.click()
    await page.locator('.curve-card').getByRole('button', { name: 'Tentar de novo' }).waitFor()
    assert.equal(loads.length, 1)
  })

  it('is read again when the page is looked at, but for lists: their rows never move', async () => {
    const importacoes = { ...IMPORTER, ...NO_JOBS, ...CASOS, ...lista(importacao()) }
    const EXCLUIDOS = 'GET /api/v1/agravos/casos/excluidos'
    for (const [path, answers, request, isAgain] of [
      ['/casos/7', casosOf(), CASO, true],
      ['/casos', casosOf(), LIST, false],
      ['/casos/excluidos', { ...casosOf(), [EXCLUIDOS]: excluidos }, EXCLUIDOS, false],
      ['/importacoes', importacoes, 'GET /api/v1/agravos/importacoes', false],
    ] as const) {
      await using visited = await visit(path, {
        answers: { ...answers, [CASO]: { body: detalhe() } },
        moves: true,
      })
      const { page, asked } = visited
      const times = () => asked.filter(({ name }) => name === request).length
      await eventually(async () => {
        await page.clock.runFor(100)
        assert.equal(times(), 1)
      })
      await page.clock.runFor(20_000)
      const others = asked.length
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
      await page.clock.runFor(1_000)
      if (isAgain) await eventually(() => assert.equal(times(), 2))
      else assert.equal(times(), 1, `${path}: ${asked.slice(others).map(({ name }) => name)}`)
    }
  })
})
