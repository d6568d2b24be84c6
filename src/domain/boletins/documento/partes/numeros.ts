import type { NumerosDoBoletim, Valor } from '../../dados.ts'
import type { HeadlineFigure } from '../blocks.ts'
import { capitalised, type Words } from '../format.ts'

/** Box of headline figures; the level stands first, since it decides what is done. */
export function numerosFigures(w: Words, ano: number, numeros: NumerosDoBoletim): HeadlineFigure[] {
  const { t } = w
  const n = t.numbers
  const level = t.levels[numeros.nivel]
  const motivos = t.motivos as Record<string, string>
  const reasons = w.list(numeros.motivos.map((code) => motivos[code] ?? code))
  const { letalidade } = numeros
  const incidence = (value: Valor) => (value.valor === null ? [] : [n.incidence(w.value(value, w.rate))])
  const plain = (label: string, value: string, notes: string[]): HeadlineFigure => ({
    ...{ label, value, notes, nivel: null },
  })
  return [
    {
      label: n.level,
      value: `${level.word}: ${level.meaning}`,
      notes: [
        ...(reasons === '' ? [] : [capitalised(reasons)]),
        n.levelBefore(t.levels[numeros.nivel_anterior].word),
      ],
      nivel: numeros.nivel,
    },
    plain(n.cases, w.value(numeros.casos_ano), incidence(numeros.incidencia_ano)),
    plain(n.cases4, w.value(numeros.casos_4_semanas), incidence(numeros.incidencia_4_semanas)),
    plain(
      n.change,
      w.value(numeros.variacao_pct, w.change),
      numeros.casos_ano_anterior.valor === null
        ? []
        : [n.against(w.value(numeros.casos_ano_anterior), String(ano - 1))],
    ),
    plain(n.deaths, w.value(numeros.obitos), [n.confirmed(w.value(numeros.confirmados))]),
    plain(n.deathsOpen, w.value(numeros.obitos_em_investigacao), []),
    plain(
      n.lethality,
      w.value(letalidade, (value) => w.percent(value, 2)),
      [
        n.amongConfirmed,
        ...(letalidade.inferior === null || letalidade.superior === null
          ? []
          : [n.interval(w.percent(letalidade.inferior, 2), w.percent(letalidade.superior, 2))]),
      ],
    ),
  ]
}
