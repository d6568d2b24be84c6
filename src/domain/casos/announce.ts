import type { Db } from '../../db/db.ts'
import type { Sql } from '../../db/sql.ts'
import { type CasoScope, emission, emit, type NovoEvento } from '../eventos/eventos.ts'

type CasoTipo = Extract<NovoEvento['tipo'], `agravo.${string}`>

/** What the event of a case tells of it, and what it is filtered by. */
export interface Avisado extends CasoScope {
  id: number
  versao: number
  numero_notificacao: string
}

interface Aviso extends Avisado {
  em: Date
  /** Where it was until now. */
  before?: CasoScope
  definitivo?: boolean
}

/** One event for each case. */
export function tellOfCasos(tx: Db, tipo: CasoTipo, casos: Aviso[]): Promise<void> {
  return emit(
    tx,
    casos.map(({ id, ...caso }) => {
      const { dados, ...evento } = eventoOf(tipo, caso)
      return { ...evento, chave: `caso:${id}` as const, dados: { id, ...dados } }
    }),
  )
}

/** The same of cases that are about to be registered, as part of the statement that does so. */
export function tellingOfNovos(casos: Omit<Aviso, 'id' | 'versao'>[]): Sql {
  return emission(
    'caso',
    casos.map((caso) => eventoOf('agravo.criado', { ...caso, versao: 1 })),
  )
}

function eventoOf(tipo: CasoTipo, caso: Omit<Aviso, 'id'>): Omit<NovoEvento, 'chave'> {
  const { tipo_agravo, numero_notificacao, versao, em, definitivo, before, ...place } = caso
  const here = { tipo_agravo, ...place }
  return {
    tipo,
    dados: { tipo_agravo, numero_notificacao, versao, ...(definitivo !== undefined && { definitivo }) },
    scopes: before ? [here, before] : [here],
    em,
  }
}
