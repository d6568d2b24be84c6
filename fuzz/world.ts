import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createListener } from '../src/commands/listen.ts'
import { readConfig } from '../src/config/config.ts'
import type { Pool } from '../src/db/pool.ts'
import { createOutbound, type Outbound } from '../src/outbound/outbound.ts'
import { ALL_TARGETS } from '../src/outbound/policy.ts'
import { createLogger } from '../src/system/logging.ts'
import { type TestApp, testApp } from '../test/harness/app.ts'
import { watchPlaces } from './bounds.sql.ts'
import { takeTraces, watchTables } from './traces.sql.ts'

/** World: a service with its own database and a receiver of its webhooks. */
export interface World extends AsyncDisposable {
  t: TestApp
  receiverUrl: string
  traces(): ReturnType<typeof takeTraces>
  /** Quiescence: resolves when truncated requests have no work left. */
  rest(): Promise<void>
  /** Drains the queues: imports, exports, webhooks, mails. Returns the texts of the mails. */
  work(): Promise<string[]>
  /** Port of a TLS listener, opened on first use. */
  port(): Promise<number>
}

/** Polling interval: between two statements a request may hash a password for a few milliseconds. */
const LOOK_MS = 10
const QUIET_LOOKS = 3

export type Sabotage = (server: FastifyInstance, db: Pool) => void

export async function createWorld(sabotage?: Sabotage): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-fuzz-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const receiver = await openReceiver()
  opened.defer(() => receiver.close())
  const config = readConfig({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const listener = await createListener(config, createLogger('silent'))
  const t = await testApp({ listener, outbound: onlyTo(receiver.url), env: { DATA_DIR: dataDir } })
  opened.defer(() => t.close())
  sabotage?.(t.server, t.database.pool)
  await t.server.ready()
  await watchTables(t.database.pool)
  await watchPlaces(t.database.pool)
  const mailed = { seen: 0 }
  const closing = opened.move()
  return {
    t,
    receiverUrl: receiver.url,
    traces: () => takeTraces(t.database.pool),
    async rest() {
      for (let quiet = 0; quiet < QUIET_LOOKS; ) {
        await sleep(LOOK_MS)
        const { total, idle, waiting } = t.database.pool.usage()
        quiet = idle === total && waiting === 0 ? quiet + 1 : 0
      }
    },
    async work() {
      await t.jobWorker.runAll()
      await t.webhookWorker.runOnce()
      await t.mailWorker.runOnce()
      const texts = t.mails.slice(mailed.seen).map((mail) => JSON.stringify(mail))
      mailed.seen = t.mails.length
      return texts
    },
    async port() {
      if (!t.server.server.listening) await t.server.listen({ port: 0, host: '127.0.0.1' })
      return (t.server.server.address() as AddressInfo).port
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Webhook receiver whose status follows from the last digit of the path. */
async function openReceiver() {
  const statuses: Record<string, number> = { 7: 301, 8: 410, 9: 500 }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(statuses[request.url?.at(-1) ?? ''] ?? 200).end('<b>recebido</b>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** DNS stub that resolves no name: no generated request leaves the machine or waits for DNS. */
function onlyTo(url: string): Outbound {
  const outbound = createOutbound({ targets: ALL_TARGETS })
  return {
    post: async (request) =>
      request.url.startsWith(`${url}/`)
        ? outbound.post(request)
        : { kind: 'failed', reason: 'connection', ms: 0 },
  }
}
