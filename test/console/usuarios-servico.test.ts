import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, type Person } from '../harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { type ConsoleService, consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'
import { fromBase32, totp } from '../harness/totp.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Users and groups against the real service: what the stubbed screens take for granted is what it answers. */
describe('People over the real service', { skip: noBrowser }, () => {
  let service: ConsoleService
  let browser: TestBrowser
  let gestor: Person
  before(async () => {
    service = await consoleService({ RATE_LIMITS: 'on' })
    browser = await openBrowser()
    gestor = await service.t.person({ grupos: ['gestor'] })
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function open(path: string): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    context.setDefaultTimeout(HANG_MS)
    const page = await context.newPage()
    await page.goto(`${service.origin}${path}`)
    return page
  }

  async function enter(email: string, path: string): Promise<Page> {
    const page = await open(path)
    await signIn(page, email)
    return page
  }

  it('are invited, choose their password by the mail, and turn on the second factor that their group requires', async () => {
    const page = await enter(gestor.email, '/grupos')
    await press(page, 'Novo grupo')
    await page.getByRole('dialog').getByLabel('Nome', { exact: true }).fill('com_fator')
    await page.getByLabel('Exigir segundo fator').check()
    await press(page, 'Criar grupo')
    await page.getByRole('heading', { name: 'com_fator' }).waitFor()

    await page.getByRole('link', { name: 'Usuários' }).first().click()
    await press(page, 'Novo usuário')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nome', { exact: true }).fill('Elisa Rocha')
    await dialog.getByLabel('E-mail', { exact: true }).fill('elisa@saude.example')
    await dialog.getByLabel('com_fator', { exact: true }).check()
    await press(page, 'Criar conta')
    await dialog.getByText('A conta existe, e o convite vai para elisa@saude.example.').waitFor()
    await dialog.getByRole('link', { name: 'Abrir a conta' }).click()
    await page.getByText('Precisa ativar o segundo fator ao entrar').waitFor()
    await page.getByRole('button', { name: 'Enviar convite de novo' }).waitFor()

    await service.t.mailWorker.runOnce()
    const mail = service.t.mails.find(({ to }) => to === 'elisa@saude.example')
    const [, token] = /#token=([\w-]+)/.exec(mail?.text ?? '') ?? []
    const elisa = await open(`/redefinir-senha#token=${token}`)
    await elisa.getByLabel('Nova senha', { exact: true }).fill(PASSWORD)
    await elisa.getByLabel('Repita a nova senha').fill(PASSWORD)
    await press(elisa, 'Salvar nova senha')
    await elisa.getByText(/^Sua senha foi alterada/).waitFor()

    await elisa.goto(`${service.origin}/entrar`)
    await signIn(elisa, 'elisa@saude.example')
    await press(elisa, 'Começar')
    await elisa.getByRole('img', { name: 'Código QR com o segredo' }).waitFor()
    const secret = (await elisa.locator('.codes code').first().textContent()) as string
    await elisa.getByLabel('Guardei os códigos de reserva').check()
    await elisa
      .getByLabel('Código do aplicativo')
      .fill(totp(fromBase32(secret), service.t.clock.now().getTime()))
    await press(elisa, 'Ativar segundo fator')
    await elisa.getByRole('heading', { name: 'Ajuda' }).waitFor()

    await page.reload()
    await page.getByText('Ativado; restam 10 códigos de reserva').waitFor()
    await press(page, 'Encerrar segundo fator')
    await page.getByRole('dialog').getByRole('button', { name: 'Encerrar segundo fator' }).click()
    await page.getByText('Encerrado; 1 sessão terminou.').waitFor()
    await page.getByText('Segundo fator encerrado por outra pessoa').waitFor()
    await page.context().close()
    await elisa.context().close()
  })

  it('gain and lose what their group gives, and are deactivated with the effect that was told', async () => {
    const ana = await service.t.person({ grupos: ['visualizador'] })
    const page = await enter(gestor.email, '/grupos')
    const cell = page.getByRole('checkbox', { name: 'Registrar casos, para visualizador', exact: true })
    await cell.check()
    await press(page, 'Conferir e salvar')
    await page.getByText('ganha: Registrar casos').waitFor()
    await press(page, 'Salvar')
    await page.getByText('Alterações salvas.').waitFor()
    assert.equal(await cell.isChecked(), true)

    await page.goto(`${service.origin}/usuarios/${ana.id}`)
    const row = page.getByRole('row', { name: /^Registrar casos/ })
    await row.getByText('Grupo visualizador').waitFor()
    await press(page, 'Alterar território')
    await page.getByRole('combobox', { name: 'Incluir um lugar' }).fill('recife')
    await page.getByRole('option', { name: /^Recife.*Município/ }).click()
    await press(page, 'Salvar')
    await page.getByText('Recife (PE)').first().waitFor()

    await press(page, 'Desativar')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 sessão é encerrada.').waitFor()
    await dialog.getByText('A conta sai de 1 grupo.').waitFor()
    await dialog.getByLabel('Motivo').fill('Mudou de secretaria')
    await dialog.getByRole('button', { name: 'Desativar' }).click()
    await page.getByText('Conta desativada.').waitFor()
    await press(page, 'Reativar')
    await page.getByText(/^Conta reativada/).waitFor()
    await page.context().close()
  })

  it('have another limit of requests from the next one on, as an administrator chose it', async () => {
    const admin = await service.t.person({ grupos: ['admin'] })
    const maquina = await service.t.person()
    const limitOf = async () => (await service.t.as(maquina).get('/usuarios/me')).headers['x-ratelimit-limit']
    const before = await limitOf()
    const page = await enter(admin.email, `/usuarios/${maquina.id}`)
    await press(page, 'Alterar limite')
    await page.getByRole('radio', { name: /^Premium/ }).check()
    await page.getByText('De 50 para 200 pedidos por minuto, e de 1.000 para 10.000 por hora.').waitFor()
    await press(page, 'Salvar')
    await page.getByText('Alterações salvas.').waitFor()
    await page.getByText('200 pedidos por minuto, 10.000 por hora').waitFor()
    assert.deepEqual([before, await limitOf()], ['50', '200'])
    await page.context().close()
  })

  it('are found by every filter of the list', async () => {
    const locked = await service.t.person()
    for (let tries = 0; tries < 5; tries++)
      await service.t.anonymous.post('/auth/login', { email: locked.email, senha: 'Errada#Senha1' })
    const page = await enter(gestor.email, '/usuarios?situacao=bloqueadas&fator=sem&acesso=nunca')
    await page.getByText('1 conta neste filtro.').waitFor()
    await page.getByText(locked.email).waitFor()
    await page.getByRole('searchbox').fill('ninguém assim')
    await page.getByText('Nenhuma conta neste filtro.').waitFor()
    await page.context().close()
  })
})
