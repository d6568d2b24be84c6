import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, PICTURED_AT, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { CASO, detalhe as caso, casosOf, ALL as OF_CASES, PERNAMBUCO, TERRITORIOS } from './casos-data.ts'
import {
  ADD_VALOR,
  CHANGES,
  DEFINES,
  DELETE,
  detalhe,
  HISTORICO,
  LIST,
  LISTED,
  MANAGES,
  MAPA,
  MAPPED,
  ONE,
  OPENED,
  POST,
  PROXIMAS,
  PUT,
  REGISTERS,
  REMOVE_VALOR,
  RESTORE,
  SEES,
} from './epizootias-answers.ts'
import { page as pageOf } from './series-answers.ts'

const ALL: Answers = { ...MANAGES, [LIST]: LISTED, [TERRITORIOS]: PERNAMBUCO }
const MAP: Answers = { ...ALL, [MAPA]: MAPPED }
const SHOWN: Answers = { ...MANAGES, ...OPENED, [TERRITORIOS]: PERNAMBUCO }
const never = new Promise<void>(() => undefined)
const YELLOW = { [CASO]: { body: caso({ tipo_agravo: 'febre_amarela' }) } }
const NEAR: Answers = {
  ...casosOf(),
  ...SEES,
  'GET /api/v1/usuarios/me': perfil([...OF_CASES, 'epizootias.listar']),
  ...YELLOW,
  [PROXIMAS]: {
    body: {
      ...{ municipio: 'Caruaru', codigo_ibge: '2604106', estado: 'PE', desde: '2026-09-19' },
      items: [
        {
          ...{ id: 12, data_ocorrencia: '2026-10-12', ano_ocorrencia: 2026, municipio: 'Bezerros' },
          ...{ codigo_ibge: '2601904', estado: 'PE', especie_grupo: 'pnh', suspeita: 'febre_amarela' },
          ...{ classificacao: 'confirmada', animais_mortos: 2, distancia_km: 24.3 },
        },
      ],
    },
  },
}

const drawn = (page: Page) => page.locator('.map canvas[role="img"]').waitFor()
const save = (page: Page) => page.getByRole('button', { name: 'Gravar' }).click()
const look = (page: Page) => page.getByRole('button', { name: 'Procurar' }).click()

const openValores = (page: Page) => page.getByRole('button', { name: 'Suspeitas e espécies' }).click()

const MESES = 'GET /api/v1/epizootias/estatisticas'
const mes = (periodo: string, eventos: number, animais_mortos: number) => ({
  ...{ periodo, inicio: `${periodo}-01`, grupo: null, eventos, animais_mortos },
})
const MONTHS: Answers = {
  ...ALL,
  [MESES]: {
    body: {
      ...{ lugar: {}, parcial: false, agregacao: 'mes', agrupar_por: null, grupos: [] },
      ...{ eventos: 1_204, animais_mortos: 2_310, sem_data: { mes: 0, ano: 1 } },
      periodos: [mes('2026-01', 3, 7), mes('2026-03', 1_200, 2_303)],
    },
  },
}

const VIEWS: View[] = [
  { name: 'epizootias', picture: true, path: '/epizootias', answers: ALL, seen: '2026000151' },
  {
    name: 'epizootias-mapa',
    picture: true,
    path: '/epizootias?uf=PE&vista=mapa',
    answers: MAP,
    act: drawn,
    seen: '6 eventos',
  },
  {
    name: 'epizootias-mapa-tabela',
    path: '/epizootias?vista=mapa',
    answers: MAP,
    async act(page) {
      await drawn(page)
      await page.getByRole('button', { name: 'Tabela' }).click()
    },
    seen: 'Recife (PE)',
  },
  {
    name: 'epizootias-meses',
    path: '/epizootias?uf=PE&vista=meses',
    answers: MONTHS,
    seen: '1 epizootia de que só se conhece o ano não está em nenhum mês.',
  },
  {
    name: 'epizootias-meses-erro',
    path: '/epizootias?vista=meses',
    answers: { ...ALL, [MESES]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'epizootias-vazio',
    path: '/epizootias',
    answers: { ...SEES, [LIST]: pageOf([]) },
    seen: /^Nenhuma epizootia ainda/,
  },
  {
    name: 'epizootias-nenhuma-no-filtro',
    path: '/epizootias?classificacao=confirmada',
    answers: { ...SEES, [LIST]: pageOf([]) },
    seen: 'Nenhuma epizootia com estes filtros.',
  },
  {
    name: 'epizootias-carregando',
    path: '/epizootias',
    answers: { ...SEES, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'epizootias-erro',
    path: '/epizootias',
    answers: { ...SEES, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'epizootias-valores',
    picture: true,
    path: '/epizootias',
    answers: { ...ALL, ...DEFINES },
    async act(page) {
      await openValores(page)
      await page.getByLabel('Nome', { exact: true }).fill('Mormo e farcino')
    },
    seen: 'Espécies sugeridas',
  },
  { name: 'epizootias-sem-acesso', path: '/epizootias', answers: READER, seen: 'epizootias.listar' },
  {
    name: 'epizootia-nova',
    picture: true,
    path: '/epizootias/nova',
    answers: ALL,
    act: save,
    seen: '5 campos a corrigir',
  },
  { name: 'epizootia', picture: true, path: '/epizootias/12', answers: SHOWN, seen: 'Motivo: engano' },
  {
    name: 'epizootia-excluir',
    path: '/epizootias/12',
    answers: SHOWN,
    async act(page) {
      await page.getByRole('button', { name: 'Excluir' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
    },
    seen: 'Excluir a epizootia',
  },
  {
    name: 'epizootia-ausente',
    path: '/epizootias/12',
    answers: { ...MANAGES, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'Se foi excluída, você pode trazê-la de volta.',
  },
  {
    name: 'caso-epizootias-proximas',
    path: '/casos/7',
    answers: NEAR,
    act: look,
    seen: '1 evento desde 19/09/2026',
  },
]

describe('The events in animals', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are told by month, of the same filter as far as the numbers know it', async () => {
    const path = '/epizootias?uf=PE&suspeita=raiva&de=2026-01-01&busca=sagui&vista=meses'
    await using visited = await visit(path, { answers: MONTHS })
    const { page, asked } = visited
    await page.getByText('1.204 epizootias, 2.310 animais mortos.').waitFor()
    await page.getByText(/^Os números por mês não seguem a busca/).waitFor()
    const rows = await page.getByRole('table', { name: 'Meses' }).getByRole('row').allTextContents()
    assert.deepEqual(rows.slice(1), ['03/20261.2002.303', '01/202637'])
    const [{ query }] = asked.filter(({ name }) => name === MESES) as [(typeof asked)[number]]
    const same = { agregacao: 'mes', estado: 'PE', suspeita: 'raiva', inicio: '2026-01-01' }
    assert.deepEqual(Object.fromEntries(query), same)
    const href = await page.getByRole('link', { name: 'Baixar (CSV)' }).getAttribute('href')
    assert.deepEqual(Object.fromEntries(new URL(href as string, 'https://vigia.example').searchParams), {
      ...same,
      formato: 'csv',
    })
    await page.getByRole('button', { name: 'Lista' }).click()
    await page.waitForURL('**/epizootias?busca=sagui&uf=PE&suspeita=raiva&de=2026-01-01')
  })

  it('are filtered by place, suspicion, animals, classification and time; the address is the filter', async () => {
    await using visited = await visit('/epizootias?pagina=2', { answers: ALL })
    const { page, asked } = visited
    const last = () =>
      String(asked.filter(({ name, query }) => name === LIST && !/size=1$/.test(String(query))).at(-1)?.query)
    await eventually(() => assert.equal(last(), 'sort=data_ocorrencia&order=desc&page=2&size=50'))
    await page.getByRole('button', { name: /^Suspeita/ }).click()
    await page.getByLabel('Mormo').click()
    await page.waitForURL('**/epizootias?suspeita=mormo')
    await page.getByRole('button', { name: /^Grupo de animais/ }).click()
    await page.getByLabel('Equídeos').click()
    await page.waitForURL('**/epizootias?suspeita=mormo&grupo=equideo')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Ocorrência/ }).click()
    await page.getByLabel('De', { exact: true }).fill('2026-02-01')
    await page.getByLabel('Até', { exact: true }).fill('2026-01-01')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.getByText('O fim vem antes do começo.').waitFor()
    await page.getByLabel('Até', { exact: true }).fill('2026-03-01')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.waitForURL('**&de=2026-02-01&ate=2026-03-01')
    await eventually(() =>
      assert.equal(
        decodeURIComponent(last()),
        'suspeita=mormo&especie_grupo=equideo&data_ocorrencia[gte]=2026-02-01&data_ocorrencia[lte]=2026-03-01&sort=data_ocorrencia&order=desc&page=1&size=50',
      ),
    )
    await page.getByRole('link', { name: 'Número' }).click()
    await page.waitForURL('**ordem=numero')
    await page.goto(
      `${visited.origin}/epizootias?municipio=2611606&busca=bugio&importacao=9&de=ontem&suspeita=X`,
    )
    await eventually(() =>
      assert.equal(
        last(),
        'search=bugio&municipio=2611606&importacao_id=9&sort=data_ocorrencia&order=desc&page=1&size=50',
      ),
    )
    await page.getByRole('button', { name: 'Remover o filtro Importação 9' }).click()
    await page.waitForURL('**/epizootias?busca=bugio&municipio=2611606')
  })

  it('have numbers above that lead to exactly their list', async () => {
    await using visited = await visit('/epizootias?uf=PE', { answers: ALL })
    const { page, asked } = visited
    const numbers = page.getByRole('navigation', { name: 'Epizootias por classificação' })
    assert.equal(
      await numbers.getByRole('link', { name: /^Confirmada/ }).getAttribute('href'),
      '/epizootias?uf=PE&classificacao=confirmada',
    )
    await numbers.getByRole('link', { name: /^Todas 4$/ }).waitFor()
    const counted = asked.map(({ query }) => String(query)).filter((query) => /size=1$/.test(query))
    assert.ok(counted.includes('estado=PE&classificacao=confirmada&page=1&size=1'), counted.join(' '))
  })

  it('are on a map that arrows walk over: a mark of one event leads to it, a place to its own map', async () => {
    await using visited = await visit('/epizootias?uf=PE&vista=mapa', { answers: { ...MAP, ...OPENED } })
    const { page } = visited
    await drawn(page)
    await page.locator('.map').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.map-tip').getByText('2 eventos').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/epizootias?municipio=2611606&classificacao=confirmada')
    await page.goBack()
    await drawn(page)
    await page.locator('.map').focus()
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown')
    await page.locator('.map-tip').getByText('Indeterminada').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.waitForURL('**/epizootias?vista=mapa')
    await page.getByRole('button', { name: 'Tabela' }).click()
    const row = page.getByRole('row', { name: /^Recife/ })
    await row.waitFor()
    assert.deepEqual(await row.getByRole('cell').allTextContents(), ['0', '2', '0', '1', '3', '6'])
    assert.equal(
      await row.getByRole('link', { name: '2' }).getAttribute('href'),
      '/epizootias?municipio=2611606&classificacao=confirmada',
    )
  })

  it('are registered with what was typed alone, under one key for one content', async () => {
    const answers = {
      ...ALL,
      ...OPENED,
      [POST]: [refusal(503, 'UNAVAILABLE'), { status: 201, body: { id: 12 } }],
    }
    await using visited = await visit('/epizootias/nova', { answers })
    const { page, asked } = visited
    await page.getByLabel('Número *').fill(' A-1 ')
    await page.getByLabel('Ano da ocorrência').fill('2025')
    await page.getByLabel('Mês da ocorrência').selectOption('3')
    await page.getByRole('combobox', { name: 'Município *' }).fill('Caruaru')
    await page.getByRole('option', { name: /^Caruaru/ }).click()
    await page.getByLabel('Grupo de animais *').selectOption('pnh')
    await page.getByLabel('Suspeita *').selectOption('mormo')
    await page.getByLabel('Latitude').fill('oito')
    await save(page)
    await page.getByText('Escreva um número, como -23,5505.').waitFor()
    await page.getByLabel('Latitude').fill('-8,0123')
    await page.getByLabel('Longitude').fill('-34.9')
    await save(page)
    await page.waitForURL('**/epizootias/12')
    const sent = asked.filter(({ name }) => name === POST)
    assert.equal(sent.length, 2)
    assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.deepEqual(sent[1]?.body, {
      ...{ numero: 'A-1', mes_ocorrencia: 3, ano_ocorrencia: 2025, municipio: '2604106' },
      ...{ latitude: -8.0123, longitude: -34.9, especie_grupo: 'pnh', suspeita: 'mormo' },
      classificacao: 'em_investigacao',
    })
  })

  it('tell what somebody else changed meanwhile, and send the choice under their version', async () => {
    const theirs = detalhe({ localidade: 'Várzea', animais_mortos: 5, versao: 4 })
    const answers = {
      ...SHOWN,
      [ONE]: [{ body: detalhe() }, { body: theirs }],
      [PUT]: [refusal(409, 'CONFLICT'), { body: { id: 12, versao: 5 } }],
    }
    await using visited = await visit('/epizootias/12/editar', { answers })
    const { page, asked } = visited
    await page.getByLabel('Localidade').fill('Apipucos')
    await page.getByLabel('Gênero ou espécie').fill('Alouatta')
    await save(page)
    const conflict = page.locator('dialog.conflict')
    await conflict.getByText('Animais mortos').waitFor()
    await conflict.getByText('Várzea').click()
    await conflict.locator('.button.primary').click()
    await page.waitForURL('**/epizootias/12')
    const [first, second] = asked.filter(({ name }) => name === PUT)
    assert.deepEqual(first?.body, { localidade: 'Apipucos', especie: 'Alouatta' })
    assert.equal(first?.headers['if-match'], '"3"')
    assert.deepEqual(second?.body, { especie: 'Alouatta' })
    assert.equal(second?.headers['if-match'], '"4"')
  })

  it('are deleted with a reason under the version that was read, and restored', async () => {
    const answers = {
      ...SHOWN,
      [DELETE]: [refusal(409, 'CONFLICT'), { status: 204 }],
      [RESTORE]: { body: { id: 12, versao: 5 } },
    }
    await using visited = await visit('/epizootias/12', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Excluir' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Motivo/).fill(' repetida ')
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await dialog.getByText(/^Alguém alterou a epizootia/).waitFor()
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Epizootia excluída.').waitFor()
    const sent = asked.filter(({ name }) => name === DELETE)
    assert.equal(String(sent[0]?.query), 'motivo=repetida')
    assert.equal(sent[0]?.headers['if-match'], '"3"')
    await page.getByRole('button', { name: 'Restaurar' }).click()
    await page.getByRole('heading', { name: 'Febre amarela, nº 2026000123' }).waitFor()
  })

  it('are only read by accounts that may not register, to whom coordinates are rough', async () => {
    const answers = {
      ...SEES,
      [LIST]: LISTED,
      [ONE]: { body: detalhe({ observacao: null }) },
      [HISTORICO]: CHANGES,
    }
    await using visited = await visit('/epizootias', { answers, at: PICTURED_AT })
    const { page } = visited
    await page.getByRole('link', { name: '2026000123' }).click()
    await page.getByText('Coordenadas arredondadas a cerca de um quilômetro.').waitFor()
    for (const name of ['Editar', 'Excluir', 'Nova epizootia', 'Importar epizootias'])
      assert.equal(await page.getByText(name, { exact: true }).count(), 0, name)
    await page.goto(`${visited.origin}/epizootias/12/editar`)
    await page.getByText('epizootias.registrar').waitFor()
  })

  it('have suspicions and species that those who define series add, with a code that follows the name', async () => {
    const made = { campo: 'especie', codigo: 'sapajus_libidinosus', rotulo: 'Sapajus libidinosus' }
    const refused = refusal(422, 'VALIDATION_ERROR', {
      details: [{ field: 'codigo', message: 'Já está em uso', code: 'DUPLICATE' }],
    })
    const answers = { ...ALL, ...DEFINES, [ADD_VALOR]: [refused, { status: 201, body: made }] }
    await using visited = await visit('/epizootias', { answers })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    const add = () => dialog.getByRole('button', { name: 'Acrescentar' }).click()
    await openValores(page)
    await add()
    assert.equal(await dialog.getByText('Preencha este campo.').count(), 2)
    await dialog.getByLabel('Acrescentar').selectOption('especie')
    await dialog.getByLabel('Nome', { exact: true }).fill(' Sapajus libidinosus ')
    assert.equal(await dialog.getByLabel('Código').inputValue(), 'sapajus_libidinosus')
    await dialog.getByLabel('Código').fill('  ')
    await add()
    await dialog.getByText('Preencha este campo.').waitFor()
    assert.ok(!asked.some(({ name }) => name === ADD_VALOR), 'a code of blanks is none')
    await dialog.getByLabel('Código').fill(' sapajus_libidinosus')
    await add()
    await dialog.getByText('Já está em uso').waitFor()
    assert.equal(await dialog.getByLabel('Nome', { exact: true }).inputValue(), ' Sapajus libidinosus ')
    await add()
    await dialog.getByText('Sapajus libidinosus: acrescentada.').waitFor()
    assert.equal(await dialog.getByLabel('Nome', { exact: true }).inputValue(), '')
    assert.deepEqual(asked.filter(({ name }) => name === ADD_VALOR).at(-1)?.body, made)
  })

  it('lose those that nothing uses, after a question; of others the service says so', async () => {
    const used = refusal(422, 'VALIDATION_ERROR', {
      details: [{ field: 'codigo', message: 'Ainda está em uso', code: 'IN_USE' }],
    })
    const answers = { ...ALL, ...DEFINES, [REMOVE_VALOR]: [used, { status: 204 }] }
    await using visited = await visit('/epizootias', { answers })
    const { page, asked } = visited
    await openValores(page)
    await page.getByRole('button', { name: 'Remover Mormo' }).click()
    const question = page.getByRole('dialog', { name: 'Remover Mormo' })
    await question.getByText(/^Deixa de ser oferecida/).waitFor()
    assert.equal(asked.filter(({ name }) => name === REMOVE_VALOR).length, 0)
    await question.getByRole('button', { name: 'Remover' }).click()
    await page.getByText('Mormo: Ainda está em uso.').waitFor()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remover Mormo' }).click()
    await question.getByRole('button', { name: 'Remover' }).click()
    await page.getByText('Mormo: removida.').waitFor()
    await question.waitFor({ state: 'detached' })
  })

  it('offer their suspicions and species to nobody who may not change them', async () => {
    await using visited = await visit('/epizootias', { answers: ALL })
    await visited.page.getByRole('link', { name: '2026000123' }).waitFor()
    assert.equal(await visited.page.getByRole('button', { name: 'Suspeitas e espécies' }).count(), 0)
  })

  it('are in the words of the chosen language', async () => {
    await using visited = await visit('/epizootias', {
      answers: { ...REGISTERS, [LIST]: LISTED },
      locale: 'en-US',
    })
    await visited.page.getByText('Under investigation').first().waitFor()
    await visited.page.getByText('Non-human primates').first().waitFor()
    await visited.page.getByText('Mormo').first().waitFor()
  })
})

describe('Events in animals near a case', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('are asked for only when somebody wants them, by radius and weeks', async () => {
    await using visited = await visit('/casos/7', { answers: NEAR })
    const { page, asked } = visited
    await page.getByText('Animais doentes ou mortos em torno de Caruaru, PE.').waitFor()
    const queries = () => asked.filter(({ name }) => name === PROXIMAS).map(({ query }) => String(query))
    assert.deepEqual(queries(), [])
    await look(page)
    await page.getByRole('link', { name: '12/10/2026, Bezerros' }).waitFor()
    await page.getByText('24,3 km').waitFor()
    await page.getByLabel('Raio (km)').selectOption('100')
    const of = 'municipio=Caruaru&estado=PE&suspeita=febre_amarela&semanas=8&raio_km='
    await eventually(() => assert.deepEqual(queries(), [`${of}50`, `${of}100`]))
  })

  it('are not there without the permission, nor on cases of other diseases', async () => {
    for (const answers of [
      { ...NEAR, 'GET /api/v1/usuarios/me': perfil(OF_CASES) },
      { ...NEAR, [CASO]: { body: caso() } },
    ]) {
      await using visited = await visit('/casos/7', { answers })
      await visited.page.getByRole('heading', { name: 'Histórico' }).waitFor()
      assert.equal(await visited.page.getByText('Epizootias próximas').count(), 0)
    }
  })
})
