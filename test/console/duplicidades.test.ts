import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  CASES,
  DECIDE,
  DONE,
  decider,
  identified,
  LIST,
  listed,
  MERGED,
  NAMES,
  OTHER_PERSON,
  PARES,
  par,
  SCAN,
  SIMULATED,
  UNDO,
  UNDONE,
  WOULD_UNDO,
} from './duplicidades-answers.ts'

const never = new Promise<void>(() => undefined)
const ALL: Answers = { ...decider(), [LIST]: listed(PARES, 60, 3) }
const PAIR: Answers = { ...decider(), ...CASES, [LIST]: listed([par()]) }
const MERGED_PAIR: Answers = { ...decider(), [LIST]: listed([MERGED]) }
const DECIDED = 'GET /api/v1/agravos/duplicidades/qualidade'
const faixa = (faixa: string, pendente: number, mesmo_caso: number, precisao: number | null) => ({
  ...{ faixa, total: pendente + mesmo_caso, decididas: mesmo_caso, precisao },
  por_situacao: { pendente, mesmo_caso, outro_episodio: 0, outra_pessoa: 0 },
})
const BANDS = [
  faixa('quase_certa', 3, 1_240, 0.985),
  faixa('provavel', 57, 0, null),
  faixa('possivel', 0, 0, null),
]
const COUNTED: Answers = { ...ALL, [DECIDED]: { body: { versao_pesos: 1, faixas: BANDS } } }
const unfold = (page: Page) => page.getByText('Decisões por faixa').click()
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const identify = async (page: Page) => {
  await press(page, 'Identificar paciente')
  await page.getByRole('dialog').getByRole('button').last().click()
}

const VIEWS: View[] = [
  { name: 'duplicidades-numeros', path: '/duplicidades', answers: COUNTED, act: unfold, seen: '98,5 %' },
  {
    name: 'duplicidades-numeros-erro',
    path: '/duplicidades',
    answers: { ...ALL, [DECIDED]: refusal(422, 'VALIDATION_ERROR') },
    act: unfold,
    seen: 'pedido-0001',
  },
  { name: 'duplicidades', picture: true, path: '/duplicidades', answers: ALL, seen: 'Quase certa' },
  {
    name: 'duplicidades-vazio',
    path: '/duplicidades',
    answers: { ...decider(), [LIST]: listed([]) },
    seen: /^Nenhum par espera decisão/,
  },
  {
    name: 'duplicidades-nenhum-no-filtro',
    path: '/duplicidades?faixa=certa&importacao=12&agravo=zika',
    answers: { ...decider(), [LIST]: listed([]) },
    seen: /ficaram de fora: faixa=certa\./,
  },
  {
    name: 'duplicidades-carregando',
    path: '/duplicidades',
    answers: { ...decider(), [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'duplicidades-erro',
    path: '/duplicidades',
    answers: { ...decider(), [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'duplicidades-sem-acesso', path: '/duplicidades', answers: READER, seen: 'agravos.duplicidades' },
  { name: 'duplicidade', picture: true, path: '/duplicidades/31', answers: PAIR, seen: 'campos diferem.' },
  {
    name: 'duplicidade-identificada',
    path: '/duplicidades/31',
    answers: { ...PAIR, ...identified() },
    act: identify,
    seen: NAMES[1],
  },
  {
    name: 'duplicidade-fundida',
    picture: true,
    path: '/duplicidades/31',
    answers: MERGED_PAIR,
    seen: /Decidido por Carlos Teixeira em 14\/11\/2026/,
  },
  {
    name: 'duplicidade-outra-pessoa',
    path: '/duplicidades/31',
    answers: PAIR,
    act: (page) => press(page, 'Não é a mesma pessoa'),
    seen: 'Registrar a decisão',
  },
  {
    name: 'duplicidade-fundir',
    picture: true,
    path: '/duplicidades/31',
    answers: PAIR,
    act: (page) => press(page, 'Mesmo caso: fundir…'),
    seen: 'Ver o que vai acontecer',
  },
  {
    name: 'duplicidade-simulada',
    picture: true,
    path: '/duplicidades/31',
    answers: { ...PAIR, [DECIDE]: SIMULATED },
    async act(page) {
      await press(page, 'Mesmo caso: fundir…')
      await press(page, 'Ver o que vai acontecer')
    },
    seen: 'O que muda no caso que fica',
  },
  {
    name: 'duplicidade-desfazer',
    path: '/duplicidades/31',
    answers: { ...MERGED_PAIR, [UNDO]: WOULD_UNDO },
    act: (page) => press(page, 'Desfazer a fusão…'),
    seen: /Voltam ao que eram no caso que ficou: Hospitalização/,
  },
  {
    name: 'duplicidade-desfazer-recusado',
    path: '/duplicidades/31',
    answers: { ...MERGED_PAIR, [UNDO]: refusal(409, 'CONFLICT') },
    act: (page) => press(page, 'Desfazer a fusão…'),
    seen: 'mensagem CONFLICT',
  },
  {
    name: 'duplicidade-mudou',
    path: '/duplicidades/31',
    answers: { ...PAIR, [DECIDE]: refusal(412, 'PRECONDITION_FAILED') },
    async act(page) {
      await press(page, 'Mesmo caso: fundir…')
      await press(page, 'Ver o que vai acontecer')
    },
    seen: /^Um dos casos mudou desde que você abriu este par/,
  },
  {
    name: 'duplicidade-ausente',
    path: '/duplicidades/31',
    answers: { ...decider(), [LIST]: listed([]) },
    seen: /^Este par não existe mais/,
  },
  {
    name: 'duplicidade-carregando',
    path: '/duplicidades/31',
    answers: { ...decider(), [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  { name: 'duplicidade-sem-acesso', path: '/duplicidades/31', answers: READER, seen: 'agravos.duplicidades' },
]

describe('Possible duplicates', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('are in the menu of those who decide about them', async () => {
    await using visited = await visit('/duplicidades', { answers: ALL })
    await visited.page.getByRole('navigation').getByRole('link', { name: 'Duplicidades' }).first().waitFor()
    await using reader = await visit('/ajuda', { answers: READER })
    await reader.page.getByRole('heading', { name: 'Ajuda' }).waitFor()
    assert.equal(await reader.page.getByRole('link', { name: 'Duplicidades' }).count(), 0)
  })

  it('are filtered by state, band, disease, place and import; the address is the filter', async () => {
    await using visited = await visit('/duplicidades?importacao=12&pagina=2', { answers: ALL })
    const { page, asked } = visited
    const last = () => String(asked.filter(({ name }) => name === LIST).at(-1)?.query ?? '')
    await page.getByText('da importação 12').waitFor()
    await eventually(() => assert.equal(last(), 'importacao_id=12&situacao=pendente&page=2&size=25'))
    await press(page, /^Faixa/)
    await page.getByLabel('Provável').click()
    await page.waitForURL('**/duplicidades?importacao=12&faixa=provavel')
    await press(page, /^Situação/)
    await page.getByLabel('Outra pessoa').click()
    await page.waitForURL('**/duplicidades?importacao=12&faixa=provavel&situacao=outra_pessoa')
    await press(page, /^Agravo/)
    await page.getByLabel('Zika').click()
    await eventually(() =>
      assert.equal(
        last(),
        'tipo_agravo=zika&importacao_id=12&faixa=provavel&situacao=outra_pessoa&page=1&size=25',
      ),
    )
    await press(page, 'Limpar filtros')
    await page.waitForURL('**/duplicidades')
    await page.goto(`${visited.origin}/duplicidades?municipio=2611606`)
    await eventually(() => assert.match(last(), /^municipio=2611606&situacao=pendente/))
  })

  it('tell how those of each band were decided once this is unfolded, each number with its list', async () => {
    await using visited = await visit('/duplicidades', { answers: COUNTED })
    const { page, asked } = visited
    await page.getByText('Quase certa').first().waitFor()
    assert.ok(!asked.some(({ name }) => name === DECIDED))
    await unfold(page)
    const link = page.getByRole('link', { name: 'Quase certa, Mesmo caso: fundidos: 1.240' })
    assert.equal(await link.getAttribute('href'), '/duplicidades?faixa=quase_certa&situacao=mesmo_caso')
    const waiting = page.getByRole('link', { name: 'Provável, Espera decisão: 57' })
    assert.equal(await waiting.getAttribute('href'), '/duplicidades?faixa=provavel')
    assert.equal(await page.getByRole('link', { name: /^Possível, / }).count(), 0)
  })

  it('are searched for in all cases on request', async () => {
    await using visited = await visit('/duplicidades', {
      answers: { ...ALL, [SCAN]: { status: 202, body: { job_id: 'x', status: 'processing' } } },
    })
    await press(visited.page, 'Procurar em todos os casos')
    await visited.page.getByText(/^A busca em todos os casos começou/).waitFor()
  })

  it('tell the reasons in words, for and against, in three languages', async () => {
    const answers = { ...PAIR, [LIST]: listed([PARES[2] as object]) }
    await using visited = await visit('/duplicidades/33', { answers })
    const reasons = visited.page.locator('.reasons li')
    await reasons.first().waitFor()
    assert.deepEqual(
      await reasons.allInnerTexts().then((all) => all.map((one) => one.replace(/\s+/g, ' '))),
      [
        '+ Nome: 2 de 3 palavras iguais (a favor)',
        '− Primeiro nome diferente (contra)',
        '+ Mesma data de nascimento (a favor)',
        '+ Mesmo sexo (a favor)',
        '− Outro município de residência (contra)',
        '· Outro bairro (neutra)',
        '+ Notificados com 5 dias de distância (a favor)',
      ],
    )
    await using english = await visit('/duplicidades/33', { answers, locale: 'en-US' })
    await english.page.getByText('Name: 2 of 3 words equal').waitFor()
    await using spanish = await visit('/duplicidades/33', { answers, locale: 'es-ES' })
    await spanish.page.getByText('Nombre: 2 de 3 palabras iguales').waitFor()
  })
})

describe('A pair of cases', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('is compared side by side: what differs is marked, and can be shown alone', async () => {
    await using visited = await visit('/duplicidades/31', { answers: PAIR })
    const { page } = visited
    const row = page.getByRole('row', { name: /^Hospitalização/ })
    await row.getByText('difere').waitFor()
    assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['Não', 'Sim'])
    const rows = page.locator('.sides-table tbody tr:not(.block-name)')
    const [all, different] = [await rows.count(), await page.locator('.sides-table tr.differs').count()]
    assert.ok(different > 2 && different < all)
    await page.getByLabel('Mostrar só o que difere').check()
    assert.equal(await rows.count(), different)
    await page.getByText(`${different} campos diferem.`).waitFor()
  })

  it('shows initials until the names are asked for, and then says so to the service', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...PAIR,
        'GET /api/v1/agravos/casos/7': [
          CASES['GET /api/v1/agravos/casos/7'] as object,
          identified()['GET /api/v1/agravos/casos/7'] as object,
        ],
        'GET /api/v1/agravos/casos/8': [
          CASES['GET /api/v1/agravos/casos/8'] as object,
          identified()['GET /api/v1/agravos/casos/8'] as object,
        ],
      },
    })
    const { page, asked } = visited
    await page.getByText('campos diferem.').waitFor()
    assert.equal(await page.getByText(NAMES[0]).count(), 0)
    assert.ok(asked.every(({ query }) => !query.has('identificado')))
    await identify(page)
    await page.getByRole('row', { name: /^Nome/ }).getByText(NAMES[0]).waitFor()
    assert.equal(asked.filter(({ query }) => query.get('identificado') === 'true').length, 3)
  })

  it('offers no names to those who may not identify patients', async () => {
    const answers = {
      ...PAIR,
      'GET /api/v1/usuarios/me': perfil(['agravos.duplicidades', 'agravos.listar']),
    }
    await using visited = await visit('/duplicidades/31', { answers })
    await visited.page.getByText('agravos.identificar').first().waitFor()
    assert.equal(await visited.page.getByRole('button', { name: 'Identificar paciente' }).count(), 0)
  })

  it('is shown as lists tell it to those who may not open cases', async () => {
    const answers = { ...PAIR, 'GET /api/v1/usuarios/me': perfil(['agravos.duplicidades']) }
    await using visited = await visit('/duplicidades/31', { answers })
    await visited.page.getByText('campos diferem.').waitFor()
    assert.ok(visited.asked.every(({ name }) => !name.includes('/casos/')))
  })

  it('is decided about by keyboard alone, with the versions that were seen', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...PAIR,
        [LIST]: [listed([par()]), listed([OTHER_PERSON])],
        [DECIDE]: { body: { situacao: 'outra_pessoa', simulado: false, campos: [], deixados: [] } },
      },
    })
    const { page, asked } = visited
    await page.getByText('campos diferem.').waitFor()
    await page.keyboard.press('n')
    await page.locator('dialog textarea').waitFor()
    await page.locator('dialog textarea').focus()
    await page.keyboard.type('São irmãs')
    for (let tabs = 0; tabs < 2; tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Decisão registrada: não é a mesma pessoa.').waitFor()
    await page.getByText(/Decidido por Carlos Teixeira/).waitFor()
    const [sent] = asked.filter(({ name }) => name === DECIDE)
    assert.deepEqual(sent?.body, { decisao: 'outra_pessoa', motivo: 'São irmãs' })
    assert.equal(sent?.headers['if-match'], '"3/1"')
    assert.ok(sent?.headers['idempotency-key'])
  })

  it('is merged only after all that will happen was shown, with the case and the values that were chosen', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...PAIR,
        [LIST]: [listed([par()]), listed([MERGED])],
        [DECIDE]: [SIMULATED, SIMULATED, DONE],
      },
    })
    const { page, asked } = visited
    await page.getByText('campos diferem.').waitFor()
    await page.keyboard.press('f')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('notificação mais antiga').waitFor()
    assert.equal(await dialog.getByRole('radio', { name: /4418827.*mais antiga/s }).isChecked(), true)
    await dialog.getByRole('group', { name: 'Hospitalização' }).getByRole('radio', { name: /Sim/ }).check()
    await press(page, 'Ver o que vai acontecer')
    await dialog.getByText('A notificação 4418827 fica. A 4418830 sai das contagens.').waitFor()
    await dialog.getByText(/Fica de fora.*Data da internação/).waitFor()
    await press(page, 'Mudar as escolhas')
    await dialog.getByRole('radio', { name: /^Notificação 4418830/ }).check()
    await press(page, 'Ver o que vai acontecer')
    await dialog.getByText('O que muda no caso que fica').waitFor()
    await dialog.getByRole('button', { name: 'Fundir', exact: true }).click()
    await page.getByText('Casos fundidos. A fusão pode ser desfeita aqui.').waitFor()
    const sent = asked.filter(({ name }) => name === DECIDE)
    assert.deepEqual(
      sent.map(({ query }) => query.get('simular')),
      ['true', 'true', 'false'],
    )
    assert.deepEqual(sent.at(-1)?.body, {
      decisao: 'mesmo_caso',
      principal_id: 8,
      campos: { hospitalizacao: 8 },
    })
    assert.ok(sent.every(({ headers }) => headers['if-match'] === '"3/1"'))
    await page.getByRole('button', { name: 'Desfazer a fusão…' }).waitFor()
  })

  it('is loaded again where a case changed meanwhile, and nothing is merged', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...PAIR,
        [LIST]: [listed([par()]), listed([par({ etag: '"4/1"' })])],
        [DECIDE]: [refusal(412, 'PRECONDITION_FAILED'), SIMULATED],
      },
    })
    const { page, asked } = visited
    await press(page, 'Mesmo caso: fundir…')
    await press(page, 'Ver o que vai acontecer')
    await press(page, 'Recarregar o par')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await eventually(() => assert.equal(asked.filter(({ name }) => name === LIST).length, 2))
    await press(page, 'Mesmo caso: fundir…')
    await press(page, 'Ver o que vai acontecer')
    await page.getByText('O que muda no caso que fica').waitFor()
    assert.equal(asked.filter(({ name }) => name === DECIDE).at(-1)?.headers['if-match'], '"4/1"')
  })

  it('is undone after what an undo does was shown', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...decider(),
        ...CASES,
        [LIST]: [listed([MERGED]), listed([par()])],
        [UNDO]: [WOULD_UNDO, UNDONE],
      },
    })
    const { page, asked } = visited
    await press(page, 'Desfazer a fusão…')
    await page.getByText('A notificação 4418830 volta às listas e contagens.').waitFor()
    await page.getByText(/Ficam como estão, porque mudaram depois da fusão: Evolução/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Desfazer', exact: true }).click()
    await page.getByText(/^Fusão desfeita/).waitFor()
    await page.getByRole('button', { name: 'Não é a mesma pessoa' }).waitFor()
    assert.deepEqual(
      asked.filter(({ name }) => name === UNDO).map(({ query }) => query.get('simular')),
      ['true', 'false'],
    )
  })

  it('is left for later: the next of the list follows, and the end is told', async () => {
    await using visited = await visit('/duplicidades/31', {
      answers: {
        ...PAIR,
        [LIST]: [
          listed([par()]),
          listed(PARES.slice(0, 2)),
          listed([PARES[1] as object]),
          listed([PARES[1] as object]),
        ],
      },
    })
    const { page, asked } = visited
    await page.getByText('campos diferem.').waitFor()
    await page.keyboard.press('d')
    await page.waitForURL('**/duplicidades/32')
    assert.match(
      String(asked.filter(({ name }) => name === LIST)[1]?.query),
      /^situacao=pendente&escore%5Blte%5D=21.4&size=100$/,
    )
    await page.getByText('Dia e mês de nascimento trocados').waitFor()
    await press(page, 'Decidir depois')
    await page.getByText('Não há outro par neste filtro.').waitFor()
  })
})
