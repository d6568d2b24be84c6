import { firstWeekOf, semanaByCodigo, weekOf, weeksIn } from '../../../brasil/epi-week.ts'
import { AppError, type Problem, problem } from '../../../errors/catalogue.ts'

/** Weeks that a request asks for: codes as they were sent, or a whole year. */
export interface PeriodoPedido {
  semana_inicio?: string | undefined
  semana_fim?: string | undefined
  ano?: number | undefined
  /** Week at whose end the cases were known. */
  semana_conhecida?: string | undefined
}

export interface PeriodoEmSemanas {
  first: number
  last: number
}

/** Time from which an answer is seen. */
export interface Momento {
  /** Week that is not over; later ones are in the future. */
  current: number
  /** Latest week that can have cases. */
  latest: number
  /** Week of `semana_conhecida`; null: as known now. */
  known: number | null
}

const DEFAULT_WEEKS = 52
const MOST_WEEKS = 1_100
const FIRST_YEAR = 1900

/** As of today, or of the Saturday of `semana_conhecida`. */
export function momentoOf(today: string, { semana_conhecida }: PeriodoPedido): Momento {
  const current = weekOf(today)
  const problems: Problem[] = []
  const known = weekNamed('semana_conhecida', semana_conhecida, problems)
  if (known !== null && known > current)
    problems.push(problem('query', ['semana_conhecida'], 'IN_FUTURE', {}))
  refuse(problems)
  if (known === null) return { current, latest: current, known }
  return { current: Math.min(current, known + 1), latest: known, known }
}

/** First and last week; an end in the future is cut. All problems are refused at once. */
export function periodoOf(pedido: PeriodoPedido, { latest, known }: Momento): PeriodoEmSemanas {
  const problems: Problem[] = []
  const begin = weekNamed('semana_inicio', pedido.semana_inicio, problems)
  const end = weekNamed('semana_fim', pedido.semana_fim, problems)
  const { ano } = pedido
  if (ano !== undefined && (pedido.semana_inicio ?? pedido.semana_fim) !== undefined)
    problems.push(
      problem('query', ['ano'], 'INCONSISTENT', {
        field: pedido.semana_inicio === undefined ? 'semana_fim' : 'semana_inicio',
      }),
    )
  if (begin !== null && end !== null && end < begin)
    problems.push(problem('query', ['semana_fim'], 'BEFORE', { field: 'semana_inicio' }))
  refuse(problems)
  const last = Math.min(latest, ano === undefined ? (end ?? latest) : lastWeekOf(ano))
  const first = ano === undefined ? (begin ?? last - DEFAULT_WEEKS + 1) : firstWeekOf(ano)
  const name = ano === undefined ? 'semana_inicio' : 'ano'
  if (first > latest)
    problems.push(
      known === null
        ? problem('query', [name], 'IN_FUTURE', {})
        : problem('query', [name], 'INCONSISTENT', { field: 'semana_conhecida' }),
    )
  else if (last - first + 1 > MOST_WEEKS)
    problems.push(problem('query', ['semana_inicio'], 'TOO_MANY', { limit: MOST_WEEKS }))
  refuse(problems)
  return { first, last }
}

const lastWeekOf = (ano: number) => firstWeekOf(ano) + weeksIn(ano) - 1

function weekNamed(name: string, codigo: string | undefined, problems: Problem[]): number | null {
  if (codigo === undefined) return null
  const semana = Number(codigo.slice(0, 4)) < FIRST_YEAR ? null : semanaByCodigo(codigo)
  if (semana !== null) return weekOf(semana.inicio)
  const ano = Math.max(FIRST_YEAR, Number(codigo.slice(0, 4)))
  problems.push(problem('query', [name], 'INVALID_VALUE', { allowed: `${ano}01, …, ${ano}${weeksIn(ano)}` }))
  return null
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
