import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { OLINDA, RECIFE, seriesApp } from './series-app.ts'

const { t, leitor, gestor, gravar, ler, registrar } = await seriesApp()
after(() => t.close())

/** Without values of its own. */
const CARUARU = '2604106'
const DAY_MS = 86_400_000
/** Around the end of a year whose last week is of two years. */
const days = Array.from({ length: 40 }, (_, i) =>
  new Date(Date.UTC(2020, 11, 10) + i * DAY_MS).toISOString().slice(0, 10),
)

interface Asked {
  codigo: string
  /** Of the map, and of one place. */
  map: string
  place: string
}

const week = (codigo: string, semana: string): Asked => ({
  codigo,
  map: `semana=${semana}`,
  place: `periodo=semana&semana_inicio=${semana}&semana_fim=${semana}`,
})
const month = (codigo: string, mes: string): Asked => ({
  codigo,
  map: `mes=${mes}`,
  place: `periodo=mes&inicio=${mes}-01&fim=${mes}-28`,
})
const day = (codigo: string, dia: string): Asked => ({
  codigo,
  map: `dia=${dia}`,
  place: `periodo=dia&inicio=${dia}&fim=${dia}`,
})

describe('A map of municipalities', () => {
  before(async () => {
    for (const [place, municipio] of [RECIFE, OLINDA].entries()) {
      const each = (values: (i: number) => number | null) =>
        days.flatMap((data, i) => {
          const valor = values(i)
          return valor === null ? [] : [{ municipio, data, valor }]
        })
      await gravar(
        'temp_min',
        each((i) => (place === 1 && i % 9 < 4 ? null : 20 + (i % 5))),
      )
      await gravar(
        'temp_max',
        each((i) => 30 + ((i + place) % 4)),
      )
      await gravar('lv_canina_examinados', [{ municipio, mes: '2020-12', valor: 40 * place }])
      await gravar('lv_canina_reagentes', [{ municipio, mes: '2020-12', valor: 7 }])
    }
    await gravar('liraa_iip', [
      { municipio: RECIFE, semana: '202030', valor: 1.2 },
      { municipio: OLINDA, semana: '202053', valor: 2.5 },
    ])
    const derived = { minimo: null, tipo_valor: 'numero', agrega_tempo: 'media', agrega_lugar: 'media' }
    for (const [codigo, serie] of [
      ['minima_movel', 'temp_min'],
      ['liraa_movel', 'liraa_iip'],
    ])
      await registrar({ ...derived, codigo, derivada: { tipo: 'media_movel', serie, semanas: 4 } })
  })

  it('says of each what it says alone: derived, carried and repeated values, and none', async () => {
    const asked = [
      ...['202050', '202053', '202101', '202102', '202110'].flatMap((semana) =>
        ['temp_min', 'amplitude_termica', 'minima_movel', 'liraa_movel'].map((one) => week(one, semana)),
      ),
      // At the end of its validity, and after it.
      ...['202053', '202103', '202104'].map((semana) => week('liraa_iip', semana)),
      ...['202049', '202053', '202101'].map((semana) => week('lv_canina_positividade', semana)),
      month('lv_canina_positividade', '2020-12'),
      month('amplitude_termica', '2020-12'),
      day('amplitude_termica', '2021-01-01'),
    ]
    let known = 0
    for (const { codigo, map, place } of asked) {
      const { lugares } = await ler(`/series/${codigo}/lugares?${map}&estado=PE`)
      for (const municipio of [RECIFE, OLINDA, CARUARU]) {
        const [own] = (await ler(`/series/${codigo}/valores?municipio=${municipio}&${place}`)).valores
        const shown = lugares.find((one: { lugar: { codigo: string } }) => one.lugar.codigo === municipio)
        assert.deepEqual(
          [shown.valor, shown.cobertura, shown.repetido],
          [own.valor, own.cobertura, own.repetido],
          `${codigo} ${map} ${municipio}`,
        )
        if (own.valor !== null) known += 1
      }
    }
    assert.ok(known > 20, `${known} values`)
  })

  it('is that of an archived series too', async () => {
    const path = '/series/temp_max/lugares?semana=202053&estado=PE'
    const { lugares } = await ler(path)
    assert.equal((await t.as(gestor).put('/series/temp_max', { ativa: false })).status, 200)
    assert.deepEqual((await ler(path)).lugares, lugares)
    assert.ok(lugares.some(({ valor }: { valor: number | null }) => valor !== null))
  })

  it('of a moving mean is by week alone', async () => {
    const { status, body } = await t.as(leitor).get('/series/minima_movel/lugares?mes=2020-12')
    assert.equal(status, 422)
    assert.equal(body.error.details[0].code, 'INCONSISTENT')
  })
})
