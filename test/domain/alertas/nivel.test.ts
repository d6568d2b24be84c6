import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstWeekOf, weeksIn } from '../../../src/brasil/epi-week.ts'
import { NIVEIS_DE_ALERTA, niveisOf } from '../../../src/domain/alertas/nivel.ts'
import type { Regra } from '../../../src/domain/alertas/regra.ts'
import { casosEsperados } from '../../../src/domain/epidemiologia/casos-esperados.ts'
import { limitesAt } from '../../../src/domain/epidemiologia/diagrama.ts'
import { casosDoExemplo, linhasDe } from '../epidemiologia/exemplos-diagrama.ts'
import { lugarDe, weekOfCode } from '../epidemiologia/lugares.ts'
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
