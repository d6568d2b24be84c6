import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addDays } from '../../../src/brasil/calendar.ts'
import { semanaByCodigo } from '../../../src/brasil/epi-week.ts'
import { epidemiologiaApp } from './epidemiologia-app.ts'
import { problemsOf } from './series-app.ts'

const { t, insert, read } = await epidemiologiaApp()
after(() => t.close())

const leitor = await t.person({ grupos: ['analista'] })
const ler = async (path: string) => {
  const { status, body, text } = await t.as(leitor).get(path)
  assert.equal(status, 200, text)
  return body
}

const RIO_BRANCO = 1200401
const PLACE = { tipo_agravo: 'zika', municipio: RIO_BRANCO }
const queryOf = (query: Record<string, string | number>) =>
  new URLSearchParams(
    Object.fromEntries(Object.entries({ ...PLACE, ...query }).map(([name, one]) => [name, String(one)])),
  )

const MEASURES = ['casos', 'incidencia', 'completude_esperada'] as const
const casesOf = (semanas: Record<string, unknown>[]) =>
  semanas.map((semana) => MEASURES.map((one) => semana[one]))

describe('Cases beside series, as they were known', () => {
  it('are those of the curve at the end of the last week that was over', async () => {
    const late = { tipo: 'zika', uf: 'AC', municipio: RIO_BRANCO, inicio: '2023-03-06' }
    await insert([
      { ...late, digitacao: '2023-03-08' },
      { ...late, digitacao: '2023-03-13', classe: 'descartado' },
      { ...late, digitacao: '2023-03-14' },
      { ...late, digitacao: '2023-12-01' },
      { ...late, digitacao: null },
    ])
    const weeks = { semana_inicio: 202309, semana_fim: 202312 }
    const panel = (query: Record<string, string | number> = {}) =>
      ler(`/series/painel?series=temp_min_sem&${queryOf({ ...weeks, ...query })}`)
    // Saturday 11 March is the end of week 10; the day begins three hours later than that of the moment.
    for (const [moment, semana, casos] of [
      ['2023-03-12T02:59:59Z', '202309', [0, null, null, null]],
      ['2023-03-12T03:00:00Z', '202310', [0, 1, null, null]],
      ['2023-03-18T12:00:00Z', '202310', [0, 1, null, null]],
      ['2023-03-19T12:00:00Z', '202311', [0, 2, 0, null]],
      ['2999-01-01T00:00:00Z', null, [0, 3, 0, 0]],
    ] as const) {
      const then = await panel({ conhecidos_em: moment })
      assert.deepEqual(
        then.semanas.map((one: { casos: number | null }) => one.casos),
        casos,
        moment,
      )
      assert.equal(then.reconstruido, true)
      if (semana === null) continue
      assert.equal(then.casos_conhecidos.semana, semana)
      const curve = await read('curva', { ...PLACE, ...weeks, semana_conhecida: semana })
      assert.deepEqual(
        casesOf(then.semanas.slice(0, curve.semanas.length)),
        casesOf(curve.semanas),
        `as the curve of ${semana}`,
      )
      assert.equal(then.casos_conhecidos.sem_digitacao, curve.sem_digitacao)
    }
    const now = await panel()
    assert.deepEqual(
      now.semanas.map((one: { casos: number }) => one.casos),
      [0, 4, 0, 0],
    )
    assert.deepEqual([now.reconstruido, now.casos_conhecidos], [undefined, undefined])
    const before = await panel({ conhecidos_em: '2020-01-01T00:00:00Z' })
    assert.ok(before.semanas.every((one: { casos: null }) => one.casos === null))
    const oldest = await panel({ conhecidos_em: '0001-01-01T00:00:00Z' })
    assert.ok(oldest.semanas.every((one: { casos: null }) => one.casos === null))
    const without = await ler('/series/painel?series=temp_min_sem&conhecidos_em=2023-03-12T12:00:00Z')
    assert.deepEqual([without.reconstruido, without.casos_conhecidos], [true, undefined])
  })

  it('are refused where the entry of a set is not counted', async () => {
    const moment = 'conhecidos_em=2023-03-12T12:00:00Z'
    for (const path of ['painel?series=temp_min_sem&', 'temp_min_sem/correlacao?']) {
      const answer = await t.as(leitor).get(`/series/${path}tipo_agravo=zika&casos=confirmados&${moment}`)
      assert.deepEqual([answer.status, ...problemsOf(answer)], [422, 'conhecidos_em INCONSISTENT'])
    }
  })

  it('make the correlation that could be computed then', async () => {
    const municipio = 2604106
    const first = semanaByCodigo('202001')?.inicio as string
    const sundays = Array.from({ length: 80 }, (_, i) => addDays(first, 7 * i))
    const valores = sundays.map((data, i) => ({
      municipio: String(municipio),
      semana: codeAt(i),
      valor: 20 + ((i * 7) % 11),
      data,
    }))
    const { status, text } = await t.as(leitor).put('/series/temp_max_sem/valores', {
      valores: valores.map(({ data: _, ...one }) => one),
    })
    assert.equal(status, 200, text)
    // One case a week is typed in at once, those that follow the series a year and a half later.
    await insert(
      valores.flatMap(({ data: inicio, valor }) => [
        { tipo: 'zika', municipio, inicio, digitacao: inicio },
        ...Array.from({ length: valor }, () => ({
          tipo: 'zika',
          municipio,
          inicio,
          digitacao: '2021-12-15',
        })),
      ]),
    )
    const asked = `/series/temp_max_sem/correlacao?tipo_agravo=zika&municipio=${municipio}&defasagem_max=0`
    const weeks = 'semana_inicio=202001&semana_fim=202127&dessazonalizar=false'
    const now = await ler(`${asked}&${weeks}`)
    assert.equal(now.defasagens[0].r, 1)
    assert.equal(now.casos_conhecidos, undefined)
    // Values were written after that moment; a derived series of events needs none.
    const moment = '2021-09-01T00:00:00Z'
    const then = await ler(`${asked}&${weeks}&conhecidos_em=${moment}`)
    assert.deepEqual([then.reconstruido, then.casos_conhecidos.semana], [true, '202134'])
    assert.deepEqual([then.defasagens[0].n, then.defasagens[0].motivo], [0, 'poucas_semanas'])
    const events = await ler(
      `/series/epizootias_pnh/correlacao?tipo_agravo=zika&municipio=${municipio}&defasagem_max=0&${weeks}&conhecidos_em=${moment}`,
    )
    assert.equal(events.defasagens[0].motivo, 'sem_variacao')
    assert.ok(events.defasagens[0].n >= 52, 'a week without events is zero')
  })
})

const codeAt = (i: number) =>
  i < 53 ? `2020${String(i + 1).padStart(2, '0')}` : `2021${String(i - 52).padStart(2, '0')}`
