import type { Db } from '../../db/db.ts'
import { type Alcance, emit, type NovoEvento } from '../eventos/eventos.ts'

type CasoTipo = Extract<NovoEvento['tipo'], `agravo.${string}`>

/** What the event of a case tells of it, and what it is filtered by. */
export interface Avisado extends Alcance {
  id: number
  versao: number
  numero_notificacao: string
}

/** One event for each case. `before` is where it was until now. */
export function tellOfCasos(
  tx: Db,
  tipo: CasoTipo,
  casos: (Avisado & { em: Date; before?: Alcance; definitivo?: boolean })[],
): Promise<void> {
  return emit(
    tx,
    casos.map(({ id, tipo_agravo, numero_notificacao, versao, em, definitivo, before, ...place }) => ({
      tipo,
      chave: `caso:${id}` as const,
      dados: {
        id,
        tipo_agravo,
        numero_notificacao,
        versao,
        ...(definitivo !== undefined && { definitivo }),
      },
      alcances: before ? [{ tipo_agravo, ...place }, before] : [{ tipo_agravo, ...place }],
      em,
    })),
  )
}
