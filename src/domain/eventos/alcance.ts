import type { Municipios } from '../../brasil/municipios.ts'
import { ufOfMunicipio } from '../../brasil/uf.ts'
import { arraysOf, covers, type Territorio } from '../../caller/territorio.ts'
import type { EventoBounds, NewEventoRow } from './eventos.sql.ts'

/**
 * Reach of an event: which bound accounts learn of it. One about a case reaches the territories of its residence and its
 * notification, before and after the change, so that those it left hear of that once. One about an import reaches the account
 * that made it; one about a place reaches the territories that hold all of it; any other event only accounts without bounds.
 */
export type EventReach = Pick<NewEventoRow, 'estados' | 'municipios' | 'notificacao' | 'dono_id'> &
  Partial<Pick<NewEventoRow, 'regioes'>>

/** An account as a reader of events; territory null: no bounds. */
export interface EventReader {
  id: number
  territorio: Territorio | null
}

/** `reach` null: unknown, as of deliveries of an earlier version. */
export function isInReach(reach: EventReach | null, { id, territorio }: EventReader): boolean {
  if (territorio === null) return true
  if (reach === null) return false
  const { estados, municipios, notificacao, dono_id, regioes } = reach
  if (estados === null) return dono_id === id
  const covered = (estado: string | null, municipio: number | null) =>
    covers(territorio, { estado, municipio })
  return (
    estados.some((uf) => covered(uf, null)) ||
    (municipios ?? []).some((codigo) => covered(null, codigo)) ||
    (notificacao ?? []).some((codigo) => covered(ufOfMunicipio(codigo), codigo)) ||
    (regioes ?? []).some((codigo) => territorio.regioes.has(codigo))
  )
}

/** The same for a statement. */
export function boundsOf(municipios: Municipios, { id, territorio }: EventReader): EventoBounds | null {
  return (
    territorio && {
      usuarioId: id,
      ...arraysOf(territorio, municipios),
      regioes: [...territorio.regioes],
    }
  )
}

/** Reach of an event that is nobody else's. */
export const reachOfOwner = (dono_id: number): EventReach => ({
  estados: null,
  municipios: null,
  notificacao: null,
  dono_id,
})

export const reachOf = ({
  estados,
  municipios,
  notificacao,
  dono_id,
  regioes,
}: NewEventoRow): EventReach => ({
  estados,
  municipios,
  notificacao,
  dono_id,
  regioes,
})

/** Place of a record that an event is about; municipality null: unknown, or the event is about all of the state. */
export interface LugarDoEvento {
  estado: string
  municipio: number | null
  nome: string | null
}

/** Places of an event that its reader may know: one who learns that a case left is not told where it went. */
export function lugaresOf(
  { estados, municipios }: Pick<EventReach, 'estados' | 'municipios'>,
  { territorio }: Pick<EventReader, 'territorio'>,
  reference: Municipios,
): LugarDoEvento[] {
  const known = (municipios ?? []).flatMap((codigo) => reference.byCodigo(codigo) ?? [])
  const named = known.map(({ codigo, nome, uf }) => ({ estado: uf, municipio: codigo, nome }))
  const whole = (estados ?? [])
    .filter((uf) => known.every((municipio) => municipio.uf !== uf))
    .map((estado) => ({ estado, municipio: null, nome: null }))
  return [...named, ...whole].filter((lugar) => covers(territorio, lugar))
}
