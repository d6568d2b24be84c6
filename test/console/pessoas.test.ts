import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { readNascimento } from '../../web/console/screens/pessoas/nascimento.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Flow, strikeFlows } from '../harness/console-flows.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { casoListado, PERNAMBUCO, TERRITORIOS } from './casos-data.ts'

const SEARCH = 'POST /api/v1/agravos/pessoas/buscar'
const REPORT = 'GET /api/v1/agravos/pessoas/relatorio'
const NAME = 'Rita Plantada Lobato'
const MOTIVE = 'Pedido da própria pessoa, protocolo 12'

const me = (permissoes: Permission[] = ['agravos.identificar', 'agravos.listar']): Answers => ({
  'GET /api/v1/usuarios/me': perfil(permissoes),
  [TERRITORIOS]: PERNAMBUCO,
})
const achada = (id: number, more: object = {}) => ({
  caso: { ...casoListado(id), paciente: { ...casoListado(id).paciente, nome: NAME } },
  ...{ data_nascimento: '1990-05-06', escore: 21.4, sinais: {} },
  ...more,
})
const found = (pessoas: object[]) => ({ body: { total: pessoas.length, pessoas } })
const TWO = found([achada(7), achada(8, { data_nascimento: null, escore: 7.8 })])
const ALL: Answers = { ...me(), [SEARCH]: TWO, [REPORT]: { text: '<!doctype html><p>Tudo</p>' } }

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
async function fill(page: Page) {
  await field(page, 'Nome').fill(NAME)
  await field(page, 'Nascimento').fill('05/1990')
  await field(page, 'Motivo').fill(MOTIVE)
}
async function search(page: Page) {
  await fill(page)
  await press(page, 'Procurar')
  await page.getByText('com esta pessoa.').waitFor()
}
async function select(page: Page) {
  await search(page)
  for (const numero of ['4418827', '4418828'])
    await page.getByRole('checkbox', { name: `Selecionar ${numero}` }).check()
}
async function ask(page: Page) {
  await select(page)
  await press(page, 'Relatório da pessoa…')
}
async function make(page: Page) {
  await ask(page)
  await press(page, 'Gerar relatório')
}

const VIEWS: View[] = [
  { name: 'pessoas', path: '/pessoas', answers: ALL, seen: /Cada busca fica registrada/ },
  { name: 'pessoas-achadas', path: '/pessoas', answers: ALL, act: select, seen: '2 casos selecionados' },
  {
    name: 'pessoas-nenhuma',
    path: '/pessoas',
    answers: { ...me(), [SEARCH]: found([]) },
    async act(page) {
      await fill(page)
      await press(page, 'Procurar')
    },
    seen: /^Nenhum caso que a sua conta pode abrir/,
  },
  {
    name: 'pessoas-incompleta',
    path: '/pessoas',
    answers: me(),
    act: (page) => press(page, 'Procurar'),
    seen: 'Informe o nascimento ou o município.',
  },
  {
    name: 'pessoas-muitas-buscas',
    path: '/pessoas',
    answers: { ...me(), [SEARCH]: refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '1800' }) },
    async act(page) {
      await fill(page)
      await press(page, 'Procurar')
    },
    seen: 'mensagem RATE_LIMITED',
  },
  { name: 'pessoas-relatorio', path: '/pessoas', answers: ALL, act: ask, seen: /os anexos e quem leu/ },
  { name: 'pessoas-relatorio-pronto', path: '/pessoas', answers: ALL, act: make, seen: 'Baixar o relatório' },
  { name: 'pessoas-sem-acesso', path: '/pessoas', answers: READER, seen: 'agravos.identificar' },
]

const FLOWS: Flow[] = [
  {
    name: 'search for a person',
    path: '/pessoas',
    answers: me(),
    request: SEARCH,
    ok: TWO,
    begin: fill,
    send: (page) => press(page, 'Procurar'),
    kept: (page) =>
      Promise.all(['Nome', 'Nascimento', 'Motivo'].map((name) => field(page, name).inputValue())),
    done: (page) => page.getByText('2 casos se parecem').waitFor(),
  },
  {
    name: 'report on a person',
    path: '/pessoas',
    answers: ALL,
    request: REPORT,
    ok: { text: '<!doctype html>' },
    repeats: true,
    async begin(page) {
      await ask(page)
      await page.getByRole('dialog').getByLabel('Motivo').fill('Outro motivo')
    },
    send: (page) => press(page, 'Gerar relatório'),
    kept: (page) => page.getByRole('dialog').getByLabel('Motivo').inputValue(),
    done: (page) => page.getByText('Baixar o relatório').waitFor(),
  },
]

describe('The search for a person', { skip: noBrowser }, () => {
  inspectViews(VIEWS)
  const visit = consoleVisits()
  strikeFlows(FLOWS, visit)

  it('is sent with its reason once it is whole, and tells what looks like the person', async () => {
    await using visited = await visit('/pessoas', { answers: { ...ALL } })
    const { page, asked } = visited
    await press(page, 'Procurar')
    assert.equal(await page.getByText('Preencha este campo.').count(), 2)
    await page.waitForFunction(`document.activeElement?.getAttribute('aria-invalid') === 'true'`)
    assert.ok(!asked.some(({ name }) => name === SEARCH))
    await search(page)
    const sent = asked.filter(({ name }) => name === SEARCH)
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ nome: NAME, nascimento: '1990-05', motivo: MOTIVE }],
    )
    const row = page.getByRole('row').nth(1)
    for (const text of [NAME, '06/05/1990', '21,4 pontos', 'Caruaru, PE']) await row.getByText(text).waitFor()
    assert.equal(
      await row.getByRole('link', { name: 'Notificação 4418827 (em outra aba)' }).getAttribute('target'),
      '_blank',
    )
  })

  it('may go by the municipality alone', async () => {
    await using visited = await visit('/pessoas', { answers: { ...ALL } })
    const { page, asked } = visited
    await field(page, 'Nome').fill(NAME)
    await field(page, 'Motivo').fill(MOTIVE)
    await page.getByRole('combobox', { name: 'Município de residência' }).fill('Caruaru')
    await page.getByRole('option', { name: /Caruaru/ }).click()
    await press(page, 'Procurar')
    await page.getByText('2 casos se parecem').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === SEARCH)?.body, {
      ...{ nome: NAME, municipio: 2604106, motivo: MOTIVE },
    })
  })

  it('forgets what it found when somebody hides it, and after five minutes', async () => {
    await using visited = await visit('/pessoas', {
      answers: ALL,
      alone: true,
      at: '2026-11-14T15:00:00Z',
      moves: true,
    })
    const { page } = visited
    const isForgotten = () => page.getByText(NAME).waitFor({ state: 'detached' })
    await search(page)
    await press(page, 'Esconder agora')
    await isForgotten()
    await press(page, 'Procurar')
    await page.getByText(NAME).first().waitFor()
    await page.clock.runFor(5 * 60_000)
    await isForgotten()
  })

  it('gives the report as a file, whose reason is in no address', async () => {
    await using visited = await visit('/pessoas', { answers: { ...ALL } })
    const { page, asked } = visited
    await make(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Baixar o relatório' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'relatorio-da-pessoa.html')
    assert.equal(await readFile(await download.path(), 'utf8'), '<!doctype html><p>Tudo</p>')
    assert.match(download.url(), /^blob:/)
    assert.deepEqual(Object.fromEntries(asked.find(({ name }) => name === REPORT)?.query ?? []), {
      ...{ casos: '7,8', motivo: MOTIVE, formato: 'html' },
    })
  })

  it('takes at most twenty cases into a report', async () => {
    const many = found(Array.from({ length: 21 }, (_, at) => achada(at + 1)))
    await using visited = await visit('/pessoas', { answers: { ...ALL, [SEARCH]: many } })
    const { page } = visited
    await search(page)
    await page.getByRole('checkbox', { name: 'Selecionar todas as linhas' }).check()
    await page.getByText('Um relatório tem no máximo 20 casos.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Relatório da pessoa…' }).count(), 0)
  })

  it('is reached from the list of cases by those who may identify', async () => {
    for (const [permissoes, count] of [
      [['agravos.listar', 'agravos.identificar'], 1],
      [['agravos.listar'], 0],
    ] as const) {
      await using visited = await visit('/casos', { answers: me([...permissoes]) })
      const { page } = visited
      await page.getByRole('heading', { name: 'Casos', level: 1 }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Procurar pessoa' }).count(), count)
    }
  })
})

describe('A birth date as it is typed', () => {
  it('is a day, a month or a year', () => {
    for (const [typed, read] of [
      ['', undefined],
      ['1990', '1990'],
      ['5/1990', '1990-05'],
      ['05-1990', '1990-05'],
      ['06/05/1990', '1990-05-06'],
      ['06051990', '1990-05-06'],
      ['13/1990', null],
      ['31/02/1990', null],
      ['maio', null],
    ] as const)
      assert.equal(readNascimento(typed, '2026-11-14'), read, typed)
  })
})
