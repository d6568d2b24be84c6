import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { createWebhookWorker } from '../../../src/domain/webhooks/worker.ts'
import type { Person, TestAppOptions } from '../../harness/app.ts'
import { refusalsOf } from '../refusals.ts'
import { casosApp } from './casos-app.ts'

export interface Delivery {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the event carries
  body: any
}

export type Behaviour = (delivery: Delivery, response: ServerResponse, earlier: number) => void

export const accept: Behaviour = (_delivery, response) => response.end('ok')
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_delivery, response) =>
    response.writeHead(status, headers).end(body)

/** Somebody who receives; how they take it can change at any time. */
export async function receiver(behaviour: Behaviour = accept) {
  const deliveries: Delivery[] = []
  const state = { behaviour, deliveries, url: '', types: () => deliveries.map(({ body }) => body.tipo) }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const delivery = { headers: request.headers, text, body: JSON.parse(text) }
      deliveries.push(delivery)
      state.behaviour(delivery, response, deliveries.length - 1)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/vigia`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return state
}

export type Receiver = Awaited<ReturnType<typeof receiver>>

/** The service with people who change cases and people who want to learn of it. */
export async function webhooksApp(options: TestAppOptions = {}) {
  const cast = await casosApp(options)
  const { t, gestor } = cast
  /** Has webhooks and manages nobody else's. */
  const analista = await t.person({ grupos: ['analista'] })
  /** Manages webhooks too, and so reads what receivers inside a private network answer to their own. */
  const dona = await t.person({ grupos: ['analista'], permissoes: ['webhooks.gerenciar'] })

  const create = (input: object, who: Person = gestor, headers: Record<string, string> = {}) =>
    t.as(who).post('/webhooks', { eventos: ['agravo.criado', 'agravo.atualizado'], ...input }, { headers })

  /** A new webhook with its secret. */
  async function newWebhook(input: object, who: Person = gestor) {
    const { status, body, text } = await create(input, who)
    assert.equal(status, 201, text)
    return body
  }

  let ahead = 0
  /** The deliverer's own time: pushed forward by days, it leaves everybody logged in. */
  const clock = { now: () => new Date(t.clock.now().getTime() + ahead) }
  const later = (ms: number) => {
    ahead += ms
  }
  const newWorker = () => createWebhookWorker({ app: { ...t.app, clock }, onError: assert.fail })
  const worker = newWorker()
  const deliver = () => worker.runOnce()

  async function entregas(id: string, query = '', who: Person = gestor) {
    const { status, body, text } = await t.as(who).get(`/webhooks/${id}/entregas${query}`)
    assert.equal(status, 200, text)
    return body.items
  }

  async function detail(id: string, entrega: number, who: Person = gestor) {
    const { status, body, text } = await t.as(who).get(`/webhooks/${id}/entregas/${entrega}`)
    assert.equal(status, 200, text)
    return body
  }

  const remove = async (id: string) => {
    assert.equal((await t.as(gestor).delete(`/webhooks/${id}`)).status, 204)
  }

  /** Hashes of all that is known of webhooks. */
  const stored = () =>
    t.database.pool.first(sql`
      select (select md5(json_agg(w order by w.id)::text) from webhooks w) as webhooks,
             (select md5(json_agg(e order by e.id)::text) from entregas e) as entregas,
             (select md5(json_agg(f order by f.webhook_id, f.chave)::text) from webhook_filas f) as filas,
             (select md5(json_agg(a order by a.id)::text) from auditoria a) as auditoria`)

  return {
    ...cast,
    analista,
    dona,
    create,
    newWebhook,
    remove,
    deliver,
    later,
    clock,
    newWorker,
    entregas,
    detail,
    stored,
    ...refusalsOf(stored),
  }
}
