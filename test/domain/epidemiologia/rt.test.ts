import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rtOf } from '../../../src/domain/epidemiologia/rt.ts'
import { gammaQuantile } from '../../../src/statistics/gamma.ts'
import { posteriorsOf } from '../../../src/statistics/reproduction.ts'
import * as curvas from './exemplos-curva.ts'
import { linhasDe } from './exemplos-diagrama.ts'
import { CHIKUNGUNYA_RECIFE, FLU, FLU_INCIDENCE, FLU_WEIGHTS, ZIKA_BRASIL } from './exemplos-rt.ts'
import { curvaDeExemplo, lugarDe, weekOfCode } from './lugares.ts'

const DEFAULTS = { casos: 'provaveis', janela: 3, media: 3, desvio: 1 } as const

/** One part in a million; the examples have six decimals. */
const near = (value: number | null | undefined, expected: number, text: string) =>
  assert.ok(
    value !== undefined && value !== null && Math.abs(value - expected) <= 1e-6 * Math.max(1, expected),
    `${text}: ${value}, ${expected}`,
  )

describe('Reproduction numbers', () => {
  const EXAMPLES = {
    'Zika in Brazil': [ZIKA_BRASIL, curvas.ZIKA_BRASIL],
    'chikungunya in Recife': [CHIKUNGUNYA_RECIFE, curvas.CHIKUNGUNYA_RECIFE],
  } as const
  for (const [nome, [table, curva]] of Object.entries(EXAMPLES)) {
    it(`of ${nome} are those of EpiEstim`, () => {
      const rows = linhasDe(table)
      const { serie } = curvaDeExemplo(curva)
      const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]].map((codigo) => weekOfCode(codigo as number))
      const semanas = rtOf(serie, { ...DEFAULTS, first: first as number, last: last as number })
      assert.equal(semanas.length, rows.length)
      for (const [i, row] of rows.entries()) {
        const [codigo, casos, janela, rt, q025, mediana, q975, p] = row as [number, ...number[]]
        const semana = semanas[i]
        assert.deepEqual([semana?.semana, semana?.casos], [String(codigo), casos])
        assert.equal(semana?.casos_janela, janela)
        assert.equal(semana?.confiavel, (janela as number) >= 12)
        near(semana?.p_maior_1, p as number, `P of ${codigo}`)
        // Where nothing went before, the examples have the prior.
        if (semana?.rt === null) {
          assert.equal(rt, 5 * (1 + (janela as number)), `${codigo}`)
          continue
        }
        near(semana?.rt, rt as number, `R of ${codigo}`)
        near(semana?.inferior, q025 as number, `lower limit of ${codigo}`)
        near(semana?.mediana, mediana as number, `median of ${codigo}`)
        near(semana?.superior, q975 as number, `upper limit of ${codigo}`)
      }
    })
  }

  it('by day are those of the school in Pennsylvania, 2009', () => {
    const posteriors = posteriorsOf(FLU_INCIDENCE, FLU_WEIGHTS, 7)
    for (const [fim, rt, q025, q975] of linhasDe(FLU) as [number, number, number, number][]) {
      const posterior = posteriors[fim - 1] as (typeof posteriors)[number]
      near(posterior.shape * posterior.scale, rt, `R of day ${fim}`)
      near(gammaQuantile(posterior, 0.025), q025, `lower limit of day ${fim}`)
      near(gammaQuantile(posterior, 0.975), q975, `upper limit of day ${fim}`)
    }
  })

  it('are null after silence, where growth stays as likely as the formula says', () => {
    const week = weekOfCode(202410)
    const { serie } = lugarDe([
      [week - 40, 9],
      [week, 14],
    ])
    const [semana] = rtOf(serie, { ...DEFAULTS, first: week, last: week })
    const { rt, mediana, inferior, superior, p_maior_1, casos_janela, confiavel } = semana ?? {}
    assert.deepEqual([rt, mediana, inferior, superior], [null, null, null, null])
    assert.deepEqual([casos_janela, confiavel, p_maior_1], [14, true, 1])
  })

  it('without any case have the probability of the prior', () => {
    const week = weekOfCode(202410)
    const [semana] = rtOf(new Map(), { ...DEFAULTS, first: week, last: week })
    assert.deepEqual([semana?.rt, semana?.p_maior_1, semana?.confiavel], [null, 0.818731, false])
    assert.deepEqual(rtOf(new Map(), { ...DEFAULTS, first: week + 1, last: week }), [])
  })

  it('of a part of the weeks are those of the whole', () => {
    const rows = linhasDe(CHIKUNGUNYA_RECIFE)
    const { serie } = lugarDe(rows.map(([codigo, casos]) => [weekOfCode(codigo as number), casos as number]))
    const last = Math.max(...serie.keys())
    const all = rtOf(serie, { ...DEFAULTS, first: last - 60, last })
    assert.deepEqual(rtOf(serie, { ...DEFAULTS, first: last - 5, last }), all.slice(-6))
  })
})
