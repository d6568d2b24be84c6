import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, type Visit } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { PARTES, painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

/** Bar 18 of the console: another filter costs the painel two requests, whatever it shows and whatever else happens meanwhile. */

const STREAM = 'GET /api/v1/eventos/aovivo'
const TERRITORIOS = 'GET /api/v1/territorios'
const TIPOS = 'GET /api/v1/agravos/tipos'
const FACETAS = 'GET /api/v1/agravos/casos/facetas'
const FORMULARIO = 'GET /api/v1/agravos/tipos/malaria/formulario'
const BRASIL: Answers = { ...ADMIN, ...painelAnswers(painelAnswer()) }
const PERNAMBUCO: Answers = { ...ADMIN, ...painelAnswers(painelAnswer('estado')) }
const CALM_MS = 500
const TWO = [ROUTE, PARTES]

/** All parts are drawn and the page has sent no request for a while: what comes after the numbers has come. */
async function rest({ page, asked }: Visit): Promise<void> {
  await page.locator('.months-card').waitFor()
  for (let sent = -1; sent !== asked.length; await sleep(CALM_MS)) sent = asked.length
}

/** Names of the requests that follow an act, once everything has come to rest. */
async function askedBy(visited: Visit, act: () => Promise<unknown>): Promise<string[]> {
  const before = visited.asked.length
  await act()
  await eventually(() => assert.ok(visited.asked.length >= before + TWO.length))
  await rest(visited)
  return visited.asked.slice(before).map(({ name }) => name)
}

describe('Another filter of the painel', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('is two requests on the way down to a municipality, whose name and neighbourhoods come with them', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page, answers } = visited
    await rest(visited)
    answers[ROUTE] = { body: painelAnswer('estado') }
    const places = page.locator('.places-card')
    assert.deepEqual(
      await askedBy(visited, () => places.getByRole('link', { name: 'Pernambuco', exact: true }).click()),
      TWO,
    )
    answers[ROUTE] = { body: painelAnswer('municipio') }
    assert.deepEqual(
      await askedBy(visited, () => places.getByRole('link', { name: 'Recife', exact: true }).click()),
      TWO,
    )
    await page.getByRole('heading', { name: /^Dengue em Recife/ }).waitFor()
    await page.getByText('57 casos em bairros com menos de 5').waitFor()
    assert.equal(visited.asked.at(-1)?.query.get('partes'), 'pendencias,bairros')
  })

  it('is two requests where the address names a region or a municipality of a state that nobody looked at', async () => {
    for (const [search, nivel, name] of [
      ['uf=PE&municipio=2611606', 'municipio', 'Recife'],
      ['uf=PE&regiao=26001', 'regiao_saude', 'Recife e arredores'],
    ] as const) {
      const painel = painelAnswer('municipio')
      const lugar = { nivel, codigo: search.split('=').at(-1) as string, nome: name }
      await using visited = await visit('/painel', {
        answers: { ...ADMIN, ...painelAnswers({ ...painel, lugar }) },
      })
      const { page, asked } = visited
      await page.goto(`${visited.origin}/painel?${search}`)
      await page.getByRole('heading', { name: new RegExp(`^Dengue em ${name}`) }).waitFor()
      await rest(visited)
      assert.deepEqual(
        asked.filter(({ name }) => name === TERRITORIOS),
        [],
        'names come with the numbers',
      )
    }
  })

  it('is two requests while the map shows levels', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page, answers } = visited
    await rest(visited)
    await page.getByRole('button', { name: 'Alerta', exact: true }).click()
    await rest(visited)
    answers[ROUTE] = { body: painelAnswer('estado') }
    const down = page.locator('.places-card').getByRole('link', { name: 'Pernambuco', exact: true })
    assert.deepEqual(await askedBy(visited, () => down.click()), TWO)
    assert.equal(visited.asked.at(-1)?.query.get('partes'), 'pendencias,niveis')
  })

  it('is two requests for each choice of a panel, also of a disease that has a definition', async () => {
    const facetas = { facetas: [], calculado_em: '2026-11-14T15:00:00.000Z' }
    const tipo = (codigo: string, nome: string) => ({
      ...{ codigo, nome, cid10_codes: [], descricao: '', notificacao_obrigatoria: true },
    })
    const tipos = [tipo('dengue', 'Dengue'), tipo('malaria', 'Malária')]
    await using visited = await visit('/painel?uf=PE', {
      answers: {
        ...PERNAMBUCO,
        [FACETAS]: { body: facetas },
        [TIPOS]: { body: { total: 2, tipos } },
        [FORMULARIO]: { body: { codigo: 'malaria', nome: 'Malária', grupos: [] } },
      },
    })
    const { page } = visited
    await rest(visited)
    const choose = async (pill: RegExp, value: string) => {
      await page.locator('.filters').getByRole('button', { name: pill }).click()
      await page.locator('.choices').getByText(value, { exact: true }).waitFor()
      await rest(visited)
      const name = `${pill.source} ${value}`
      assert.deepEqual(
        await askedBy(visited, () => page.locator('.choices').getByText(value, { exact: true }).click()),
        TWO,
        name,
      )
    }
    await choose(/^Contar por/, 'Notificação')
    await choose(/^Classificação/, 'Descartado')
    await choose(/^Agravo/, 'Malária')
    const forms = () => visited.asked.filter(({ name }) => name === FORMULARIO).length
    assert.equal(forms(), 0)
    await page
      .locator('.filters')
      .getByRole('button', { name: /^Classificação/ })
      .click()
    await eventually(() => assert.equal(forms(), 1, 'its choices are asked for when they are opened'))
  })

  it('is two requests where the one before is still on its way, whose own are given up', async () => {
    const never = new Promise<void>(() => undefined)
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page, answers, asked } = visited
    const link = (name: string) =>
      page.locator('.places-card').getByRole('link', { name, exact: true }).click()
    await rest(visited)
    answers[ROUTE] = { body: painelAnswer('estado'), after: never }
    await link('São Paulo')
    await eventually(() => assert.match(String(asked.at(-1)?.query), /estado=SP/))
    answers[ROUTE] = { body: painelAnswer('estado') }
    answers[PARTES] = { ...(answers[PARTES] as object), after: never }
    assert.deepEqual(await askedBy(visited, () => link('Pernambuco')), TWO)
    // Its work list has not come yet.
    answers[PARTES] = painelAnswers(painelAnswer())[PARTES] as object
    answers[ROUTE] = { body: painelAnswer('municipio') }
    assert.deepEqual(await askedBy(visited, () => link('Recife')), TWO)
  })

  it('is two requests while changes are told of: old figures that it replaces are not read again', async () => {
    const BEGIN = '2026-11-14T15:00:00.000Z'
    const told = Promise.withResolvers<void>()
    const numbers = Promise.withResolvers<void>()
    const change = {
      ...{ id: 'evt_1', tipo: 'agravo.criado', timestamp: '2026-11-14T15:00:30.000Z' },
      ...{ dados: { id: 1, tipo_agravo: 'dengue' }, lugares: [] },
    }
    const stream = [
      `id: 1\nevent: inicio\ndata: {"timestamp":"${BEGIN}"}\n\n`,
      `id: 2\nevent: evento\ndata: ${JSON.stringify(change)}\n\n`,
    ]
    await using visited = await visit('/painel', {
      moves: true,
      answers: {
        ...BRASIL,
        [STREAM]: [
          { headers: { 'content-type': 'text/event-stream' }, text: stream.join(''), after: told.promise },
          { status: 204 },
        ],
      },
    })
    const { page, answers, asked } = visited
    const read = () => asked.filter(({ name }) => TWO.includes(name))
    await rest(visited)
    // The time between two readings of the same figures is over.
    await page.clock.runFor(11_000)
    answers[ROUTE] = { body: painelAnswer('estado'), after: numbers.promise }
    const before = read().length
    await page.locator('.places-card').getByRole('link', { name: 'Pernambuco', exact: true }).click()
    await eventually(() => assert.equal(read().length, before + 1))
    told.resolve()
    await eventually(() => assert.equal(asked.filter(({ name }) => name === STREAM).length, 2))
    await page.clock.runFor(1_000)
    numbers.resolve()
    await page.getByRole('heading', { name: /^Dengue em Pernambuco/ }).waitFor()
    await page.locator('.answer.stale').first().waitFor({ state: 'detached' })
    await page.clock.runFor(1_000)
    await rest(visited)
    assert.deepEqual(
      read()
        .slice(before)
        .map(({ name, query }) => [name, query.get('estado')]),
      TWO.map((name) => [name, 'PE']),
    )
    // The change is not forgotten: it is later than these answers, too.
    await page.clock.runFor(11_000)
    await eventually(() => assert.equal(read().length, before + 4))
  })
})
