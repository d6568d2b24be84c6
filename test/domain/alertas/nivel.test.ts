import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstWeekOf, weeksIn } from '../../../src/brasil/epi-week.ts'
import { NIVEIS_DE_ALERTA, type NivelDaSemana, niveisOf } from '../../../src/domain/alertas/nivel.ts'
import type { Regra } from '../../../src/domain/alertas/regra.ts'
import { casosEsperados, discardedShare } from '../../../src/domain/epidemiologia/casos-esperados.ts'
import { limitesAt } from '../../../src/domain/epidemiologia/diagrama.ts'
import { INTERVALO_USUAL } from '../../../src/domain/epidemiologia/rt.ts'
import { NO_CASES } from '../../../src/domain/epidemiologia/serie.ts'
import { casosDoExemplo, linhasDe } from '../epidemiologia/exemplos-diagrama.ts'
import { lugarDe, semPopulacao, weekOfCode } from '../epidemiologia/lugares.ts'
import { BASES_DO_EXEMPLO, NIVEIS_DO_EXEMPLO } from './exemplo-niveis.ts'

const REGRA: Regra = {
  tipo_agravo: 'dengue',
  versao: 1,
  p_crescimento: 0.95,
  casos_janela: 5,
  casos_amarelo: 5,
  casos_laranja: 5,
  casos_vermelho: 10,
  incidencia_4_semanas: 100,
}
const YEARS = Array.from({ length: 11 }, (_, i) => 2014 + i)
const COVERED = new Set(YEARS)
/** The made-up series, 100,000 residents. */
const exemplo = lugarDe(
  YEARS.flatMap((ano) =>
    Array.from(
      { length: weeksIn(ano) },
      (_, i) => [firstWeekOf(ano) + i, casosDoExemplo(ano, i + 1)] as const,
    ),
  ),
)

describe('Levels of the made-up series', () => {
  for (const ano of Object.keys(BASES_DO_EXEMPLO).map(Number))
    it(`are those of the example in ${ano}`, () => {
      const rows = (linhasDe(NIVEIS_DO_EXEMPLO) as number[][]).filter(
        ([semana = 0]) => Math.floor(semana / 100) === ano,
      )
      const [first, last] = [firstWeekOf(ano), firstWeekOf(ano) + weeksIn(ano) - 1]
      const found = niveisOf(exemplo, {
        first,
        last,
        regra: REGRA,
        intervalo: INTERVALO_USUAL,
        esperados: casosEsperados(exemplo.serie, firstWeekOf(2026), new Map()),
        limites: limitesAt(exemplo, COVERED),
      })
      assert.equal(found.length, rows.length)
      for (const [i, row] of rows.entries()) {
        const [semana = 0, casos, p = 0, , , , limite = 0, nivel = 0] = row
        const one = found[i]
        assert.equal(one?.week, weekOfCode(semana))
        assert.equal(one?.casos_estimados, casos)
        assert.ok(Math.abs((one?.p_rt_maior_1 ?? 9) - p) < 1e-6, `${semana}`)
        assert.ok(
          Math.abs((one?.limite_superior ?? -1) - limite) <= 1e-4,
          `${semana}: ${one?.limite_superior}`,
        )
        assert.equal(one?.nivel, NIVEIS_DE_ALERTA[nivel - 1], `${semana} ${one?.motivos}`)
      }
    })
})

/** The last weeks of a place with the same few cases in each week of ten years before. */
const LAST = firstWeekOf(2025) + 20
const tenYears = (usual: number, recent: readonly number[]) =>
  Array.from({ length: 540 }, (_, i) => {
    const age = 539 - i
    return [LAST - age, age < recent.length ? (recent[recent.length - 1 - age] as number) : usual] as const
  })
const levelOf = (
  lugar: ReturnType<typeof lugarDe>,
  covered: ReadonlySet<number> = COVERED,
  regra: Partial<Regra> = {},
) =>
  niveisOf(lugar, {
    first: LAST,
    last: LAST,
    regra: { ...REGRA, ...regra },
    intervalo: INTERVALO_USUAL,
    esperados: casosEsperados(lugar.serie, LAST, new Map()),
    limites: limitesAt(lugar, covered),
  })[0]

describe('Levels of a place', () => {
  it('are green without cases, and nothing is left undefined', () => {
    const { week: _week, ...none } = levelOf(lugarDe([]), new Set()) as NivelDaSemana
    assert.deepEqual(none, {
      ...{ nivel: 'verde', motivos: [], casos: 0, casos_estimados: 0, incidencia: 0 },
      ...{ p_rt_maior_1: none.p_rt_maior_1, limite_superior: null, qualidade: 'insuficiente' },
    })
    assert.ok(none.p_rt_maior_1 > 0.5)
  })

  it('are red one week longer than the cases are above the limit, whatever their number then', () => {
    const judged = (recent: number[]) => {
      const { nivel, motivos } = levelOf(lugarDe(tenYears(2, recent))) ?? {}
      return [nivel, ...(motivos ?? [])]
    }
    assert.deepEqual(judged([40, 40]), ['vermelho', 'acima_do_limite'])
    assert.deepEqual(judged([40, 40, 1]), ['vermelho', 'carencia'])
    assert.notEqual(judged([40, 40, 1, 1])[0], 'vermelho')
    assert.notEqual(judged([2, 40, 1])[0], 'vermelho', 'one week above is no epidemic')
    // Above the limit of a place that has hardly any, but too few to be an epidemic.
    assert.notEqual(judged([9, 9])[0], 'vermelho')
  })

  it('go by the incidence of four weeks where there are too few years, and never by one that is unknown', () => {
    const many = lugarDe([40, 30, 20, 10].map((cases, age) => [LAST - age, cases] as const))
    assert.deepEqual(levelOf(many, new Set())?.motivos, ['incidencia_4_semanas'])
    assert.deepEqual(levelOf(lugarDe([[LAST, 99]]), new Set())?.nivel, 'amarelo')
    assert.equal(levelOf(semPopulacao(many), new Set())?.incidencia, null)
    assert.equal(levelOf(semPopulacao(many), new Set())?.nivel, 'laranja')
  })

  it('follow the thresholds of the rule', () => {
    const many = lugarDe([40, 30, 20, 10].map((cases, age) => [LAST - age, cases] as const))
    assert.equal(levelOf(many, new Set(), { casos_vermelho: 41 })?.nivel, 'laranja')
    assert.equal(levelOf(many, new Set(), { casos_vermelho: 41, casos_laranja: 41 })?.nivel, 'amarelo')
    const strict = { casos_vermelho: 41, casos_amarelo: 41, casos_janela: 1000 }
    assert.equal(levelOf(many, new Set(), strict)?.nivel, 'verde')
  })
})

describe('Expected cases', () => {
  const serieOf = (notificados: number, descartados: number) =>
    new Map(
      Array.from({ length: 41 }, (_, age) => [
        LAST - age,
        {
          ...NO_CASES,
          notificados,
          descartados: age >= 13 ? descartados : 0,
          confirmados: age === 1 ? 9 : 0,
        },
      ]),
    )

  it('take off the share that the place used to discard, in the weeks that are not judged yet', () => {
    const serie = serieOf(10, 5)
    assert.equal(discardedShare(serie, LAST), 0.5)
    const esperados = casosEsperados(serie, LAST, new Map([[LAST, 30]]))
    assert.deepEqual(
      [LAST, LAST - 1, LAST - 2, LAST - 12, LAST - 13].map(esperados),
      [15, 9, 5, 10, 5],
      'the nowcast, the confirmed ones, what is known, and probable cases from twelve weeks on',
    )
    assert.equal(discardedShare(serieOf(1, 1), LAST), 0, 'too few to tell')
  })
})
