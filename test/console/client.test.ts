import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Api, createApi } from '../../web/console/api/client.ts'
import { ApiError } from '../../web/console/api/errors.ts'

interface Given {
  status: number
  body?: unknown
  headers?: Record<string, string>
}
type Step = Given | 'cut'

const failing: Given = { status: 500, body: { error: { code: 'INTERNAL_ERROR', message: 'falhou' } } }
const busy = (status: number, seconds: number): Given => ({
  status,
  headers: { 'retry-after': String(seconds), 'x-request-id': 'pedido-1' },
  body: { error: { code: 'BUSY', message: 'espere' } },
})
const done: Given = { status: 200, body: { ok: true } }

/** A client whose service answers these, one after the other, and what it did. */
function clientOf(steps: Step[], signsIn = false) {
  const log: string[] = []
  const signed = { in: 7 }
  const sent: { url: string; init: RequestInit }[] = []
  const api = createApi(
    {
      language: () => 'es-ES',
      account: () => signed.in,
      signInAgain: async () => {
        log.push('sign in')
        return signsIn
      },
      passwordMustChange: () => log.push('change password'),
      mfaIsMissing: () => log.push('second factor'),
      waiting: (seconds) => {
        log.push(`wait ${seconds}`)
        return () => log.push('go on')
      },
      reached: () => undefined,
    },
    {
      async fetch(url, init) {
        sent.push({ url, init })
        const step = steps.shift()
        assert.ok(step !== undefined, 'one request more than expected')
        if (step === 'cut') throw new TypeError('Failed to fetch')
        const { status, body, headers = {} } = step
        return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
      },
      sleep: async (ms) => void log.push(`sleep ${ms}`),
    },
  )
  return { api, log, sent, left: steps, signed }
}

const refusedWith = (status: number) => (error: unknown) =>
  error instanceof ApiError && error.status === status

describe('The client of the console', () => {
  it('takes a status for an answer where it may be one, and a refusal with the same status for a refusal', async () => {
    const health = { status: 'error', checks: {} }
    const { api, log } = clientOf([busy(503, 3), { status: 503, body: health }])
    assert.deepEqual(await api.send('GET', '/api/v1/health/detailed', {}, { accepts: [503] }), health)
    assert.deepEqual(log, ['wait 3', 'sleep 3000', 'go on'])
  })

  it('repeats a failed reading twice, after half a second and two seconds', async () => {
    const { api, log } = clientOf(['cut', failing, done])
    assert.deepEqual(await api.get('/api/v1/health'), { ok: true })
    assert.deepEqual(log, ['sleep 500', 'sleep 2000'])
    await assert.rejects(clientOf(['cut', 'cut', 'cut']).api.get('/api/v1/health'), refusedWith(0))
  })

  it('repeats a POST only with its key, which stays the same', async () => {
    const body = { email: 'ana@saude.example' }
    const once = clientOf([failing])
    await assert.rejects(once.api.post('/api/v1/auth/forgot-password', { body }), refusedWith(500))
    const keyed = clientOf([failing, 'cut', done])
    await keyed.api.post('/api/v1/auth/forgot-password', { body }, { idempotencyKey: 'uma-chave' })
    const keys = keyed.sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'))
    assert.deepEqual(keys, ['uma-chave', 'uma-chave', 'uma-chave'])
  })

  it('repeats no refusal that another try cannot change', async () => {
    for (const status of [400, 403, 404, 409, 422])
      await assert.rejects(clientOf([{ status }]).api.get('/api/v1/health'), refusedWith(status))
  })

  it('waits as long as it is told to, and says so', async () => {
    const { api, log } = clientOf([busy(429, 12), busy(503, 3), done])
    await api.get('/api/v1/health')
    assert.deepEqual(log, ['wait 12', 'sleep 12000', 'go on', 'wait 3', 'sleep 3000', 'go on'])
  })

  it('sends a change again after 429, never after 503: it may have been made', async () => {
    const remove = (api: Api) => api.delete('/api/v1/grupos/{id}', { params: { id: 3 } })
    const waited = clientOf([busy(429, 1), { status: 204 }])
    assert.equal(await remove(waited.api), undefined)
    await assert.rejects(remove(clientOf([busy(503, 1)]).api), refusedWith(503))
  })

  it('gives up after five waits, and at once where the wait is over two minutes', async () => {
    const waits = Array.from({ length: 5 }, () => busy(429, 1))
    const { api, log } = clientOf([...waits, busy(429, 1)])
    await assert.rejects(api.get('/api/v1/health'), refusedWith(429))
    assert.equal(log.filter((line) => line === 'go on').length, 5)
    await assert.rejects(clientOf([busy(429, 3_600)]).api.get('/api/v1/health'), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.retryAfter, error.requestId, error.message], [3_600, 'pedido-1', 'espere'])
      return true
    })
  })

  it('goes on after the sign-in where the session ended, once', async () => {
    const { api, log } = clientOf([{ status: 401 }, done], true)
    await api.get('/api/v1/health')
    assert.deepEqual(log, ['sign in'])
    await assert.rejects(
      clientOf([{ status: 401 }, { status: 401 }], true).api.get('/api/v1/health'),
      refusedWith(401),
    )
    await assert.rejects(clientOf([{ status: 401 }]).api.get('/api/v1/health'), refusedWith(401))
    const own = clientOf([{ status: 401 }])
    await assert.rejects(own.api.get('/api/v1/health', {}, { withoutSession: true }), refusedWith(401))
    assert.deepEqual(own.log, [])
  })

  it('tells when the password must be changed first', async () => {
    const { api, log } = clientOf([{ status: 403, body: { error: { code: 'PASSWORD_CHANGE_REQUIRED' } } }])
    await assert.rejects(api.get('/api/v1/health'), refusedWith(403))
    assert.deepEqual(log, ['change password'])
  })

  it('tells when the second factor must be turned on first', async () => {
    const { api, log } = clientOf([{ status: 403, body: { error: { code: 'MFA_ENROLMENT_REQUIRED' } } }])
    await assert.rejects(api.get('/api/v1/health'), refusedWith(403))
    assert.deepEqual(log, ['second factor'])
  })

  it('fills the path, leaves empty filters out, and says who asks and in which language', async () => {
    const { api, sent } = clientOf([done])
    await api.get('/api/v1/usuarios', { query: { search: 'a b&c', page: 2, ativo: undefined, grupo: '' } })
    const headers = new Headers(sent[0]?.init.headers)
    assert.equal(sent[0]?.url, '/api/v1/usuarios?search=a+b%26c&page=2')
    assert.deepEqual([headers.get('accept-language'), headers.get('x-vigia-console')], ['es-ES', '1'])
    const other = clientOf([done])
    await other.api.get('/api/v1/grupos/{id}', { params: { id: 3 } })
    assert.equal(other.sent[0]?.url, '/api/v1/grupos/3')
  })

  it('has the types of the routes', async () => {
    const { api } = clientOf([done, done, done, done])
    const version: string | undefined = (await api.get('/api/v1/health')).version
    assert.equal(version, undefined)
    // @ts-expect-error: no such route
    await api.get('/api/v1/nada')
    // @ts-expect-error: a body is asked for
    await api.post('/api/v1/auth/forgot-password', {})
    // @ts-expect-error: the parameter is a number
    await api.get('/api/v1/grupos/{id}', { params: { id: 'tres' } })
  })

  it('asks nothing again once another account is signed in', async () => {
    const client = clientOf([busy(429, 3), done])
    const asking = client.api.post('/api/v1/rascunhos' as never, {} as never)
    client.signed.in = 8
    await assert.rejects(asking, { name: 'AbortError' })
    assert.equal(client.sent.length, 1)
  })
})
