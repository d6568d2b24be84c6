import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { type ConsoleService, consoleService, signIn } from '../harness/console-service.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'
import { inspectPage } from '../harness/inspection.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()
const CHANGED = 'Alguém alterou este registro'
const comparison = (page: Page) => page.getByRole('dialog', { name: CHANGED })
/** One field of the comparison. */
const row = (page: Page, name: string) => comparison(page).getByRole('group', { name, exact: true })

/** Two administrators at the same record, of the real service: one at the console, the other by the API meanwhile. */
describe('A record that somebody else changed meanwhile', { skip: noBrowser }, () => {
  let service: ConsoleService
  let browser: TestBrowser
  let page: Page
  let admin: Person
  before(async () => {
    service = await consoleService()
    browser = await openBrowser()
    admin = await service.t.administrador()
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    context.setDefaultTimeout(HANG_MS)
    page = await context.newPage()
    await page.goto(`${service.origin}/grupos`)
    await signIn(page, admin.email)
    await press(page, 'Agora não')
    await page.getByRole('heading', { name: 'Grupos', level: 1 }).waitFor()
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const open = async (path: string, button: string) => {
    await page.goto(`${service.origin}${path}`)
    await press(page, button)
  }
  const field = (label: string) => page.getByRole('dialog').last().getByLabel(label, { exact: true })
  const meanwhile = async (path: string, body: object) => {
    const answer = await service.t.as(admin).put(path, body)
    assert.equal(answer.status, 200, answer.text)
  }
  const read = async (path: string) => (await service.t.as(admin).get(path)).body
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await service.t.as(admin).post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return `${path}/${answer.body.id}`
  }
  const permissoes = async (...nomes: string[]): Promise<number[]> => {
    const all: { id: number; nome: string }[] = Object.values(
      (await read('/permissoes')).categorias,
    ).flat() as never
    return nomes.map((nome) => all.find((one) => one.nome === nome)?.id as number)
  }

  it('of a group: what both changed is chosen, what one changed stays, and a second change is compared anew', async () => {
    const path = await made('/grupos', { nome: 'vigilancia', descricao: 'Antes' })
    await open(path, 'Editar grupo')
    await field('Nome').fill('vigilancia_norte')
    await field('Descrição').fill('A minha')
    await meanwhile(path, { descricao: 'A de outra pessoa', exige_mfa: true })
    await press(page, 'Salvar')

    await row(page, 'Descrição').getByText('A minha').waitFor()
    await row(page, 'Descrição').getByText('A de outra pessoa').waitFor()
    await row(page, 'Descrição').getByText('Era: Antes').waitFor()
    await comparison(page).getByText('Exigir segundo fator').waitFor()
    // Administrators read the audit.
    await comparison(page)
      .getByText(/^Administrador salvou outra versão em \d/)
      .waitFor()
    await inspectPage(page, 'conflito-grupo')
    // Nothing was sent, and nothing typed is lost.
    assert.equal((await read(path)).descricao, 'A de outra pessoa')
    await press(page, 'Voltar ao formulário')
    assert.equal(await field('Descrição').inputValue(), 'A minha')

    await meanwhile(path, { descricao: 'Uma terceira' })
    await press(page, 'Salvar')
    await row(page, 'Descrição').getByText('Uma terceira').waitFor()
    await row(page, 'Descrição')
      .getByLabel(/O que está salvo/)
      .check()
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Alterações salvas.').waitFor()
    const { nome, descricao, exige_mfa } = await read(path)
    assert.deepEqual([nome, descricao, exige_mfa], ['vigilancia_norte', 'Uma terceira', true])
  })

  it('of the permissions of a group: both sides’ ticks are kept, after a look at those of the other', async () => {
    const path = await made('/grupos', { nome: 'laboratorio' })
    const [listar, criar] = (await permissoes('agravos.listar', 'agravos.criar')) as [number, number]
    await page.goto(`${service.origin}/grupos`)
    const cell = page.getByRole('checkbox', { name: 'Listar e ver casos, para laboratorio', exact: true })
    await cell.check()
    await press(page, 'Conferir e salvar')
    await meanwhile(`${path}/permissoes`, { permissoes_ids: [criar] })
    const pessoa = await service.t.person()
    const membro = await service.t.as(admin).post(`${path}/usuarios/${pessoa.id}`)
    assert.equal(membro.status, 200)
    await press(page, 'Salvar')
    await comparison(page).getByText('Registrar casos (incluído)').waitFor()
    await inspectPage(page, 'conflito-permissoes')
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Alterações salvas.').waitFor()
    const grupo = await read(path)
    assert.deepEqual(
      grupo.permissoes.map(({ id }: { id: number }) => id),
      [listar, criar],
    )
    assert.equal(grupo.total_usuarios, 1)
  })

  it('of a rule of alerts: thresholds of both sides stand in the next version', async () => {
    const rule = async () => (await read('/agravos/alertas/regras')).regras[0]
    const before = await rule()
    await open('/alertas', 'Regras dos alertas')
    await press(page, 'Alterar a regra de Dengue')
    await field('Casos para o vermelho').fill('20')
    await meanwhile('/agravos/alertas/regras', {
      ...{ tipo_agravo: 'dengue', casos_vermelho: 15, casos_laranja: 6 },
    })
    await press(page, 'Salvar')
    await row(page, 'Casos para o vermelho').getByText('15').waitFor()
    await comparison(page).getByText('Casos para o laranja').waitFor()
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Regra de Dengue salva.').waitFor()
    const expected = { versao: before.versao + 2, casos_vermelho: 20, casos_laranja: 6 }
    assert.deepEqual(await rule(), { ...before, ...expected })
    await page.getByText(`versão ${before.versao + 2}`).waitFor()
  })

  it('of a group that is deleted: it stays, and is asked about again', async () => {
    const path = await made('/grupos', { nome: 'passageiro' })
    await open(path, 'Excluir')
    await meanwhile(path, { descricao: 'Ainda em uso' })
    await press(page, 'Excluir')
    await page.getByText('Veja como está agora e decida de novo.').waitFor()
    assert.equal((await read(path)).descricao, 'Ainda em uso')
    await page.getByText('Ainda em uso').waitFor()
    await press(page, 'Excluir')
    await page.getByRole('heading', { name: 'Grupos', level: 1 }).waitFor()
    assert.equal((await service.t.as(admin).get(path)).status, 404)
  })

  it('of an account: its data, and its groups', async () => {
    const { id } = await service.t.person()
    const path = `/usuarios/${id}`
    const [analista, gestor] = ['analista', 'gestor'].map(
      async (nome) => (await read(`/grupos?nome[eq]=${nome}`)).grupos[0].id as number,
    )
    await open(path, 'Editar dados')
    await field('Cargo').fill('Médica')
    await field('Cidade').fill('Olinda')
    await meanwhile(path, { cargo: 'Enfermeira', departamento: 'Endemias' })
    await press(page, 'Salvar')
    await row(page, 'Cargo').getByText('Enfermeira').waitFor()
    await comparison(page).getByText('Endemias').waitFor()
    await inspectPage(page, 'conflito-conta')
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Alterações salvas.').waitFor()
    const { cargo, cidade, departamento } = await read(path)
    assert.deepEqual([cargo, cidade, departamento], ['Médica', 'Olinda', 'Endemias'])

    await press(page, 'Alterar grupos')
    await field('analista').check()
    await meanwhile(`${path}/grupos`, { grupos_ids: [await gestor] })
    await press(page, 'Salvar')
    await comparison(page).getByText('gestor (incluído)').waitFor()
    await press(page, 'Salvar com estas escolhas')
    await comparison(page).waitFor({ state: 'detached' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(
      (await read(path)).grupos.map((grupo: { id: number }) => grupo.id).toSorted(),
      [await analista, await gestor].toSorted(),
    )
  })

  it('of the own profile, by an administrator; saved again it is the version of then', async () => {
    const path = `/usuarios/${admin.id}`
    await page.goto(`${service.origin}/conta`)
    const typed = (label: string) => page.getByLabel(label, { exact: true })
    await typed('Cargo').fill('Médica')
    await typed('Cidade').fill('Olinda')
    await meanwhile(path, { cargo: 'Enfermeira', departamento: 'Endemias' })
    await press(page, 'Salvar perfil')
    await row(page, 'Cargo').getByText('Enfermeira').waitFor()
    await comparison(page).getByText('Endemias').waitFor()
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Perfil salvo.').waitFor()
    await comparison(page).waitFor({ state: 'detached' })
    assert.equal(await typed('Departamento').inputValue(), 'Endemias')
    await typed('Cidade').fill('Recife')
    await press(page, 'Salvar perfil')
    await eventually(async () => {
      const { cargo, cidade, departamento } = await read(path)
      assert.deepEqual([cargo, cidade, departamento], ['Médica', 'Recife', 'Endemias'])
    })
  })

  it('of a webhook: its address, and events of both', async () => {
    const path = await made('/webhooks', { url: 'https://lab.example/antes', eventos: ['agravo.criado'] })
    await open(path, 'Editar')
    await field('Endereço').fill('https://lab.example/meu')
    await meanwhile(path, {
      url: 'https://lab.example/outro',
      eventos: ['agravo.criado', 'agravo.atualizado'],
    })
    await press(page, 'Salvar')
    await row(page, 'Endereço').getByText('https://lab.example/outro').waitFor()
    await comparison(page).getByText('Caso alterado (incluído)').waitFor()
    await inspectPage(page, 'conflito-webhook')
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Webhook alterado.').waitFor()
    const { url, eventos } = await read(path)
    assert.deepEqual([url, eventos], ['https://lab.example/meu', ['agravo.criado', 'agravo.atualizado']])
  })

  it('of a piece of news, opened from the list', async () => {
    const path = await made('/noticias', { titulo: 'Boletim', conteudo: 'Texto' })
    await page.goto(`${service.origin}/noticias`)
    await page.getByRole('link', { name: 'Boletim' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await field('Título').fill('O meu título')
    await meanwhile(path, { titulo: 'Outro título', fonte: 'SES' })
    await press(page, 'Salvar')
    await row(page, 'Título').getByText('Outro título').waitFor()
    await inspectPage(page, 'conflito-noticia')
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Notícia salva.').waitFor()
    const { titulo, fonte, conteudo } = await read(path)
    assert.deepEqual([titulo, fonte, conteudo], ['O meu título', 'SES', 'Texto'])
  })

  it('tells the moment alone to those who may not read the audit', async () => {
    const path = await made('/noticias', { titulo: 'Aviso', conteudo: 'Texto' })
    const editor = await service.t.person({ permissoes: ['noticias.listar', 'noticias.editar'] })
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    context.setDefaultTimeout(HANG_MS)
    const other = await context.newPage()
    const asked: string[] = []
    other.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await other.goto(`${service.origin}${path}`)
    await signIn(other, editor.email)
    await press(other, 'Editar')
    await other.getByRole('dialog').getByLabel('Título', { exact: true }).fill('O meu aviso')
    await meanwhile(path, { titulo: 'Outro aviso' })
    await press(other, 'Salvar')
    await comparison(other)
      .getByText(/^Outra versão foi salva em \d/)
      .waitFor()
    assert.ok(!asked.includes('/api/v1/auditoria'))
    await context.close()
  })

  it('of a schedule, its bulletins included', async () => {
    const pedidos = [{ tipo_agravo: 'dengue', estado: 'PE' }]
    const agenda = { nome: 'Semanal', dia_semana: 'terca', hora: '08:00', pedidos }
    const path = await made('/agravos/agendas', agenda)
    await page.goto(`${service.origin}/boletins/agendas`)
    await press(page, 'Alterar a agenda Semanal')
    await field('Hora (de Brasília)').fill('09:00')
    await meanwhile(path, { hora: '10:00', pedidos: [...pedidos, { tipo_agravo: 'zika', estado: 'PE' }] })
    await press(page, 'Salvar agenda')
    await row(page, 'Hora (de Brasília)').getByText('10:00').waitFor()
    await comparison(page).getByText('Zika, Pernambuco, interno (incluído)').waitFor()
    await inspectPage(page, 'conflito-agenda')
    await press(page, 'Salvar com estas escolhas')
    await page.getByText('Agenda salva.').waitFor()
    const now = await read(path)
    assert.deepEqual([now.hora, now.pedidos.length], ['09:00', 2])

    await page.getByText(/09:00/).waitFor()
    // The list is of before: neither pause nor deletion passes over what it does not show.
    await meanwhile(path, { nome: 'Mensal' })
    await press(page, 'Pausar a agenda Semanal')
    await page.getByText('Veja como está agora e decida de novo.').waitFor()
    await press(page, 'Excluir a agenda Mensal')
    await page.getByRole('dialog').waitFor()
    await meanwhile(path, { hora: '11:00' })
    await press(page, 'Excluir')
    await page.getByRole('dialog').getByText('Veja como está agora e decida de novo.').waitFor()
    await press(page, 'Excluir')
    await page.getByText('Agenda excluída.').waitFor()
  })
})
