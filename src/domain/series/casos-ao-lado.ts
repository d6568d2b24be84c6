import { dateInBrazil } from '../../brasil/calendar.ts'
import { firstWeekOf, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { PeriodoEmSemanas } from '../casos/statistics/periodo.ts'
import type { SemanaDaCurva } from '../epidemiologia/curva.ts'
import { curva } from '../epidemiologia/epidemiologia.ts'
import type { LugarPedido } from '../territorios/lugar.ts'
import { codeOfPeriod } from './periodos.ts'
import { type ReadingNeeds, readMoment } from './valores.ts'

/** Cases beside series: those of the epidemic curve, by its own code, as known now or at an earlier moment. */

export interface CasosPedidos extends LugarPedido {
  tipo_agravo: TipoAgravo
  casos: Conjunto
  conhecidos_em?: string | undefined
}

export interface CasosAoLado {
  /** Undefined for a week that had not begun at the moment. */
  at: (week: number) => SemanaDaCurva | undefined
  /** Cases as they were known then; null: as known now. */
  conhecidos: CasosConhecidos | null
}

export interface CasosConhecidos {
  /** Week at whose end they were known. */
  semana: string
  /** Left out for want of an entry date, in the weeks read. */
  sem_digitacao: number
}

const FIRST_YEAR = 1900

export async function casosAoLado(
  app: ReadingNeeds,
  caller: Caller,
  { conhecidos_em, ...pedido }: CasosPedidos,
  { first, last }: PeriodoEmSemanas,
): Promise<CasosAoLado> {
  const known = knownWeek(app, conhecidos_em)
  // Entry is counted for probable and discarded cases only.
  if (known !== null && pedido.casos === 'confirmados')
    throw invalid('query', ['conhecidos_em'], 'INCONSISTENT', { field: 'casos' })
  const begin = Math.min(first, known ?? first)
  const code = (week: number) => codeOfPeriod('semana', week)
  const { semanas, sem_digitacao } = await curva(app, caller, {
    ...pedido,
    semana_inicio: code(begin),
    semana_fim: code(Math.min(last, known ?? last)),
    ...(known !== null && { semana_conhecida: code(known) }),
    comparar_anos: 0,
  })
  return {
    at: (week) => semanas[week - begin],
    conhecidos: known === null ? null : { semana: code(known), sem_digitacao: sem_digitacao ?? 0 },
  }
}

/** Last week that was over at the moment: entry of cases is counted by weeks. Null: now. */
function knownWeek({ clock }: Pick<ReadingNeeds, 'clock'>, conhecidos_em: string | undefined): number | null {
  const moment = readMoment(conhecidos_em)
  if (moment === null) return null
  const now = clock.now()
  const asked = dateInBrazil(moment < now ? moment : now)
  return Math.max(firstWeekOf(FIRST_YEAR), weekOf(asked) - 1)
}
