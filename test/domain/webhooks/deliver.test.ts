import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { sql } from '../../../src/db/sql.ts'
import { RETRIES_MS } from '../../../src/domain/webhooks/retries.ts'
import { accept, answer, receiver, webhooksApp } from '../../contracts/b/webhooks-app.ts'

const { t, gestor, newCaso, change, exclude, newWebhook, deliver, later, clock, newWorker, entregas } =
  await webhooksApp()
after(() => t.close())

const DAY_MS = 86_400_000

describe('a delivery', () => {
  it('tells what happened to a case, thin and in order', async () => {
    const them = await receiver()
    const { id: webhook_id } = await newWebhook({
      url: them.url,
      eventos: ['agravo.criado', 'agravo.atualizado', 'agravo.excluido', 'agravo.restaurado'],
    })
    const id = await newCaso({ numero_notificacao: 'ORDEM-1' })
    await change(id, { bairro_residencia: 'Boa Viagem' })
    await exclude(id)
    await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body }) => [body.tipo, body.dados]),
      [
        ['agravo.criado', { versao: 1 }],
        ['agravo.atualizado', { versao: 2 }],
        ['agravo.excluido', { versao: 3, definitivo: false, fundido_com: null }],
        ['agravo.restaurado', { versao: 4 }],
      ].map(([tipo, more]) => [
        tipo,
        { id, tipo_agravo: 'dengue', numero_notificacao: 'ORDEM-1', ...(more as object) },
      ]),
    )
    for (const { body } of them.deliveries) {
      assert.deepEqual(Object.keys(body).sort(), ['dados', 'id', 'timestamp', 'tipo', 'webhook_id'])
      assert.match(body.id, /^evt_/)
      assert.equal(body.webhook_id, webhook_id)
      assert.ok(!Number.isNaN(Date.parse(body.timestamp)))
    }
    await t.as(gestor).delete(`/webhooks/${webhook_id}`)
  })

  it('carries both signatures, which an independent verifier accepts', async () => {
    const them = await receiver()
    const { secret, id } = await newWebhook({ url: them.url, headers: { Authorization: 'Bearer deles' } })
    await newCaso()
    await deliver()
    const [delivery] = them.deliveries
    assert.ok(delivery)
    const { headers, text } = delivery
    assert.equal(headers['x-webhook-signature'], createHmac('sha256', secret).update(text).digest('hex'))
    assert.equal(headers['webhook-id'], delivery.body.id)
    assert.deepEqual(new Webhook(secret).verify(text, headers as Record<string, string>), delivery.body)
    assert.throws(() =>
      new Webhook(secret).verify(text.replace('dengue', 'zika'), headers as Record<string, string>),
    )
    assert.equal(headers.authorization, 'Bearer deles')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-webhook-signature-previous'], undefined)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('carries the signatures of both secrets for a day after the secret was changed', async () => {
    const them = await receiver()
    const { secret, id } = await newWebhook({ url: them.url })
    const { body } = await t.as(gestor).post(`/webhooks/${id}/segredo`)
    assert.notEqual(body.secret, secret)
    await newCaso()
    await deliver()
    later(DAY_MS + 1000)
    await newCaso()
    await deliver()
    const [during, afterwards] = them.deliveries
    assert.ok(during && afterwards)
    const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
    assert.equal(during.headers['x-webhook-signature'], hex(body.secret, during.text))
    assert.equal(during.headers['x-webhook-signature-previous'], hex(secret, during.text))
    for (const one of [secret, body.secret])
      new Webhook(one).verify(during.text, during.headers as Record<string, string>)
    assert.equal(afterwards.headers['x-webhook-signature-previous'], undefined)
    assert.equal(String(afterwards.headers['webhook-signature']).split(' ').length, 1)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('is not made of a change that was refused or undone', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url })
    await assert.rejects(
      t.app.db.transaction(async () => {
        throw new Error('undone')
      }),
    )
    await t.as(gestor).post('/agravos/casos', { tipo_agravo: 'gripe' })
    const caso = await newCaso()
    await t.as(gestor).put(`/agravos/casos/${caso}`, { paciente_sexo: 'X' })
    await change(caso, {})
    await deliver()
    assert.deepEqual(them.types(), ['agravo.criado'])
    await t.as(gestor).delete(`/webhooks/${id}`)
  })
})

describe('a receiver that fails', () => {
  it('is called again on the schedule, with the same id and body, and given up at its end', async () => {
    const them = await receiver(answer(500, {}, 'ocupado'))
    const { id } = await newWebhook({ url: them.url })
    await newCaso()
    await deliver()
    for (const [i, wait] of RETRIES_MS.entries()) {
      later(wait - 2_000)
      await deliver()
      assert.equal(them.deliveries.length, i + 1, `not before its time: ${wait}`)
      later(wait * 0.1 + 4_000)
      await deliver()
      assert.equal(them.deliveries.length, i + 2, `after ${wait}`)
    }
    later(30 * DAY_MS)
    await deliver()
    assert.equal(them.deliveries.length, RETRIES_MS.length + 1)
    assert.equal(new Set(them.deliveries.map(({ text }) => text)).size, 1)
    assert.equal(new Set(them.deliveries.map(({ headers }) => headers['webhook-id'])).size, 1)
    const [entrega] = await entregas(id)
    assert.equal(entrega.estado, 'falhou')
    assert.equal(entrega.tentativas, RETRIES_MS.length + 1)
    assert.equal(entrega.status_http, 500)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('holds back later events of the same case, and nothing else', async () => {
    const them = await receiver()
    const other = await receiver()
    const { id } = await newWebhook({ url: them.url })
    const { id: otherId } = await newWebhook({ url: other.url })
    const [held, free] = [await newCaso(), await newCaso()]
    them.behaviour = (delivery, response) =>
      response.writeHead(delivery.body.dados.id === held ? 503 : 200).end()
    await deliver()
    await change(held, { bairro_residencia: 'Pina' })
    await change(free, { bairro_residencia: 'Pina' })
    await deliver()
    const seen = (those: typeof them) =>
      those.deliveries.map(({ body }) => [body.dados.id, body.dados.versao])
    assert.deepEqual(
      seen(them).sort(),
      [
        [held, 1],
        [free, 1],
        [free, 2],
      ].sort(),
    )
    assert.deepEqual(
      seen(other).sort(),
      [
        [held, 1],
        [free, 1],
        [held, 2],
        [free, 2],
      ].sort(),
    )
    them.behaviour = accept
    later(6_000)
    await deliver()
    assert.deepEqual(seen(them).slice(3), [
      [held, 1],
      [held, 2],
    ])
    for (const one of [id, otherId]) await t.as(gestor).delete(`/webhooks/${one}`)
  })

  it('is waited for as long as it asks, in seconds or by date', async () => {
    const them = await receiver(answer(429, { 'retry-after': '600' }))
    const { id } = await newWebhook({ url: them.url })
    await newCaso()
    await deliver()
    await newCaso()
    later(590_000)
    await deliver()
    assert.equal(them.deliveries.length, 1, 'nothing comes before the time it named')
    const inAnHour = new Date(clock.now().getTime() + 15_000 + 3_600_000).toUTCString()
    them.behaviour = answer(503, { 'retry-after': inAnHour })
    later(15_000)
    await deliver()
    const soFar = them.deliveries.length
    them.behaviour = accept
    later(3_590_000)
    await deliver()
    assert.equal(them.deliveries.length, soFar)
    later(60_000)
    await deliver()
    assert.equal((await entregas(id, '?estado=pendente')).length, 0)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('that answers 410 is switched off, its owner is told once, and nothing is lost', async () => {
    const them = await receiver(answer(410))
    const { id } = await newWebhook({ url: them.url })
    const caso = await newCaso()
    await deliver()
    await change(caso, { bairro_residencia: 'Pina' })
    later(DAY_MS)
    await deliver()
    assert.equal(them.deliveries.length, 1)
    const { body } = await t.as(gestor).get(`/webhooks/${id}`)
    assert.deepEqual([body.ativo, body.desligado_por, body.pendentes], [false, 'recusado', 2])
    await t.mailWorker.runOnce()
    const told = t.mails.filter(({ subject }) => subject === 'Vigia: um webhook seu foi desligado')
    assert.deepEqual(
      told.map(({ to }) => to),
      [gestor.email],
    )
    them.behaviour = accept
    const { body: resumed } = await t.as(gestor).post(`/webhooks/${id}/retomar`)
    assert.deepEqual([resumed.ativo, resumed.desligado_por, resumed.desligado_em], [true, null, null])
    await deliver()
    assert.deepEqual(
      them.deliveries.slice(1).map(({ body }) => body.dados.versao),
      [1, 2],
    )
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('that accepts nothing for five days is switched off', async () => {
    const them = await receiver(answer(500))
    const { id } = await newWebhook({ url: them.url })
    for (let day = 0; day <= 5; day++) {
      await newCaso()
      await deliver()
      const { body } = await t.as(gestor).get(`/webhooks/${id}`)
      assert.equal(body.ativo, day < 5, `day ${day}`)
      later(DAY_MS + 1000)
    }
    const { body } = await t.as(gestor).get(`/webhooks/${id}`)
    assert.equal(body.desligado_por, 'falhas')
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('that redirects is not followed', async () => {
    const elsewhere = await receiver()
    const them = await receiver(answer(302, { location: elsewhere.url }))
    const { id } = await newWebhook({ url: them.url })
    await newCaso()
    await deliver()
    assert.equal(elsewhere.deliveries.length, 0)
    const [entrega] = await entregas(id)
    assert.deepEqual([entrega.estado, entrega.status_http], ['pendente', 302])
    await t.as(gestor).delete(`/webhooks/${id}`)
  })
})

describe('pausing', () => {
  it('loses nothing and keeps the order', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, ativo: false })
    const caso = await newCaso()
    await change(caso, { bairro_residencia: 'Pina' })
    await deliver()
    assert.equal(them.deliveries.length, 0)
    await t.as(gestor).post(`/webhooks/${id}/retomar`)
    await deliver()
    await t.as(gestor).post(`/webhooks/${id}/pausar`)
    await change(caso, { bairro_residencia: 'Espinheiro' })
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body }) => body.dados.versao),
      [1, 2],
    )
    await t.as(gestor).put(`/webhooks/${id}`, { ativo: true })
    await deliver()
    assert.equal(them.deliveries.length, 3)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })
})

describe('several instances', () => {
  it('deliver each event once', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url })
    const casos = []
    for (let i = 0; i < 30; i++) casos.push(await newCaso())
    for (const caso of casos) await change(caso, { bairro_residencia: 'Pina' })
    await Promise.all([deliver(), ...[1, 2, 3].map(() => newWorker().runOnce())])
    await deliver()
    const ids = them.deliveries.map(({ body }) => body.id)
    assert.equal(ids.length, 60)
    assert.equal(new Set(ids).size, 60)
    for (const caso of casos)
      assert.deepEqual(
        them.deliveries.filter(({ body }) => body.dados.id === caso).map(({ body }) => body.dados.versao),
        [1, 2],
      )
    await t.as(gestor).delete(`/webhooks/${id}`)
  })

  it('take over what a dead one held, once its lease is over', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url })
    await newCaso()
    them.behaviour = answer(500)
    await deliver()
    them.behaviour = accept
    await t.app.db.run(sql`
      update webhook_filas set reservada_por = gen_random_uuid(), reservada_ate = ${new Date(clock.now().getTime() + 30_000)}`)
    later(10_000)
    await deliver()
    assert.equal(them.deliveries.length, 1)
    later(25_000)
    await deliver()
    assert.equal(them.deliveries.length, 2)
    await t.as(gestor).delete(`/webhooks/${id}`)
  })
})

describe('an owner', () => {
  it('who is switched off, or may no longer read, learns of nothing', async () => {
    const them = await receiver()
    const analista = await t.person({ grupos: ['analista'] })
    const { id } = await newWebhook({ url: them.url }, analista)
    await t.app.db.run(sql`delete from usuarios_grupos where usuario_id = ${analista.id}`)
    await newCaso()
    await deliver()
    assert.equal(them.deliveries.length, 0)
    await t.app.db.run(sql`
      insert into usuarios_grupos (usuario_id, grupo_id) select ${analista.id}, id from grupos where nome = 'analista'`)
    await newCaso()
    them.behaviour = answer(500)
    await deliver()
    await t.app.db.run(sql`update usuarios set desativado_em = now() where id = ${analista.id}`)
    them.behaviour = accept
    later(DAY_MS)
    await deliver()
    assert.equal(them.deliveries.length, 1)
    await t.app.db.run(sql`delete from webhooks where id = ${id}`)
  })
})
