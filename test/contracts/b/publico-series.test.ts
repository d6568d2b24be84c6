import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { CARUARU, epizootiasApp, OLINDA, PALMAS, problemsOf, RECIFE } from './epizootias-app.ts'
import { SERIE } from './series-app.ts'

const e = await epizootiasApp()
const { t, gestor, analista, registrar } = e
after(() => t.close())

const ask = (path: string, headers = {}) => t.anonymous.get(`/publico/${path}`, { headers })
const open = async (path: string) => {
  const { status, body, text } = await ask(path)
  assert.equal(status, 200, text)
  return body
}
const publish = async (codigo: string, publica = true) =>
  assert.equal((await t.as(gestor).put(`/series/${codigo}`, { publica })).status, 200)
const gravar = async (codigo: string, valores: object[]) =>
  assert.equal((await t.as(analista).put(`/series/${codigo}/valores`, { valores })).status, 200)
const registrarSerie = async (more: object) =>
  assert.equal((await t.as(gestor).post('/series', { ...SERIE, ...more })).status, 201)

describe('Public series', () => {
  it('are those that somebody made public, with source and licence', async () => {
    assert.deepEqual(await open('series'), { total: 0, items: [] })
    await publish('chuva')
    const { total, items } = await open('series')
    assert.deepEqual(
      [total, items[0].codigo, items[0].fonte, items[0].licenca],
      [1, 'chuva', 'INMET, CHIRPS, ERA5-Land', 'Dados abertos'],
    )
    await t.as(gestor).put('/series/chuva', { ativa: false })
    assert.equal((await open('series')).total, 0)
    await t.as(gestor).put('/series/chuva', { ativa: true })
    const csv = await ask('series?formato=csv')
    assert.match(csv.text, /chuva;Chuva/)
  })

  it('show their values to everybody, and may be kept by caches', async () => {
    await gravar('chuva', [{ municipio: RECIFE, data: '2024-01-02', valor: 12.5 }])
    const path = `series/chuva/valores?municipio=${RECIFE}&inicio=2024-01-01&fim=2024-01-02`
    const answer = await ask(path)
    assert.deepEqual(
      answer.body.valores.map(({ valor, suprimido }: { valor: number; suprimido: boolean }) => [
        valor,
        suprimido,
      ]),
      [
        [null, false],
        [12.5, false],
      ],
    )
    assert.deepEqual([answer.body.licenca, answer.body.minimo], ['Dados abertos', null])
    assert.match(String(answer.headers['cache-control']), /public, max-age=/)
    const again = await ask(path, { 'if-none-match': String(answer.headers.etag) })
    assert.equal(again.status, 304)
    assert.match((await ask(`${path}&formato=csv`)).text, /2024-01-02;2024-01-02;12,5/)
    assert.equal((await ask('series/temp_min/valores')).status, 404)
    assert.equal((await ask('series/nada_disso/valores')).status, 404)
    const past = await ask(`${path}&conhecidos_em=2020-01-01T00:00:00Z`)
    assert.deepEqual(problemsOf(past), ['conhecidos_em UNKNOWN_FIELD'])
    const list = await ask('series', { 'if-none-match': '*' })
    assert.equal(list.status, 304)
  })

  it('of persons are counts cell by cell, the small ones suppressed, and no sums', async () => {
    await registrarSerie({ publica: true })
    await registrarSerie({ codigo: 'taxa_humana', tipo_valor: 'numero', publica: true })
    await registrarSerie({
      ...{ codigo: 'media_de_casos', dominio: 'animal', tipo_valor: 'numero', publica: true },
      derivada: { tipo: 'media_movel', serie: SERIE.codigo, semanas: 2 },
    })
    await gravar(SERIE.codigo, [
      { municipio: RECIFE, semana: '202401', valor: 4 },
      { municipio: RECIFE, semana: '202402', valor: 0 },
      { municipio: RECIFE, semana: '202403', valor: 5 },
    ])
    const codes = (await open('series')).items.map(({ codigo }: { codigo: string }) => codigo)
    assert.deepEqual(codes, [SERIE.codigo, 'chuva'])
    const path = `series/${SERIE.codigo}/valores?semana_inicio=202401&semana_fim=202403`
    const { valores, minimo } = await open(`${path}&municipio=${RECIFE}`)
    assert.equal(minimo, 5)
    assert.deepEqual(
      valores.map(({ valor, suprimido }: { valor: number; suprimido: boolean }) => [valor, suprimido]),
      [
        [null, true],
        [0, false],
        [5, false],
      ],
    )
    assert.deepEqual(problemsOf(await ask(`${path}&estado=PE`)), ['nivel INCONSISTENT'])
    assert.deepEqual(problemsOf(await ask(`${path}&municipio=${RECIFE}&periodo=ano`)), [
      'periodo INCONSISTENT',
    ])
    for (const codigo of ['taxa_humana', 'media_de_casos'])
      assert.equal((await ask(`series/${codigo}/valores?municipio=${RECIFE}`)).status, 404)
  })
})

describe('Public numbers of events in animals', () => {
  it('are by municipality and month of a year, with source and licence', async () => {
    await registrar({ municipio: RECIFE, data_ocorrencia: '2024-03-31', animais_mortos: 2 })
    await registrar({ municipio: RECIFE, data_ocorrencia: '2024-03-01', latitude: -8.1, longitude: -34.9 })
    await registrar({
      municipio: OLINDA,
      data_ocorrencia: '2024-04-01',
      suspeita: 'raiva',
      especie_grupo: 'canideo',
    })
    await registrar({ municipio: CARUARU, data_ocorrencia: null, ano_ocorrencia: 2024, mes_ocorrencia: 2 })
    await registrar({ municipio: PALMAS, data_ocorrencia: null, ano_ocorrencia: 2024 })
    await registrar({ municipio: PALMAS, data_ocorrencia: '2023-12-31' })
    const body = await open('epizootias/estatisticas?ano=2024')
    assert.deepEqual([body.eventos, body.animais_mortos, body.sem_mes], [5, 2, 1])
    assert.deepEqual(
      body.items.map(
        (one: { mes: string; municipio: string; eventos: number }) =>
          `${one.mes} ${one.municipio} ${one.eventos}`,
      ),
      ['2024-02 Caruaru 1', '2024-03 Recife 2', '2024-04 Olinda 1'],
    )
    assert.deepEqual([body.fonte, body.licenca], ['Vigilância de epizootias', 'Dados abertos'])
    assert.equal((await open('epizootias/estatisticas?ano=2024&estado=PE&suspeita=raiva')).eventos, 1)
    await t.as(gestor).put('/series/epizootias_pnh', { licenca: 'CC BY 4.0' })
    assert.equal((await open('epizootias/estatisticas?ano=2024')).licenca, 'CC BY 4.0')
    const csv = await ask('epizootias/estatisticas?ano=2024&formato=csv')
    assert.match(csv.text, /2024-03;2611606;Recife;PE;2;2/)
    const { etag } = csv.headers
    const again = await ask('epizootias/estatisticas?ano=2024&formato=csv', { 'if-none-match': String(etag) })
    assert.equal(again.status, 304)
    assert.deepEqual(problemsOf(await ask('epizootias/estatisticas')), ['ano REQUIRED'])
    // No spot, no number of the event, nothing that is not counted.
    assert.doesNotMatch(JSON.stringify(body), /latitude|numero|observacao/)
  })
})
