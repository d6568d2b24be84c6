import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createOutbound } from '../../../src/outbound/outbound.ts'
import { ALL_TARGETS } from '../../../src/outbound/policy.ts'
import { answer, receiver, webhooksApp } from './webhooks-app.ts'

const { t, gestor, analista, dona, newWebhook, deliver, remove, entregas, detail } = await webhooksApp()
after(() => t.close())
const test = (id: string, who = analista) => t.as(who).post(`/webhooks/${id}/testar`)

describe('POST /webhooks/{id}/testar', () => {
  it('sends a signed event that nobody subscribes to, at once, and shows the answer', async () => {
    const them = await receiver(answer(202, {}, 'recebido'))
    const { id, secret } = await newWebhook({ url: them.url, headers: { 'X-Chave': 'k' } }, dona)
    const { status, body } = await test(id, dona)
    assert.equal(status, 200)
    const [delivery] = them.deliveries
    assert.ok(delivery)
    assert.deepEqual(delivery.body, {
      id: body.evento_id,
      tipo: 'webhook.teste',
      timestamp: delivery.body.timestamp,
      dados: { mensagem: 'Teste do webhook' },
      webhook_id: id,
    })
    assert.equal(delivery.headers['x-chave'], 'k')
    new Webhook(secret).verify(delivery.text, delivery.headers as Record<string, string>)
    const { motivo, estado, tentativas, status_http, resposta, corpo, proxima_tentativa } = body
    assert.deepEqual(
      { motivo, estado, tentativas, status_http, resposta, corpo, proxima_tentativa },
      {
        motivo: 'teste',
        estado: 'entregue',
        tentativas: 1,
        status_http: 202,
        resposta: 'recebido',
        corpo: delivery.text,
        proxima_tentativa: null,
      },
    )
    assert.deepEqual(await detail(id, body.id, dona), body)
    assert.equal((await test(id, gestor)).body.resposta, null, 'the answer is the owner’s')
    await remove(id)
  })

  it('also where the webhook is paused, and leaves it paused', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, ativo: false }, analista)
    assert.equal((await test(id)).body.estado, 'entregue')
    const { body } = await t.as(analista).get(`/webhooks/${id}`)
    assert.deepEqual([body.ativo, body.pendentes], [false, 0])
    await remove(id)
  })

  for (const [what, behaviour, expected] of [
    ['fails', answer(500, {}, 'quebrado'), { status_http: 500, erro: null, resposta: 'quebrado' }],
    ['is gone', answer(410), { status_http: 410, erro: null, resposta: null }],
    [
      'hangs up',
      (_delivery: unknown, response: { destroy(): void }) => response.destroy(),
      { status_http: null, erro: 'connection', resposta: null },
    ],
  ] as const)
    it(`tells that a receiver ${what}; it is tried once and counts for nothing`, async () => {
      const them = await receiver(behaviour as ReturnType<typeof answer>)
      const { id } = await newWebhook({ url: them.url }, dona)
      const { status, body } = await test(id, dona)
      assert.equal(status, 200)
      const { estado, status_http, erro, resposta } = body
      assert.deepEqual({ estado, status_http, erro, resposta }, { estado: 'falhou', ...expected })
      await deliver()
      assert.equal(them.deliveries.length, 1)
      const { body: webhook } = await t.as(dona).get(`/webhooks/${id}`)
      assert.deepEqual([webhook.ativo, webhook.falhando_desde, webhook.pendentes], [true, null, 0])
      assert.equal((await entregas(id)).length, 1)
      await remove(id)
    })

  it('waits for a receiver that hangs no longer than for any other', async () => {
    const outbound = createOutbound({ targets: ALL_TARGETS, timeoutMs: 300 })
    const hasty = await webhooksApp({ outbound })
    after(() => hasty.t.close())
    const them = await receiver(() => {})
    const { id } = await hasty.newWebhook({ url: them.url })
    const { status, body } = await hasty.t.as(hasty.gestor).post(`/webhooks/${id}/testar`)
    const { estado, status_http, erro, resposta } = body
    assert.deepEqual([status, estado, status_http, erro, resposta], [200, 'falhou', null, 'timeout', null])
  })

  it('does not follow a redirect', async () => {
    const elsewhere = await receiver()
    const them = await receiver(answer(307, { location: elsewhere.url }))
    const { id } = await newWebhook({ url: them.url }, analista)
    const { body } = await test(id)
    assert.deepEqual([body.estado, body.status_http], ['falhou', 307])
    assert.equal(elsewhere.deliveries.length, 0)
    await remove(id)
  })
})

describe('seventy tests at once', () => {
  it('keep eight receivers busy and fifty in line; the rest is told to come later', async () => {
    const gate = Promise.withResolvers<void>()
    let busy = 0
    let most = 0
    const slow = await webhooksApp({
      outbound: {
        async post() {
          most = Math.max(most, ++busy)
          await gate.promise
          busy--
          return { kind: 'failed', reason: 'timeout', ms: 0 }
        },
      },
    })
    after(() => slow.t.close())
    const { id } = await slow.newWebhook({ url: 'http://127.0.0.1:1024/' })
    let refused = 0
    const ask = async () => {
      const { status, headers, body } = await slow.t.as(slow.gestor).post(`/webhooks/${id}/testar`)
      if (status === 503) {
        assert.deepEqual([headers['retry-after'], body.error.code], ['2', 'UNAVAILABLE'])
        if (++refused === 12) gate.resolve()
      }
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 70 }, ask))
    assert.equal(statuses.filter((status) => status === 200).length, 58)
    assert.equal(most, 8)
  })
})
