import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { leasesOf } from '../../../src/domain/jobs/queue.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { eventually } from '../../harness/eventually.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database
const ana = await t.person({ grupos: ['gestor'] })
const admin = await t.administrador()
const bia = await t.person({ grupos: ['gestor'] })
await t.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = t.server.server.address() as AddressInfo

async function sendExport(): Promise<string> {
  const { status, body, text } = await t.as(ana).post('/agravos/casos/exportar', { formato: 'csv' })
  assert.equal(status, 202, text)
  return body.job_id
}

interface Evento {
  event: string
  data: Record<string, unknown>
}

/** What a stream of events says; comments are left out. */
function parse(text: string): Evento[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n')
      return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
    })
}

/** The stream over a real connection. */
async function listen(id: string, token = ana.token) {
  const path = `/api/v1/jobs/${id}/eventos`
  const request = http.get({ port, path, agent: false, headers: { authorization: `Bearer ${token}` } })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  return {
    response,
    events: () => parse(text),
    until: (isTrue: (events: Evento[]) => boolean) => eventually(() => assert.ok(isTrue(parse(text)), text)),
    leave: () => request.destroy(),
  }
}

describe('GET /jobs/{job_id}/eventos', () => {
  it('of a job that is over: one event, the end, with the job as its own route shows it', async () => {
    const id = await sendExport()
    await t.jobWorker.runAll()
    const { status, headers, text } = await t.as(ana).get(`/jobs/${id}/eventos`)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/event-stream/)
    assert.equal(headers['x-accel-buffering'], 'no')
    assert.match(String(headers['cache-control']), /no-store/)
    const job = (await t.as(ana).get(`/jobs/${id}`)).body
    assert.deepEqual(parse(text), [{ event: 'fim', data: job }])
    assert.ok(text.endsWith('\n\n'))
  })

  it('of a canceled one too', async () => {
    const id = await sendExport()
    await t.as(ana).delete(`/jobs/${id}`)
    const events = parse((await t.as(ana).get(`/jobs/${id}/eventos`)).text)
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.status]),
      [['fim', 'canceled']],
    )
  })

  it('of one under way: where it is at once, each change, and then the end of the stream', async () => {
    const id = await sendExport()
    const stream = await listen(id)
    assert.equal(stream.response.statusCode, 200)
    await stream.until((events) => events.length === 1)
    await pool.run(sql`update jobs set progress = 30 where id = ${id}`)
    await stream.until((events) => events.length === 2)
    const ended = once(stream.response, 'end')
    await t.jobWorker.runAll()
    await ended
    const events = stream.events()
    assert.deepEqual(
      events.map(({ event }) => event),
      [...events.slice(1).map(() => 'progresso'), 'fim'],
    )
    const progress = events.map(({ data }) => Number(data.progress))
    assert.deepEqual([progress[0], progress[1], progress.at(-1)], [0, 30, 100])
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    assert.equal(events.at(-1)?.data.status, 'completed')
  })

  it('says nothing while nothing changes', async () => {
    const id = await sendExport()
    const stream = await listen(id)
    await stream.until((events) => events.length === 1)
    await sleep(1200)
    assert.equal(stream.events().length, 1)
    stream.leave()
    await t.as(ana).delete(`/jobs/${id}`)
  })

  it('a client that leaves early is not served on: nobody asks for its job any more', async () => {
    const id = await sendExport()
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(id)))
    for (const stream of streams) await stream.until((events) => events.length === 1)
    for (const stream of streams) stream.leave()
    const lastAsked = async () => {
      const row = await pool.first<{ em: Date | null }>(sql`
        select max(query_start) as em from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%from jobs j %where j.id%'`)
      return row?.em?.getTime() ?? 0
    }
    // Each stream looks twice a second.
    await sleep(1000)
    const asked = await lastAsked()
    await sleep(1500)
    assert.equal(await lastAsked(), asked)
    const hand = leasesOf(t.app, 'a')
    assert.equal((await hand.claim())?.id, id, 'the job itself is as it was')
    await hand.end(id, 'failed', { code: 'FAILED' })
  })

  const ENDS: [what: string, end: (who: Person) => Promise<unknown>][] = [
    ['a logout', (who) => t.as(who).post('/auth/logout')],
    [
      'the end of its time',
      (who) => pool.run(sql`update sessoes set expira_em = now() where usuario_id = ${who.id}`),
    ],
    ['the account’s deactivation', (who) => t.as(admin).put(`/usuarios/${who.id}`, { ativo: false })],
    ['the account’s removal', (who) => t.as(admin).delete(`/usuarios/${who.id}?motivo=saiu&force=true`)],
  ]
  for (const [what, end] of ENDS)
    it(`ends with its session: ${what}`, async () => {
      const who = await t.person({ admin: true })
      // Of somebody else: it goes on, and administrators see it.
      const id = await sendExport()
      const stream = await listen(id, who.token)
      await stream.until((events) => events.length === 1)
      const ended = once(stream.response, 'end', { signal: AbortSignal.timeout(15_000) })
      await end(who)
      await ended
      assert.deepEqual(
        stream.events().map(({ event }) => event),
        ['progresso'],
      )
      assert.equal((await t.as(ana).delete(`/jobs/${id}`)).body.status, 'canceled')
    })

  it('ends when the job is not to be seen any more, or gone', async () => {
    const who = await t.person({ admin: true })
    const seen = [await sendExport(), await sendExport()]
    const streams = await Promise.all(seen.map((id) => listen(id, who.token)))
    for (const stream of streams) await stream.until((events) => events.length === 1)
    const ends = streams.map(({ response }) => once(response, 'end', { signal: AbortSignal.timeout(15_000) }))
    await pool.run(sql`delete from jobs where id = ${seen[0]}`)
    await ends[0]
    await pool.run(sql`update usuarios set admin = false where id = ${who.id}`)
    await ends[1]
  })

  it('five at once for an account: the sixth is 429, others have theirs, and a place that is left is free', async () => {
    const id = await sendExport()
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(id)))
    const sixth = await t.as(ana).get(`/jobs/${id}/eventos`)
    assert.deepEqual([sixth.status, sixth.body.error.code], [429, 'RATE_LIMITED'])
    assert.match(sixth.body.error.message, /cinco/)
    assert.equal(sixth.headers['retry-after'], '5')
    const other = await listen(id, admin.token)
    assert.equal(other.response.statusCode, 200)
    other.leave()
    streams[0]?.leave()
    const again = await eventually(async () => {
      const stream = await listen(id)
      assert.equal(stream.response.statusCode, 200)
      return stream
    })
    for (const stream of [...streams, again]) stream.leave()
    await t.as(ana).delete(`/jobs/${id}`)
    await eventually(async () => assert.equal((await t.as(ana).get(`/jobs/${id}/eventos`)).status, 200))
    for (let i = 0; i < 8; i++) assert.equal((await t.as(ana).get(`/jobs/${id}/eventos`)).status, 200)
  })

  it('of others, or of none: 404, as JSON', async () => {
    const id = await sendExport()
    for (const path of [`/jobs/${id}/eventos`, '/jobs/job_nenhum/eventos']) {
      const { status, body } = await t.as(bia).get(path)
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    }
    assert.equal((await t.anonymous.get(`/jobs/${id}/eventos`)).status, 401)
  })
})
