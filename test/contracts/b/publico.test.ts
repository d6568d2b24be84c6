import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { refreshRetratos, secondsToNextRetrato } from '../../../src/domain/publico/retratos.ts'
import { type Answer, type TestApp, testApp } from '../../harness/app.ts'
import { type CasoDaSemana, epidemiologiaApp, OLINDA, RECIFE } from './epidemiologia-app.ts'

const { t, pool, insert } = await epidemiologiaApp()
const other = await testApp({ database: t.database, dataKey: t.dataKey })
after(async () => {
  await other.close()
  await t.close()
})

const times = (count: number, caso: CasoDaSemana) => Array.from({ length: count }, () => caso)
const ask = (rota: string, query: string, from: TestApp = t, headers = {}): Promise<Answer> =>
  from.anonymous.get(`/publico/agravos/${rota}?${query}`, { headers })
const curva = async (query: string, from: TestApp = t) => {
  const { status, body, text } = await ask('curva', `tipo_agravo=dengue&ano=2024&${query}`, from)
  assert.equal(status, 200, text)
  return body
}
const large = async (query: string, from: TestApp = t) =>
  (await ask('curva', `tipo_agravo=dengue&ano=2022&${query}`, from)).body
const casosIn = (body: { semanas: { semana: string; casos: number | null }[] }, semana: string) =>
  body.semanas.find((one) => one.semana === semana)?.casos

const CARUARU = 2604106
const LARGE = { inicio: '2022-03-08', sexo: 'F', idade: 33 }
const ANY = { inicio: '2024-03-05', sexo: 'F', idade: 33 }

before(async () => {
  await insert([
    ...times(30, { ...ANY, classe: 'confirmado' }),
    ...times(20, { ...ANY, inicio: '2024-03-12', sexo: 'M', idade: 40 }),
    ...times(12, { ...ANY, municipio: OLINDA, classe: 'confirmado' }),
    ...times(3, { ...ANY, municipio: OLINDA, inicio: '2024-03-12' }),
    ...times(2, { ...ANY, municipio: CARUARU, inicio: '2024-05-07' }),
    ...times(40, { ...ANY, uf: 'CE', municipio: 2304400, classe: 'confirmado' }),
    // A year with enough of everything.
    ...times(40, { ...LARGE, uf: 'CE', municipio: 2304400, classe: 'confirmado' }),
    ...times(20, { ...LARGE, sexo: 'M', idade: 40 }),
    ...times(9, { inicio: null }),
  ])
})

describe('GET /publico/agravos/curva', () => {
  it('answers everybody with the weeks of a year, and hides the small ones', async () => {
    const { body } = await ask('curva', `tipo_agravo=dengue&ano=2024&municipio=${OLINDA}`)
    assert.deepEqual(
      [body.lugar.nome, body.casos, body.minimo, body.agregacao],
      ['Olinda', 'provaveis', 5, 'semana'],
    )
    const semana = body.semanas.find(({ semana }: { semana: string }) => semana === '202411')
    assert.deepEqual(
      [semana.casos, semana.incidencia, semana.acumulado, semana.suprimido],
      [null, null, null, true],
    )
    assert.equal(body.semanas.length, 52)
    assert.equal(casosIn(body, '202401'), 0)
  })

  it('hides as much beside them as would reveal them', async () => {
    const [recife, olinda, caruaru] = await Promise.all(
      [RECIFE, OLINDA, CARUARU].map((codigo) => curva(`municipio=${codigo}`)),
    )
    assert.equal(casosIn(recife, '202411'), null)
    assert.equal(casosIn(olinda, '202411'), null)
    assert.deepEqual([casosIn(caruaru, '202419'), caruaru.total], [null, null])
  })

  it('shows the country, and states that have enough', async () => {
    const pais = await curva('')
    assert.deepEqual([pais.lugar.nivel, pais.total, casosIn(pais, '202410')], ['pais', 107, 82])
    assert.equal(pais.semanas[9].acumulado, 82)
  })

  it('answers zeros for a disease without cases', async () => {
    const { body } = await ask('curva', 'tipo_agravo=zika&ano=2010&estado=AC')
    assert.deepEqual([body.total, body.semanas.length, body.semanas[0].casos], [0, 52, 0])
  })

  it('has the population of a small place, and no rate of what is hidden', async () => {
    const caruaru = await curva(`municipio=${CARUARU}`)
    assert.ok(caruaru.populacao > 0)
    assert.equal(caruaru.incidencia, null)
  })
})

describe('GET /publico/agravos/indicadores', () => {
  it('answers sex and age of a place', async () => {
    const { body } = await ask('indicadores', 'tipo_agravo=dengue&ano=2022')
    const cell = body.piramide.celulas.find(
      ({ sexo, casos }: { sexo: string; casos: number | null }) => sexo === 'M' && casos !== 0,
    )
    assert.deepEqual([body.piramide.total, cell.casos, body.classificacao], [60, 20, undefined])
  })

  it('answers classifications by place, and hides small ones with their complement', async () => {
    const { body } = await ask(
      'indicadores',
      'tipo_agravo=dengue&ano=2024&estado=PE&tabela=classificacao&nivel_lugar=municipio',
    )
    const { linhas, total } = body.classificacao
    const of = (codigo: number) => linhas.find(({ lugar }: Answer['body']) => lugar.codigo === String(codigo))
    assert.equal(linhas.length, 185)
    assert.deepEqual(
      [of(OLINDA).em_investigacao, of(OLINDA).suprimido, of(CARUARU).total],
      [null, true, null],
    )
    for (const name of ['confirmados', 'em_investigacao', 'total']) {
      const hidden = linhas.filter((linha: Record<string, unknown>) => linha[name] === null)
      assert.ok(total[name] === null || hidden.length !== 1, name)
    }
  })

  it('answers the place itself without a level, and refuses one above it', async () => {
    const query = `tipo_agravo=dengue&ano=2024&municipio=${RECIFE}&tabela=classificacao`
    const { body } = await ask('indicadores', query)
    assert.deepEqual(body.classificacao.linhas[0].lugar.nome, 'Recife')
    const refused = await ask('indicadores', `${query}&nivel_lugar=estado`)
    assert.deepEqual([refused.status, refused.body.error.details[0].field], [422, 'nivel_lugar'])
    const pyramid = await ask('indicadores', 'tipo_agravo=dengue&ano=2024&nivel_lugar=municipio')
    assert.deepEqual([pyramid.status, pyramid.body.error.details[0].field], [422, 'nivel_lugar'])
  })
})

describe('Public routes', () => {
  it('refuse what is unknown, missing or a filter of its own, by its name, in three languages', async () => {
    const refused: [query: string, field: string][] = [
      ['ano=2024', 'tipo_agravo'],
      ['tipo_agravo=dengue', 'ano'],
      ['tipo_agravo=dengue&ano=1969', 'ano'],
      ['tipo_agravo=dengue&ano=2099', 'ano'],
      ['tipo_agravo=dengue&ano=24x', 'ano'],
      ['tipo_agravo=dengue&ano=2024&municipio=9999999', 'municipio'],
      ['tipo_agravo=dengue&ano=2024&municipio=2611606&municipio=2609600', 'municipio'],
      ['tipo_agravo=dengue&ano=2024&estado=CE&municipio=2611606', 'municipio'],
      ['tipo_agravo=dengue&ano=2024&regiao_saude=1', 'regiao_saude'],
      ['tipo_agravo=dengue&ano=2024&sexo=F', 'sexo'],
      ['tipo_agravo=dengue&ano=2024&bairro=Centro', 'bairro'],
      ['tipo_agravo=dengue&ano=2024&casos=confirmados', 'casos'],
      ['tipo_agravo=dengue&ano=2024&semana_inicio=202401', 'semana_inicio'],
      ['tipo_agravo=dengue&ano=2024&suprimir=false', 'suprimir'],
    ]
    for (const rota of ['curva', 'indicadores'])
      for (const [query, field] of refused) {
        const { status, body } = await ask(rota, query)
        assert.deepEqual([status, body.error.details[0].field], [422, field], query)
      }
    const messages = await Promise.all(
      ['pt-BR', 'en-US', 'es-ES'].map(
        async (language) =>
          (await ask('curva', 'tipo_agravo=dengue', t, { 'accept-language': language })).body.error.message,
      ),
    )
    assert.equal(new Set(messages).size, 3)
  })

  it('are not there where the operator did not open them', async () => {
    const closed = await testApp({ database: t.database, dataKey: t.dataKey, env: { PUBLICO: 'off' } })
    const [route, unknown] = [
      await ask('curva', 'tipo_agravo=dengue&ano=2024', closed),
      await ask('nada', '', closed),
    ]
    const comparable = ({ status, body }: Answer) => [status, body.error.code, body.error.message]
    assert.equal(route.status, 404)
    assert.deepEqual(comparable(route), comparable(unknown))
    assert.equal((await closed.anonymous.post('/publico/agravos/curva')).status, 404)
    assert.ok(!JSON.stringify(closed.document).includes('/publico/'))
    await closed.close()
  })

  it('have an entity tag, may be cached until the numbers change, and read by other pages', async () => {
    const query = 'tipo_agravo=dengue&ano=2024&estado=PE'
    const { headers } = await ask('curva', query)
    assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
    assert.match(String(headers.vary), /Accept, Accept-Language/)
    assert.equal(headers['access-control-allow-origin'], '*')
    for (const rota of ['curva', 'indicadores']) {
      const { headers } = await ask(rota, query)
      const again = await ask(rota, query, t, { 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.status, again.text], [304, ''])
    }
  })

  it('answer CSV', async () => {
    const { headers, text } = await ask(
      'curva',
      `tipo_agravo=dengue&ano=2024&municipio=${OLINDA}&formato=csv`,
    )
    assert.match(String(headers['content-type']), /^text\/csv/)
    const lines = text.split('\r\n')
    assert.equal(lines[0], '\uFEFFsemana;ate_semana;inicio;fim;casos;incidencia;acumulado;suprimido')
    assert.match(lines[11] as string, /^202411;;2024-03-10;2024-03-16;;;;true$/)
    const pyramid = await ask('indicadores', 'tipo_agravo=dengue&ano=2024&formato=csv')
    assert.equal(pyramid.text.split('\r\n')[0], '\uFEFFsexo;faixa;casos;suprimido')
    const classes = await ask('indicadores', 'tipo_agravo=dengue&ano=2024&tabela=classificacao&formato=csv')
    assert.match(classes.text, /lugar\.codigo;/)
  })

  it('have a rate limit of their own, by address', async () => {
    const limited = await testApp({ database: t.database, dataKey: t.dataKey, env: { RATE_LIMITS: 'on' } })
    const query = 'tipo_agravo=dengue&ano=2024'
    const first = await ask('curva', query, limited)
    assert.deepEqual([first.status, first.headers['x-ratelimit-limit']], [200, '60'])
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await ask('curva', query, limited)).status),
    )
    assert.equal(statuses.filter((status) => status === 429).length, 1)
    assert.equal((await limited.anonymous.get('/health')).status, 200)
    assert.equal((await limited.anonymous.get('/openapi.json')).status, 200)
    await limited.close()
  })
})

describe('The daily snapshot', () => {
  const count = (from: TestApp) => large('estado=CE', from).then((body) => [body.total, body.retrato])

  it('stays the same all day on every instance, although cases come and go', async () => {
    const before = await large('estado=CE')
    await insert(times(10, { ...LARGE, uf: 'CE', municipio: 2304400 }))
    await pool.run(
      sql`update casos set excluido_em = now() where municipio_residencia = ${RECIFE} and data_inicio_sintomas = '2022-03-08'`,
    )
    assert.deepEqual(await large('estado=CE'), before)
    assert.deepEqual(await large('estado=CE', other), before)
    assert.equal((await large('')).total, 60)
    const restarted = await testApp({ database: t.database, dataKey: t.dataKey })
    assert.deepEqual(await large('estado=CE', restarted), before)
    await restarted.close()
  })

  it('changes at 04:00 in Brasília, on all instances at once', async () => {
    const [, dia] = await count(t)
    const left = secondsToNextRetrato(t.clock.now()) * 1000
    for (const { clock } of [t, other]) clock.advance(left - 60_000)
    assert.deepEqual(await count(t), [40, dia])
    assert.deepEqual(await count(other), [40, dia])
    for (const { clock } of [t, other]) clock.advance(120_000)
    const [first, second] = await Promise.all([count(t), count(other)])
    assert.deepEqual(first, second)
    assert.ok(first[1] > dia)
    assert.equal(first[0], 50)
    assert.equal((await large('')).total, 50)
  })

  it('is made without a request as well, once a day, of what was asked for and of the current year', async () => {
    const made = () =>
      pool.rows<{ feito_em: Date }>(
        sql`select tipo_agravo, ano, dia, feito_em from publico_retratos order by 1, 2`,
      )
    t.clock.advance(24 * 3_600_000)
    const before = await made()
    await refreshRetratos(t.app)
    const after = await made()
    assert.ok(after.length > before.length)
    assert.ok(before.every(({ feito_em }) => after.every((one) => one.feito_em > feito_em)))
    await refreshRetratos(t.app)
    assert.deepEqual(await made(), after)
  })

  it('holds nothing of a patient, and no number that is hidden', async () => {
    const rows = await pool.rows<{ lugar: string; numeros: Record<string, unknown> }>(
      sql`select lugar, numeros from publico_lugares where tipo_agravo = 'dengue' and ano = 2024`,
    )
    for (const { numeros } of rows)
      assert.deepEqual(Object.keys(numeros).toSorted(), [
        ...['agregacao', 'confirmados', 'descartados', 'em_investigacao', 'inconclusivos'],
        ...['notificados', 'piramide', 'provaveis', 'serie'],
      ])
    const caruaru = rows.find(({ lugar }) => lugar === String(CARUARU))
    assert.equal(caruaru?.numeros.provaveis, null)
  })
})
