import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { receiver, webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, gestor, analista, newCaso, change, newWebhook, deliver, remove, invalid } = app
after(() => t.close())

interface Evento {
  id: string
  tipo: string
  timestamp: string
  dados: Record<string, unknown>
}
interface Pagina {
  eventos: Evento[]
  cursor: string
  mais: boolean
}

async function page(query: Record<string, string>, who: Person = analista): Promise<Pagina> {
  const { status, body, text } = await t.as(who).get(`/eventos?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  return body
}

/** Page after page, as long as there are more. */
async function all(
  { cursor: start, ...query }: Record<string, string>,
  who: Person = analista,
): Promise<Evento[]> {
  const eventos: Evento[] = []
  let cursor: string | null = start ?? null
  for (let mais = true; mais; ) {
    const one: Pagina = await page({ ...query, ...(cursor !== null && { cursor }) }, who)
    eventos.push(...one.eventos)
    ;({ cursor, mais } = one)
  }
  return eventos
}

/** Where the feed ends now. */
async function end(): Promise<string> {
  await deliver()
  let { cursor, mais } = await page({ size: '100' }, gestor)
  while (mais) ({ cursor, mais } = await page({ size: '100', cursor }, gestor))
  return cursor
}

const about = (eventos: Evento[]) => eventos.map(({ tipo, dados }) => `${tipo} ${dados.id}`)

describe('GET /eventos', () => {
  it('answers what happened as it is delivered, without a webhook and with its places', async () => {
    const cursor = await end()
    const caso = await newCaso({ numero_notificacao: 'FEED-1' })
    await deliver()
    const { eventos, mais } = await page({ cursor })
    assert.equal(mais, false)
    const [evento] = eventos as [Evento]
    assert.match(evento.id, /^evt_[0-9a-f]{32}$/)
    assert.ok(!Number.isNaN(Date.parse(evento.timestamp)))
    const dados = { id: caso, tipo_agravo: 'dengue', numero_notificacao: 'FEED-1', versao: 1 }
    const lugares = [{ estado: 'PE', municipio: '2611606', nome: 'Recife' }]
    const { id, timestamp } = evento
    assert.deepEqual(eventos, [{ id, tipo: 'agravo.criado', timestamp, dados, lugares }])
  })

  it('has all that happened after one look, however much that is', async () => {
    const MANY = 1_234
    const cursor = await end()
    await t.database.pool.run(sql`
      insert into eventos_novos (id, tipo, chave, dados, criado_em)
      select 'evt_muitos' || i, 'agravo.criado', 'caso:' || i, jsonb_build_object('id', i), ${t.clock.now()}
      from generate_series(1, ${MANY}::integer) i order by i`)
    await deliver()
    const told = await all({ cursor, size: '100' })
    assert.deepEqual(
      told.map(({ dados }) => dados.id),
      Array.from({ length: MANY }, (_, i) => i + 1),
    )
  })

  it('leaves no long queue of those that waited', async () => {
    await t.database.pool.run(sql`
      insert into eventos_novos (id, tipo, chave, dados, criado_em)
      select 'evt_fila' || i, 'agravo.criado', 'caso:' || i, jsonb_build_object('id', i, 'x', repeat('x', 900)), ${t.clock.now()}
      from generate_series(1, 5000) i`)
    const size = () => t.database.pool.first(sql`select pg_relation_size('eventos_novos') as bytes`)
    assert.ok(((await size()) as { bytes: number }).bytes > 4 * 1024 * 1024)
    await deliver()
    assert.deepEqual(await size(), { bytes: 0 })
    await t.database.pool.run(sql`delete from eventos where id like 'evt_fila%'`)
  })

  it('gives every event once, page by page, in the order of the deliveries', async () => {
    const them = await receiver()
    const cursor = await end()
    const { id } = await newWebhook({ url: them.url }, analista)
    const caso = await newCaso()
    for (const bairro of ['Pina', 'Torre', 'Derby', 'Graças', 'Aflitos', 'Encruzilhada'])
      await change(caso, { bairro_residencia: bairro })
    await deliver()
    const seen: string[] = []
    let at = cursor
    for (const expected of [true, true, true, false]) {
      const one = await page({ cursor: at, size: '2' })
      assert.equal(one.mais, expected)
      assert.equal(one.eventos.length, expected ? 2 : 1)
      seen.push(...one.eventos.map((evento) => evento.id))
      at = one.cursor
    }
    assert.deepEqual(
      seen,
      them.deliveries.map(({ body }) => body.id),
    )
    assert.deepEqual(await page({ cursor: at }), { eventos: [], cursor: at, mais: false })
    await remove(id)
  })

  it('begins at the oldest event that is kept, or at a moment', async () => {
    t.clock.advance(1000)
    const desde = t.clock.now().toISOString()
    t.clock.advance(1000)
    const caso = await newCaso()
    await deliver()
    assert.deepEqual(about(await all({ desde })), [`agravo.criado ${caso}`])
    const [{ total } = { total: 0 }] = await t.database.pool.rows<{ total: number }>(
      sql`select count(*) as total from eventos`,
    )
    assert.equal((await all({ size: '3' }, gestor)).length, total)
  })

  it('has nothing that the caller may not read', async () => {
    const cursor = await end()
    const ninguem = await t.person()
    const contas = await t.person({ permissoes: ['usuarios.listar'] })
    const caso = await newCaso()
    const email = 'feed@teste.local'
    const { body } = await t.as(gestor).post('/usuarios', { nome: 'Ana', email, senha: 'Senha#Boa1' })
    await deliver()
    const seen = async (who: Person) => about((await page({ cursor }, who)).eventos)
    assert.deepEqual(await seen(ninguem), [])
    assert.deepEqual(await seen(contas), [`usuario.criado ${body.id}`])
    assert.deepEqual(await seen(analista), [`agravo.criado ${caso}`])
    assert.deepEqual(await seen(gestor), [`agravo.criado ${caso}`, `usuario.criado ${body.id}`])
    assert.deepEqual((await page({ cursor, tipo: 'usuario.criado' }, analista)).eventos, [])
    const { cursor: theirs } = await page({ cursor }, ninguem)
    assert.equal(theirs, await end(), 'what was passed over need not be looked at again')
  })

  it('can be asked by event, disease, state and municipality; a case that moves counts in both places', async () => {
    const cursor = await end()
    const recife = await newCaso()
    const bahia = await newCaso({ municipio_residencia: 'Salvador', estado_residencia: 'BA' })
    const zika = await newCaso({ tipo_agravo: 'zika' })
    await change(recife, { municipio_residencia: 'Salvador', estado_residencia: 'BA' })
    await deliver()
    const seen = async (query: Record<string, string>) => about((await page({ cursor, ...query })).eventos)
    const [born, there, other] = [recife, bahia, zika].map((id) => `agravo.criado ${id}`)
    const moved = `agravo.atualizado ${recife}`
    for (const [query, expected] of [
      [{ tipo: 'agravo.atualizado' }, [moved]],
      [{ tipo: 'agravo.criado,agravo.atualizado', estado: 'BA' }, [there, moved]],
      [{ estado: 'PE' }, [born, other, moved]],
      [{ municipio: '261160' }, [born, other, moved]],
      [{ municipio: '2927408, 2611606' }, [born, there, other, moved]],
      [{ tipo_agravo: 'zika' }, [other]],
      [{ tipo_agravo: 'zika', estado: 'BA' }, []],
    ] as const)
      assert.deepEqual(await seen(query), expected, JSON.stringify(query))
  })

  for (const [what, query, expected] of [
    ['a cursor that is none', { cursor: 'abc' }, ['cursor INVALID_FORMAT']],
    ['a negative cursor', { cursor: '-1' }, ['cursor INVALID_FORMAT']],
    ['an empty cursor', { cursor: '' }, ['cursor INVALID_FORMAT']],
    ['a cursor beyond the end', { cursor: '999999999999999' }, ['cursor INVALID_FORMAT']],
    ['a page of nothing', { size: '0' }, ['size TOO_SMALL']],
    ['a page of more than 100', { size: '101' }, ['size TOO_LARGE']],
    ['an unknown event', { tipo: 'agravo.sonhado' }, ['tipo INVALID_VALUE']],
    ['the event of tests', { tipo: 'webhook.teste' }, ['tipo INVALID_VALUE']],
    ['an unknown disease', { tipo_agravo: 'gripe' }, ['tipo_agravo INVALID_VALUE']],
    ['an unknown state', { estado: 'XX' }, ['estado INVALID_VALUE']],
    ['an unknown municipality', { municipio: '9999999' }, ['municipio UNKNOWN_MUNICIPIO']],
    ['a municipality by name', { municipio: 'Recife' }, ['municipio UNKNOWN_MUNICIPIO']],
    ['a day for a moment', { desde: '2026-05-18' }, ['desde INVALID_FORMAT']],
  ] as [string, Record<string, string>, string[]][])
    it(`refuses ${what}`, async () => {
      const ask = () => t.as(analista).get(`/eventos?${new URLSearchParams(query)}`)
      assert.deepEqual(await invalid(ask), expected)
    })

  it('skips nothing while twenty write and two instances hand out places', async () => {
    const cursor = await end()
    const casos = await Promise.all(Array.from({ length: 20 }, () => newCaso()))
    let writing = true
    const writers = Promise.all(
      casos.map(async (caso) => {
        for (let idade = 1; idade <= 8; idade++) await change(caso, { paciente_idade: idade })
      }),
    ).finally(() => {
      writing = false
    })
    const distributor = async () => {
      const worker = app.newWorker()
      while (writing) await worker.runOnce()
    }
    const distributors = Promise.all([distributor(), distributor()])
    const seen: Evento[] = []
    const poll = async () => {
      let at = cursor
      for (let last = false; ; ) {
        const one = await page({ cursor: at, size: '7' })
        seen.push(...one.eventos)
        at = one.cursor
        if (last && !one.mais) return
        if (!writing && !last) {
          // One that is still handing out places keeps others from it.
          await distributors
          await deliver()
          last = true
        }
      }
    }
    await Promise.all([writers, distributors, poll()])
    assert.equal(seen.length, 20 * 9)
    assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
    for (const caso of casos)
      assert.deepEqual(
        seen.filter(({ dados }) => dados.id === caso).map(({ dados }) => dados.versao),
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
      )
    assert.deepEqual((await all({ size: '100' })).slice(-seen.length), seen)
  })
})
