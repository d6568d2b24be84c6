import { dateInBrazil } from '../../brasil/calendar.ts'
import { semanaAt, semanaByCodigo, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { liveList } from '../../system/live-list.ts'
import type { App } from '../app.ts'
import { TIPOS_AGRAVO, type TipoAgravo } from '../casos/enumeracoes.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import type { TextoDoBoletim } from './dados.ts'

/** Question of a bulletin: place, disease or all of them, week, own words. */

export const TODOS = 'todos'
export const AGRAVOS_DO_BOLETIM: readonly string[] = liveList('agravos_do_boletim', [...TIPOS_AGRAVO, TODOS])

export interface PedidoDeBoletim extends LugarPedido {
  tipo_agravo: string
  publico: boolean
  texto: TextoDoBoletim
}

export interface PedidoComSemana extends PedidoDeBoletim {
  /** `AAAASS` of a week that is over. */
  semana: string
}

export const agravosOf = (
  { agravos }: Pick<App, 'agravos'>,
  { tipo_agravo }: Pick<PedidoDeBoletim, 'tipo_agravo'>,
): readonly TipoAgravo[] => (tipo_agravo === TODOS ? agravos.vigentes().comBoletim : [tipo_agravo])

type Parts = Pick<App, 'municipios' | 'territorios'>

/** Place of a request's body; its problems are told at `path`. */
export function lugarDoPedido(
  app: Parts,
  pedido: LugarPedido,
  path: readonly (string | number)[] = [],
): Lugar {
  try {
    return lugarOf(app, pedido)
  } catch (error) {
    if (!(error instanceof AppError && error.is('VALIDATION_ERROR'))) throw error
    const { problems } = error.extras as { problems: Problem[] }
    throw new AppError('VALIDATION_ERROR', {
      problems: problems.map((one) => ({ ...one, at: 'body', path: [...path, ...one.path] })),
    })
  }
}

/** Numbers of a part would tell of the rest: only places that lie in the caller's territory as a whole. */
export function assertSeesWhole(caller: Pick<Caller, 'territorio'>, lugar: Lugar): void {
  if (!seesWhole(caller, lugar)) throw new AppError('OUT_OF_TERRITORY')
}

/** Counters by week begin with the first years of the national files. */
const FIRST_YEAR = 2000

/** Last week that is over. */
export const lastEnded = (now: Date): number => weekOf(dateInBrazil(now)) - 1

/** Week of a request as its code; the last one that is over unless given. */
export function semanaDoPedido(semana: string | undefined, now: Date): string {
  const last = lastEnded(now)
  if (semana === undefined) return semanaAt(last).codigo
  const begin = Number(semana.slice(0, 4)) < FIRST_YEAR ? undefined : semanaByCodigo(semana)?.inicio
  const refuse = (one: Problem): never => {
    throw new AppError('VALIDATION_ERROR', { problems: [one] })
  }
  if (begin === undefined)
    return refuse(problem('body', ['semana'], 'INVALID_VALUE', { allowed: `AAAASS, ${FIRST_YEAR}01, …` }))
  if (weekOf(begin) > last) return refuse(problem('body', ['semana'], 'IN_FUTURE', {}))
  return semana
}
