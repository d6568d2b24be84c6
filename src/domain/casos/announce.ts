import type { Db } from '../../db/db.ts'
import type { Sql } from '../../db/sql.ts'
import { type CasoScope, emission, emit, type NewEvento } from '../eventos/eventos.ts'

type CasoEventType = Extract<NewEvento['tipo'], `agravo.${string}`>

/** Part of a case that its event carries and is filtered by. */
export interface EventSubject extends CasoScope {
  id: number
  versao: number
  numero_notificacao: string
}

interface Announcement extends EventSubject {
  em: Date
  /** Place and disease before the change. */
  before?: CasoScope
  definitivo?: boolean
  /** The case that an absorbed one was merged into. */
  fundido_com?: number
}

/** Emits one event per case. */
export function announceCasos(tx: Db, tipo: CasoEventType, casos: Announcement[]): Promise<void> {
  return emit(
    tx,
    casos.map(({ id, ...caso }) => {
      const { dados, ...evento } = eventoOf(tipo, caso)
      return { ...evento, chave: `caso:${id}` as const, dados: { id, ...dados } }
    }),
  )
}

/** The same for new cases, as part of the statement that inserts them. */
export function announcementOfNew(casos: Omit<Announcement, 'id' | 'versao'>[]): Sql {
  return emission(
    'caso',
    casos.map((caso) => eventoOf('agravo.criado', { ...caso, versao: 1 })),
  )
}

function eventoOf(tipo: CasoEventType, caso: Omit<Announcement, 'id'>): Omit<NewEvento, 'chave'> {
  const { tipo_agravo, numero_notificacao, versao, em, definitivo, fundido_com, before, ...place } = caso
  const here = { tipo_agravo, ...place }
  return {
    tipo,
    dados: {
      ...{ tipo_agravo, numero_notificacao, versao },
      ...(definitivo !== undefined && { definitivo, fundido_com: fundido_com ?? null }),
    },
    scopes: before ? [here, before] : [here],
    em,
  }
}
