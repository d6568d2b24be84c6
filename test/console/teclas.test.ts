import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, perfil } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { DEFINIDOR } from './agravos-answers.ts'
import {
  CASES,
  decider,
  PARES,
  LIST as PARES_LIST,
  par,
  listed as paresListed,
} from './duplicidades-answers.ts'
import { DEFINES, ONE as ONE_SERIE, serie } from './series-answers.ts'
import { ALL_USERS, conta, GRUPOS, grupo, MANAGER_RIGHTS, ONE, ONE_USER } from './usuarios-answers.ts'
import { OPENED as WEBHOOK } from './webhooks-answers.ts'

const registering: Answers = {
  ...decider(['agravos.criar', 'agravos.listar']),
  [PARES_LIST]: paresListed([par()]),
  ...CASES,
}
const noticia = {
  ...{ id: 4, titulo: 'Casos caem', resumo: null, conteudo: 'Texto', fonte: null, url: null },
  ...{ publicado_em: '2026-11-13T12:00:00.000Z', criado_em: '2026-11-13T12:00:00.000Z' },
  atualizado_em: '2026-11-13T14:00:00.000Z',
}

/** Details, and the list that each is of. */
const DETAILS = [
  ['/usuarios/31', '/usuarios'],
  ['/grupos/4', '/grupos'],
  ['/webhooks/wh_a1', '/webhooks'],
  ['/noticias/4', '/noticias'],
  ['/importacoes/9', '/importacoes'],
  ['/boletins/7', '/boletins'],
  ['/series/chuva', '/series'],
  ['/series/importacoes/3', '/series/importacoes'],
  ['/epizootias/12', '/epizootias'],
  ['/epizootias/importacoes/3', '/epizootias/importacoes'],
  ['/contas-de-servico/9', '/contas-de-servico'],
] as const

/** Details that are edited in a dialogue: what tells that they are there. */
const EDITED: [path: string, answers: Answers, seen: string][] = [
  ['/usuarios/31', ONE_USER, 'Dados'],
  [
    '/grupos/4',
    { 'GET /api/v1/usuarios/me': perfil(MANAGER_RIGHTS), 'GET /api/v1/grupos/4': { body: grupo() } },
    'O que o grupo dá',
  ],
  ['/webhooks/wh_a1', WEBHOOK, 'Cadastro'],
  [
    '/noticias/4',
    {
      'GET /api/v1/usuarios/me': perfil(['noticias.listar', 'noticias.editar']),
      'GET /api/v1/noticias/4': { body: noticia },
    },
    'Casos caem',
  ],
  ['/series/temp_min_sem', { ...DEFINES, [ONE_SERIE]: { body: serie({ ultimo: null }) } }, 'Definição'],
]

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('Keys of the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('are taken by the screen before the frame: n on a pair decides, and registers no case', async () => {
    await using visited = await visit('/duplicidades/31', { answers: registering })
    const { page, origin } = visited
    await page.getByText('campos diferem.').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('textbox').waitFor()
    assert.equal(page.url(), `${origin}/duplicidades/31`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(page.url(), `${origin}/duplicidades/31`, 'Esc closes the dialogue alone')
  })

  it('share their sequences: the letter behind g is of the frame alone', async () => {
    const answers = { ...registering, [PARES_LIST]: [paresListed([par()]), paresListed(PARES)] }
    await using visited = await visit('/duplicidades/31', { answers })
    const { page, asked, origin } = visited
    await page.getByText('campos diferem.').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.waitForURL(`${origin}/duplicidades`)
    await page.locator('tbody tr').first().waitFor()
    assert.ok(!asked.some(({ query }) => query.has('escore[lte]')), 'no other pair was looked for')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const current = await page.locator('tr[aria-current]').innerText()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    assert.equal(await page.locator('tr[aria-current]').innerText(), current)
  })

  for (const [from, to] of DETAILS)
    it(`lead back to the list by Esc: ${from}`, async () => {
      await using visited = await visit(from, { answers: ADMIN })
      await visited.page.locator('main h1').waitFor()
      await visited.page.keyboard.press('Escape')
      await visited.page.waitForURL(`${visited.origin}${to}`)
    })

  it('close what is open before they lead back: a field, a panel, a summary, and leave no form', async () => {
    await using visited = await visit('/usuarios', {
      answers: { ...ALL_USERS, ...ONE_USER, [ONE]: { body: conta() } },
    })
    const { page, origin } = visited
    await page.locator('tbody tr td').nth(1).click()
    const beside = page.getByRole('complementary', { name: 'Ao lado da lista' })
    await beside.waitFor()
    await page.keyboard.press('Escape')
    await beside.waitFor({ state: 'detached' })
    await using series = await visit('/series/temp_min_sem', {
      answers: { ...DEFINES, [ONE_SERIE]: { body: serie({ ultimo: null }) } },
    })
    await series.page.getByRole('button', { name: 'Notificações', exact: true }).click()
    await series.page.locator(':popover-open').waitFor()
    await series.page.keyboard.press('Escape')
    await eventually(async () => assert.equal(await series.page.locator(':popover-open').count(), 0))
    assert.ok(series.page.url().startsWith(`${origin}/series/temp_min_sem`))
    await using disease = await visit('/agravos/novo', { answers: DEFINIDOR })
    await disease.page.getByLabel('Nome', { exact: true }).first().waitFor()
    await disease.page.locator('h1').focus()
    await disease.page.keyboard.press('Escape')
    assert.equal(disease.page.url(), `${origin}/agravos/novo`)
  })

  for (const [path, answers, seen] of EDITED)
    it(`edit a detail by e: ${path}`, async () => {
      await using visited = await visit(path, { answers: { ...answers, [GRUPOS]: { body: { grupos: [] } } } })
      const { page } = visited
      await page.locator('main').getByText(seen).first().waitFor()
      await page.keyboard.press('e')
      await page.locator('dialog[open] :is(input, textarea)').first().waitFor()
    })

  it('reach all of the frame on a window of 1366 x 768: the last entries, the account, and every command', async () => {
    await using visited = await visit('/ajuda', { answers: ADMIN })
    const { page } = visited
    await page.setViewportSize({ width: 1366, height: 640 })
    await heading(page, 'Ajuda')
    const rail = page.getByRole('navigation', { name: 'Principal' }).first()
    const isReached = (selector: string) => `(() => {
      const at = document.querySelector('${selector}')
      const { left, top, width, height } = at.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there !== null && at.contains(there)
    })()`
    assert.equal(await page.evaluate(isReached('.rail .me')), true)
    assert.equal(await page.evaluate(isReached('.rail a:last-of-type')), false, 'it is below')
    await rail.hover()
    await page.mouse.wheel(0, 2_000)
    await eventually(async () => assert.equal(await page.evaluate(isReached('.rail a:last-of-type')), true))
    await page.keyboard.press('Control+k')
    const options = page.getByRole('dialog').getByRole('option')
    await options.first().waitFor()
    const box = await page.locator('dialog').boundingBox()
    assert.ok((box?.y ?? 0) + (box?.height ?? 0) <= 640, 'the palette ends within the window')
    const isChosenSeen = isReached('[role=option][aria-selected=true]')
    for (let at = 0; at < (await options.count()); at++) {
      await page.keyboard.press('ArrowDown')
      assert.equal(await page.evaluate(isChosenSeen), true, `option ${at}`)
    }
  })
})
