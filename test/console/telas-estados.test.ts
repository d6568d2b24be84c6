import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PATHS } from '../../web/console/paths.ts'
import { noBrowser } from '../harness/browser.ts'
import {
  type Answer,
  type Answers,
  consoleVisits,
  perfil,
  refusal,
  type Visit,
} from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { DEFINIDOR, lido, TIPOS } from './agravos-answers.ts'
import { TELAS, type Tela } from './telas-answers.ts'

const SLOW_MS = 4_000
const WAIT_SECONDS = 5
const later = { 'retry-after': String(WAIT_SECONDS) }
const REFUSED = refusal(422, 'VALIDATION_ERROR')
const TOO_MANY = refusal(429, 'RATE_LIMITED', {}, later)
const UNAVAILABLE = refusal(503, 'UNAVAILABLE', {}, later)
const OFFLINE = /^Sem conexão desde \d\d:\d\d\. O que está na tela é de \d\d:\d\d\./
const FRAME_CUT = { 'GET /api/v1/notificacoes': { cut: true }, 'GET /api/v1/eventos/aovivo': { cut: true } }
const never = new Promise<void>(() => undefined)

const { entrar, esqueci, trocarSenha, segundoFator, redefinirSenha, verificarEmail, naoFuiEu, ...SIGNED_IN } =
  PATHS
const OPEN: readonly string[] = [PATHS.conta, PATHS.ajuda]
/** Addresses that take a permission; the painel asks for its numbers before it is known who looks. */
const GUARDED = Object.values(SIGNED_IN).filter((path) => !OPEN.includes(path) && path !== PATHS.painel)

/** The same for every request of a screen. */
const each = ({ parts }: Tela, answer: Answer): Answers =>
  Object.fromEntries(parts.map(([request]) => [request, answer]))

const retries = (page: Page) => page.locator('main').getByRole('button', { name: 'Tentar de novo' })
const failures = (page: Page) => page.locator('main .failure')

/** Presses every one that is there, from below: parts under one that loads may wait for it. */
async function retryAll(page: Page): Promise<void> {
  for (let at = (await retries(page).count()) - 1; at >= 0; at--) await retries(page).nth(at).click()
}

async function seesAll(page: Page, { parts }: Tela): Promise<void> {
  for (const [request, seen] of parts)
    assert.ok((await page.locator('main').getByText(seen).count()) > 0, `${request} is seen`)
}

/** From a load that never ends to a connection that does: each state follows from the one before by what the screen offers. */
async function goThroughStates(visited: Visit, tela: Tela): Promise<void> {
  const { page, answers } = visited
  // The heading stands while the screen loads.
  await page.locator('main .head h1').waitFor()
  await page.locator('main .loading').first().waitFor()
  await page.clock.fastForward(SLOW_MS)
  await page.getByText('Está demorando…').last().waitFor()
  await visited.inspect('demorando')

  await page.getByRole('button', { name: 'Cancelar' }).first().click()
  await page.getByText('Você cancelou a consulta.').first().waitFor()
  await eventually(async () => assert.equal(await page.locator('main .loading').count(), 0))

  Object.assign(answers, each(tela, REFUSED))
  const parts = await retries(page).count()
  await retryAll(page)
  await eventually(async () => assert.equal(await failures(page).count(), parts))
  for (const failure of await failures(page).all())
    assert.match(
      await failure.innerText(),
      /mensagem VALIDATION_ERROR[\s\S]+pedido-0001[\s\S]+Tentar de novo/,
    )
  await visited.inspect('erro')

  for (const [request] of tela.parts)
    answers[request] = [TOO_MANY, UNAVAILABLE, ...[tela.answers[request] ?? []].flat()]
  await retryAll(page)
  await page.getByText(/Muitas consultas; volto em [1-5] s/).waitFor()
  await eventually(async () => {
    await page.clock.fastForward(WAIT_SECONDS * 1_000)
    await seesAll(page, tela)
  })
  assert.equal(await failures(page).count(), 0, 'it goes on by itself')

  Object.assign(answers, each(tela, { cut: true }), FRAME_CUT)
  await eventually(async () => {
    // An answer that was on its way tells of a connection.
    await page.evaluate("dispatchEvent(new Event('offline'))")
    assert.equal(await page.getByText(OFFLINE).count(), 1)
  })
  await seesAll(page, tela)
  await visited.inspect('sem-conexao')
}

describe('Screens of people, integrations and administration', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const tela of TELAS)
    it(`say that they load, wait, fail or have no connection: ${tela.path}`, async () => {
      const answers = { ...tela.answers, ...each(tela, { after: never }) }
      // The frame asks for the diseases before any screen is drawn.
      if (TIPOS in answers) answers[TIPOS] = [tela.answers[TIPOS] as Answer, { after: never }]
      await using visited = await visit(tela.path, { answers, moves: true })
      await goThroughStates(visited, tela)
    })

  for (const tela of TELAS.filter(({ parts }) => parts.length > 1))
    for (const [request, seen, within = []] of tela.parts)
      it(`go on where a part of them fails: ${tela.path}, ${request}`, async () => {
        await using visited = await visit(tela.path, { answers: { ...tela.answers, [request]: REFUSED } })
        const { page } = visited
        const others = tela.parts.filter(([one]) => one !== request && !within.includes(one))
        await failures(page).waitFor()
        await eventually(() => seesAll(page, { ...tela, parts: others }))
        assert.equal(await page.locator('main').getByText(seen).count(), 0)
        assert.equal(await page.locator('main .bone').count(), 0, 'nothing is waited for')
        assert.equal(await failures(page).count(), 1)
        visited.answers[request] = tela.answers[request] as Answer
        await retries(page).click()
        await eventually(() => seesAll(page, tela))
        assert.equal(await failures(page).count(), 0)
      })

  it('say of one disease that it could not be read, beside the others', async () => {
    const ONE = 'GET /api/v1/agravos/tipos/zika'
    await using visited = await visit('/agravos', { answers: { ...DEFINIDOR, [ONE]: REFUSED } })
    const { page, answers } = visited
    const row = page.getByRole('row').filter({ hasText: 'Zika' })
    await row.getByText('mensagem VALIDATION_ERROR').waitFor()
    await row.getByText('pedido-0001').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Desativar/ }).count(), 3)
    await visited.inspect('agravos-linha-com-erro')
    answers[ONE] = lido({ protegido: true })
    await row.getByRole('button', { name: 'Tentar de novo' }).click()
    await row.getByRole('button', { name: 'Desativar Zika' }).waitFor()
  })

  it('name the permission that is missing, and ask for nothing, whatever the address', async () => {
    for (const path of GUARDED) {
      await using visited = await visit(path.replaceAll(/:\w+/g, '1'), {
        answers: { 'GET /api/v1/usuarios/me': perfil() },
      })
      const { page, asked } = visited
      await page.getByRole('heading', { name: 'Sem acesso' }).waitFor()
      assert.match(await page.locator('main').innerText(), /Permissão [a-z]+/, path)
      assert.deepEqual(
        asked.map(({ name }) => name),
        ['GET /api/v1/usuarios/me'],
        path,
      )
    }
  })
})
