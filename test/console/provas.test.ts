import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, HEALTHY, perfil } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { casosOf } from './casos-data.ts'
import { accepted, checked, IMPORTER, JOB, NO_JOBS, SEND } from './importacoes-answers.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'

const SESSAO = 'POST /api/v1/auth/sessao'
const ME = 'GET /api/v1/usuarios/me'
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

describe('The console beside its screens', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('leaves out a tab of a small screen that its reader may not open; the next moves up', async () => {
    for (const [permissoes, expected] of [
      [
        ['agravos.listar', 'agravos.importar', 'noticias.listar'],
        ['Casos', 'Importações'],
      ],
      [
        ['dashboard.visualizar', 'agravos.estatisticas', 'agravos.listar'],
        ['Painel', 'Casos'],
      ],
    ] as const) {
      const answers = { ...casosOf(), [ME]: perfil([...permissoes]) }
      await using visited = await visit('/ajuda', { answers, width: 360 })
      const tabs = visited.page.locator('nav.tabs')
      await tabs.waitFor()
      const texts = await tabs.locator('a, button').allInnerTexts()
      assert.deepEqual(texts.slice(0, 2), expected)
      assert.equal(texts.at(-1), 'Mais')
    }
  })

  it('is told in every tab that somebody signed in, and what they prefer', async () => {
    const answers = { ...ADMIN, ...HEALTHY, [SESSAO]: { body: {} } }
    await using visited = await visit('/ajuda', { answers, alone: true })
    const { page, origin } = visited
    await page.getByRole('heading', { name: 'Ajuda', exact: true }).waitFor()
    const other = await page.context().newPage()
    const signedIn = { isTrue: false }
    await other.route('**/api/v1/**', (route) => {
      const path = new URL(route.request().url()).pathname
      if (path.endsWith('/sessao')) signedIn.isTrue = true
      const status = path.endsWith('/me') && !signedIn.isTrue ? 401 : 200
      return route.fulfill({
        status,
        json: path.endsWith('/me') ? perfil(['admin'], true).body : { tipos: [] },
      })
    })
    await other.goto(`${origin}/entrar`)
    await page.evaluate("new BroadcastChannel('vigia').postMessage('saiu')")
    await page.getByRole('heading', { name: 'Entrar', exact: true }).waitFor()
    await other.getByLabel('E-mail').fill('ana@saude.example')
    await other.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    await other.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ajuda', exact: true }).waitFor()
    await page.getByLabel('Idioma').selectOption('es-ES')
    await eventually(async () =>
      assert.equal(await other.evaluate('document.documentElement.lang'), 'es-ES', 'in the other tab, too'),
    )
    await other.close()
  })

  it('copies the address of the painel, and a table as a spreadsheet takes it', async () => {
    const answers = { ...ADMIN, ...painelAnswers(painelAnswer('estado')) }
    await using visited = await visit('/painel?uf=PE', { answers, alone: true })
    const { page, origin } = visited
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copiar link' }).click()
    await page.getByText('Copiado').waitFor()
    assert.equal(await copied(page), `${origin}/painel?uf=PE`)
    const card = page.locator('.curve-card')
    await card.getByRole('button', { name: 'Tabela' }).click()
    await card.getByRole('button', { name: 'Copiar' }).click()
    await card.getByText('Copiado').waitFor()
    const [head, first] = (await copied(page)).split('\n')
    assert.deepEqual(head?.split('\t').slice(0, 2), ['Semana', 'Casos'])
    assert.match(String(first), /^SE \d+\t/)
  })

  it('takes a file that is dropped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vigia-'))
    const file = join(folder, 'DENGBR26_PE.csv')
    await writeFile(file, 'NU_NOTIFIC\r\n1\r\n')
    const answers = { ...IMPORTER, ...NO_JOBS, ...checked(), [SEND]: accepted(JOB) }
    await using visited = await visit('/importacoes/nova', { answers })
    const { page, asked } = visited
    const box = await page.locator('label.drop').boundingBox()
    assert.ok(box !== null)
    const cdp = await page.context().newCDPSession(page)
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await cdp.send('Input.dispatchDragEvent', {
        type,
        ...at,
        data: { items: [], files: [file], dragOperationsMask: 1 },
      })
    await page.waitForURL(`**/importacoes/nova?job=${JOB}`)
    assert.match(String(asked.find(({ name }) => name === SEND)?.body), /filename="DENGBR26_PE.csv"/)
    await rm(folder, { recursive: true })
  })

  it('prints the painel of the country and of a municipality light and on two pages in the dark theme, too', async () => {
    for (const [path, of] of [
      ['/painel', 'pais'],
      ['/painel?municipio=2611606', 'municipio'],
    ] as const) {
      const answers = { ...ADMIN, ...painelAnswers(painelAnswer(of)) }
      await using visited = await visit(path, { answers, dark: true })
      const { page } = visited
      await page.locator('.months-card').waitFor()
      await page.locator('.map canvas[role="img"]').waitFor()
      const pdf = await page.pdf({ preferCSSPageSize: true })
      assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 2, path)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const colour = (selector: string, property: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((one, name) => {
            const view = one.ownerDocument.defaultView as unknown as {
              getComputedStyle(of: unknown): Record<string, string>
            }
            return view.getComputedStyle(one)[name as string] as string
          }, property)
      assert.equal(await colour('body', 'backgroundColor'), 'rgb(255, 255, 255)')
      const ink = (await colour('.figure strong', 'color')).match(/\d+/g)?.map(Number) ?? []
      assert.ok(ink.length >= 3 && Math.max(...ink.slice(0, 3)) < 128, `dark ink on paper: ${ink}`)
    }
  })

  it('keeps the head of a long list in sight, and its first column', async () => {
    await using visited = await visit('/casos', { answers: casosOf() })
    const { page } = visited
    const cell = page.locator('.rows tbody [data-column="numero"]').last()
    await cell.waitFor()
    const shown = await page.evaluate<{ head: number; first: number; isScrolled: boolean }>(`(() => {
      const box = document.querySelector('.table-box')
      Object.assign(box.style, { maxHeight: '120px', maxWidth: '400px' })
      box.scrollTo(120, 80)
      const [at, head] = [box, box.querySelector('th')].map((one) => one.getBoundingClientRect())
      const first = box.querySelector('tbody [data-column="numero"]').getBoundingClientRect()
      return { head: head.top - at.top, first: first.left - at.left, isScrolled: box.scrollTop > 0 && box.scrollLeft > 0 }
    })()`)
    assert.equal(shown.isScrolled, true)
    assert.ok(Math.abs(shown.head) < 3 && Math.abs(shown.first) < 3, JSON.stringify(shown))
  })
})
