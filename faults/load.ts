import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, answerOf } from '../test/process/service.ts'
import type { Journal } from './journal.ts'
import { PASSWORD, type Target } from './target.ts'

/**
 * Retrying writers. An unacknowledged request is sent again: creations under the same `Idempotency-Key`, changes for the same
 * version. A writer ends only when everything it began is acknowledged.
 */
export interface Load {
  attempts: Attempt[]
  /** Answers that no writer may get. */
  findings: string[]
  stop(): Promise<void>
}

/** Parts of a target that writers need. */
type Served = Pick<Target, 'service' | 'token'>

export interface Attempt {
  /** Milliseconds, by `performance.now()`. */
  begun: number
  ended: number
  outcome: Outcome
}

/** `cut`: the connection was reset or refused; `silent`: no answer within the time-out. */
export type Outcome = 'done' | '503' | 'cut' | 'silent' | 'unexpected'

const CHANGES_OF_A_CASE = 3
const CASES_FOR_A_USER = 10
const PAUSE_MS = 100
/** Time-out of a request, above the service's statement time-out. */
const PATIENCE_MS = 25_000
/** Limit for acknowledging everything after the last fault. */
const END_MS = 60_000

interface Sending {
  method: string
  path: string
  body: object
  headers: Record<string, string>
}

export function startLoad(target: Served, journal: Journal, writers: number): Load {
  const attempts: Attempt[] = []
  const findings: string[] = []
  const stopped = new AbortController()
  const abandoned = new AbortController()
  const all = Array.from({ length: writers }, (_, number) =>
    write(number).catch((error) => findings.push(String(error))),
  )

  async function write(number: number): Promise<void> {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    const insist = createInsistence(target, agent, attempts, abandoned.signal)
    for (let i = 0; !stopped.signal.aborted; i++) {
      await writeCaso(`${number}-${i}`, insist)
      if (i % CASES_FOR_A_USER === 0) await writeUsuario(`${number}-${i}@saude.example`, insist)
    }
    agent.destroy()
  }

  async function writeCaso(numero: string, insist: Insist): Promise<void> {
    const body = {
      tipo_agravo: 'dengue',
      numero_notificacao: numero,
      data_notificacao: '2024-03-12',
      paciente_nome: 'Maria da Silva',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
    }
    const { id } = await insist(creation('/agravos/casos', body, numero))
    journal.note({ what: 'caso', id, numero })
    for (let versao = 1; versao <= CHANGES_OF_A_CASE; versao++) {
      await insist({
        method: 'PUT',
        path: `/agravos/casos/${id}`,
        body: { bairro_residencia: `Bairro ${versao}` },
        headers: { 'if-match': `"${versao}"` },
      })
      journal.note({ what: 'alteracao', id, versao: versao + 1 })
    }
  }

  async function writeUsuario(email: string, insist: Insist): Promise<void> {
    const { id } = await insist(creation('/usuarios', { nome: 'Ana Souza', email, senha: PASSWORD }, email))
    journal.note({ what: 'usuario', id, email })
  }

  return {
    attempts,
    findings,
    async stop() {
      stopped.abort()
      const timer = setTimeout(() => abandoned.abort(), END_MS)
      await Promise.all(all)
      clearTimeout(timer)
    },
  }
}

function creation(path: string, body: object, key: string): Sending {
  return { method: 'POST', path, body, headers: { 'idempotency-key': key } }
}

type Insist = (sending: Sending) => Promise<Answer['body']>

function createInsistence(
  target: Served,
  agent: https.Agent,
  attempts: Attempt[],
  abandoned: AbortSignal,
): Insist {
  return async (sending) => {
    /** In doubt: an attempt without an answer may have been carried out. */
    let inDoubt = false
    for (;;) {
      if (abandoned.aborted) throw new Error(`${sending.method} ${sending.path} was never acknowledged`)
      const begun = performance.now()
      const answer = await send(target, agent, sending)
      const outcome = typeof answer === 'string' ? answer : outcomeOf(answer)
      attempts.push({ begun, ended: performance.now(), outcome })
      if (typeof answer !== 'string') {
        if (outcome === 'done') return answer.body
        // The first attempt made the change, or is still being worked on under the same key.
        if (inDoubt && answer.status === 409) {
          ;(attempts.at(-1) as Attempt).outcome = 'done'
          if (sending.method === 'PUT') return null
        } else if (outcome === 'unexpected')
          throw new Error(`${sending.method} ${sending.path}: ${answer.status} ${answer.text}`)
      }
      inDoubt = true
      await sleep(PAUSE_MS)
    }
  }
}

function outcomeOf({ status, headers }: Answer): Outcome {
  if (status === 200 || status === 201) return 'done'
  return status === 503 && /^\d+$/.test(String(headers['retry-after'])) ? '503' : 'unexpected'
}

async function send(
  target: Served,
  agent: https.Agent,
  sending: Sending,
): Promise<Answer | 'cut' | 'silent'> {
  const url = new URL(`/api/v1${sending.path}`, target.service.url)
  const request = https.request(url, {
    method: sending.method,
    agent,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${target.token}`,
      ...sending.headers,
    },
  })
  let silent = false
  const timer = setTimeout(() => {
    silent = true
    request.destroy()
  }, PATIENCE_MS)
  request.end(JSON.stringify(sending.body))
  try {
    return await answerOf(request)
  } catch {
    return silent ? 'silent' : 'cut'
  } finally {
    clearTimeout(timer)
  }
}
