import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { minimo } from '../contracts/b/casos-app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'

describe('Removal for good over the real service', { skip: noBrowser }, () => {
  it('ends a deleted case and a deactivated account, and leaves what was restored meanwhile', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const admin = await t.administrador()
    const api = t.as(admin)
    const caso = minimo()
    const { id } = (await api.post('/agravos/casos', caso)).body
    const path = `/agravos/casos/${id}`
    const exclude = () => api.delete(`${path}?motivo=engano`)
    await exclude()
    const pessoa = await t.person()
    await api.delete(`/usuarios/${pessoa.id}?motivo=saiu`)

    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const dialog = page.getByRole('dialog')
    const remove = async (word: string) => {
      await dialog.getByLabel('Motivo').fill('Ordem judicial')
      await dialog.getByLabel(/^Para confirmar/).fill(word)
      await dialog.getByRole('button', { name: 'Remover de vez' }).click()
    }
    await page.goto(`${origin}/casos/excluidos`)
    await signIn(page, admin.email)
    await page.getByRole('button', { name: 'Agora não' }).click()

    await page.getByRole('button', { name: `Remover de vez o caso ${caso.numero_notificacao}` }).click()
    assert.equal((await api.post(`${path}/restaurar`)).status, 200)
    assert.equal((await exclude()).status, 204)
    await remove(caso.numero_notificacao)
    await dialog.locator('.notice.error').waitFor()
    assert.equal((await api.get('/agravos/casos/excluidos')).body.total, 1, 'another version stays')
    await page.reload()
    await page.getByRole('button', { name: `Remover de vez o caso ${caso.numero_notificacao}` }).click()
    await remove(caso.numero_notificacao)
    await page.getByText(`Caso ${caso.numero_notificacao} removido de vez.`).waitFor()
    assert.equal((await api.get('/agravos/casos/excluidos')).body.total, 0)
    assert.equal((await api.post(`${path}/restaurar`)).status, 404)

    await page.goto(`${origin}/usuarios/${pessoa.id}`)
    await page.getByRole('button', { name: 'Remover de vez' }).click()
    await remove((await api.get(`/usuarios/${pessoa.id}`)).body.nome)
    await page.waitForURL(`${origin}/usuarios`)
    assert.equal((await api.get(`/usuarios/${pessoa.id}`)).status, 404)
  })
})
