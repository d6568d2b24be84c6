import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../../src/brasil/calendar.ts'
import { semanaAt, semanaOf, weekOf } from '../../../src/brasil/epi-week.ts'
import { curvaOf } from '../../../src/domain/epidemiologia/curva.ts'
import { NO_CASES } from '../../../src/domain/epidemiologia/serie.ts'
import * as exemplos from './exemplos-curva.ts'
import { linhasDe } from './exemplos-diagrama.ts'
import { curvaDeExemplo, lugarDe, semPopulacao, weekOfCode } from './lugares.ts'

const NOW = weekOfCode(202640)
const PEDIDO = { casos: 'provaveis', compararAnos: 3 } as const

const near = (value: number | null | undefined, expected: number | undefined, text: string) =>
  assert.ok(Math.abs((value ?? Number.NaN) - (expected ?? 0)) <= 0.0001, `${text}: ${value}, ${expected}`)

describe('Curves of real files', () => {
  const { DENGUE_RECIFE, CHIKUNGUNYA_RECIFE, ZIKA_RECIFE, ZIKA_BRASIL } = exemplos
  const EXAMPLES = { DENGUE_RECIFE, CHIKUNGUNYA_RECIFE, ZIKA_RECIFE, ZIKA_BRASIL }
  for (const [nome, exemplo] of Object.entries(EXAMPLES))
    it(`have the weeks and years of ${nome}`, () => {
      const rows = linhasDe(exemplo.semanas)
      const lugar = curvaDeExemplo(exemplo)
      const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]].map((codigo) => weekOfCode(codigo as number))
      const { semanas, anos } = curvaOf(
        lugar,
        { ...PEDIDO, first: first as number, last: last as number },
        NOW,
      )
      assert.equal(semanas.length, rows.length)
      for (const [i, row] of rows.entries()) {
        const semana = semanas[i]
        const [codigo, notificados, provaveis, confirmados, descartados, , , incidencia, acumulado] = row
        assert.deepEqual(
          [semana?.semana, semana?.notificados, semana?.provaveis, semana?.confirmados, semana?.descartados],
          [String(codigo), notificados, provaveis, confirmados, descartados],
        )
        assert.deepEqual([semana?.casos, semana?.acumulado], [provaveis, acumulado], `${codigo}`)
        near(semana?.incidencia, incidencia, `incidence of ${codigo}`)
      }
      for (const [i, row] of linhasDe(exemplo.anos).entries()) {
        const [ano, semanasDoAno, populacao, , provaveis, , , , , incidencia] = row
        const found = anos[i]
        assert.deepEqual(
          [found?.ano, found?.semanas, found?.populacao, found?.populacao_ano, found?.casos],
          [ano, semanasDoAno, populacao, ano, provaveis],
        )
        near(found?.incidencia, incidencia, `incidence of ${ano}`)
      }
    })

  it('compare the same weeks of the years before', () => {
    const pedido = { ...PEDIDO, first: weekOfCode(202301), last: weekOfCode(202352) }
    const { comparacao } = curvaOf(curvaDeExemplo(DENGUE_RECIFE), pedido, NOW)
    assert.deepEqual(comparacao[0], {
      ano: 2022,
      ate_semana: '202252',
      casos: 1289,
      incidencia: 80.8203,
      variacao_pct: 15.44,
    })
    assert.deepEqual(
      comparacao.map(({ ano, ate_semana, casos }) => [ano, ate_semana, casos]),
      // Week 53 of 2020, with five cases, is not among the same weeks.
      [
        [2022, '202252', 1289],
        [2021, '202152', 86],
        [2020, '202052', 1615],
      ],
    )
  })
})

describe('Any curve', () => {
  it('has every week once, and sums from the first week of each year, as counting single cases gives them', () => {
    const onset = fc.integer({ min: 0, max: 2_900 }).map((days) => addDays('2013-06-01', days))
    fc.assert(
      fc.property(
        fc.array(onset, { maxLength: 300 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 120 }),
        fc.nat(5),
        (onsets, start, length, compararAnos) => {
          const counted = Map.groupBy(onsets, weekOf)
          const lugar = lugarDe(
            [...counted].map(([week, all]) => [week, all.length]),
            12_345,
          )
          const first = weekOf('2013-06-01') + start
          const last = first + length
          const curva = curvaOf(lugar, { casos: 'provaveis', compararAnos, first, last }, last)
          // By the code of each day, without arithmetic on weeks.
          const codes = onsets.map((day) => semanaOf(day).codigo)
          const between = (from: string, to: string) =>
            codes.filter((code) => code >= from && code <= to).length
          const expected: string[] = []
          for (let day = semanaAt(first).inicio; day <= semanaAt(last).inicio; day = addDays(day, 7))
            expected.push(semanaOf(day).codigo)
          assert.deepEqual(
            curva.semanas.map(({ semana }) => semana),
            expected,
          )
          for (const { semana, casos, acumulado, acumulado_incidencia, encerrada } of curva.semanas) {
            assert.equal(casos, between(semana, semana))
            assert.equal(acumulado, between(`${semana.slice(0, 4)}01`, semana))
            near(acumulado_incidencia, (acumulado * 1e5) / 12_345, semana)
            assert.equal(encerrada, semana !== expected.at(-1))
          }
          const years = [...new Set(expected.map((code) => code.slice(0, 4)))]
          assert.deepEqual(
            curva.anos.map(({ ano, casos }) => [String(ano), casos]),
            years.map((ano) => [ano, between(`${ano}01`, `${ano}53`)]),
          )
          const until = (expected.at(-1) as string).slice(4)
          const current = between(`${years.at(-1)}01`, `${years.at(-1)}${until}`)
          assert.equal(curva.comparacao.length, compararAnos)
          for (const { ano, casos, ate_semana, variacao_pct } of curva.comparacao) {
            assert.equal(casos, between(`${ano}01`, `${ano}${until}`))
            assert.ok(ate_semana === `${ano}${until}` || (until === '53' && ate_semana === `${ano}52`))
            if (casos === 0) assert.equal(variacao_pct, null)
            else near(variacao_pct, Math.round(((current - casos) / casos) * 10_000) / 100, 'change')
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('leaves residents without population out of rates, and in counts', () => {
    const week = weekOfCode(202410)
    const lugar = lugarDe([[week, 10]], 50_000)
    const serie = new Map([[week, { ...NO_CASES, notificados: 4, confirmados: 4 }]])
    const [semana] = curvaOf(
      { ...lugar, semPopulacao: serie },
      { ...PEDIDO, first: week, last: week },
      NOW,
    ).semanas
    assert.deepEqual([semana?.casos, semana?.incidencia, semana?.acumulado_incidencia], [10, 12, 12])
  })

  it('has null rates, never 0, where nobody knows the population', () => {
    const week = weekOfCode(202410)
    const lugar = semPopulacao(lugarDe([[week, 10]]))
    const { semanas, anos } = curvaOf(lugar, { ...PEDIDO, first: week, last: week }, NOW)
    assert.deepEqual([semanas[0]?.casos, semanas[0]?.incidencia, anos[0]?.incidencia], [10, null, null])
    assert.deepEqual([anos[0]?.populacao, anos[0]?.populacao_ano], [null, null])
  })

  it('says how complete weeks are that are over, and nothing of the current one', () => {
    const week = weekOfCode(202410)
    const pedido = { ...PEDIDO, first: week, last: week + 1 }
    const { semanas } = curvaOf(lugarDe([]), pedido, week + 1, () => 0.12345678)
    assert.deepEqual(
      semanas.map(({ completude_esperada, encerrada }) => [completude_esperada, encerrada]),
      [
        [0.123457, true],
        [null, false],
      ],
    )
  })
})
