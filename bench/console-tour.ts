import type { Page } from 'playwright-core'

const ROUNDS = 5
const TYPED = '88120731'

/** Clicks and keys of one kind: how many, and the milliseconds from each slow one to its paint. The browser tells of none under 16 ms. */
export interface Interactions {
  kind: string
  performed: number
  slow: number[]
}

/** Goes to a screen as a link of the console does: the document stays, and with it what it notes. */
export async function go(page: Page, path: string, seen: string): Promise<void> {
  await page.evaluate(
    `(() => { const link = document.createElement('a'); link.href = ${JSON.stringify(path)}; document.querySelector('main').append(link); link.click(); link.remove() })()`,
  )
  await page.locator(seen).first().waitFor()
}

/** What people do most on painel, list, case and form, from a painel that is drawn. */
export async function tour(page: Page): Promise<Interactions[]> {
  const kinds = new Map<string, Interactions>()
  let performed = 0
  const press = async (key: string, times = 1) => {
    for (let i = 0; i < times; i++) await page.keyboard.press(key)
    performed += times
  }
  /** With the pointer at rest on it, as that of a person is; `Locator.click` would listen to the events whose time is measured. */
  const click = async (selector: string) => {
    await page.locator(selector).first().hover()
    await painted()
    await page.mouse.down()
    await page.mouse.up()
    performed += 1
  }
  /** Two frames and a little, after which the browser has told of every interaction before them. */
  const painted = () =>
    page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))',
    )
  const noted = async (kind: string, work: () => Promise<unknown>) => {
    performed = 0
    await work()
    await painted()
    const slow = (await page.evaluate(
      '(() => { const told = Object.values(interactions); interactions = {}; return told })()',
    )) as number[]
    const of = kinds.get(kind) ?? { kind, performed: 0, slow: [] }
    kinds.set(kind, { kind, performed: of.performed + performed, slow: [...of.slow, ...slow] })
  }
  const listed = () => page.locator('.answer:not(.stale) tbody tr').first().waitFor()
  const choose = async () => {
    await noted('open a filter', () => click('.filters button:has-text("Classificação")'))
    await page.locator('.popover :focus').waitFor()
    await noted('choose a value', () => press('ArrowDown'))
    await noted('close the filter', () => press('Escape'))
  }
  await page.evaluate('interactions = {}')
  for (let i = 0; i < ROUNDS; i++) {
    await choose()
    await page.locator('.answer:not(.stale) .curve').focus()
    await noted('move on the curve', () => press('ArrowRight', 8))
    await page.locator('.map').focus()
    await noted('move on the map', () => press('ArrowDown', 8))
    await noted('all places', () => click('.places-card button:has-text("Ver ")'))
  }
  await go(page, '/casos?periodo=12m', 'main tbody tr')
  for (let i = 0; i < ROUNDS; i++) {
    await choose()
    await listed()
    await noted('sort', () => click('thead a.order'))
    await listed()
    await noted('next page', () => click('.pager a[rel="next"]'))
    await listed()
    await page.locator('h1').focus()
    await noted('next row', () => press('j'))
    await noted('open a case', async () => {
      await press('Enter')
      await page.locator('h1:has-text("otificação")').waitFor()
    })
    await page.goBack()
    await listed()
  }
  await go(page, '/casos/novo', 'main form')
  for (let i = 0; i < ROUNDS; i++) {
    await page.getByRole('textbox', { name: 'Nº da notificação' }).focus()
    await noted('type in the form', async () => {
      for (const key of TYPED) await press(key)
      await press('Tab')
    })
  }
  return [...kinds.values()]
}
