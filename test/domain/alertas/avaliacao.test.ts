import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sundayOfWeek } from '../../../src/brasil/epi-week.ts'
import { avaliar } from '../../../src/domain/alertas/avaliacao.ts'
import type { DadosDoLugar } from '../../../src/domain/alertas/dados.ts'
import type { Regra } from '../../../src/domain/alertas/regra.ts'
import type { ParametrosGuardados } from '../../../src/domain/epidemiologia/parametros.ts'
import { INTERVALO_USUAL } from '../../../src/domain/epidemiologia/rt.ts'
import { NO_CASES } from '../../../src/domain/epidemiologia/serie.ts'
import { linhasDe } from '../epidemiologia/exemplos-diagrama.ts'
import { PERNAMBUCO_202125 } from '../epidemiologia/exemplos-nowcast.ts'
import { weekOfCode } from '../epidemiologia/lugares.ts'

const LAST = weekOfCode(Number(PERNAMBUCO_202125.semana))
const RULE: Regra = {
  tipo_agravo: 'zika',
  versao: 1,
  p_crescimento: 0.95,
  casos_janela: 5,
  casos_amarelo: 5,
  casos_laranja: 5,
  casos_vermelho: 10,
  incidencia_4_semanas: 100,
}

/** Zika in Pernambuco, as it was known at the end of that week. */
function pernambuco(parametros: ParametrosGuardados | null): DadosDoLugar {
  const rows = linhasDe(PERNAMBUCO_202125.triangulo) as number[][]
  const first = LAST - rows.length + 1
  const atrasos = rows
    .flatMap((row, i) =>
      row.map((total, atraso) => ({
        inicio: sundayOfWeek(first + i),
        situacao: 'p' as const,
        atraso,
        total,
      })),
    )
    .filter(({ total }) => total > 0)
  const known = (row: number[]) => row.reduce((sum, total) => sum + total, 0)
  const serie = new Map(rows.map((row, i) => [first + i, { ...NO_CASES, notificados: known(row) }]))
  const residents = { populacao: () => 9_000_000, populacaoAno: () => 2021 }
  return {
    ...{ contado: { serie, semPopulacao: new Map(), ...residents }, atrasos, primeira: first },
    ...{ sharesOfState: () => null, cobertos: new Set(), parametros },
  }
}

const judged = (parametros: ParametrosGuardados | null, estimates: boolean) => {
  const { niveis, novos } = avaliar(
    pernambuco(parametros),
    { from: LAST, to: LAST, last: LAST, estimates },
    { regra: RULE, intervalo: INTERVALO_USUAL },
  )
  return { estimados: niveis[0]?.casos_estimados as number, casos: niveis[0]?.casos as number, novos }
}

describe('Hyperparameters of the nowcast that levels are judged by', () => {
  const computed = judged(null, true)
  const kept = computed.novos as ParametrosGuardados

  it('are estimated by a computation, once a week', () => {
    assert.equal(kept.semana, LAST)
    assert.ok(computed.estimados > computed.casos)
    assert.deepEqual(judged(kept, true), { ...computed, novos: null })
    assert.deepEqual(
      judged({ ...kept, semana: LAST - 1 }, true),
      computed,
      'those of the week before are old',
    )
  })

  it('are never estimated in a request, which takes those of an earlier week, or usual ones', () => {
    assert.deepEqual(judged({ ...kept, semana: LAST - 1 }, false), { ...computed, novos: null })
    const wide = judged({ ...kept, semana: LAST - 1, lnPhi: -2 }, false)
    assert.notEqual(wide.estimados, computed.estimados)
    const usual = judged(null, false)
    assert.equal(usual.novos, null)
    assert.ok(usual.estimados > usual.casos)
  })
})
