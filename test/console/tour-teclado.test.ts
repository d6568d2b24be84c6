import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csv, linha } from '../contracts/b/importacoes-app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { goTo, heading, leaveByPalette, tabTo, typeSignIn } from '../harness/console-keys.ts'
import { consoleService } from '../harness/console-service.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'

const FILE = {
  name: 'semana.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(csv(linha(), linha(), linha())),
}

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
    const go = (key: string, name: string | RegExp) => goTo(page, key, name)

    await typeSignIn(page, origin, admin.email)
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
    await page.locator('h1:focus').waitFor()
    await tabTo(page, 'Editar')
    await keyboard.press('Enter')
    await heading(page, 'Editar notificação 4418823')
    await page.locator('h1:focus').waitFor()
    await tabTo(page, 'Bairro', 120)
    await keyboard.type('Boa Vista')
    await keyboard.press('Control+s')
    await page.waitForURL(/\/casos\/\d+$/)
    await page.locator('.history').getByText('Boa Vista').waitFor()

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

    await leaveByPalette(page)
    await eventually(async () => assert.deepEqual(await context.cookies(), []))
  })
})
