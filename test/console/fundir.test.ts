import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { strikeFlows } from '../harness/console-flows.ts'
import { type Answers, consoleVisits, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { casoListado } from './casos-data.ts'
import { CASES, DONE, decider, listed, SIMULATED, UNDONE, WOULD_UNDO } from './duplicidades-answers.ts'

const FUNDIR = 'POST /api/v1/agravos/casos/7/fundir'
const FUSOES = 'GET /api/v1/agravos/fusoes'
const UNDO = 'POST /api/v1/agravos/fusoes/9/desfazer'
const LIST = 'GET /api/v1/agravos/casos'
const never = new Promise<void>(() => undefined)

const FUSAO = {
  ...{ id: 9, tipo_agravo: 'dengue', campos_alterados: [], desfeita_em: null, desfeita_por: null },
  principal: { id: 7, numero_notificacao: '4418827' },
  absorvido: { id: 8, numero_notificacao: '4418830' },
  feita_em: '2026-11-14T14:30:00.000Z',
  feita_por: { id: 9, nome: 'Carlos Teixeira' },
}
const foundCase = (id: number) =>
  casoListado(id, {
    ...{ numero_notificacao: '4418830', data_notificacao: `2026-03-0${id}T00:00:00-03:00` },
    ...(id === 9 && { endereco: { municipio_residencia: 'Recife', estado_residencia: 'PE' } }),
  })
const found = (...ids: number[]) => ({
  body: { ...listed([]).body, tipos: ids.map((id) => foundCase(id)) },
})

const OPEN: Answers = { ...decider(), ...CASES, [FUSOES]: listed([]) }
const MERGED: Answers = { ...OPEN, [FUSOES]: listed([FUSAO]) }
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const look = async (page: Page) => {
  await page.getByLabel('Número da outra notificação').fill('4418830')
  await press(page, 'Procurar')
}
const simulate = async (page: Page) => {
  await press(page, 'Fundir…')
  await press(page, 'Ver o que vai acontecer')
}

const VIEWS: View[] = [
  {
    name: 'caso-fundir-escolher',
    picture: true,
    path: '/casos/7/fundir',
    answers: { ...OPEN, [LIST]: found(8, 9) },
    act: look,
    seen: 'M. S. S., Recife, notificado em 09/03/2026',
  },
  {
    name: 'caso-fundir-nenhum',
    path: '/casos/7/fundir',
    // A number finds its own case, too.
    answers: { ...OPEN, [LIST]: found(7) },
    act: look,
    seen: /^Nenhum outro caso deste agravo/,
  },
  {
    name: 'caso-fundir',
    picture: true,
    path: '/casos/7/fundir?com=8',
    answers: OPEN,
    seen: 'campos diferem.',
  },
  {
    name: 'caso-fundir-simulado',
    path: '/casos/7/fundir?com=8',
    answers: { ...OPEN, [FUNDIR]: SIMULATED },
    act: simulate,
    seen: 'O que muda no caso que fica',
  },
  {
    name: 'caso-fundir-feito',
    picture: true,
    path: '/casos/7/fundir?com=8',
    answers: MERGED,
    seen: /foi fundida na 4418827/,
  },
  {
    name: 'caso-fundir-ausente',
    path: '/casos/7/fundir?com=8',
    answers: { ...OPEN, 'GET /api/v1/agravos/casos/8': refusal(404, 'NOT_FOUND') },
    seen: /^Um dos dois casos não existe mais/,
  },
  {
    name: 'caso-fundir-erro',
    path: '/casos/7/fundir?com=8',
    answers: { ...OPEN, [FUSOES]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'caso-fundir-carregando',
    path: '/casos/7/fundir',
    answers: { ...OPEN, 'GET /api/v1/agravos/casos/7': { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'caso-fundir-sem-acesso',
    path: '/casos/7/fundir',
    answers: READER,
    seen: 'agravos.duplicidades',
  },
]

describe('A merge of two cases that nobody proposed', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  strikeFlows(
    [
      {
        name: 'merge with another case',
        path: '/casos/7/fundir?com=8',
        answers: { ...OPEN, [FUNDIR]: SIMULATED },
        request: FUNDIR,
        ok: DONE,
        repeats: true,
        async begin(page) {
          await press(page, 'Fundir…')
          await page.getByLabel('Motivo (opcional)').fill('Digitada duas vezes')
          await press(page, 'Ver o que vai acontecer')
          await page.getByText('O que muda no caso que fica').waitFor()
        },
        send: (page) => press(page, 'Fundir'),
        kept: (page) => page.getByText('O que muda no caso que fica').isVisible(),
        done: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
      },
    ],
    visit,
  )

  it('begins at the case, looks for the number within its disease, and compares the one that is found', async () => {
    await using visited = await visit('/casos/7', { answers: { ...OPEN, [LIST]: found(7, 8) } })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Fundir com outro caso…' }).click()
    await look(page)
    await page.waitForURL('**/casos/7/fundir?com=8')
    await page.getByText('campos diferem.').waitFor()
    const search = asked.filter(({ name }) => name === LIST).at(-1)
    assert.equal(String(search?.query), 'numero_notificacao=4418830&tipo_agravo=dengue&size=50')
  })

  it('is not offered to those who may not', async () => {
    await using visited = await visit('/casos/7', { answers: { ...OPEN, ...READER } })
    await visited.page.getByRole('button', { name: 'Imprimir' }).waitFor()
    assert.equal(await visited.page.getByRole('link', { name: 'Fundir com outro caso…' }).count(), 0)
  })

  it('sends the versions that were compared, first to be told what happens, and can be undone there', async () => {
    await using visited = await visit('/casos/7/fundir?com=8', {
      answers: {
        ...OPEN,
        [FUSOES]: [listed([]), listed([FUSAO]), listed([])],
        [FUNDIR]: [SIMULATED, DONE],
        [UNDO]: [WOULD_UNDO, UNDONE],
      },
    })
    const { page, asked } = visited
    await simulate(page)
    await press(page, 'Fundir')
    await page.getByText(/foi fundida na 4418827/).waitFor()
    const sent = asked.filter(({ name }) => name === FUNDIR)
    assert.deepEqual(
      sent.map(({ query, headers }) => [query.get('simular'), headers['if-match']]),
      [
        ['true', '"3/1"'],
        ['false', '"3/1"'],
      ],
    )
    assert.deepEqual(sent[1]?.body, { caso_id: 8, principal_id: 7, campos: {} })
    assert.match(sent[1]?.headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
    await press(page, 'Desfazer a fusão…')
    await press(page, 'Desfazer')
    await page.getByText('campos diferem.').waitFor()
    assert.equal(asked.filter(({ name }) => name === UNDO).length, 2)
  })

  it('leads to the case that stays, where that is the other', async () => {
    const other = { body: { ...DONE.body, principal_id: 8, absorvido_id: 7 } }
    await using visited = await visit('/casos/7/fundir?com=8', {
      answers: { ...OPEN, [FUNDIR]: [SIMULATED, other] },
    })
    const { page } = visited
    await simulate(page)
    await press(page, 'Fundir')
    await page.waitForURL('**/casos/8/fundir?com=7')
  })
})
