import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits } from '../harness/console-page.ts'
import { casosOf, FACETAS, LIST } from './casos-data.ts'

const RESUMO = 'GET /api/v1/agravos/casos/estatisticas/resumo'
const grupo = (valor: string | null, total: number) => ({ valor, nome: 'Caruaru', total })
const ANSWERS: Answers = {
  ...casosOf(),
  [FACETAS]: {
    body: {
      facetas: [
        {
          campo: 'estado',
          valores: [
            { valor: 'PE', nome: null, total: 48_213 },
            { valor: 'BA', nome: null, total: 7 },
          ],
          ...{ distintos: 2, outros: 0 },
        },
        {
          campo: 'municipio',
          valores: [{ valor: '2604106', nome: 'Caruaru', total: 1_204 }],
          ...{ distintos: 1, outros: 0 },
        },
      ],
    },
  },
  [RESUMO]: { body: { por_bairro: [grupo('Centro', 12), grupo('Salgado', 90), grupo(null, 3)] } },
}
const open = (page: Page) => page.getByRole('button', { name: /^Território/ }).click()
const field = (page: Page, name: string) => page.getByRole('combobox', { name })

describe('The place of a filter', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('has the cases beside states and municipalities, as if nothing smaller were chosen', async () => {
    await using visited = await visit('/casos?municipio=2604106&periodo=sempre', { answers: ANSWERS })
    const { page, asked } = visited
    await page.getByText('4418822').waitFor()
    await open(page)
    await field(page, 'Território').fill('perna')
    await page.getByRole('option', { name: /Pernambuco.*48\.213 casos/ }).waitFor()
    await field(page, 'Território').fill('caru')
    await page.getByRole('option', { name: /Caruaru.*Município · PE · 1\.204 casos/ }).waitFor()
    const query = asked.find(({ name }) => name === FACETAS)?.query
    assert.deepEqual(
      ['campos', 'estado', 'municipio'].map((name) => query?.get(name)),
      ['estado,municipio', 'PE', null],
    )
  })

  it('can be a bairro of the municipality, the most frequent first, which ends with the municipality', async () => {
    await using visited = await visit('/casos?municipio=2604106&periodo=sempre', { answers: ANSWERS })
    const { page, asked } = visited
    await page.getByText('4418822').waitFor()
    await open(page)
    await field(page, 'Bairro').click()
    await page.getByRole('option', { name: 'Salgado' }).waitFor()
    assert.deepEqual(await page.getByRole('listbox').getByRole('option').allInnerTexts(), [
      'Salgado',
      'Centro',
    ])
    await page.getByRole('option', { name: 'Salgado' }).click()
    await page.getByRole('button', { name: 'Remover o filtro Bairro' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('bairro'), 'Salgado')
    assert.equal(asked.findLast(({ name }) => name === LIST)?.query.get('bairro'), 'Salgado')
    await open(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Pernambuco' }).click()
    await page.getByRole('button', { name: 'Remover o filtro Bairro' }).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('bairro'), null)
  })
})
