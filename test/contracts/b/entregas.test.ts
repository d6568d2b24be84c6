import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { accept, answer, receiver, webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, gestor, analista, dona, newWebhook, newCaso, change, deliver, later, remove } = app
const { entregas, detail, invalid, missing } = app
after(() => t.close())

const zelador = await t.person({ permissoes: ['webhooks.gerenciar'] })
const resend = (id: string, entrega: number, who = analista) =>
  t.as(who).post(`/webhooks/${id}/entregas/${entrega}/reenviar`)
const replay = (id: string, desde: unknown, who = analista) =>
  t.as(who).post(`/webhooks/${id}/reenviar`, { desde })
const now = () => t.clock.now().toISOString()
/** Events differ by at least this. */
const tick = () => t.clock.advance(1000)

describe('the log of deliveries', () => {
  it('tells what was sent, when, and what came of it', async () => {
    const them = await receiver(answer(200, {}, 'obrigado'))
    const { id } = await newWebhook({ url: them.url }, dona)
    const caso = await newCaso()
    await deliver()
    const { body } = await t.as(dona).get(`/webhooks/${id}/entregas`)
    assert.deepEqual([body.total, body.page, body.size, body.pages], [1, 1, 50, 1])
    const [item] = body.items
    const { criado_em, ultima_tentativa, concluida_em, duracao_ms, ...rest } = item
    assert.deepEqual(rest, {
      id: item.id,
      webhook_id: id,
      evento_id: them.deliveries[0]?.body.id,
      tipo: 'agravo.criado',
      motivo: 'evento',
      estado: 'entregue',
      tentativas: 1,
      proxima_tentativa: null,
      status_http: 200,
      erro: null,
    })
    assert.ok(duracao_ms >= 0)
    for (const moment of [criado_em, ultima_tentativa, concluida_em])
      assert.ok(!Number.isNaN(Date.parse(moment)))
    const whole = await detail(id, item.id, dona)
    assert.deepEqual(whole, { ...item, corpo: them.deliveries[0]?.text, resposta: 'obrigado' })
    assert.equal(JSON.parse(whole.corpo).dados.id, caso)
    await remove(id)
  })

  it('keeps the first kilobyte of the answer, for the owner alone', async () => {
    const them = await receiver(answer(500, {}, 'x'.repeat(5000)))
    const { id } = await newWebhook({ url: them.url }, dona)
    await newCaso()
    await deliver()
    const [{ id: entrega }] = await entregas(id)
    assert.equal((await detail(id, entrega, dona)).resposta, 'x'.repeat(1024))
    for (const who of [gestor, zelador, await t.administrador()])
      assert.equal((await detail(id, entrega, who)).resposta, null)
    await remove(id)
  })

  it('shows what a private receiver answers to owners who manage webhooks, a public one’s to any owner', async () => {
    for (const internal of [true, false]) {
      const outbound = {
        post: async () =>
          ({ kind: 'answered', status: 200, retryAfter: null, body: 'segredo', ms: 1, internal }) as const,
      }
      const other = await webhooksApp({ outbound })
      const { id } = await other.newWebhook({ url: 'http://127.0.0.1:1024/' }, other.analista)
      await other.newCaso()
      await other.deliver()
      const [{ id: entrega }] = await other.entregas(id)
      const tested = await other.t.as(other.analista).post(`/webhooks/${id}/testar`)
      const logged = await other.detail(id, entrega, other.analista)
      const expected = internal ? null : 'segredo'
      assert.deepEqual([tested.body.resposta, logged.resposta], [expected, expected])
      assert.deepEqual([tested.body.status_http, logged.status_http], [200, 200])
      await other.t.close()
    }
  })

  it('shows what was sent to those who could read it, and not to all who manage webhooks', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    await newCaso()
    await deliver()
    const [{ id: entrega }] = await entregas(id)
    assert.equal((await detail(id, entrega, gestor)).corpo, them.deliveries[0]?.text)
    assert.equal((await detail(id, entrega, zelador)).corpo, null)
    assert.equal((await resend(id, entrega, zelador)).body.corpo, null)
    await deliver()
    assert.equal(them.deliveries[1]?.text, them.deliveries[0]?.text, 'the receiver gets it all the same')
    await t.as(zelador).post(`/webhooks/${id}/testar`)
    const [test] = await entregas(id, '?motivo=teste')
    assert.match((await detail(id, test.id, zelador)).corpo, /webhook.teste/)
    await remove(id)
  })

  it('says why there was no answer', async () => {
    const { id } = await newWebhook({ url: 'http://127.0.0.1:1024/' }, analista)
    await newCaso()
    await deliver()
    const [item] = await entregas(id)
    assert.deepEqual([item.estado, item.status_http, item.erro], ['pendente', null, 'connection'])
    assert.ok(Date.parse(item.proxima_tentativa) > Date.parse(item.ultima_tentativa))
    await remove(id)
  })

  it('can be asked by state, event, kind, reason, attempts and status', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    const [good, bad] = [await newCaso(), await newCaso()]
    them.behaviour = (delivery, response) =>
      response.writeHead(delivery.body.dados.id === bad ? 503 : 200).end()
    await deliver()
    await change(good, { bairro_residencia: 'Pina' })
    await deliver()
    const first = (await entregas(id, '?order=asc&sort=id'))[0]
    await resend(id, first.id)
    await deliver()
    const counted = async (query: string) => (await entregas(id, `?${query}`)).length
    for (const [query, expected] of [
      ['', 4],
      ['estado=entregue', 3],
      ['estado=pendente', 1],
      ['estado[in]=pendente,entregue', 4],
      ['estado=falhou', 0],
      ['tipo=agravo.criado', 3],
      ['tipo=agravo.atualizado', 1],
      ['motivo=reenvio', 1],
      ['motivo[ne]=reenvio', 3],
      [`evento_id=${first.evento_id}`, 2],
      ['status_http[gte]=500', 1],
      ['tentativas=1', 4],
      [`search=${first.evento_id}`, 2],
      ['criado_em[gte]=2999-01-01', 0],
    ] as const)
      assert.equal(await counted(query), expected, query)
    for (const query of [
      'estado=perdida',
      'tipo=agravo.sonhado',
      'motivo=x',
      'corpo[like]=x',
      'resposta[like]=x',
    ])
      assert.equal((await t.as(analista).get(`/webhooks/${id}/entregas?${query}`)).status, 422, query)
    await remove(id)
  })

  it('has no delivery of another webhook', async () => {
    const them = await receiver()
    const [um, dois] = [await newWebhook({ url: them.url }, analista), await newWebhook({ url: them.url })]
    await newCaso()
    await deliver()
    const [theirs] = await entregas(dois.id)
    await missing(() => t.as(analista).get(`/webhooks/${um.id}/entregas/${theirs.id}`))
    await missing(() => resend(um.id, theirs.id))
    await missing(() => resend(um.id, 999_999_999))
    assert.deepEqual(await invalid(() => t.as(analista).get(`/webhooks/${um.id}/entregas/x`)), [
      'entrega_id INVALID_TYPE',
    ])
    assert.deepEqual(await invalid(() => resend(um.id, 0)), ['entrega_id TOO_SMALL'])
    for (const { id } of [um, dois]) await remove(id)
  })
})

describe('POST /webhooks/{id}/entregas/{entrega_id}/reenviar', () => {
  it('delivers once more what was accepted, and what was given up, with the same id and body', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    await newCaso()
    await deliver()
    const [done] = await entregas(id)
    for (const estado of ['entregue', 'falhou']) {
      await t.database.pool.run(sql`update entregas set estado = ${estado} where id = ${done.id}`)
      const { status, body } = await resend(id, done.id)
      assert.equal(status, 202)
      assert.notEqual(body.id, done.id)
      assert.deepEqual(
        [body.motivo, body.estado, body.evento_id, body.tentativas],
        ['reenvio', 'pendente', done.evento_id, 0],
      )
      await deliver()
      assert.equal((await detail(id, body.id, analista)).estado, 'entregue')
    }
    assert.equal(them.deliveries.length, 3)
    assert.equal(new Set(them.deliveries.map(({ text }) => text)).size, 1)
    await remove(id)
  })

  it('hurries what still waits, and does not double it', async () => {
    const them = await receiver(answer(500))
    const { id } = await newWebhook({ url: them.url }, analista)
    await newCaso()
    await deliver()
    later(6_000)
    await deliver()
    assert.equal(them.deliveries.length, 2)
    const [waiting] = await entregas(id)
    const { status, body } = await resend(id, waiting.id)
    assert.deepEqual([status, body.id, body.estado], [202, waiting.id, 'pendente'])
    them.behaviour = accept
    await deliver()
    assert.equal(them.deliveries.length, 3, 'not after five minutes, but now')
    assert.equal((await entregas(id)).length, 1)
    await remove(id)
  })

  it('passes what is held back behind a failure of the same case', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    const caso = await newCaso()
    await deliver()
    const [first] = await entregas(id)
    them.behaviour = (delivery, response) =>
      response.writeHead(delivery.body.dados.versao === 2 ? 500 : 200).end()
    await change(caso, { bairro_residencia: 'Pina' })
    await deliver()
    await resend(id, first.id)
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body }) => body.dados.versao),
      [1, 2, 1],
    )
    await remove(id)
  })
})

describe('POST /webhooks/{id}/reenviar', () => {
  it('delivers all since a moment again, in order, and nothing before it', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    await newCaso()
    tick()
    const desde = now()
    tick()
    const caso = await newCaso()
    for (const bairro of ['Pina', 'Torre', 'Derby']) await change(caso, { bairro_residencia: bairro })
    await deliver()
    them.deliveries.length = 0
    const { status, body } = await replay(id, desde)
    assert.equal(status, 202)
    assert.equal(body.total, 4)
    assert.match(body.message, /4/)
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body }) => [body.dados.id, body.dados.versao]),
      [1, 2, 3, 4].map((versao) => [caso, versao]),
    )
    const again = await entregas(id, '?motivo=repeticao')
    assert.equal(again.length, 4)
    assert.equal((await replay(id, '2999-01-01T00:00:00Z')).body.total, 0)
    await remove(id)
  })

  it('only counts when asked to simulate, and queues nothing', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    tick()
    const desde = now()
    await newCaso()
    await deliver()
    them.deliveries.length = 0
    const { status, body } = await t.as(analista).post(`/webhooks/${id}/reenviar`, { desde, simular: true })
    assert.equal(status, 200)
    assert.equal(body.total, 1)
    await deliver()
    assert.equal(them.deliveries.length, 0)
    assert.deepEqual(await entregas(id, '?motivo=repeticao'), [])
    const wrong = await t.as(analista).post(`/webhooks/${id}/reenviar`, { desde, simular: 'talvez' })
    assert.equal(wrong.status, 422)
    assert.equal((await replay(id, desde)).body.total, 1)
    await remove(id)
  })

  it('doubles nothing that still waits', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url }, analista)
    tick()
    const desde = now()
    const [delivered, waiting] = [await newCaso(), await newCaso()]
    them.behaviour = (delivery, response) =>
      response.writeHead(delivery.body.dados.id === waiting ? 500 : 200).end()
    await deliver()
    assert.equal((await replay(id, desde)).body.total, 1)
    assert.equal((await replay(id, desde)).body.total, 0, 'asked again: all of it waits')
    them.behaviour = accept
    later(10_000)
    await deliver()
    const ofCase = (caso: number) => them.deliveries.filter(({ body }) => body.dados.id === caso).length
    assert.deepEqual([ofCase(delivered), ofCase(waiting)], [2, 2])
    await remove(id)
  })

  it('also brings what happened before the webhook was there, as far as it asks for it', async () => {
    tick()
    const desde = now()
    const here = await newCaso()
    await newCaso({ municipio_residencia: 'Salvador', estado_residencia: 'BA' })
    await newCaso({ tipo_agravo: 'zika' })
    await change(here, { bairro_residencia: 'Pina' })
    await deliver()
    const them = await receiver()
    const filtros = { municipio: '261160', tipo_agravo: 'dengue' }
    const input = { url: them.url, eventos: ['agravo.criado'], filtros }
    const { id } = await newWebhook(input, analista)
    assert.equal((await replay(id, desde)).body.total, 1)
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body }) => [body.tipo, body.dados.id]),
      [['agravo.criado', here]],
    )
    await remove(id)
  })

  it('brings only what the owner may read, whoever asks', async () => {
    tick()
    const desde = now()
    await newCaso()
    await deliver()
    const them = await receiver()
    const dono = await t.person({ grupos: ['analista'] })
    const { id } = await newWebhook({ url: them.url }, dono)
    await t.database.pool.run(sql`delete from usuarios_grupos where usuario_id = ${dono.id}`)
    for (const who of [dono, gestor]) assert.equal((await replay(id, desde, who)).body.total, 0)
    await deliver()
    assert.equal(them.deliveries.length, 0)
    await remove(id)
  })

  it('refuses a moment that is none, and more than 20,000 events', async () => {
    const { id } = await newWebhook({ url: 'http://127.0.0.1:1024/', ativo: false }, analista)
    assert.deepEqual(await invalid(() => replay(id, undefined)), ['desde REQUIRED'])
    for (const desde of ['ontem', '2026-05-18', 'infinity', '2026-05-18T00:00:00'])
      assert.deepEqual(await invalid(() => replay(id, desde)), ['desde INVALID_FORMAT'], desde)
    tick()
    const desde = now()
    const many = (count: number, from: number) =>
      t.database.pool.run(sql`
        with novos as (
          insert into eventos (id, tipo, chave, dados, criado_em, ordem)
          select 'evt_' || i, 'agravo.criado', 'caso:' || i, '{}', ${t.clock.now()},
            (select ordem from eventos_fim) + i - ${from}::integer + 1
          from generate_series(${from}::integer, ${from + count - 1}::integer) i returning ordem
        )
        update eventos_fim set ordem = (select max(ordem) from novos)`)
    await many(20_001, 1)
    assert.deepEqual(await invalid(() => replay(id, desde)), ['desde TOO_MANY'])
    await t.database.pool.run(sql`delete from eventos where id = 'evt_1'`)
    assert.equal((await replay(id, desde)).body.total, 20_000)
    await remove(id)
  })
})
