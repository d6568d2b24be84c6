import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { round } from '../../../src/statistics/rounding.ts'
import { seriesApp } from './series-app.ts'

const { t, analista, gravar, ler, registrar } = await seriesApp()
after(() => t.close())

const minas = t.app.municipios.all.filter(({ uf }) => uf === 'MG')
const WEEKS = Array.from({ length: 20 }, (_, i) => `${2005 + i}30`)
/** So many years of a state are read by many statements. */
const PERIOD = `estado=MG&semana_inicio=${WEEKS[0]}&semana_fim=${WEEKS.at(-1)}`

/** Weeks that have values: enough to tell a sum from another. */
const VALUED = WEEKS.map((semana, week) => ({ semana, week })).filter(({ week }) => week % 4 === 0)

/** Value of a place in a week; some have none. */
const sampleOf = (place: number, week: number) =>
  (place * 31 + week * 17) % 7 === 0 ? null : (place % 40) + week

describe('A place made of many parts', () => {
  it('is the sum, mean, smallest and largest of those that have a value', async () => {
    const kinds = ['soma', 'media', 'minimo', 'maximo', 'media_populacao'] as const
    const all = minas.flatMap(({ codigo }, place) =>
      VALUED.flatMap(({ semana, week }) => {
        const valor = sampleOf(place, week)
        return valor === null ? [] : [{ municipio: String(codigo), semana, valor }]
      }),
    )
    for (const agrega_lugar of kinds) {
      await registrar({
        codigo: `p_${agrega_lugar}`,
        agrega_lugar,
        tipo_valor: 'numero',
        agrega_tempo: 'media',
      })
      for (let i = 0; i < all.length; i += 9_000) await gravar(`p_${agrega_lugar}`, all.slice(i, i + 9_000))
    }
    const expected = (agrega: (typeof kinds)[number], week: number) => {
      const found = minas.flatMap((municipio, place) => {
        const valor = sampleOf(place, week)
        const weight = t.app.populacao.populationOf(municipio, 2005 + week) ?? 0
        return valor === null ? [] : [{ valor, weight }]
      })
      const values = found.map(({ valor }) => valor)
      const sum = values.reduce((total, valor) => total + valor, 0)
      if (agrega === 'soma') return sum
      if (agrega === 'minimo') return Math.min(...values)
      if (agrega === 'maximo') return Math.max(...values)
      if (agrega === 'media') return round(sum / values.length, 4)
      const residents = found.reduce((total, { weight }) => total + weight, 0)
      return round(found.reduce((total, { valor, weight }) => total + valor * weight, 0) / residents, 4)
    }
    for (const agrega_lugar of kinds) {
      const { valores } = await ler(`/series/p_${agrega_lugar}/valores?${PERIOD}`)
      const told = new Map(valores.map((one: { semana: string }) => [one.semana, one]))
      for (const { week, semana } of VALUED) {
        const one = told.get(semana) as { valor: number; cobertura_lugar: number }
        assert.equal(one.valor, expected(agrega_lugar, week), `${agrega_lugar} ${semana}`)
        assert.ok(one.cobertura_lugar > 0.5 && one.cobertura_lugar < 1)
      }
    }
  })

  it('is never half of a write', async () => {
    await registrar({ codigo: 'p_inteira' })
    const [first, last] = [minas[0], minas.at(-1)].map((one) => String(one?.codigo))
    const semana = WEEKS[7]
    const write = (valor: number) =>
      gravar('p_inteira', [
        { municipio: first, semana, valor },
        { municipio: last, semana, valor },
      ])
    await write(0)
    let isWriting = true
    const writing = (async () => {
      for (let valor = 1; valor <= 40; valor++) await write(valor)
      isWriting = false
    })()
    const seen = new Set<number>()
    while (isWriting) {
      const { valores } = await ler(`/series/p_inteira/valores?${PERIOD}`, analista)
      const { valor } = valores.find((one: { semana: string }) => one.semana === semana)
      assert.equal(valor % 2, 0, `${valor} is of two writes`)
      seen.add(valor)
    }
    await writing
    assert.ok(seen.size > 2, `${[...seen]}`)
  })
})
