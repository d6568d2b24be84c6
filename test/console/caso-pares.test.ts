import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { casosOf } from './casos-data.ts'
import { CASES, decider, LIST, listed, MERGED, OTHER_PERSON, par } from './duplicidades-answers.ts'

const PARES = 'GET /api/v1/agravos/casos/7/duplicidades'
const FUSOES = 'GET /api/v1/agravos/fusoes'
const OTHER = 'GET /api/v1/agravos/casos/8'

const fusao = (id: number, absorvido: { id: number; numero_notificacao: string }) => ({
  ...{ id, absorvido },
  principal: { id: 7, numero_notificacao: '4418827' },
  tipo_agravo: 'dengue',
  campos_alterados: [],
  feita_em: '2026-11-14T14:30:00.000Z',
  feita_por: null,
  desfeita_em: null,
  desfeita_por: null,
})
const FUSAO = fusao(9, { id: 8, numero_notificacao: '4418830' })
const pares = (...duplicidades: object[]) => ({ body: { total: duplicidades.length, duplicidades } })

const BOTH: Answers = {
  ...decider(),
  ...CASES,
  [PARES]: pares(par(), OTHER_PERSON, { ...MERGED, id: 40 }),
  [FUSOES]: listed([FUSAO, fusao(10, { id: 12, numero_notificacao: '4418840' })]),
}
const NEITHER: Answers = { ...BOTH, [PARES]: pares(), [FUSOES]: listed([]) }
const ABSORBED: Answers = { ...BOTH, [OTHER]: refusal(404, 'NOT_FOUND'), [FUSOES]: listed([FUSAO]) }

const VIEWS: View[] = [
  { name: 'caso-pares', picture: true, path: '/casos/7', answers: BOTH, seen: 'Fundido neste caso:' },
  { name: 'caso-absorvido', path: '/casos/8', answers: ABSORBED, seen: /foi fundida com a 4418827/ },
  {
    name: 'caso-pares-erro',
    path: '/casos/7',
    answers: { ...BOTH, [PARES]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'mensagem VALIDATION_ERROR',
  },
]

describe('Pairs on the screen of a case', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('lead to undecided ones, and to merges where they can be undone', async () => {
    await using visited = await visit('/casos/7', { answers: { ...BOTH, [LIST]: listed([par()]) } })
    const { page, asked } = visited
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Duplicidades' }) })
    await card.waitFor()
    const links = await card.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    assert.deepEqual(links, ['/duplicidades/31', '/duplicidades/40', '/casos/7/fundir?com=12'])
    assert.match(
      String(asked.find(({ name }) => name === FUSOES)?.query),
      /^principal_id=7&desfeita=false&size=50$/,
    )
    await card.getByRole('link', { name: 'Comparar com a 4418830' }).click()
    await page.waitForURL('**/duplicidades/31')
  })

  it('are not told where there are none, nor asked for without the right', async () => {
    for (const answers of [NEITHER, casosOf()]) {
      await using visited = await visit('/casos/7', { answers })
      const { page, asked } = visited
      await page.getByRole('heading', { name: 'Histórico' }).waitFor()
      const isAsked = answers === NEITHER
      await eventually(() =>
        assert.equal(asked.filter(({ name }) => name === PARES || name === FUSOES).length, isAsked ? 2 : 0),
      )
      assert.equal(await page.getByRole('heading', { name: 'Duplicidades' }).count(), 0)
    }
  })

  it('lead from an absorbed case to the one that remained', async () => {
    await using visited = await visit('/casos/8', { answers: ABSORBED })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Abrir o caso que ficou: notificação 4418827' }).click()
    await page.waitForURL('**/casos/7')
    assert.match(
      String(asked.filter(({ name }) => name === FUSOES)[1]?.query),
      /^absorvido_id=8&desfeita=false/,
    )
  })

  it('say that a case is missing where no merge absorbed it', async () => {
    const answers = { ...ABSORBED, [FUSOES]: listed([]) }
    await using visited = await visit('/casos/8', { answers })
    await visited.page.getByText('Este caso não existe').waitFor()
  })
})
