import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { describedContracts } from '../../../src/contracts/service.routes.ts'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person } from '../../harness/app.ts'
import { bind, RECIFE, SALVADOR } from '../../harness/bound.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { answer, receiver, webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, admin, gestor, newCaso, change, exclude, newWebhook, deliver, entregas, detail, refused } = app
const { pool } = t.database
after(() => t.close())
beforeEach(() => pool.run(sql`delete from webhooks`))

const BAHIA = { municipio_residencia: 'Salvador', estado_residencia: 'BA' }
const PERNAMBUCO = { municipio_residencia: 'Recife', estado_residencia: 'PE' }
const NOTIFIED_IN_OLINDA = { dados_especificos: { municipio_notificacao: 2_609_600 } }
const ALL = ['agravo.criado', 'agravo.atualizado', 'agravo.excluido', 'agravo.restaurado']

const analista = (...lugares: string[]) =>
  t.person({ grupos: ['analista'], permissoes: ['usuarios.listar'] }).then((who) => bind(t, who, ...lugares))

interface Evento {
  tipo: string
  dados: { id: number }
  lugares: { estado: string; municipio: string | null; nome: string | null }[]
}
const about = (eventos: Evento[]) => eventos.map(({ tipo, dados }) => `${tipo} ${dados.id}`)

async function page(who: Person, query: Record<string, string>) {
  const { status, body, text } = await t.as(who).get(`/eventos?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  return body as { eventos: Evento[]; cursor: string; mais: boolean }
}

async function end(): Promise<string> {
  await deliver()
  return String(await pool.value(sql`select ordem from eventos_fim`))
}

async function importOne(who: Person): Promise<void> {
  const content = `tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia
dengue;E${Math.random()};2024-04-25;Joana Teste da Silva;Recife;PE\n`
  const payload = multipart(
    { field: 'formato', content: 'csv' },
    { field: 'modo', content: 'importar' },
    { field: 'file', content, filename: 'casos.csv' },
  )
  const { status, text } = await t
    .as(who)
    .request('POST', '/agravos/casos/bulk', { headers: MULTIPART, payload })
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
}

describe('Events, to somebody who is bound to places', () => {
  /** Cases here, there, notified here, and one that moves; what a territory hears of them, by feed and by webhook. */
  for (const [what, lugares, expected] of [
    ['a state', ['uf:PE'], ['criado here', 'criado notified', 'criado moving', 'atualizado moving']],
    [
      'the other state',
      ['uf:BA'],
      ['criado there', 'criado notified', 'atualizado moving', 'atualizado moving'],
    ],
    ['a municipality', [RECIFE], ['criado here', 'criado moving', 'atualizado moving']],
    ['the municipality of notification', ['municipio:2609600'], ['criado notified']],
    [
      'both states',
      ['uf:PE', SALVADOR],
      [
        'criado here',
        'criado there',
        'criado notified',
        'criado moving',
        'atualizado moving',
        'atualizado moving',
      ],
    ],
    [
      'a region',
      ['regiao_saude:26010'],
      ['criado here', 'criado notified', 'criado moving', 'atualizado moving'],
    ],
    ['elsewhere', ['uf:AC'], []],
  ] as [string, string[], string[]][])
    it(`tell of cases by residence and notification, and once of one that leaves: ${what}`, async () => {
      const who = await analista(...lugares)
      const them = await receiver()
      await newWebhook({ url: them.url, eventos: ALL }, who)
      const cursor = await end()
      const casos: Record<string, number> = {
        here: await newCaso(),
        there: await newCaso(BAHIA),
        notified: await newCaso({ ...BAHIA, ...NOTIFIED_IN_OLINDA }),
        moving: await newCaso(),
      }
      await deliver()
      await change(casos.moving as number, BAHIA)
      await deliver()
      await change(casos.moving as number, { status: 'encerrado', data_encerramento: '2024-04-01' })
      await deliver()
      const nameOf = ({ tipo, dados }: Evento) =>
        `${tipo.replace('agravo.', '')} ${Object.keys(casos).find((name) => casos[name] === dados.id)}`
      const told = await page(who, { cursor, size: '100' })
      assert.deepEqual(told.eventos.map(nameOf).toSorted(), expected.toSorted())
      assert.deepEqual(them.deliveries.map(({ body }) => nameOf(body)).toSorted(), expected.toSorted())
      assert.equal(told.cursor, await end(), 'the cursor moves over what is not shown')
    })

  it('name the places of a case before and after, each only to those whose territory has it', async () => {
    const [here, there] = [await analista(RECIFE), await analista('uf:BA')]
    const cursor = await end()
    await change(await newCaso(), BAHIA)
    await deliver()
    const placesFor = async (who: Person) =>
      (await page(who, { cursor })).eventos.map(({ lugares }) =>
        lugares.map(({ estado, municipio, nome }) => `${nome} ${estado} ${municipio}`).toSorted(),
      )
    const [recife, salvador] = ['Recife PE 2611606', 'Salvador BA 2927408']
    assert.deepEqual(await placesFor(admin), [[recife], [recife, salvador]])
    assert.deepEqual(await placesFor(here), [[recife], [recife]], 'not where it went')
    assert.deepEqual(await placesFor(there), [[salvador]], 'not where it was')
  })

  it('come page by page without gaps or repetitions, however much is between them', async () => {
    const who = await analista('uf:PE')
    let cursor = await end()
    const ours: number[] = []
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 3; j++) await newCaso(BAHIA)
      ours.push(await newCaso())
    }
    await deliver()
    const seen: number[] = []
    for (let mais = true; mais; ) {
      const one = await page(who, { cursor, size: '1' })
      seen.push(...one.eventos.map(({ dados }) => dados.id))
      ;({ cursor, mais } = one)
    }
    assert.deepEqual(seen, ours)
    assert.equal(cursor, await end())
  })

  it('do not pass through a filter by place that asks for more', async () => {
    const who = await analista('uf:PE')
    const cursor = await end()
    await newCaso(BAHIA)
    const ours = await newCaso()
    await deliver()
    assert.deepEqual(about((await page(who, { cursor, estado: 'BA' })).eventos), [])
    assert.deepEqual(about((await page(who, { cursor, estado: 'BA,PE' })).eventos), [`agravo.criado ${ours}`])
  })

  it('tell of deletions by place, and of imports to their importer alone; of accounts not at all', async () => {
    const who = await analista('uf:PE')
    const other = await analista('uf:PE')
    const them = await receiver()
    await newWebhook(
      { url: them.url, eventos: ['importacao.concluida', 'usuario.criado', 'usuario.desativado'] },
      who,
    )
    const cursor = await end()
    const gone = await newCaso()
    const away = await newCaso(BAHIA)
    await exclude(gone)
    await exclude(away)
    await importOne(who)
    await importOne(gestor)
    const someone = await t.person()
    await t.as(admin).post(`/usuarios/${someone.id}/desativar`)
    await deliver()
    const types = async (person: Person) =>
      (await page(person, { cursor, size: '100' })).eventos.map(({ tipo }) => tipo)
    assert.deepEqual(await types(other), ['agravo.criado', 'agravo.excluido'])
    assert.deepEqual(await types(who), ['agravo.criado', 'agravo.excluido', 'importacao.concluida'])
    assert.deepEqual(them.types(), ['importacao.concluida'])
    assert.equal((await types(gestor)).filter((tipo) => tipo === 'importacao.concluida').length, 2)
  })
})

describe('A webhook of an owner whose territory shrinks', () => {
  async function shrunk() {
    const who = await analista('uf:PE', 'uf:BA')
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, eventos: ALL }, who)
    await newCaso()
    await newCaso(BAHIA)
    await deliver()
    assert.equal(them.deliveries.length, 2)
    await bind(t, who, 'uf:PE')
    const [away, here] = await entregas(id, '', who)
    return { who, them, id, here, away }
  }

  it('no longer shows the bodies of events outside, also to managers, who are bound themselves', async () => {
    const { who, id, here, away } = await shrunk()
    assert.match((await detail(id, here.id, who)).corpo, /agravo.criado/)
    assert.equal((await detail(id, away.id, who)).corpo, null)
    const manager = await bind(t, await t.person({ grupos: ['gestor'] }), 'uf:PE')
    assert.match((await detail(id, here.id, manager)).corpo, /agravo.criado/)
    assert.equal((await detail(id, away.id, manager)).corpo, null)
    assert.match((await detail(id, away.id, admin)).corpo, /agravo.criado/)
  })

  it('sends none of them again, one by one or since a moment', async () => {
    const { who, them, id, here, away } = await shrunk()
    for (const by of [who, gestor])
      await refused(
        () => t.as(by).post(`/webhooks/${id}/entregas/${away.id}/reenviar`),
        403,
        'OUT_OF_TERRITORY',
      )
    assert.equal((await t.as(who).post(`/webhooks/${id}/entregas/${here.id}/reenviar`)).status, 202)
    await deliver()
    assert.equal(them.deliveries.length, 3)
    const desde = new Date(t.clock.now().getTime() - 86_400_000).toISOString()
    const { body } = await t.as(gestor).post(`/webhooks/${id}/reenviar`, { desde })
    await deliver()
    assert.equal(them.deliveries.length, 3 + body.total)
    const outside = await pool.rows<{ id: string }>(
      sql`select id from eventos where not ('PE' = any(estados)) and notificacao = '{}'`,
    )
    const ids = new Set(outside.map((one) => one.id))
    assert.deepEqual(
      them.deliveries.slice(2).filter((one) => ids.has(one.body.id)),
      [],
    )
    assert.ok(body.total > 0)
  })

  it('does not send what was waiting, and is not taken for failing', async () => {
    const who = await analista('uf:PE', 'uf:BA')
    const them = await receiver(answer(500))
    const { id } = await newWebhook({ url: them.url, eventos: ALL }, who)
    await newCaso(BAHIA)
    await deliver()
    assert.equal(them.deliveries.length, 1)
    await bind(t, who, 'uf:PE')
    await pool.run(sql`update webhooks set falhando_desde = null`)
    app.later(6_000)
    await deliver()
    assert.equal(them.deliveries.length, 1)
    const [entrega] = await entregas(id, '', who)
    assert.deepEqual([entrega.estado, entrega.erro], ['falhou', 'out_of_territory'])
    assert.equal(await pool.value(sql`select falhando_desde from webhooks where id = ${id}`), null)
    assert.equal(await pool.value(sql`select count(*) from webhook_filas where webhook_id = ${id}`), 0)
  })

  it('still repeats its tests', async () => {
    const who = await analista('uf:PE')
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, eventos: ALL }, who)
    const { body } = await t.as(who).post(`/webhooks/${id}/testar`)
    assert.match((await detail(id, body.id, who)).corpo, /webhook.teste/)
    assert.equal((await t.as(who).post(`/webhooks/${id}/entregas/${body.id}/reenviar`)).status, 202)
    await deliver()
    assert.deepEqual(them.types(), ['webhook.teste', 'webhook.teste'])
  })
})

/** To which managers turn the webhooks of others. */
const elsewhere = await receiver()

describe('A manager of webhooks who is bound to places', () => {
  /** Every route that names a webhook, each with a request that is right. */
  const ROUTES: Record<string, (who: Person, id: string, entrega: number) => Promise<Answer>> = {
    'GET /webhooks/{id}': (who, id) => t.as(who).get(`/webhooks/${id}`),
    'PUT /webhooks/{id}': (who, id) => t.as(who).put(`/webhooks/${id}`, { url: elsewhere.url }),
    'PATCH /webhooks/{id}': (who, id) => t.as(who).patch(`/webhooks/${id}`, { eventos: ALL }),
    'POST /webhooks/{id}/pausar': (who, id) => t.as(who).post(`/webhooks/${id}/pausar`),
    'POST /webhooks/{id}/retomar': (who, id) => t.as(who).post(`/webhooks/${id}/retomar`),
    'POST /webhooks/{id}/segredo': (who, id) => t.as(who).post(`/webhooks/${id}/segredo`),
    'POST /webhooks/{id}/testar': (who, id) => t.as(who).post(`/webhooks/${id}/testar`),
    'POST /webhooks/{id}/reenviar': (who, id) =>
      t.as(who).post(`/webhooks/${id}/reenviar`, { desde: t.clock.now().toISOString() }),
    'GET /webhooks/{id}/entregas': (who, id) => t.as(who).get(`/webhooks/${id}/entregas`),
    'GET /webhooks/{id}/entregas/{entrega_id}': (who, id, entrega) =>
      t.as(who).get(`/webhooks/${id}/entregas/${entrega}`),
    'POST /webhooks/{id}/entregas/{entrega_id}/reenviar': (who, id, entrega) =>
      t.as(who).post(`/webhooks/${id}/entregas/${entrega}/reenviar`),
    'DELETE /webhooks/{id}': (who, id) => t.as(who).delete(`/webhooks/${id}`),
  }
  const pernambuco = async () => bind(t, await t.person({ grupos: ['gestor'] }), 'uf:PE')
  async function delivered(owner: Person) {
    const them = await receiver()
    const { id } = await newWebhook({ url: them.url, eventos: ALL }, owner)
    const { body } = await t.as(owner).post(`/webhooks/${id}/testar`)
    return { id: id as string, entrega: body.id as number, them }
  }
  const stored = () =>
    pool.one(sql`
      select (select json_agg(w order by w.id) from webhooks w) as webhooks, (select count(*) from entregas) as entregas,
             (select count(*) from auditoria) as auditoria`)

  it('has every route in the table', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const named = describedContracts(info)
      .contracts.flatMap(({ rows }) => rows)
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
      .filter((route) => route.includes(' /webhooks/{id}'))
    assert.deepEqual(named.toSorted(), Object.keys(ROUTES).toSorted())
  })

  it('manages those of owners whose places all lie inside', async () => {
    const manager = await pernambuco()
    const { id, entrega, them } = await delivered(await analista(RECIFE))
    for (const [route, act] of Object.entries(ROUTES)) {
      if (route.startsWith('DELETE')) continue
      const { status, text } = await act(manager, id, entrega)
      assert.ok(status < 300, `${route} ${text}`)
    }
    await newCaso(PERNAMBUCO)
    await deliver()
    assert.equal(elsewhere.types().at(-1), 'agravo.criado')
    assert.deepEqual(them.types(), ['webhook.teste'])
    assert.equal((await ROUTES['DELETE /webhooks/{id}']?.(manager, id, entrega))?.status, 204)
  })

  it('does not find those of others, whatever is asked, and changes nothing', async () => {
    const manager = await pernambuco()
    for (const owner of [
      await analista('uf:PE', 'uf:BA'),
      await analista('uf:BA'),
      await analista(),
      admin,
    ]) {
      const { id, entrega } = await delivered(owner)
      const before = await stored()
      for (const [route, act] of Object.entries(ROUTES)) {
        const [{ status, body }, nothing] = [
          await act(manager, id, entrega),
          await act(manager, 'wh_x', entrega),
        ]
        const error = ({ request_id: _id, timestamp: _at, ...rest }: Record<string, unknown>) => rest
        assert.equal(status, 404, route)
        assert.deepEqual(error(body.error), error(nothing.body.error), route)
      }
      assert.deepEqual(await stored(), before)
    }
  })

  it('lists and counts the own and those within reach', async () => {
    const manager = await pernambuco()
    const inside = await delivered(await analista(RECIFE))
    for (const owner of [await analista('uf:PE', 'uf:BA'), await analista('uf:BA'), await analista(), admin])
      await delivered(owner)
    const own = await newWebhook({ url: elsewhere.url, eventos: ALL }, manager)
    const list = async (who: Person, query = '') => {
      const { body } = await t.as(who).get(`/webhooks?size=100${query}`)
      return { ids: body.items.map((one: { id: string }) => one.id).toSorted(), total: body.total }
    }
    assert.deepEqual(await list(manager), { ids: [inside.id, own.id].toSorted(), total: 2 })
    assert.deepEqual(await list(manager, `&usuario_id=${admin.id}`), { ids: [], total: 0 })
    assert.equal((await list(gestor)).total, 6)
    assert.equal((await list(await bind(t, await t.person({ admin: true }), 'uf:AC'))).total, 6)
  })
})
