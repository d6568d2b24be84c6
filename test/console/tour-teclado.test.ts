import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { csv, linha } from '../contracts/b/importacoes-app.ts'
import { PASSWORD } from '../harness/app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService } from '../harness/console-service.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'

const FILE = {
  name: 'semana.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(csv(linha(), linha(), linha())),
}

/** What has the focus: the name of its group, of its label, or its own; and whether it is seen to have it. */
const FOCUSED = `(() => {
  const at = document.activeElement
  const group = at.closest('[role=radiogroup]')?.getAttribute('aria-labelledby')
  const name = (group && document.getElementById(group).textContent) ||
    at.labels?.[0]?.textContent || at.getAttribute('aria-label') || at.textContent
  // Of a field inside of a frame, the frame shows it.
  const isSeen = at.type === 'file' || [at, at.closest(':focus-within:not(:focus)')].some(
    (one) => one && getComputedStyle(one).outlineStyle !== 'none')
  return { name: name.trim(), isSeen, isPage: at === document.body }
})()`

/** Tab until something of this name has the focus; whatever is on the way must be seen to have it. */
async function tabTo(page: Page, name: string, limit = 80): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < limit; steps++) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(FOCUSED)) as { name: string; isSeen: boolean; isPage: boolean }
    assert.ok(at.isSeen || at.isPage, `the focus is not seen on ${at.name}`)
    if (at.name.startsWith(name)) return
    passed.push(at.name.slice(0, 30))
  }
  assert.fail(`no way by Tab to ${name}: ${passed.join(' | ')}`)
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('A day with the console by keyboard alone', { skip: noBrowser }, () => {
  it('goes from an empty service over its first case and file to the sign-out', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const admin = await t.administrador()
    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const { keyboard } = page
    const go = async (key: string, name: string | RegExp) => {
      await keyboard.press('g')
      await keyboard.press(key)
      await heading(page, name)
      // The heading of a new screen takes the focus: Tab begins behind it.
      await page.locator('h1:focus').waitFor()
    }

    await page.goto(origin)
    await page.getByLabel('E-mail').waitFor()
    await keyboard.type(admin.email)
    await keyboard.press('Tab')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await heading(page, 'Ative o segundo fator')
    await tabTo(page, 'Agora não')
    await keyboard.press('Enter')

    await heading(page, /^Dengue no Brasil/)
    await page.getByText('npm run demo').waitFor()
    await tabTo(page, 'Registrar um caso')
    await keyboard.press('Enter')

    await heading(page, 'Novo caso')
    await page.locator('h1:focus').waitFor()
    await tabTo(page, 'Agravo')
    await keyboard.type('Dengue')
    await tabTo(page, 'Nº da notificação', 1)
    await keyboard.type('4418823')
    await tabTo(page, 'Data da notificação', 1)
    await keyboard.type('hoje')
    await tabTo(page, 'Início dos sintomas')
    await keyboard.type('hoje')
    await tabTo(page, 'Nome do paciente')
    await keyboard.type('Maria Plantada')
    await tabTo(page, 'Sexo')
    await keyboard.type('F')
    await tabTo(page, 'Município de residência')
    await keyboard.type('reci')
    await page.getByRole('option', { name: /^Recife/ }).waitFor()
    await tabTo(page, 'UF de residência', 1)
    await keyboard.press('Control+s')
    await page.waitForURL(/\/casos\/\d+$/)
    await heading(page, 'Dengue, notificação 4418823')

    await go('p', /^Dengue no Brasil/)
    await tabTo(page, 'Território')
    await keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Território' }).waitFor()
    await keyboard.type('recife')
    await page.getByRole('option', { name: /^Recife Munic/ }).waitFor()
    await keyboard.press('Enter')
    await page.waitForURL(/municipio=2611606/)
    await heading(page, /^Dengue em Recife/)

    await go('c', 'Casos')
    await page.locator('tbody tr').first().waitFor()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await heading(page, 'Dengue, notificação 4418823')

    await go('i', 'Importações')
    const choosing = page.waitForEvent('filechooser')
    await page.getByText('Nenhuma importação ainda').waitFor()
    await tabTo(page, 'Importar arquivo')
    await keyboard.press('Enter')
    const input = page.locator('input[type=file]')
    await input.waitFor()
    await page.locator('h1:focus').waitFor()
    for (let tabs = 0; !(await input.evaluate((one) => one === one.ownerDocument.activeElement)); tabs++) {
      assert.ok(tabs < 40, 'the file field is reached by Tab')
      await keyboard.press('Tab')
    }
    await keyboard.press('Enter')
    await (await choosing).setFiles(FILE)
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByRole('link', { name: 'Continuar para a conferência' }).waitFor()
    await tabTo(page, 'Continuar para a conferência')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Importar 3 casos' }).waitFor()
    await tabTo(page, 'Importar 3 casos')
    await keyboard.press('Enter')
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('3 casos novos').first().waitFor()
    assert.equal((await t.as(admin).get('/agravos/casos?size=1')).body.total, 4)

    await go('u', 'Usuários')
    await page.getByRole('link', { name: 'Administrador' }).first().waitFor()
    await tabTo(page, 'Administrador')
    await keyboard.press('Enter')
    await heading(page, 'Administrador')

    await keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Tela/ }).waitFor()
    await keyboard.type('Sair')
    await page.getByRole('option', { name: 'Sair' }).waitFor()
    await keyboard.press('Enter')
    await page.getByLabel('E-mail').waitFor()
    await eventually(async () => assert.deepEqual(await context.cookies(), []))
  })
})
