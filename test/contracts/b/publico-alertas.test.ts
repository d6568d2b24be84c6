import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { refreshAlertasPublicos } from '../../../src/domain/publico/alertas.ts'
import { secondsToNextRetrato } from '../../../src/domain/publico/retratos.ts'
import { alertasApp } from '../../domain/alertas/alertas-app.ts'
import { type Answer, type TestApp, testApp } from '../../harness/app.ts'

const { t, pool, outbreak, compute, semana } = await alertasApp()
const other = await testApp({ database: t.database, dataKey: t.dataKey })
after(async () => {
  await other.close()
  await t.close()
})
const [RECIFE, OLINDA, CARUARU] = [2611606, 2609600, 2604106]

const ask = (query: string, from: TestApp = t, headers = {}): Promise<Answer> =>
  from.anonymous.get(`/publico/agravos/alertas?${query}`, { headers })
const read = async (query: string, from: TestApp = t) => {
  const { status, body, text } = await ask(query, from)
  assert.equal(status, 200, text)
  return body
}
const niveisOf = async (query: string, from: TestApp = t) =>
  Object.fromEntries(
    (await read(query, from)).items.map(({ lugar, nivel }: Answer['body']) => [lugar.codigo, nivel]),
  )
const DENGUE = 'tipo_agravo=dengue'

before(async () => {
  await outbreak([1, 1, 2, 4, 8, 16, 30, 60])
  await outbreak([1], { municipio: OLINDA })
  await outbreak([2, 1, 2], { municipio: CARUARU })
  await compute()
  // As with thresholds that an administrator has lowered: a level of four known cases, and one of five.
  await pool.run(sql`
    update alertas_niveis set nivel = 'amarelo', motivos = array['ears_c2'], casos_estimados = 12
    where lugar in (${String(OLINDA)}, ${String(CARUARU)}) and semana = (select max(semana) from alertas_niveis)`)
  await pool.run(sql`
    update alertas_niveis set casos = 4 where lugar = ${String(OLINDA)} and semana = (select max(semana) from alertas_niveis)`)
})

describe('GET /publico/agravos/alertas', () => {
  it('answers everybody with the places above green in the last week, and no number', async () => {
    const { items, retrato, calculado_em, ...head } = await read(DENGUE)
    assert.deepEqual(
      { ...head, semana: head.semana.semana },
      {
        tipo_agravo: 'dengue',
        lugar: { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null },
        nivel_lugar: 'municipio',
        semana,
        minimo: 5,
        total: 2,
      },
    )
    assert.deepEqual(items, [
      { lugar: { nivel: 'municipio', codigo: '2604106', nome: 'Caruaru', estado: 'PE' }, nivel: 'amarelo' },
      { lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' }, nivel: 'laranja' },
    ])
    assert.match(retrato, /^\d{4}-\d{2}-\d{2}$/)
    assert.ok(Date.parse(calculado_em) > 0)
  })

  it('leaves out a level of fewer known cases than are shown, as if it were green', async () => {
    assert.deepEqual(await niveisOf(`${DENGUE}&municipio=${OLINDA}`), {})
    assert.deepEqual(await niveisOf(`${DENGUE}&municipio=${CARUARU}`), { [CARUARU]: 'amarelo' })
  })

  it('lists regions, states or the country, and the parts of one place', async () => {
    assert.deepEqual(await niveisOf(`${DENGUE}&nivel_lugar=estado`), { PE: 'laranja' })
    assert.deepEqual(await niveisOf(`${DENGUE}&nivel_lugar=pais`), { null: 'laranja' })
    assert.deepEqual(await niveisOf(`${DENGUE}&nivel_lugar=regiao_saude&estado=PE`), { 26010: 'laranja' })
    assert.deepEqual(await niveisOf(`${DENGUE}&regiao_saude=26010`), { [RECIFE]: 'laranja' })
    assert.deepEqual(await niveisOf(`${DENGUE}&estado=CE`), {})
    assert.deepEqual(await niveisOf('tipo_agravo=zika'), {})
  })

  it('refuses what is unknown, missing or a filter of its own, by its name', async () => {
    const refused: [query: string, field: string][] = [
      ['', 'tipo_agravo'],
      ['tipo_agravo=gripe', 'tipo_agravo'],
      [`${DENGUE}&municipio=9999999`, 'municipio'],
      [`${DENGUE}&municipio=${RECIFE}&municipio=${OLINDA}`, 'municipio'],
      [`${DENGUE}&estado=XX`, 'estado'],
      [`${DENGUE}&estado=PE&nivel_lugar=pais`, 'nivel_lugar'],
      [`${DENGUE}&nivel_lugar=bairro`, 'nivel_lugar'],
      [`${DENGUE}&semana=202601`, 'semana'],
      [`${DENGUE}&nivel=vermelho`, 'nivel'],
      [`${DENGUE}&detalhe=true`, 'detalhe'],
      [`${DENGUE}&formato=geojson`, 'formato'],
    ]
    for (const [query, field] of refused) {
      const { status, body } = await ask(query)
      assert.deepEqual([status, body.error.details[0].field], [422, field], query)
    }
  })

  it('is a table as well, has an entity tag, may be cached, and is limited by address', async () => {
    const { text, headers: csv } = await ask(`${DENGUE}&formato=csv`)
    assert.match(String(csv['content-type']), /^text\/csv/)
    assert.deepEqual(text.split('\r\n').slice(0, 2), [
      '\uFEFFlugar.nivel;lugar.codigo;lugar.nome;lugar.estado;nivel',
      'municipio;2604106;Caruaru;PE;amarelo',
    ])
    const { headers } = await ask(DENGUE)
    assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
    const again = await ask(DENGUE, t, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.text], [304, ''])
    const limited = await testApp({ database: t.database, dataKey: t.dataKey, env: { RATE_LIMITS: 'on' } })
    assert.equal((await ask(DENGUE, limited)).headers['x-ratelimit-limit'], '60')
    await limited.close()
  })

  it('is not there where the operator did not open it', async () => {
    const closed = await testApp({ database: t.database, dataKey: t.dataKey, env: { PUBLICO: 'off' } })
    assert.equal((await ask(DENGUE, closed)).status, 404)
    await closed.close()
  })

  it('stays the same until 04:00, on all instances, and is made without a request as well', async () => {
    const before = await read(DENGUE)
    await pool.run(sql`update alertas_niveis set nivel = 'vermelho' where lugar = ${String(RECIFE)}`)
    assert.deepEqual(await read(DENGUE), before)
    assert.deepEqual(await read(DENGUE, other), before)
    const left = secondsToNextRetrato(t.clock.now()) * 1000
    for (const { clock } of [t, other]) clock.advance(left + 60_000)
    await refreshAlertasPublicos(other.app)
    const made = await pool.rows<{ dia: string }>(sql`select dia from publico_alertas`)
    assert.ok(made.length === 3 && made.every(({ dia }) => dia > before.retrato))
    const after = await read(DENGUE)
    assert.equal(after.items[1].nivel, 'vermelho')
    assert.deepEqual(await read(DENGUE, other), after)
  })

  it('has no week before levels were computed for every place', async () => {
    const [{ semana_completa }] = (await pool.rows(sql`select semana_completa from alertas_execucao`)) as [
      { semana_completa: number },
    ]
    await pool.run(sql`update alertas_execucao set semana_completa = null`)
    await pool.run(sql`delete from publico_alertas`)
    const { semana, calculado_em, items, total } = await read(DENGUE)
    assert.deepEqual([semana, calculado_em, items, total], [null, null, [], 0])
    // That is kept for no day.
    await pool.run(sql`update alertas_execucao set semana_completa = ${semana_completa}`)
    assert.equal((await read(DENGUE)).total, 2)
  })
})
