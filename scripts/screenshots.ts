// Makes the pictures of the README (docs/pictures) from demo data: `npm run screenshots`. Another demo of the same day looks the same.
//
//   npm run screenshots -- <data folder>     one that a demo has filled already, with ADMIN_PASSWORD as it was then
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { dateInBrazil } from '../src/brasil/calendar.ts'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { fileOf } from '../src/demo/file.ts'
import { notificacoesDaSemana } from '../src/demo/notificacoes.ts'
import { launchBrowser, noBrowser } from '../test/harness/browser.ts'
import { dataFolder } from '../test/process/service.ts'

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const CASES = '60000'
const EMAIL = 'admin@vigia.local'
const MOST_BYTES = 200 * 1_024
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }

interface Picture {
  name: string
  path: string
  size?: typeof WIDE
  dark?: boolean
  /** Leads from the opened page to what is pictured. */
  act?(page: Page): Promise<unknown>
  /** Stands when the picture may be taken. */
  seen: string
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()
const map = '.map-card canvas'

const PICTURES: Picture[] = [
  { name: 'painel', path: '/painel?uf=PE', seen: map },
  { name: 'painel-escuro', path: '/painel', dark: true, seen: map },
  { name: 'painel-celular', path: '/painel?uf=PE', size: PHONE, seen: '.figures' },
  {
    name: 'mapa',
    path: '/painel?uf=PE',
    act: async (page) => {
      await page.locator('.map-card').getByText('Alerta', { exact: true }).click()
      await page.evaluate('document.querySelector(".map-card").scrollIntoView({ block: "center" })')
    },
    seen: map,
  },
  { name: 'casos', path: '/casos?uf=PE', seen: 'tbody tr' },
  {
    name: 'caso',
    path: '/casos?municipio=2611606&evolucao=cura',
    act: (page) => page.locator('tbody tr a').first().click(),
    seen: '.timeline',
  },
  { name: 'alertas', path: '/alertas', seen: 'tbody tr' },
  {
    name: 'permissoes',
    path: '/grupos',
    act: (page) => page.locator('.matrix').scrollIntoViewIfNeeded(),
    seen: '.matrix',
  },
  { name: 'importacao', path: '/importacoes/nova', act: checkFile, seen: '.sum dd' },
]

/** The file of another week, up to its check. */
async function checkFile(page: Page): Promise<void> {
  const casos = notificacoesDaSemana(await loadMunicipios(), { seed: 2, until: dateInBrazil(new Date()) })
  const pieces: Buffer[] = []
  for await (const piece of fileOf(casos).content()) pieces.push(piece)
  await page.locator('input[type=file]').setInputFiles({
    name: 'notificacoes-da-semana.csv',
    mimeType: 'text/csv',
    buffer: Buffer.concat(pieces),
  })
  await link(page, 'Continuar para a conferência')
}

async function signIn(browser: Browser, url: string, senha: string): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(`${url}/entrar`)
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Senha', { exact: true }).fill(senha)
  await page.keyboard.press('Enter')
  const later = page.getByRole('button', { name: 'Agora não' })
  await later.or(page.locator('.me').first()).first().waitFor()
  if (await later.isVisible()) await later.click()
  await page.locator('.me').first().waitFor()
  return page
}

async function take(page: Page, url: string, picture: Picture): Promise<void> {
  const { name, path, size = WIDE, dark = false, act, seen } = picture
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  await page.goto(`${url}${path}`)
  await page.locator('main').first().waitFor()
  await act?.(page)
  await page.locator(seen).first().waitFor()
  // Comes last, and would be on some of the pictures by chance.
  await page.locator('.live.on').waitFor()
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  const png = await sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    .png({ palette: true, colours: 128, dither: 0, compressionLevel: 9, effort: 10 })
    .toBuffer()
  if (png.length > MOST_BYTES) throw new Error(`${name}.png has ${png.length} bytes`)
  await writeFile(join(FOLDER, `${name}.png`), png)
  console.log(`${name}.png ${Math.round(png.length / 1_024)} KB`)
}

if (noBrowser) throw new Error(noBrowser)
const [given] = process.argv.slice(2)
await using opened = new AsyncDisposableStack()
const folder = await dataFolder({ after: (done) => opened.defer(done) })
const senha = process.env.ADMIN_PASSWORD ?? 'Passeio#2026'
const env = { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: senha, ...(given !== undefined && { DATA_DIR: given }) }
if (given === undefined) {
  const { code, stderr } = await folder.run(['demo', CASES], env)
  if (code !== 0) throw new Error(stderr)
}
const service = await folder.start(env)
opened.defer(async () => {
  await service.stop()
})
const browser = await launchBrowser()
opened.defer(() => browser.close())
await mkdir(FOLDER, { recursive: true })
const page = await signIn(browser, service.url, senha)
for (const picture of PICTURES) await take(page, service.url, picture)
