import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { firstWeekOf, semanaAt, weeksIn } from '../../../src/brasil/epi-week.ts'
import {
  CRITERIOS_EPIDEMICOS,
  type DiagramaPedido,
  JANELAS,
} from '../../../src/domain/epidemiologia/base-do-diagrama.ts'
import { diagramaOf, situacaoOf } from '../../../src/domain/epidemiologia/diagrama.ts'
import { NO_CASES } from '../../../src/domain/epidemiologia/serie.ts'
import {
  casosDoExemplo,
  linhasDe,
  MEDIA_MOVEL_2020,
  MEDIA_MOVEL_2024,
  QUARTIS_2024,
} from './exemplos-diagrama.ts'
import { lugarDe, semPopulacao, weekOfCode } from './lugares.ts'

const PEDIDO: DiagramaPedido = {
  ano: 2024,
  metodo: 'media_movel',
  anos: 10,
  janela: 5,
  desvios: 2,
  epidemicos: 'dobro_mediana',
  anosExcluidos: null,
  casos: 'provaveis',
  casosAno: 'provaveis',
}
const YEARS = Array.from({ length: 11 }, (_, i) => 2014 + i)
const COVERED = new Set(YEARS)
/** Long after the examples. */
const NOW = firstWeekOf(2026)

/** The made-up series, 100,000 residents. */
const exemplo = lugarDe(
  YEARS.flatMap((ano) =>
    Array.from(
      { length: weeksIn(ano) },
      (_, i) => [firstWeekOf(ano) + i, casosDoExemplo(ano, i + 1)] as const,
    ),
  ),
)

const near = (value: unknown, expected: number, text: string) =>
  assert.ok(
    typeof value === 'number' && Math.abs(value - expected) <= 0.0001,
    `${text}: ${value}, ${expected}`,
  )

describe('The control diagram of the made-up series', () => {
  const checkMovingMean = (ano: number, table: string, anosBase: number[], mediana: number) => {
    const diagrama = diagramaOf(exemplo, { ...PEDIDO, ano }, COVERED, NOW)
    assert.deepEqual(diagrama.anos_base, anosBase)
    assert.deepEqual(diagrama.anos_excluidos, [
      { ano: 2016, incidencia: 2560, motivo: 'dobro_mediana' },
      { ano: 2019, incidencia: 1929, motivo: 'dobro_mediana' },
    ])
    assert.equal(diagrama.mediana_anual, mediana)
    const rows = linhasDe(table)
    assert.equal(rows.length, diagrama.semanas.length)
    for (const [i, [codigo, n, media, desvio, superior, observado, casos, acima]] of rows.entries()) {
      const semana = diagrama.semanas[i]
      assert.equal(semana?.semana, String(codigo))
      assert.deepEqual([semana?.n, semana?.casos, semana?.incidencia], [n, casos, observado], `${codigo}`)
      near(semana?.media, media as number, `mean of ${codigo}`)
      near(semana?.desvio, desvio as number, `deviation of ${codigo}`)
      near(semana?.limite_superior, superior as number, `limit of ${codigo}`)
      assert.equal(semana?.zona === 'epidemico', acima === 1, `${codigo}`)
    }
    return diagrama
  }

  it('is that of the worked example of 2024', () => {
    const diagrama = checkMovingMean(
      2024,
      MEDIA_MOVEL_2024,
      [2014, 2015, 2017, 2018, 2020, 2021, 2022, 2023],
      643,
    )
    const { inicio, fim, ...week15 } = diagrama.semanas[14] ?? {}
    assert.deepEqual([inicio, fim], ['2024-04-07', '2024-04-13'])
    assert.deepEqual(week15, {
      semana: '202415',
      n: 40,
      media: 34,
      desvio: 4.2366,
      limite_inferior: 25.5268,
      limite_superior: 42.4732,
      limite_superior_casos: 42,
      casos: 90,
      incidencia: 90,
      estimados: null,
      zona: 'epidemico',
    })
    assert.deepEqual(
      [diagrama.qualidade, diagrama.semanas_acima, diagrama.consecutivas_acima, diagrama.primeira_acima],
      ['adequada', 48, 30, '202401'],
    )
  })

  it('looks for week 53 at week 52 where a year has no 53, and takes nothing from excluded years across the new year', () => {
    const diagrama = checkMovingMean(2020, MEDIA_MOVEL_2020, [2014, 2015, 2017, 2018], 647)
    assert.deepEqual([diagrama.semanas.length, diagrama.semanas[52]?.n], [53, 16])
    assert.deepEqual(
      [diagrama.qualidade, diagrama.semanas_acima, diagrama.primeira_acima],
      ['baixa', 0, null],
    )
  })

  it('has the quartiles of the worked example', () => {
    const diagrama = diagramaOf(exemplo, { ...PEDIDO, metodo: 'quartis' }, COVERED, NOW)
    for (const [i, [codigo, n, q1, mediana, q3, observado, casos, acima]] of linhasDe(
      QUARTIS_2024,
    ).entries()) {
      const semana = diagrama.semanas[i]
      assert.deepEqual(
        [
          semana?.semana,
          semana?.n,
          semana?.q1,
          semana?.mediana,
          semana?.q3,
          semana?.incidencia,
          semana?.casos,
        ],
        [String(codigo), n, q1, mediana, q3, observado, casos],
      )
      assert.equal(semana?.zona === 'epidemico', acima === 1, `${codigo}`)
    }
  })

  it('leaves out the years asked for instead, or those of high incidence, or none', () => {
    const asked = diagramaOf(exemplo, { ...PEDIDO, anosExcluidos: [2015] }, COVERED, NOW)
    assert.deepEqual(asked.anos_excluidos, [{ ano: 2015, incidencia: 644, motivo: 'pedido' }])
    const high = diagramaOf(exemplo, { ...PEDIDO, epidemicos: 'alta_incidencia' }, COVERED, NOW)
    assert.deepEqual([high.anos_base.length, high.qualidade], [0, 'insuficiente'])
    assert.equal(high.anos_excluidos[0]?.motivo, 'alta_incidencia')
    assert.equal(diagramaOf(exemplo, { ...PEDIDO, epidemicos: 'nenhum' }, COVERED, NOW).anos_base.length, 10)
  })

  it('answers a base of fewer than three years with nulls, not with an error', () => {
    const covered = new Set([2022, 2023])
    const { semanas, qualidade, semanas_acima } = diagramaOf(exemplo, PEDIDO, covered, NOW)
    assert.deepEqual([qualidade, semanas_acima], ['insuficiente', 0])
    const { n, casos, media, limite_superior, limite_superior_casos, zona } = semanas[14] ?? {}
    assert.deepEqual(
      { n, casos, media, limite_superior, limite_superior_casos, zona },
      { n: 10, casos: 90, media: null, limite_superior: null, limite_superior_casos: null, zona: null },
    )
  })

  it('has limits but no observation after the current week, and counts back from the last that is over', () => {
    const current = firstWeekOf(2024) + 19
    const { semanas, consecutivas_acima, semanas_acima } = diagramaOf(exemplo, PEDIDO, COVERED, current)
    assert.deepEqual([semanas[19]?.casos, semanas[20]?.casos, semanas[20]?.zona], [65, null, null])
    assert.ok((semanas[20]?.limite_superior as number) > 0)
    const above = semanas.slice(0, 20).map(({ zona }) => zona === 'epidemico')
    assert.equal(semanas_acima, above.filter(Boolean).length)
    assert.equal(consecutivas_acima, 18 - above.slice(0, 19).lastIndexOf(false))
  })

  it('puts a week with an estimate where that stands, and shows what is known beside it', () => {
    const current = weekOfCode(202430)
    const last = (estimados: number | null) => {
      const of = (week: number) => (week === current - 1 ? estimados : null)
      const diagrama = diagramaOf(exemplo, PEDIDO, COVERED, current, of)
      const { casos, incidencia, estimados: given, zona } = diagrama.semanas[28] ?? {}
      return [casos, incidencia, given, zona, diagrama.consecutivas_acima > 0]
    }
    // Mean 6, limit 8.8645.
    assert.deepEqual(last(null), [10, 10, null, 'epidemico', true])
    assert.deepEqual(last(12.34567), [10, 10, 12.3457, 'epidemico', true])
    assert.deepEqual(last(8.5), [10, 10, 8.5, 'esperado', false])
    assert.deepEqual(last(6), [10, 10, 6, 'abaixo', false])
  })

  it('counts no estimate of residents without population in a rate', () => {
    const week = weekOfCode(202429)
    const uncounted = new Map([[week, { ...NO_CASES, notificados: 4 }]])
    const diagrama = diagramaOf({ ...exemplo, semPopulacao: uncounted }, PEDIDO, COVERED, week + 1, () => 12)
    assert.deepEqual([diagrama.semanas[28]?.estimados, diagrama.semanas[28]?.zona], [12, 'esperado'])
  })

  it('has no rates, base or zones without population', () => {
    const { anos_base, qualidade, semanas } = diagramaOf(semPopulacao(exemplo), PEDIDO, COVERED, NOW)
    assert.deepEqual([anos_base, qualidade], [[], 'insuficiente'])
    assert.deepEqual([semanas[0]?.casos, semanas[0]?.incidencia, semanas[0]?.zona], [20, null, null])
  })
})

/** The same by hand: lists of weeks with their year and number, filtered and sorted, instead of numbers on a line. */
function byHand(
  cases: ReadonlyMap<number, number>,
  population: number,
  pedido: DiagramaPedido,
  covered: Set<number>,
) {
  const line = [...Array(20).keys()].flatMap((i) => {
    const ano = pedido.ano - 17 + i
    return [...Array(weeksIn(ano)).keys()].map((w) => ({ ano, w: w + 1, x: 0 }))
  })
  const start = firstWeekOf(pedido.ano - 17)
  line.forEach((one, i) => {
    one.x = (1e5 * (cases.get(start + i) ?? 0)) / population
  })
  const total = (ano: number) => line.filter((one) => one.ano === ano).reduce((all, { x }) => all + x, 0)
  const candidates = [...covered].filter((ano) => ano < pedido.ano && ano >= pedido.ano - pedido.anos).sort()
  const sorted = candidates.map(total).sort((a, b) => a - b)
  const half = sorted.length / 2
  const middle = Number.isInteger(half)
    ? ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
    : (sorted[half - 0.5] ?? 0)
  const isEpidemic = (ano: number) => {
    if (pedido.anosExcluidos !== null) return pedido.anosExcluidos.includes(ano)
    if (pedido.epidemicos === 'nenhum') return false
    return pedido.epidemicos === 'alta_incidencia' ? total(ano) > 300 - 1e-9 : total(ano) > 2 * middle + 1e-9
  }
  const base = candidates.filter((ano) => !isEpidemic(ano))
  const pooled = (w: number) =>
    base.flatMap((ano) => {
      const at = line.findLastIndex((one) => one.ano === ano && one.w <= w)
      const reach = (pedido.janela - 1) / 2
      return line.filter((one, i) => Math.abs(i - at) <= reach && base.includes(one.ano)).map(({ x }) => x)
    })
  return { base, pooled }
}

describe('Any control diagram', () => {
  const pedido = fc.record({
    ano: fc.integer({ min: 2014, max: 2026 }),
    metodo: fc.constant('media_movel' as const),
    anos: fc.integer({ min: 3, max: 15 }),
    janela: fc.constantFrom(...JANELAS),
    desvios: fc.constantFrom(1, 2, 3),
    epidemicos: fc.constantFrom(...CRITERIOS_EPIDEMICOS),
    anosExcluidos: fc.constantFrom(null, null, [2015], []),
    casos: fc.constant('provaveis' as const),
    casosAno: fc.constant('notificados' as const),
  })

  it('is the one that brute force gives', () => {
    fc.assert(
      fc.property(
        pedido,
        fc.integer({ min: 1, max: 1000 }),
        fc.subarray(Array.from({ length: 20 }, (_, i) => 2005 + i)),
        (asked, seed, years) => {
          const start = firstWeekOf(1999)
          const cases = new Map(
            Array.from({ length: 28 * 52 }, (_, i) => [start + i, (i * i * seed) % 23] as const),
          )
          const covered = new Set(years)
          const lugar = lugarDe(cases, 40_000)
          const found = diagramaOf(lugar, asked, covered, NOW)
          const { base, pooled } = byHand(cases, 40_000, asked, covered)
          assert.deepEqual(found.anos_base, base)
          for (const w of [1, 2, 26, 51, found.semanas.length]) {
            const values = pooled(w)
            const semana = found.semanas[w - 1]
            assert.equal(semana?.n, values.length)
            assert.equal(semana?.semana, semanaAt(firstWeekOf(asked.ano) + w - 1).codigo)
            if (base.length < 3) continue
            const n = values.length
            const total = values.reduce((all, x) => all + x, 0)
            const squares = values.reduce((all, x) => all + x * x, 0)
            const deviation = Math.sqrt(Math.max(0, (squares - total ** 2 / n) / (n - 1)))
            near(semana?.limite_superior, total / n + asked.desvios * deviation, `week ${w}`)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('says in one line the same as in full', () => {
    fc.assert(
      fc.property(pedido, fc.integer({ min: -10, max: 60 }), (asked, ahead) => {
        const current = firstWeekOf(asked.ano) + ahead
        const full = diagramaOf(exemplo, asked, COVERED, current)
        const { zona, ...line } = situacaoOf(exemplo, asked, COVERED, current)
        const { qualidade, semanas_acima, consecutivas_acima, semanas } = full
        assert.deepEqual(line, { qualidade, semanas_acima, consecutivas_acima })
        const over = semanas.filter((_, i) => firstWeekOf(asked.ano) + i < current)
        assert.equal(zona, over.at(-1)?.zona ?? null)
      }),
      { numRuns: 60 },
    )
  })
})
