import { dateInBrazil } from '../../brasil/calendar.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { type LugarNoAlcance, withinCaller } from '../casos/statistics/alcance.ts'
import { type Momento, momentoOf } from '../casos/statistics/periodo.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'

/** Parts that every question and answer of weekly epidemiology has. */

export type Needs = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'agravos'>

/** Question that every answer begins with. */
export interface PedidoEpidemiologico extends LugarPedido {
  tipo_agravo: TipoAgravo
  casos: Conjunto
  semana_conhecida?: string | undefined
}

/** Head of every answer. */
export interface RespostaEpidemiologica {
  lugar: Lugar
  parcial: boolean
  /** Left out for want of an entry date; null: the answer is as known now. */
  sem_digitacao: number | null
  dados_ate: string | null
}

/** Refuses a disease that is not counted by weeks. */
function assertComCurva({ agravos }: Pick<App, 'agravos'>, tipo: TipoAgravo): void {
  if (agravos.vigentes().get(tipo)?.definicao.epidemiologia.curva === false)
    throw invalid('query', ['tipo_agravo'], 'INCONSISTENT', { field: 'curva' })
}

/** Refuses what does not exist before anything is read. */
export function placeAndTime(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico,
): { momento: Momento; alcance: LugarNoAlcance } {
  assertComCurva(app, pedido.tipo_agravo)
  const lugar = lugarOf(app, pedido)
  const momento = momentoOf(dateInBrazil(app.clock.now()), pedido)
  // Entry is counted for probable and discarded cases only.
  if (momento.known !== null && pedido.casos === 'confirmados')
    throw invalid('query', ['semana_conhecida'], 'INCONSISTENT', { field: 'casos' })
  return { momento, alcance: withinCaller(app, caller, lugar) }
}
