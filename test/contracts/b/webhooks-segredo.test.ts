import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { dumpTables } from '../../harness/dump.ts'
import { receiver, webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, gestor, analista, create, newWebhook, newCaso, deliver, detail, entregas, remove } = app
const { refused, invalid } = app
after(() => t.close())
const { pool } = t.database

const URL_1 = 'https://lab.example/vigia'

/** Every table, as text. */
async function database(): Promise<string> {
  return [...(await dumpTables(pool)).values()].map((texto) => texto.replaceAll(/\s/g, '')).join('\n')
}

/** A text as it is and as bytes are written: in base64 (wherever it begins), in hex. */
function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((before) =>
    Buffer.from('\0'.repeat(before) + text)
      .toString('base64')
      .slice(4, -4),
  )
  return [text, ...inBase64, Buffer.from(text).toString('hex')]
}

function assertAbsent(haystack: string, secrets: string[], where: string): void {
  for (const form of secrets.flatMap(formsOf)) assert.ok(!haystack.includes(form), where)
}

describe('the secret of a webhook', () => {
  it('is told at its creation and its change, and nowhere else; header values nowhere at all', async () => {
    const them = await receiver((_delivery, response) => response.end('resposta-do-receptor'))
    const value = 'valor-secreto-do-cabecalho'
    const { id, secret } = await newWebhook({ url: them.url, headers: { 'X-Chave': value } }, analista)
    const { status, body: changed } = await t.as(analista).post(`/webhooks/${id}/segredo`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(changed), ['id', 'secret', 'segredo_anterior_ate'])
    assert.match(changed.secret, /^whsec_/)
    assert.notEqual(changed.secret, secret)
    assert.equal(
      Date.parse(changed.segredo_anterior_ate) - Date.parse((await newestChange(id)).atualizado_em),
      86_400_000,
    )
    await newCaso()
    await deliver()
    await t.as(analista).post(`/webhooks/${id}/testar`)
    const secrets = [secret, changed.secret, value]
    const [entrega] = await entregas(id, '', analista)
    const seen = [
      await t.as(analista).get(`/webhooks/${id}`),
      await t.as(analista).get('/webhooks'),
      await t.as(gestor).get('/webhooks'),
      await t.as(analista).put(`/webhooks/${id}`, { ativo: true }),
      await t.as(analista).get(`/webhooks/${id}/entregas`),
      await t.as(await t.administrador()).get('/auditoria?size=100'),
    ]
    for (const { text } of [...seen, { text: JSON.stringify(await detail(id, entrega.id, analista)) }])
      assertAbsent(text, secrets, text)
    assertAbsent(t.logs.join(''), secrets, 'the log')
    const stored = await database()
    assert.ok(stored.includes(id), 'the search finds what is there')
    assertAbsent(stored, [...secrets, 'resposta-do-receptor'], 'the database')
    assert.deepEqual(
      them.deliveries.map(({ headers }) => headers['x-chave']),
      [value, value],
      'the receiver gets it',
    )
    await remove(id)
  })

  const newestChange = async (id: string) => (await t.as(analista).get(`/webhooks/${id}`)).body

  it('is left out when the creation is asked for again with its key', async () => {
    const headers = { 'idempotency-key': 'webhook-1' }
    const first = await create({ url: URL_1 }, analista, headers)
    const again = await create({ url: URL_1 }, analista, headers)
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(again.headers['idempotent-replay'], 'true')
    const { secret, ...rest } = first.body
    assert.match(secret, /^whsec_/)
    assert.deepEqual(again.body, rest)
    assert.equal((await t.as(analista).get('/webhooks')).body.total, 1)
    assertAbsent(await database(), [secret], 'the kept answer')
    await refused(() => create({ url: `${URL_1}/x` }, analista, headers), 422, 'VALIDATION_ERROR')
    await remove(first.body.id)
  })

  it('is made once: a creation with the key of one under way is 409', async () => {
    const headers = { 'idempotency-key': 'em curso' }
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const { first } = await pool.transaction(async (tx) => {
      // The key belongs to its caller, whose row is held here.
      await tx.run(sql`select from usuarios for update`)
      const first = create({ url: URL_1 }, analista, headers)
      while ((await tx.first(waiting)) === null) await sleep(10)
      await refused(() => create({ url: URL_1 }, analista, headers), 409, 'CONFLICT')
      return { first }
    })
    const { status, body } = await first
    assert.equal(status, 201)
    await remove(body.id)
  })

  it('is another one for each webhook', async () => {
    const all = await Promise.all([1, 2, 3].map(() => newWebhook({ url: URL_1 }, analista)))
    assert.equal(new Set(all.map(({ secret }) => secret)).size, 3)
    for (const { id } of all) await remove(id)
  })
})

describe('the headers of a webhook', () => {
  it('stay what they were when they are sent back masked, in any spelling; others are replaced or go', async () => {
    const them = await receiver()
    const headers = { 'X-Fica': 'fica', 'X-Muda': 'antes', 'X-Vai': 'vai' }
    const { id } = await newWebhook({ url: them.url, headers }, analista)
    const { body } = await t.as(analista).get(`/webhooks/${id}`)
    const { 'X-Vai': _gone, ...others } = body.headers
    const sent = { ...others, 'X-Muda': 'depois', 'X-Nova': 'nova' }
    const { body: changed } = await t.as(analista).put(`/webhooks/${id}`, { headers: sent })
    assert.deepEqual(changed.headers, {
      'X-Fica': '********',
      'X-Muda': '********',
      'X-Nova': '********',
    })
    await t.as(analista).patch(`/webhooks/${id}`, { headers: { 'x-fica': '********', 'X-Muda': '********' } })
    await newCaso()
    await deliver()
    const [delivery] = them.deliveries
    const at = (name: string) => delivery?.headers[name]
    assert.deepEqual(['x-fica', 'x-muda', 'x-nova', 'x-vai'].map(at), [
      'fica',
      'depois',
      undefined,
      undefined,
    ])
    await remove(id)
  })

  it('that are masked must stand for something', async () => {
    const headers = { 'X-Chave': '********' }
    assert.deepEqual(await invalid(() => create({ url: URL_1, headers }, analista)), [
      'headers.X-Chave REQUIRED',
    ])
    const { id } = await newWebhook({ url: URL_1, headers: { 'X-Outra': 'x' } }, analista)
    assert.deepEqual(await invalid(() => t.as(analista).put(`/webhooks/${id}`, { headers })), [
      'headers.X-Chave REQUIRED',
    ])
    await remove(id)
  })

  it('stay with the owner when somebody else turns the webhook to another address', async () => {
    const [theirs, elsewhere] = [await receiver(), await receiver()]
    const headers = { 'X-Chave': 'do-dono' }
    const { id } = await newWebhook({ url: theirs.url, headers }, analista)
    const masked = { url: elsewhere.url, headers: { 'X-Chave': '********' } }
    assert.deepEqual(await invalid(() => t.as(gestor).put(`/webhooks/${id}`, masked)), [
      'headers.X-Chave REQUIRED',
    ])
    const same = await t.as(gestor).put(`/webhooks/${id}`, { url: theirs.url })
    assert.deepEqual(Object.keys(same.body.headers), ['X-Chave'], 'the same address is no other')
    const { body } = await t.as(gestor).put(`/webhooks/${id}`, { url: elsewhere.url })
    assert.deepEqual(body.headers, {})
    await newCaso()
    await deliver()
    assert.equal(elsewhere.deliveries.length, 1)
    assert.equal(elsewhere.deliveries[0]?.headers['x-chave'], undefined)
    await t.as(analista).put(`/webhooks/${id}`, { headers })
    const { body: own } = await t.as(analista).put(`/webhooks/${id}`, { url: theirs.url })
    assert.deepEqual(Object.keys(own.headers), ['X-Chave'], 'the owner takes them along')
    await remove(id)
  })
})
