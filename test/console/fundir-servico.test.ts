import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { minimo } from '../contracts/b/casos-app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'

describe('A merge that nobody proposed over the real service', { skip: noBrowser }, () => {
  it('begins at a case, takes one of the two out of the counts, and is undone at the same place', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const admin = await t.administrador()
    const api = t.as(admin)
    const caso = minimo()
    assert.equal((await api.post('/agravos/casos', caso)).status, 201)
    const other = (await api.post('/agravos/casos', minimo())).body

    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.goto(`${origin}/casos/${other.id}`)
    await signIn(page, admin.email)
    await press('Agora não')

    await page.getByRole('link', { name: 'Fundir com outro caso…' }).click()
    await page.getByLabel('Número da outra notificação').fill(caso.numero_notificacao)
    await press('Procurar')
    await press('Fundir…')
    await press('Ver o que vai acontecer')
    await press('Fundir')
    await page.getByText(/A fusão pode ser desfeita aqui/).waitFor()
    assert.equal((await api.get('/agravos/casos')).body.total, 1)
    await press('Desfazer a fusão…')
    await press('Desfazer')
    await page.getByText('Lado a lado').first().waitFor()
    assert.equal((await api.get('/agravos/casos')).body.total, 2)
  })
})
