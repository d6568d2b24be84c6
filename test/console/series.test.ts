import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { semanaAt, weekOf } from '../../src/brasil/epi-week.ts'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  CATALOGO,
  CORRELACAO,
  correlacao,
  DEFINES,
  DETAIL,
  ESTADOS,
  LAST_WEEK,
  LIST,
  LUGARES,
  lugares,
  ONE,
  PUT,
  page as pageOf,
  SEES,
  serie,
  VALORES,
  valores,
} from './series-answers.ts'

const ALL = { ...DEFINES, [LIST]: pageOf(CATALOGO) }
const WHOLE = { ...DEFINES, ...DETAIL }
const ME = 'GET /api/v1/usuarios/me'
/** Of the day that the series ends with. */
const LAST_WEEK_STORED = semanaAt(weekOf('2026-11-01')).codigo
const never = new Promise<void>(() => undefined)
const RECIFE = '/series/temp_min_sem?municipio=2611606'
const TERRITORIOS = {
  'GET /api/v1/territorios': {
    body: {
      estados: [
        {
          codigo: 'PE',
          nome: 'Pernambuco',
          regioes_saude: [
            { codigo: '26001', nome: 'Recife', municipios: [{ codigo: '2611606', nome: 'Recife' }] },
          ],
        },
      ],
    },
  },
}
const SEEN = { ...WHOLE, ...TERRITORIOS }

const drawn = async (page: Page) => {
  await page.locator('.line-chart svg').waitFor()
  await page.locator('.map canvas[role="img"]').waitFor()
  await page.locator('.lag-bars svg').waitFor()
  await page.getByText('Carlos Teixeira').waitFor()
}
const tables = async (page: Page) => {
  await drawn(page)
  for (const button of await page.getByRole('button', { name: 'Tabela' }).all()) await button.click()
}
const edit = async (page: Page) => {
  await page.getByRole('button', { name: 'Editar definição' }).click()
  await page.getByRole('dialog').getByLabel('Nome').waitFor()
}

/** A series whose few municipalities say nothing of the country. */
const NO_COUNTRY = valores({
  lugar: { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null },
  sem_valor: 104,
  valores: valores().valores.map((one) => ({ ...one, valor: null, cobertura: 0, limiares: {} })),
})

const VIEWS: View[] = [
  { name: 'series', picture: true, path: '/series', answers: ALL, seen: 'Amplitude térmica' },
  {
    name: 'series-nova',
    picture: true,
    path: '/series',
    answers: ALL,
    async act(page) {
      await page.getByRole('button', { name: 'Nova série' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Registrar' }).click()
    },
    seen: 'Preencha este campo.',
  },
  {
    name: 'series-vazio',
    path: '/series',
    answers: { ...SEES, [LIST]: pageOf([]) },
    seen: /^Nenhuma série reg/,
  },
  {
    name: 'series-nenhuma-no-filtro',
    path: '/series?dominio=animal&tema=x',
    answers: { ...SEES, [LIST]: pageOf([]) },
    seen: 'Nenhuma série com estes filtros.',
  },
  {
    name: 'series-carregando',
    path: '/series',
    answers: { ...SEES, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'series-erro',
    path: '/series',
    answers: { ...SEES, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'series-sem-acesso', path: '/series', answers: READER, seen: 'series.listar' },
  { name: 'serie', picture: true, path: RECIFE, answers: SEEN, act: drawn, seen: 'Bruta' },
  {
    name: 'serie-tabelas',
    picture: true,
    path: RECIFE,
    answers: SEEN,
    act: tables,
    seen: 'Semanas efetivas',
  },
  {
    name: 'serie-editar',
    picture: true,
    path: RECIFE,
    answers: SEEN,
    async act(page) {
      await drawn(page)
      await edit(page)
    },
    seen: 'Acrescentar limiar',
  },
  {
    name: 'serie-sem-agregacao',
    path: '/series/temp_min_sem',
    answers: {
      ...WHOLE,
      [ONE]: { body: serie({ agrega_lugar: 'nenhuma' }) },
      [VALORES]: refusal(422, 'VALIDATION_ERROR', {
        details: [{ field: 'nivel', code: 'INCONSISTENT', message: 'x' }],
      }),
      [CORRELACAO]: refusal(422, 'VALIDATION_ERROR', {
        details: [{ field: 'nivel', code: 'INCONSISTENT', message: 'x' }],
      }),
      [LUGARES]: { body: lugares({ lugares: [] }) },
    },
    seen: 'Esta série não se agrega: escolha um município.',
  },
  {
    name: 'serie-sem-valores-no-lugar',
    path: '/series/temp_min_sem',
    answers: {
      ...WHOLE,
      [LUGARES]: { body: lugares({ lugares: ESTADOS.lugares.slice(3) }) },
      [VALORES]: { body: NO_COUNTRY },
    },
    seen: 'Nenhum valor neste lugar e período.',
  },
  {
    name: 'serie-sem-valores',
    path: '/series/temp_min_sem',
    answers: { ...DEFINES, [ONE]: { body: serie({ valores: 0, lugares: 0, primeiro: null, ultimo: null }) } },
    seen: /^Sem valores ainda/,
  },
  {
    name: 'serie-ausente',
    path: '/series/temp_min_sem',
    answers: { ...SEES, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
]

describe('The series', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are filtered by domain, theme, period and state; the address is the filter', async () => {
    await using visited = await visit('/series?pagina=2', { answers: ALL })
    const { page, asked } = visited
    const last = () => String(asked.filter(({ name }) => name === LIST).at(-1)?.query ?? '')
    await eventually(() => assert.equal(last(), 'ativa=true&sort=nome&order=asc&page=2&size=50'))
    await page.getByRole('button', { name: /^Domínio/ }).click()
    await page.getByLabel('Animal', { exact: true }).click()
    await page.waitForURL('**/series?dominio=animal')
    await page.getByRole('button', { name: /^Situação/ }).click()
    await page.getByLabel('Arquivadas').click()
    await page.waitForURL('**/series?dominio=animal&situacao=arquivadas')
    await eventually(() =>
      assert.equal(last(), 'dominio=animal&ativa=false&sort=nome&order=asc&page=1&size=50'),
    )
    await page.getByRole('link', { name: 'Valores' }).click()
    await page.waitForURL('**ordem=valores')
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.goto(`${visited.origin}/series?situacao=com_valores&tema=clima&periodo=dia&busca=chuva`)
    await eventually(() =>
      assert.equal(
        last(),
        'search=chuva&tema=clima&periodo=dia&ativa=true&com_valores=true&sort=nome&order=asc&page=1&size=50',
      ),
    )
  })

  it('open where there are values if the country has none, first at a place of the account', async () => {
    const answers = { ...SEEN, [VALORES]: { body: NO_COUNTRY } }
    await using visited = await visit('/series/temp_min_sem', { answers })
    const { page, asked } = visited
    await page.waitForURL('**/series/temp_min_sem?municipio=2611606')
    await eventually(() =>
      assert.ok(
        asked.some(({ name, query }) => name === VALORES && query.get('municipio') === '2611606'),
        'its values are asked for',
      ),
    )
    const found = asked.find(({ name, query }) => name === LUGARES && query.get('nivel') === 'municipio')
    assert.equal(found?.query.get('semana'), LAST_WEEK_STORED)

    const me = perfil(['series.listar'])
    const caruaru = { nivel: 'municipio', codigo: '2604106', nome: 'Caruaru' }
    await using bound = await visit('/series/temp_min_sem', {
      answers: { ...answers, [ME]: { body: { ...me.body, territorios: [caruaru] } } },
    })
    await bound.page.waitForURL('**/series/temp_min_sem?municipio=2604106')
    // The country can be chosen all the same.
    await bound.page.getByRole('button', { name: /^Território/ }).click()
    await bound.page.getByRole('button', { name: 'Brasil', exact: true }).click()
    await bound.page.waitForURL('**/series/temp_min_sem')
    await bound.page.getByText('Nenhum valor neste lugar e período.').waitFor()
  })

  it('have their ways to import and to register only for accounts that may', async () => {
    await using visited = await visit('/series', { answers: { ...SEES, [LIST]: pageOf(CATALOGO) } })
    const { page } = visited
    await page.getByText('Amplitude térmica').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Nova série' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Importar séries' }).count(), 0)
    assert.equal(
      await page.getByRole('link', { name: 'Chuva', exact: true }).getAttribute('href'),
      '/series/chuva',
    )
  })

  it('are registered with numbers as they are typed in Brazil', async () => {
    const answers = { ...ALL, 'POST /api/v1/series': { status: 201, body: serie() }, ...DETAIL }
    await using visited = await visit('/series', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Nova série' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Código').fill(' densidade ')
    await dialog.getByLabel('Nome').fill('Densidade')
    await dialog.getByLabel('Descrição').fill('Ovos por armadilha')
    await dialog.getByLabel('Mínimo plausível').fill('−0,5')
    await dialog.getByLabel('Máximo plausível').fill('dez')
    await dialog.getByLabel('Fonte', { exact: true }).fill('SMS')
    await dialog.getByLabel('Licença').fill('CC BY 4.0')
    await dialog.getByRole('button', { name: 'Acrescentar limiar' }).click()
    const limiar = dialog.getByRole('group', { name: 'Limiar 1' })
    await limiar.getByLabel('Código').fill('alto')
    await limiar.getByLabel('Rótulo').fill('Alto')
    await limiar.getByLabel('Valor').fill('2,5')
    await dialog.getByRole('button', { name: 'Registrar' }).click()
    await dialog.getByText('Escreva um número.').waitFor()
    await dialog.getByLabel('Máximo plausível').fill('')
    await dialog.getByRole('button', { name: 'Registrar' }).click()
    await page.waitForURL('**/series/temp_min_sem')
    const sent = asked.find(({ name }) => name === 'POST /api/v1/series')
    assert.match(sent?.headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
    const body = (sent?.body ?? {}) as Record<string, unknown>
    const { codigo, minimo, maximo, limiares, derivada, categorias } = body
    assert.deepEqual(
      { codigo, minimo, maximo, derivada, categorias },
      { codigo: 'densidade', minimo: -0.5, maximo: null, derivada: null, categorias: [] },
    )
    assert.deepEqual(limiares, [{ codigo: 'alto', rotulo: 'Alto', operador: 'gte', valor: 2.5, semanas: 1 }])
  })

  it('are changed by what differs alone, under the version that was read', async () => {
    const answers = { ...SEEN, [PUT]: { body: serie({ licenca: 'CC BY 4.0', versao: 4 }) } }
    await using visited = await visit(RECIFE, { answers })
    const { page, asked } = visited
    await edit(page)
    assert.equal(await page.getByLabel('Tipo de valor').count(), 0)
    await page.getByRole('dialog').getByLabel('Licença').fill('CC BY 4.0')
    await page.getByRole('dialog').getByRole('button', { name: 'Gravar' }).click()
    await page.getByText('Definição gravada.').waitFor()
    const sent = asked.find(({ name }) => name === PUT)
    assert.deepEqual(sent?.body, { licenca: 'CC BY 4.0' })
    assert.equal(sent?.headers['if-match'], '"3"')
  })

  it('tell what somebody else changed meanwhile, and send the choice under their version', async () => {
    const theirs = serie({ licenca: 'Restrita', casas: 2, versao: 4 })
    const answers = {
      ...SEEN,
      [ONE]: [{ body: serie() }, { body: theirs }],
      [PUT]: [refusal(409, 'CONFLICT'), { body: serie({ versao: 5 }) }],
    }
    await using visited = await visit(RECIFE, { answers })
    const { page, asked } = visited
    await edit(page)
    await page.getByRole('dialog').getByLabel('Licença').fill('CC BY 4.0')
    await page.getByRole('dialog').getByLabel('Nome').fill('Mínima')
    await page.getByRole('dialog').getByRole('button', { name: 'Gravar' }).click()
    const conflict = page.locator('dialog.conflict')
    await conflict.getByText('Decimais mostrados').waitFor()
    await conflict.getByText('Restrita').click()
    await conflict.locator('.button.primary').click()
    await page.getByText('Definição gravada.').waitFor()
    const [, second] = asked.filter(({ name }) => name === PUT)
    assert.deepEqual(second?.body, { nome: 'Mínima' })
    assert.equal(second?.headers['if-match'], '"4"')
  })

  it('are archived and say so', async () => {
    const archived = serie({ ativa: false, versao: 4 })
    const answers = { ...SEEN, [ONE]: [{ body: serie() }, { body: archived }], [PUT]: { body: archived } }
    await using visited = await visit(RECIFE, { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Arquivar' }).click()
    await page.getByText('Série arquivada: não recebe valores novos.').waitFor()
    await page.getByRole('button', { name: 'Reativar' }).waitFor()
    assert.deepEqual(asked.find(({ name }) => name === PUT)?.body, { ativa: false })
  })

  it('have no change of definition for others', async () => {
    await using visited = await visit(RECIFE, { answers: { ...SEEN, ...SEES } })
    await visited.page.locator('.line-chart svg').waitFor()
    assert.equal(await visited.page.getByRole('button', { name: 'Arquivar' }).count(), 0)
    assert.equal(await visited.page.getByRole('button', { name: 'Editar definição' }).count(), 0)
  })
})

describe('One series', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('asks for the place, the period and the weeks of the address', async () => {
    await using visited = await visit(`${RECIFE}&anos=5&em=202640&agravo=zika`, { answers: SEEN })
    const { page, asked } = visited
    await drawn(page)
    const queryOf = (of: string) => String(asked.find(({ name }) => name === of)?.query ?? '')
    assert.equal(queryOf(VALORES), 'municipio=2611606&inicio=2021-11-08&fim=2026-11-07&periodo=semana')
    assert.equal(queryOf(LUGARES), 'nivel=municipio&estado=PE&semana=202640')
    const asked2 = asked.filter(({ name }) => name === CORRELACAO).map(({ query }) => String(query))
    const expected = 'municipio=2611606&tipo_agravo=zika&defasagem_max=26&dessazonalizar='
    assert.deepEqual(asked2, [`${expected}true`, `${expected}false`])
    await page.getByRole('button', { name: /^Território/ }).click()
    await page.getByRole('button', { name: 'Pernambuco' }).click()
    await page.waitForURL('**/series/temp_min_sem?uf=PE&anos=5&em=202640&agravo=zika')
  })

  it('is correlated by another method and with another series, and shown as it was known before a change', async () => {
    const conhecidos = '2026-11-01T12:00:00.000Z'
    await using visited = await visit(`${RECIFE}&com=chuva&metodo=pearson_log&conhecidos=${conhecidos}`, {
      answers: SEEN,
    })
    const { page, asked } = visited
    await drawn(page)
    const asked2 = asked.filter(({ name }) => name === CORRELACAO).map(({ query }) => String(query))
    const moment = encodeURIComponent(conhecidos)
    const expected = `municipio=2611606&com=chuva&metodo=pearson_log&conhecidos_em=${moment}&defasagem_max=26&dessazonalizar=`
    assert.deepEqual(asked2, [`${expected}true`, `${expected}false`])
    const values = asked.find(({ name }) => name === VALORES)
    assert.equal(values?.query.get('conhecidos_em'), conhecidos)
    await page.getByText(/^Valores como eram conhecidos em/).waitFor()
    await page.getByLabel('Método').selectOption('spearman')
    await page.waitForURL(/com=chuva&conhecidos=/)
    await page.getByRole('link', { name: 'Voltar aos de agora' }).click()
    await page.waitForURL((url) => !url.searchParams.has('conhecidos'))
    await page.getByLabel('Agravo', { exact: true }).selectOption('zika')
    await page.waitForURL(/\?municipio=2611606&agravo=zika$/)
  })

  it('is correlated with cases as they were known, and says until when', async () => {
    const known = { casos_conhecidos: { semana: '202643', sem_digitacao: 0 }, reconstruido: true }
    await using visited = await visit(`${RECIFE}&conhecidos=2026-11-01T12:00:00.000Z`, {
      answers: {
        ...SEEN,
        [CORRELACAO]: [
          { body: { ...correlacao(false), ...known } },
          { body: { ...correlacao(true), ...known } },
        ],
      },
    })
    await drawn(visited.page)
    await visited.page.getByText(/Casos como eram conhecidos no fim da SE 43\/2026\./).waitFor()
  })

  it('is walked through by arrows, and Enter leads to the places of a week', async () => {
    await using visited = await visit(RECIFE, { answers: SEEN })
    const { page, asked } = visited
    await drawn(page)
    await page.locator('.line-chart').focus()
    await page.keyboard.press('End')
    await page.getByText(/^SE 44\/2026, Valor: 2\d(,\d)? °C$/).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL('**em=202643')
    await eventually(() =>
      assert.equal(
        String(asked.filter(({ name }) => name === LUGARES).at(-1)?.query),
        'nivel=municipio&estado=PE&semana=202643',
      ),
    )
    await page.getByRole('button', { name: 'Período anterior' }).click()
    await page.waitForURL('**em=202642')
  })

  it('shades the weeks of a threshold as its table tells them', async () => {
    await using visited = await visit(RECIFE, { answers: SEEN })
    const { page } = visited
    await drawn(page)
    const runs = await page.locator('.line-chart rect.threshold').count()
    const met = valores().valores.map(({ limiares }) => limiares.receptivo === true)
    assert.equal(runs, met.filter((isMet, i) => isMet && !met[i - 1]).length)
    await page.locator('.series-card').getByRole('button', { name: 'Tabela' }).click()
    const cells = page.locator('.series-card tbody tr td:nth-of-type(4)')
    await eventually(async () => assert.equal(await cells.count(), met.length))
    assert.deepEqual(
      (await cells.allTextContents()).map((text) => text === 'sim'),
      met,
    )
  })

  it('has the same numbers in its CSV, with source and licence', async () => {
    await using visited = await visit(RECIFE, { answers: SEEN })
    const { page } = visited
    await drawn(page)
    const card = page.locator('.series-places')
    await card.getByRole('button', { name: 'Tabela' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Baixar CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), `temp_min_sem-${LAST_WEEK}.csv`)
    const lines = readFileSync(await download.path(), 'utf8')
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
    assert.equal(lines[0], 'Lugar;Valor (°C);Parte do período;Fonte e licença')
    const known = lugares().lugares.filter(({ valor }) => valor !== null)
    assert.equal(lines.length - 1, known.length)
    assert.ok(
      lines.includes('Caruaru (PE);19,8;100 %;"InfoDengue; Dados abertos, com citação"'),
      lines.join('\n'),
    )
  })

  it('keeps the note on correlation in sight, also where it fails', async () => {
    const note = /^Correlação não é causa/
    for (const answer of [DETAIL[CORRELACAO], refusal(500, 'INTERNAL_ERROR')]) {
      const answers = { ...SEEN, [CORRELACAO]: answer } as typeof SEEN
      await using visited = await visit(RECIFE, { answers })
      await visited.page.getByText(note).waitFor()
    }
  })

  it('speaks the language of the reader', async () => {
    for (const [locale, text] of [
      ['en-US', 'Season taken out, with 95% interval'],
      ['es-ES', 'Sin la estacionalidad, con intervalo del 95 %'],
    ] as const) {
      await using visited = await visit(RECIFE, { answers: SEEN, locale })
      await visited.page.getByText(text).waitFor()
    }
  })
})
