import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, HEALTHY } from '../harness/console-page.ts'
import { ALERTAS, listed as alertasListed, WATCHER } from './alertas-answers.ts'
import { ALL as CASOS_RIGHTS, casosOf } from './casos-data.ts'
import { LIST as EVENTS_LIST, LISTED, MANAGES } from './epizootias-answers.ts'
import { ALL_GROUPS, ALL_USERS, ONE_USER } from './usuarios-answers.ts'
import { OPENED } from './webhooks-answers.ts'

const SCREENS: [path: string, primary: string, answers: Answers][] = [
  ['/casos', 'Novo caso', casosOf(CASOS_RIGHTS)],
  ['/epizootias', 'Nova epizootia', { ...MANAGES, [EVENTS_LIST]: LISTED }],
  ['/usuarios', 'Novo usuário', ALL_USERS],
]

/** Without a primary action in their head, or one that small screens have elsewhere: only their width is looked at. */
const MORE: [path: string, seen: string, answers: Answers][] = [
  ['/usuarios/31', '.case-side h2', ONE_USER],
  ['/grupos', '.matrix', ALL_GROUPS],
  ['/webhooks/wh_a1', '.deliveries tbody tr', OPENED],
  ['/alertas', 'tbody tr', { ...WATCHER, ...alertasListed(ALERTAS) }],
  ['/sistema', 'tbody tr', { ...ADMIN, ...HEALTHY }],
  ['/ajuda', '.glossary', ADMIN],
]

describe('The primary action of a screen', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const [path, primary, answers] of SCREENS)
    it(`comes first on a phone and last where there is room: ${path}`, async () => {
      for (const width of [360, 1440] as const) {
        await using visited = await visit(path, { answers, width })
        const actions = visited.page.locator('.head .actions').locator('a:visible, button:visible')
        await visited.page.locator('.head .actions .primary').waitFor()
        const inOrder = await actions.evaluateAll((all) =>
          all
            .map((one) => ({ name: one.textContent?.trim(), at: one.getBoundingClientRect() }))
            .toSorted((one, other) => one.at.top - other.at.top || one.at.left - other.at.left)
            .map(({ name }) => name),
        )
        assert.equal(inOrder.at(width === 360 ? 0 : -1), primary, inOrder.join(', '))
      }
    })
})

describe('A screen between a phone and a desk', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  /** Twice the size on 1440 px, and the least width with a rail. */
  const WIDTHS = [720, 761]

  const all = [
    ...SCREENS.map(([path, , answers]) => [path, '.head .actions .primary', answers] as const),
    ...MORE,
  ]
  for (const [path, seen, answers] of all)
    for (const locale of ['pt-BR', 'es-ES'])
      it(`never scrolls sideways: ${path}, ${locale}`, async () => {
        for (const width of WIDTHS) {
          await using visited = await visit(path, { answers, width, locale })
          const { page } = visited
          await page.locator(seen).first().waitFor()
          const beyond = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          assert.equal(beyond, 0, `${width} px`)
        }
      })
})
