import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answer, consoleVisits, refusal } from '../harness/console-page.ts'
import { until } from '../harness/eventually.ts'
import {
  accepted,
  CASOS,
  CONFERENCIA,
  IMPORT,
  IMPORTER,
  importacao,
  JOB,
  job,
  NO_JOBS,
  RESULTADO,
  RUNNING,
  SEND,
  undoing,
} from './importacoes-answers.ts'

const ONE = 'GET /api/v1/agravos/importacoes/9'
const UNDO = 'POST /api/v1/agravos/importacoes/9/desfazer'
const EFFECT = { removidos: 2, restaurados: 1, total_mantidos: 0, mantidos: [] }
const FILE = { name: 'DENGBR26_PE.csv', mimeType: 'text/csv', buffer: Buffer.from('NU_NOTIFIC\r\n1\r\n') }
const BACK: Answer = { body: { status: 'ok' } }

/** Virtual time between two looks. */
const STEP_MS = 250
/** A button that is gone meanwhile was pressed, or is not needed any more. */
const CLICK_MS = 1_000
const CUT = /^Sem conexão desde/
const WAITING = /^Muitas consultas; volto em \d s/

/** A fault at each request that matters, and what is seen of it, step by step of the flow. */
interface Fault {
  /** Answers before the good one. */
  answers(): Answer[]
  upload: string | RegExp
  check: string | RegExp
  start: string | RegExp
  progress: string | RegExp
  undo: string | RegExp
}

const wait = (status: number, code: string): Fault => ({
  answers: () => [refusal(status, code, {}, { 'retry-after': '2' })],
  upload: WAITING,
  check: WAITING,
  start: WAITING,
  progress: WAITING,
  undo: WAITING,
})

let release = () => undefined as unknown
/** Answered only after the state of waiting was seen. */
const late = (): Answer[] => {
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  return [{ after: promise, late: true } as Answer]
}

const FAULTS: Record<string, Fault> = {
  'the connection is cut': {
    // As often as the client tries.
    answers: () => [{ cut: true }, { cut: true }, { cut: true }],
    upload: 'O envio de DENGBR26_PE.csv não terminou',
    check: CUT,
    start: 'Sem conexão; aguardando',
    progress: CUT,
    undo: 'Sem conexão; aguardando',
  },
  'the service answers 503': wait(503, 'UNAVAILABLE'),
  'the service answers 429': wait(429, 'RATE_LIMITED'),
  'the connection is slow': {
    answers: late,
    upload: 'Enviando DENGBR26_PE.csv',
    check: 'Está demorando…',
    start: 'Iniciando…',
    progress: 'Lendo e conferindo o arquivo',
    undo: 'Simular',
  },
}

describe('The import flow on a bad connection', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const [what, fault] of Object.entries(FAULTS))
    it(`loses nothing and says what it waits for at every step where ${what}`, async () => {
      const RUNS = job({ ...RUNNING, job_id: IMPORT, trabalho: 'importacao' })
      await using visited = await visit('/importacoes/nova', {
        moves: true,
        answers: { ...IMPORTER, ...NO_JOBS, ...CASOS, [ONE]: { body: importacao() } },
      })
      const { page, answers, asked } = visited
      /** The next answers to a request: the fault, then what it is about. */
      const set = (name: string, ...good: Answer[]) => {
        const [bad, [first, ...rest]] = [fault.answers(), good]
        const isLate = bad.length === 1 && 'late' in (bad[0] as object)
        answers[name] = isLate ? [{ ...first, ...bad[0] }, ...rest] : [...bad, ...good]
        delete answers['GET /api/v1/health']
      }
      const isThere = async (target: Locator) => {
        if (await target.first().isVisible()) return true
        await page.clock.runFor(STEP_MS)
        return false
      }
      /** The fault is seen, ends, and the flow goes on. */
      const shows = async (state: string | RegExp, then: Locator, retry?: string) => {
        await until(String(state), () => isThere(page.getByText(state)))
        answers['GET /api/v1/health'] = BACK
        release()
        const again = page.locator('button:not([aria-disabled=true])', { hasText: retry ?? '' })
        await until(`the step after ${state}`, async () => {
          if (retry !== undefined && (await again.isVisible()))
            await again.click({ timeout: CLICK_MS }).catch(() => undefined)
          return isThere(then)
        })
      }
      const heading = (name: string | RegExp) => page.getByRole('heading', { name })
      const sent = () => asked.filter(({ name }) => name === SEND)
      const keysOf = (requests: typeof asked) =>
        new Set(requests.map(({ headers }) => headers['idempotency-key'])).size
      const isCut = what.includes('cut')

      set(SEND, accepted(JOB))
      answers[`GET /api/v1/jobs/${JOB}`] = job(RUNNING)
      await page.locator('input[type=file]').setInputFiles(FILE)
      await shows(fault.upload, heading('Conferindo o arquivo'), 'Enviar de novo')
      const uploads = sent()
      for (const { body } of uploads) assert.match(String(body), /name="file"; filename="DENGBR26_PE.csv"/)
      assert.equal(keysOf(uploads), isCut ? 2 : 1, 'what is repeated unasked has its key')

      set(`GET /api/v1/jobs/${JOB}`, job({ resultado: CONFERENCIA, rejeitados_url: 'x' }))
      await page.reload()
      await shows(fault.check, heading('2 de 3 colunas usadas').or(heading('1 de 3 colunas usadas')))
      await page.getByRole('link', { name: /^Continuar para a conferência/ }).click()
      const start = page.getByRole('button', { name: 'Importar 1.511 casos' })
      await start.waitFor()
      set(SEND, accepted(IMPORT))
      answers[`GET /api/v1/jobs/${IMPORT}`] = RUNS
      await start.click()
      await shows(fault.start, heading('Importando'), 'Importar 1.511 casos')
      assert.equal(keysOf(sent().slice(uploads.length)), 1, 'one import, however often it is sent')

      set(
        `GET /api/v1/jobs/${IMPORT}`,
        job({ job_id: IMPORT, trabalho: 'importacao', resultado: RESULTADO, rejeitados_url: 'x' }),
      )
      await shows(fault.progress, heading('1.200 casos novos e 311 atualizados'))

      await page.getByRole('link', { name: 'Ver ou desfazer' }).click()
      const simulate = page.getByRole('button', { name: 'Simular' })
      await simulate.waitFor()
      set(UNDO, accepted('job_simulacao'))
      answers['GET /api/v1/jobs/job_simulacao'] = undoing(EFFECT)
      await simulate.click()
      await shows(fault.undo, page.getByText('Simulação pronta. Nada mudou ainda.'), 'Simular')
      assert.equal(keysOf(asked.filter(({ name }) => name === UNDO)), 1)
    })
})
