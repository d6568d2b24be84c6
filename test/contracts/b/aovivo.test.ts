import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { eventually } from '../../harness/eventually.ts'
import { webhooksApp } from './webhooks-app.ts'

const app = await webhooksApp()
const { t, admin, gestor, analista, newCaso, change, deliver } = app
const { pool } = t.database
after(() => t.close())
await t.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = t.server.server.address() as AddressInfo
const BAHIA = { municipio_residencia: 'Salvador', estado_residencia: 'BA' }
const PATH = '/eventos/aovivo'

interface Message {
  event: string
  id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: whatever the event carries
  data: any
}

/** Messages of a stream; those without data are left out, as browsers do. */
function parse(text: string): Message[] {
  const blocks = text.split('\n\n').map((block) => {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    return { event: field('event') ?? '', id: field('id') ?? null, data: field('data') }
  })
  return blocks.flatMap(({ data, ...rest }) =>
    data === undefined ? [] : [{ ...rest, data: JSON.parse(data) }],
  )
}

const streams: (() => void)[] = []
after(() => {
  for (const leave of streams) leave()
})

/** The stream over a real connection. */
async function listen(
  who: Person = analista,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const path = `/api/v1${PATH}${query}`
  const authorization = { authorization: `Bearer ${who.token}` }
  const request = http.get({ port, path, agent: false, headers: { ...authorization, ...headers } })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  const leave = () => {
    request.destroy()
  }
  streams.push(leave)
  const messages = () => parse(text)
  const eventos = () => messages().filter(({ event }) => event === 'evento')
  return {
    response,
    messages,
    eventos,
    about: () => eventos().map(({ data }) => `${data.tipo} ${data.dados.id}`),
    until: (isTrue: () => boolean) => eventually(() => assert.ok(isTrue(), text)),
    begun: () => eventually(() => assert.equal(messages()[0]?.event, 'inicio', text)),
    leave,
  }
}

const end = async () => {
  await deliver()
  return String(await pool.value(sql`select ordem from eventos_fim`))
}

describe('GET /eventos/aovivo', () => {
  it('tells where the feed stands, then each event as the feed has it', async () => {
    const cursor = await end()
    const stream = await listen()
    assert.equal(stream.response.statusCode, 200)
    assert.match(String(stream.response.headers['content-type']), /^text\/event-stream/)
    assert.match(String(stream.response.headers['cache-control']), /no-store/)
    await stream.begun()
    assert.equal(stream.messages()[0]?.id, cursor)
    assert.ok(!Number.isNaN(Date.parse(stream.messages()[0]?.data.timestamp)))
    const caso = await newCaso({})
    await deliver()
    await stream.until(() => stream.eventos().length === 1)
    await change(caso, { classificacao_final: 'descartado' })
    await deliver()
    await stream.until(() => stream.eventos().length === 2)
    const page = (await t.as(analista).get(`/eventos?cursor=${cursor}`)).body
    assert.deepEqual(
      stream.eventos().map(({ data }) => data),
      page.eventos,
    )
    assert.equal(stream.eventos().at(-1)?.id, page.cursor)
    stream.leave()
  })

  it('goes on behind the last event that a browser has, whatever happened meanwhile', async () => {
    const cursor = await end()
    const ids = [await newCaso({}), await newCaso({}), await newCaso({})]
    await deliver()
    const created = ids.map((id) => `agravo.criado ${id}`)
    const whole = await listen(analista, { query: `?cursor=${cursor}` })
    await whole.until(() => whole.eventos().length === 3)
    assert.deepEqual(whole.about(), created)
    const second = whole.eventos()[1]?.id ?? ''
    // The header is newer than the address with which the browser began.
    const rest = await listen(analista, {
      query: `?cursor=${cursor}`,
      headers: { 'last-event-id': second },
    })
    await rest.until(() => rest.eventos().length === 1)
    assert.deepEqual(rest.about(), created.slice(2))
    whole.leave()
    rest.leave()
  })

  it('has every event once and in order, also more than are kept in memory', async () => {
    const MANY = 2_345
    const cursor = await end()
    const early = await listen()
    await early.begun()
    await pool.run(sql`
      insert into eventos_novos (id, tipo, chave, dados, criado_em)
      select 'evt_vivo' || i, 'agravo.criado', 'caso:' || i, jsonb_build_object('id', i), ${t.clock.now()}
      from generate_series(1, ${MANY}::integer) i order by i`)
    await deliver()
    const late = await listen(analista, { query: `?cursor=${cursor}` })
    const all = Array.from({ length: MANY }, (_, i) => i + 1)
    for (const stream of [early, late]) {
      await stream.until(() => stream.eventos().length >= MANY)
      assert.deepEqual(
        stream.eventos().map(({ data }) => data.dados.id),
        all,
      )
      stream.leave()
    }
  })

  it('shows what the account may know: by place, by right, by filter', async () => {
    const recife = await t.person({ grupos: ['analista'] }).then((who) => bind(t, who, 'uf:PE'))
    const without = await t.person({ permissoes: ['noticias.listar'] })
    const there = await listen(recife)
    const nobody = await listen(without)
    const filtered = await listen(analista, { query: '?estado=BA&tipo=agravo.criado' })
    for (const stream of [there, nobody, filtered]) await stream.begun()
    const inBahia = await newCaso(BAHIA)
    const inRecife = await newCaso({ municipio_residencia: 'Recife', estado_residencia: 'PE' })
    await deliver()
    await there.until(() => there.eventos().length > 0)
    await filtered.until(() => filtered.eventos().length > 0)
    assert.deepEqual(there.about(), [`agravo.criado ${inRecife}`])
    assert.deepEqual(filtered.about(), [`agravo.criado ${inBahia}`])
    // The same look served all streams.
    assert.deepEqual(nobody.about(), [])
    for (const stream of [there, nobody, filtered]) stream.leave()
  })

  it('a right that is lost ends what is shown; a session that ends, the stream', async () => {
    const permissoes = ['agravos.listar']
    const who = await t.person({ grupos: [], permissoes })
    const stream = await listen(who)
    await stream.begun()
    await pool.run(sql`delete from usuarios_permissoes where usuario_id = ${who.id}`)
    await newCaso({})
    await deliver()
    const control = await listen(analista, { query: `?cursor=${stream.messages()[0]?.id}` })
    await control.until(() => control.eventos().length > 0)
    assert.deepEqual(stream.about(), [])
    const ended = once(stream.response, 'end')
    assert.equal((await t.as(admin).delete(`/usuarios/${who.id}/sessoes`)).status, 200)
    await ended
    control.leave()
  })

  it('tells of a new notification, to its account alone', async () => {
    const other = await listen(gestor)
    const stream = await listen()
    await stream.begun()
    await other.begun()
    assert.equal((await t.as(analista).post('/usuarios/exportar', { formato: 'csv' })).status, 403)
    await pool.run(sql`
      insert into notificacoes (usuario_id, tipo, criado_em) values (${analista.id}, 'senha_definida', now())`)
    await stream.until(() => stream.messages().some(({ event }) => event === 'notificacao'))
    assert.ok(!other.messages().some(({ event }) => event === 'notificacao'))
    stream.leave()
    other.leave()
  })

  it('ends after the time that was asked for', async () => {
    const { status, text } = await t.as(analista).get(`${PATH}?duracao=1`)
    assert.equal(status, 200)
    assert.deepEqual(
      parse(text).map(({ event }) => event),
      ['inicio'],
    )
    assert.match(text, /^retry: \d+\n/)
  })

  it('refuses the sixth stream of an account until one ends', async () => {
    const who = await t.person({ grupos: ['analista'] })
    const open = await Promise.all(Array.from({ length: 5 }, () => listen(who)))
    for (const stream of open) await stream.begun()
    const { status, headers, body } = await t.as(who).get(PATH)
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0)
    assert.equal(body.error.code, 'RATE_LIMITED')
    open[0]?.leave()
    await eventually(async () => {
      const again = await t.as(who).get(`${PATH}?duracao=1`)
      assert.equal(again.status, 200)
    })
    for (const stream of open) stream.leave()
  })

  it('refuses positions that are none, or that the feed has not reached, and unknown filters', async () => {
    const beyond = String(Number(await end()) + 1)
    for (const [query, headers, field] of [
      ['?cursor=abc', {}, 'cursor'],
      [`?cursor=${beyond}`, {}, 'cursor'],
      ['', { 'last-event-id': beyond }, 'cursor'],
      ['', { 'last-event-id': 'abc' }, 'Last-Event-ID'],
      ['?duracao=0', {}, 'duracao'],
      ['?duracao=3601', {}, 'duracao'],
      ['?tipo=nada', {}, 'tipo'],
      ['?municipio=1', {}, 'municipio'],
      ['?cor=azul', {}, 'cor'],
    ] as const) {
      const { status, body } = await t.as(analista).request('GET', `${PATH}${query}`, { headers })
      assert.equal(status, 422, query)
      assert.equal(body.error.details[0].field, field)
    }
    assert.equal((await t.anonymous.get(PATH)).status, 401)
  })
})
