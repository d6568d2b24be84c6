import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { tally } from '../refusals.ts'
import { receiver, webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, gestor, analista, create, newWebhook, newCaso, deliver, later, remove } = app
const { invalid, denied, missing, refused } = app
after(() => t.close())
const { pool } = t.database

const URL_1 = 'https://lab.example/vigia'
const outro = await t.person({ grupos: ['analista'] })
/** Manages everybody's webhooks and may read no case. */
const zelador = await t.person({ permissoes: ['webhooks.gerenciar'] })
const read = async (id: string, who = analista) => {
  const { status, body, text } = await t.as(who).get(`/webhooks/${id}`)
  assert.equal(status, 200, text)
  return body
}

describe('POST /webhooks', () => {
  it('answers the webhook with its secret and where it is', async () => {
    const filtros = { tipo_agravo: 'dengue', estado: ['PE', 'BA'], municipio: '261160' }
    const input = { url: URL_1, headers: { Authorization: 'Bearer deles' }, filtros }
    const { status, body } = await create(input, analista)
    assert.equal(status, 201)
    const { id, secret, criado_em, atualizado_em, ...rest } = body
    assert.match(id, /^wh_[\w-]{24}$/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(criado_em, atualizado_em)
    assert.deepEqual(rest, {
      url: URL_1,
      eventos: ['agravo.criado', 'agravo.atualizado'],
      ativo: true,
      headers: { Authorization: '********' },
      filtros: {
        tipo_agravo: ['dengue'],
        estado: ['PE', 'BA'],
        municipio: ['2611606'],
        nivel: [],
        suspeita: [],
      },
      usuario: { id: analista.id, nome: rest.usuario.nome },
      pendentes: 0,
      falhando_desde: null,
      desligado_em: null,
      desligado_por: null,
      segredo_anterior_ate: null,
    })
    const { secret: _once, ...shown } = body
    assert.deepEqual(await read(id), shown)
    await remove(id)
  })

  it('makes one that waits when asked to', async () => {
    const { id, ativo } = await newWebhook({ url: URL_1, ativo: false })
    assert.equal(ativo, false)
    await remove(id)
  })

  for (const [what, input, expected] of [
    ['no address', { url: undefined }, ['url REQUIRED']],
    ['an empty address', { url: '' }, ['url REQUIRED']],
    ['an address of more than 2,048 characters', { url: `${URL_1}/${'x'.repeat(2048)}` }, ['url TOO_LONG']],
    ['what is no address', { url: 'lab' }, ['url FORBIDDEN_TARGET']],
    ['another scheme', { url: 'ftp://lab.example/' }, ['url FORBIDDEN_TARGET']],
    ['where clouds keep credentials', { url: 'http://169.254.169.254/' }, ['url FORBIDDEN_TARGET']],
    ['an unknown event', { eventos: ['agravo.sonhado'] }, ['eventos.0 INVALID_VALUE']],
    ['the event of tests', { eventos: ['webhook.teste'] }, ['eventos.0 INVALID_VALUE']],
    ['no event', { eventos: [] }, ['eventos TOO_FEW']],
    ['an event twice', { eventos: ['agravo.criado', 'agravo.criado'] }, ['eventos REPEATED']],
    ['a state that is no flag', { ativo: 'sim' }, ['ativo INVALID_TYPE']],
    ['headers that are a list', { headers: ['X-A'] }, ['headers INVALID_TYPE']],
    ['a header that is a number', { headers: { 'X-A': 1 } }, ['headers.X-A INVALID_TYPE']],
    ['an unknown disease', { filtros: { tipo_agravo: 'gripe' } }, ['filtros.tipo_agravo INVALID_FORMAT']],
    ['an unknown state', { filtros: { estado: ['XX'] } }, ['filtros.estado.0 INVALID_FORMAT']],
    ['a municipality by name', { filtros: { municipio: 'Recife' } }, ['filtros.municipio INVALID_FORMAT']],
    ['a misspelt filter', { filtros: { muncipio: ['2611606'] } }, ['filtros.muncipio UNKNOWN_FIELD']],
    [
      'an unknown municipality',
      { filtros: { municipio: ['2611606', '9999999'] } },
      ['filtros.municipio UNKNOWN_MUNICIPIO'],
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await invalid(() => create({ url: URL_1, ...input }, analista)), expected)
    })

  for (const name of [
    'Host',
    'cookie',
    'Content-Length',
    'Transfer-Encoding',
    'connection',
    'webhook-id',
    'X-Webhook-Signature',
    'Content-Type',
    'User-Agent',
    'Proxy-Authorization',
    'X-Forwarded-For',
  ])
    it(`refuses to send the header ${name}`, async () => {
      assert.deepEqual(await invalid(() => create({ url: URL_1, headers: { [name]: 'x' } }, analista)), [
        `headers.${name} FORBIDDEN_HEADER`,
      ])
    })

  for (const [what, headers, expected] of [
    ['a name with a blank', { 'X A': 'x' }, ['headers INVALID_FORMAT']],
    ['a name that ends the line', { 'X-A\r\nHost': 'x' }, ['headers INVALID_FORMAT']],
    ['an empty name', { '': 'x' }, ['headers INVALID_FORMAT']],
    ['a value that ends the line', { 'X-A': 'x\r\nHost: y' }, ['headers.X-A INVALID_FORMAT']],
    ['a value beyond ASCII', { 'X-A': 'é' }, ['headers.X-A INVALID_FORMAT']],
    ['a value with a blank at its end', { 'X-A': 'x ' }, ['headers.X-A INVALID_FORMAT']],
    ['a long value', { 'X-A': 'x'.repeat(2001) }, ['headers.X-A TOO_LONG']],
    ['a name in two spellings', { 'X-A': 'x', 'x-a': 'y' }, ['headers.x-a REPEATED']],
    [
      'more than 20',
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'x'])),
      ['headers TOO_MANY'],
    ],
  ] as const)
    it(`refuses headers with ${what}`, async () => {
      assert.deepEqual(await invalid(() => create({ url: URL_1, headers }, analista)), expected)
    })

  it('needs `agravos.listar`, and for events of accounts `usuarios.listar`', async () => {
    const input = { url: URL_1, eventos: ['agravo.criado', 'usuario.criado'] }
    assert.equal(await denied(() => create({ url: URL_1 }, zelador)), 'agravos.listar')
    assert.equal(await denied(() => create(input, analista)), 'usuarios.listar')
    await remove((await newWebhook(input, gestor)).id)
  })

  it('makes 20 for one account when 25 are asked for at once, and more for another', async () => {
    const muitos = await t.person({ grupos: ['analista'] })
    const all = await Promise.all(Array.from({ length: 25 }, () => create({ url: URL_1 }, muitos)))
    assert.deepEqual(tally(all), { 201: 20, 422: 5 })
    assert.deepEqual(await invalid(() => create({ url: URL_1 }, muitos)), ['webhooks TOO_MANY'])
    const { body } = await t.as(muitos).get('/webhooks')
    assert.equal(body.total, 20)
    await t.as(muitos).delete(`/webhooks/${body.items[0].id}`)
    assert.equal((await create({ url: URL_1 }, muitos)).status, 201)
    await pool.run(sql`delete from webhooks where usuario_id = ${muitos.id}`)
  })
})

describe('GET /webhooks', () => {
  it("answers one's own; to those who manage them, everybody's", async () => {
    const [um, dois] = [await newWebhook({ url: URL_1 }, analista), await newWebhook({ url: URL_1 }, outro)]
    const seen = async (who: typeof gestor) =>
      (await t.as(who).get('/webhooks')).body.items.map(({ id }: { id: string }) => id).toSorted()
    assert.deepEqual(await seen(analista), [um.id])
    assert.deepEqual(await seen(outro), [dois.id])
    for (const who of [gestor, zelador]) assert.deepEqual(await seen(who), [um.id, dois.id].toSorted())
    const { body } = await t.as(gestor).get(`/webhooks?usuario_id=${outro.id}&ativo=true&url[like]=lab.exam`)
    assert.deepEqual([body.total, body.items[0].id], [1, dois.id])
    for (const { id } of [um, dois]) await remove(id)
  })
})

const ROUTES = [
  ['GET', ''],
  ['PUT', '', { ativo: false }],
  ['PATCH', '', { ativo: false }],
  ['DELETE', ''],
  ['POST', '/pausar'],
  ['POST', '/retomar'],
  ['POST', '/segredo'],
  ['POST', '/testar'],
  ['POST', '/reenviar', { desde: '2026-01-01T00:00:00Z' }],
  ['GET', '/entregas'],
  ['GET', '/entregas/1'],
  ['POST', '/entregas/1/reenviar'],
] as [string, string, object?][]

for (const [method, rest, body] of ROUTES)
  describe(`${method} /webhooks/{id}${rest}`, () => {
    const send = (id: string, who: typeof gestor) =>
      t.as(who).request(method, `/webhooks/${id}${rest}`, {
        ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
      })

    it("finds neither what does not exist nor somebody else's", async () => {
      const { id } = await newWebhook({ url: URL_1 }, analista)
      await missing(() => send('wh_x', gestor))
      await missing(() => send(id, outro))
      await remove(id)
    })

    it('refuses an id that cannot be one', async () => {
      assert.deepEqual(await invalid(() => send('x'.repeat(61), gestor)), ['id TOO_LONG'])
      await refused(() => send('x'.repeat(101), gestor), 400, 'MALFORMED_REQUEST')
    })
  })

for (const method of ['put', 'patch'] as const)
  describe(`${method.toUpperCase()} /webhooks/{id}`, () => {
    const change = (id: string, body: object, who = analista) => t.as(who)[method](`/webhooks/${id}`, body)

    for (const [what, body, expected] of [
      ['the address', { url: `${URL_1}/v2` }, { url: `${URL_1}/v2` }],
      ['the events', { eventos: ['agravo.excluido'] }, { eventos: ['agravo.excluido'] }],
      ['the state', { ativo: false }, { ativo: false }],
      ['the headers', { headers: { 'X-B': 'b' } }, { headers: { 'X-B': '********' } }],
      [
        'the filters, all of them',
        { filtros: { estado: 'BA' } },
        { filtros: { tipo_agravo: [], estado: ['BA'], municipio: [], nivel: [], suspeita: [] } },
      ],
      ['nothing', {}, {}],
    ] as const)
      it(`changes ${what} and leaves the rest`, async () => {
        const filtros = { tipo_agravo: ['zika'], municipio: ['2611606'] }
        const { secret, ...before } = await newWebhook(
          { url: URL_1, headers: { 'X-A': 'a' }, filtros },
          analista,
        )
        t.clock.advance(1000)
        const { status, body: answer, text } = await change(before.id, body)
        assert.equal(status, 200, text)
        assert.ok(answer.atualizado_em > before.atualizado_em)
        assert.deepEqual(answer, { ...before, ...expected, atualizado_em: answer.atualizado_em })
        assert.deepEqual(await read(before.id), answer)
        await remove(before.id)
      })

    it('refuses what creation refuses', async () => {
      const { id } = await newWebhook({ url: URL_1 }, analista)
      const body = { url: 'ftp://x/', headers: { Host: 'x' }, filtros: { municipio: '9999999' } }
      assert.deepEqual(await invalid(() => change(id, body)), [
        'url FORBIDDEN_TARGET',
        'headers.Host FORBIDDEN_HEADER',
        'filtros.municipio UNKNOWN_MUNICIPIO',
      ])
      assert.deepEqual(await invalid(() => change(id, { eventos: [] })), ['eventos TOO_FEW'])
      assert.equal(await denied(() => change(id, { eventos: ['usuario.criado'] })), 'usuarios.listar')
      await remove(id)
    })

    it('lets those who manage webhooks change all but what would tell them of cases', async () => {
      const { id } = await newWebhook({ url: URL_1 }, analista)
      assert.equal(await denied(() => change(id, { url: 'https://meu.example/' }, zelador)), 'agravos.listar')
      assert.equal(
        await denied(() => change(id, { eventos: ['agravo.excluido'] }, zelador)),
        'agravos.listar',
      )
      const both = { url: 'https://meu.example/', eventos: ['usuario.criado'] }
      const contas = await t.person({ permissoes: ['webhooks.gerenciar', 'usuarios.listar'] })
      assert.equal(
        await denied(() => change(id, both, contas)),
        'agravos.listar',
        'what waits would go with it',
      )
      assert.equal((await change(id, { url: URL_1, ativo: false, headers: {} }, zelador)).status, 200)
      const { ativo, usuario } = await read(id)
      assert.deepEqual([ativo, usuario.id], [false, analista.id])
      assert.equal((await t.as(zelador).delete(`/webhooks/${id}`)).status, 204)
    })
  })

describe('DELETE /webhooks/{id}', () => {
  it('takes what waits with it', async () => {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, ativo: false }, analista)
    await newCaso()
    await deliver()
    assert.equal((await read(id)).pendentes, 1)
    assert.equal((await t.as(analista).delete(`/webhooks/${id}`)).status, 204)
    later(60_000)
    await deliver()
    assert.equal(them.deliveries.length, 0)
    const left = await pool.rows(sql`
      select id::text from entregas where webhook_id = ${id} union all
      select chave from webhook_filas where webhook_id = ${id}`)
    assert.deepEqual(left, [])
    await missing(() => t.as(analista).get(`/webhooks/${id}`))
  })
})

describe('every change of a webhook', () => {
  it('is in the audit, without address, headers and secret', async () => {
    const input = { url: URL_1, headers: { 'X-Chave': 'valor-do-cabecalho' } }
    const { id, secret } = await newWebhook(input, analista)
    await t.as(gestor).put(`/webhooks/${id}`, { headers: { 'X-Chave': 'outro-valor' } })
    for (const act of ['pausar', 'retomar', 'segredo']) await t.as(analista).post(`/webhooks/${id}/${act}`)
    await remove(id)
    const rows = await pool.rows<{ acao: string; ator_id: number }>(sql`
      select acao, ator_id, detalhes from auditoria where recurso = 'webhook' and recurso_id = ${id} order by id`)
    assert.deepEqual(
      rows.map(({ acao, ator_id }) => [acao, ator_id]),
      [
        ['webhook.criado', analista.id],
        ['webhook.alterado', gestor.id],
        ['webhook.alterado', analista.id],
        ['webhook.alterado', analista.id],
        ['webhook.segredo_trocado', analista.id],
        ['webhook.removido', gestor.id],
      ],
    )
    for (const secretive of [secret, 'valor', 'lab.example'])
      assert.ok(!JSON.stringify(rows).includes(secretive), secretive)
  })
})

describe('a change or removal while deliveries are in hand', () => {
  it('waits for them, and they for it: nobody is refused', async () => {
    const them = await receiver((_delivery, response, earlier) =>
      response.writeHead(earlier % 2 ? 500 : 200).end(),
    )
    for (let i = 0; i < 12; i++) await newCaso()
    const desde = new Date(t.clock.now().getTime() - 3_600_000).toISOString()
    for (let round = 0; round < 8; round++) {
      const { id } = await newWebhook({ url: them.url }, analista)
      await t.as(analista).post(`/webhooks/${id}/reenviar`, { desde })
      const delivered = Promise.all([deliver(), app.newWorker().runOnce()])
      const changes = ['pausar', 'retomar', 'pausar', 'retomar', 'segredo', 'retomar'].map((act) =>
        t.as(analista).post(`/webhooks/${id}/${act}`),
      )
      assert.deepEqual(tally(await Promise.all(changes)), { 200: 6 })
      assert.equal((await t.as(analista).delete(`/webhooks/${id}`)).status, 204)
      await delivered
    }
  })
})
