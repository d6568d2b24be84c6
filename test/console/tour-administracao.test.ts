import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { goTo, heading, leaveByPalette, tabTo, typeSignIn } from '../harness/console-keys.ts'
import { consoleService } from '../harness/console-service.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'
import { fromBase32, STEP, totp } from '../harness/totp.ts'

describe('A day of an administrator by keyboard alone', { skip: noBrowser }, () => {
  it('goes over the second factor, people, rights, webhooks, news, audit and account, and in again with a code', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const admin = await t.administrador()
    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const { keyboard } = page
    const press = async (name: string) => {
      await tabTo(page, name)
      await keyboard.press('Enter')
    }
    const write = async (name: string, text: string) => {
      await tabTo(page, name)
      await keyboard.type(text)
    }
    const tick = async (name: string) => {
      await tabTo(page, name, 200)
      await keyboard.press('Space')
    }
    const dialog = page.getByRole('dialog')

    await typeSignIn(page, origin, admin.email)
    await heading(page, 'Ative o segundo fator')
    await press('Começar')
    const secret = (await page.locator('.codes code').first().textContent()) as string
    const code = () => totp(fromBase32(secret), t.clock.now().getTime())
    await tick('Guardei os códigos de reserva')
    await write('Código do aplicativo', code())
    await keyboard.press('Enter')
    await heading(page, /^Dengue no Brasil/)

    await goTo(page, 'r', 'Grupos')
    await page.getByRole('checkbox', { name: 'Listar e ver usuários, para visualizador' }).waitFor()
    await press('Novo grupo')
    await dialog.getByLabel('Nome', { exact: true }).waitFor()
    await keyboard.type('plantao')
    await tick('Exigir segundo fator')
    await press('Criar grupo')
    await heading(page, 'plantao')
    await goTo(page, 'r', 'Grupos')
    await page.getByRole('checkbox', { name: 'Listar e ver usuários, para plantao' }).waitFor()
    await tabTo(page, 'Listar e ver usuários, para admin')
    // Past analista and gestor.
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Space']) await keyboard.press(key)
    await tabTo(page, 'Conferir e salvar', 2)
    await keyboard.press('Enter')
    await dialog.getByText('ganha: Listar e ver usuários').waitFor()
    await press('Salvar')
    await page.getByText('Alterações salvas.').waitFor()

    await goTo(page, 'u', 'Usuários')
    await press('Novo usuário')
    await dialog.getByLabel('Nome', { exact: true }).waitFor()
    await keyboard.type('Elisa Rocha')
    await write('E-mail', 'elisa@saude.example')
    await tick('plantao')
    await press('Criar conta')
    await dialog.getByText('o convite vai para elisa@saude.example').waitFor()
    await press('Abrir a conta')
    await heading(page, 'Elisa Rocha')
    await page.getByText('Precisa ativar o segundo fator ao entrar').waitFor()
    await page.locator('h1:focus').waitFor()
    await press('Desativar')
    await dialog.getByText('A conta sai de 1 grupo.').waitFor()
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await goTo(page, 'w', 'Webhooks')
    await page.getByText('Nenhum webhook ainda').waitFor()
    await press('Novo webhook')
    await dialog.getByLabel('Endereço').waitFor()
    await write('Endereço', 'https://lab.saude.example/vigia')
    await tick('Caso registrado')
    await press('Cadastrar')
    await dialog.getByText('whsec_').waitFor()
    await press('Guardei')
    await page.waitForURL(/\/webhooks\/wh_/)
    await heading(page, 'Webhook')
    await page.locator('h1:focus').waitFor()
    await press('Pausar')
    await page.getByText('Pausado', { exact: true }).waitFor()

    await goTo(page, 'n', 'Notícias')
    await press('Publicar notícia')
    await dialog.getByLabel('Título').waitFor()
    await keyboard.type('Vacinação começa na segunda-feira')
    await write('Texto', 'Em todos os postos.')
    await press('Publicar')
    await page.waitForURL(/\/noticias\/\d+$/)

    await goTo(page, 'a', 'Auditoria')
    await page.getByText(/publicou a notícia/).waitFor()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.getByText('noticia.criada').waitFor()

    await goTo(page, 's', 'Sistema')
    await page.getByText('Tudo funciona').waitFor()
    await goTo(page, 'l', 'Alertas')
    await goTo(page, 'b', 'Boletins')
    await keyboard.press('?')
    await heading(page, 'Ajuda')
    await tabTo(page, 'Tema')
    await keyboard.type('Escuro')
    await eventually(async () =>
      assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark'),
    )

    await leaveByPalette(page)
    service.advance(2 * STEP)
    await typeSignIn(page, origin, admin.email)
    await page.getByLabel('Código', { exact: true }).waitFor()
    await keyboard.type(code())
    await keyboard.press('Enter')
    await heading(page, /^Dengue no Brasil/)
    assert.equal(new URL(page.url()).pathname, '/painel')
  })
})
