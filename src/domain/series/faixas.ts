import { weeksIn } from '../../brasil/epi-week.ts'
import type { FaixaDePeriodos } from './alinhamento.ts'
import { type Periodo, periodAt, SLOTS } from './periodos.ts'

const LEAP_SLOT = 59

/** Blocks of one place as one run of periods, written over what `values` held. */
export function faixaOf(
  periodo: Periodo,
  blocos: readonly { ano: number; valores: Float64Array }[],
  { first, last }: { first: number; last: number },
  values = new Float64Array(Math.max(0, last - first + 1)),
): FaixaDePeriodos {
  values.fill(Number.NaN)
  const copy = (valores: Float64Array, begin: number) => {
    const [from, to] = [Math.max(begin, first), Math.min(begin + valores.length - 1, last)]
    if (from <= to) values.set(valores.subarray(from - begin, to - begin + 1), from - first)
  }
  for (const { ano, valores } of blocos) {
    const begin = periodAt(periodo, ano, 0) as number
    if (periodo !== 'dia') {
      copy(valores.subarray(0, periodo === 'semana' ? weeksIn(ano) : SLOTS[periodo]), begin)
      continue
    }
    // Slots follow each other but at 29 February, which most years lack.
    copy(valores.subarray(0, LEAP_SLOT), begin)
    const leap = periodAt('dia', ano, LEAP_SLOT)
    if (leap !== null) copy(valores.subarray(LEAP_SLOT, LEAP_SLOT + 1), leap)
    copy(valores.subarray(LEAP_SLOT + 1), periodAt('dia', ano, LEAP_SLOT + 1) as number)
  }
  return { first, values }
}
