import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { CASO, casosOf, identified } from './casos-data.ts'

const ACESSOS = 'GET /api/v1/agravos/casos/7/acessos'
const acesso = (id: number, more: object = {}) => ({
  ...{ id, acao: 'caso.identificado', motivo: null },
  data: '2026-11-14T12:00:00.000Z',
  usuario: { id: 9, nome: 'Carlos Teixeira' },
  ...more,
})
const listed = (items: object[], total = items.length) => ({
  body: { total, page: 1, size: 20, pages: 1, items, links: {}, meta: {} },
})
const READ: Answers = {
  ...casosOf(),
  [ACESSOS]: listed([acesso(2, { motivo: 'Visita domiciliar' }), acesso(1, { usuario: null })], 40),
}
const unfold = (page: Page) => page.getByText('Quem viu o paciente').click()
const ask = (page: Page) => page.getByRole('button', { name: 'Identificar paciente' }).click()

const VIEWS: View[] = [
  {
    name: 'caso-identificar',
    picture: true,
    path: '/casos/7',
    answers: READ,
    act: ask,
    seen: 'Motivo (opcional)',
  },
  {
    name: 'caso-acessos',
    path: '/casos/7',
    answers: READ,
    act: unfold,
    seen: 'As 2 leituras mais recentes, de 40.',
  },
  {
    name: 'caso-acessos-nenhum',
    path: '/casos/7',
    answers: { ...READ, [ACESSOS]: listed([]) },
    act: unfold,
    seen: 'Ninguém viu os dados do paciente deste caso.',
  },
  {
    name: 'caso-acessos-erro',
    path: '/casos/7',
    answers: { ...READ, [ACESSOS]: refusal(422, 'VALIDATION_ERROR') },
    act: unfold,
    seen: 'pedido-0001',
  },
]

describe('Readings of a patient', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('are asked for when they are unfolded, and told with their reasons', async () => {
    await using visited = await visit('/casos/7', { answers: READ })
    const { page, asked } = visited
    await page.getByText('Quem viu o paciente').waitFor()
    assert.equal(asked.filter(({ name }) => name === ACESSOS).length, 0)
    await unfold(page)
    await page.getByText('Motivo: Visita domiciliar').waitFor()
    await page.getByText('Conta que não existe mais', { exact: true }).waitFor()
    assert.equal(String(asked.find(({ name }) => name === ACESSOS)?.query), 'size=20')
  })

  it('are not offered to those who neither edit cases nor read the audit', async () => {
    await using visited = await visit('/casos/7', { answers: casosOf(['agravos.listar']) })
    await visited.page.getByRole('heading', { name: 'Histórico' }).waitFor()
    assert.equal(await visited.page.getByText('Quem viu o paciente').count(), 0)
  })

  it('begin with a reason, which may be left out', async () => {
    await using visited = await visit('/casos/7', { answers: { ...READ, [CASO]: { body: identified() } } })
    const { page, asked } = visited
    const reasons = () =>
      asked
        .filter(({ name, query }) => name === CASO && query.get('identificado') === 'true')
        .map(({ query }) => query.get('motivo'))
    for (const motivo of ['', '  Visita domiciliar ']) {
      await ask(page)
      await page.getByLabel('Motivo (opcional)').fill(motivo)
      await page.getByRole('dialog').getByRole('button', { name: 'Mostrar' }).click()
      await page.getByRole('button', { name: 'Esconder agora' }).click()
    }
    assert.deepEqual(reasons(), [null, 'Visita domiciliar'])
  })
})
