import { lugaresFrom, type Territorio } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { type EventReach, isInReach, reachOf } from '../eventos/alcance.ts'
import { EVENTOS, type TipoDeEvento } from '../eventos/catalogue.ts'
import {
  type FeedRange,
  listEventosIn,
  type OrderedEvento,
  placeNewEventos,
  toEvento,
} from '../eventos/eventos.ts'
import { passesFilter } from '../eventos/filtro.ts'
import { insertEntregas, type NewEntrega } from './queue.sql.ts'
import { listReceivers, type Receiver } from './webhooks.sql.ts'

/** Events of one transaction: enough to amortise its commit, few enough to hold the lock on the feed briefly. */
const BATCH = 500

export type DistributeNeeds = Pick<App, 'db' | 'clock' | 'territories'>

/** A subscriber with the territory of its owner; null: no bounds. */
export interface BoundReceiver extends Receiver {
  territorio: Territorio | null
}

type Owned = Pick<Receiver, 'usuario_id' | 'sees_all' | 'territorios'>

export function withTerritorio<T extends Owned>({ of }: App['territories'], owned: T) {
  const { sees_all, territorios } = owned
  return { ...owned, territorio: sees_all ? null : of(lugaresFrom(territorios)) }
}

/** True when the event is inside the territory of the webhook's owner. */
export const isWithinReach = (
  { usuario_id, territorio }: Pick<BoundReceiver, 'usuario_id' | 'territorio'>,
  reach: EventReach | null,
): boolean => isInReach(reach, { id: usuario_id, territorio })

/**
 * Queues deliveries of new events for the webhooks subscribed to them, paused ones too. Position in the feed and
 * deliveries are one transaction: an instance that dies leaves both to the next. True when there may be more.
 */
export async function distribute({ db, clock, territories }: DistributeNeeds): Promise<boolean> {
  return db.transaction(async (tx) => {
    const range = await placeNewEventos(tx, BATCH)
    if (range === null || range.count === 0) return false
    // Read after the events, so that every webhook older than one of them is among the receivers.
    const receivers = (await listReceivers(tx)).map((receiver) => withTerritorio(territories, receiver))
    if (receivers.length > 0) await queueEntregas(tx, range, receivers, clock.now())
    return range.count === BATCH
  })
}

async function queueEntregas(tx: Db, range: FeedRange, receivers: BoundReceiver[], now: Date): Promise<void> {
  const tipos = [...new Set(receivers.flatMap(({ eventos }) => eventos))]
  const entregas = (await listEventosIn(tx, range, tipos)).flatMap((evento) =>
    receivers
      .filter((receiver) => isFor(receiver, evento))
      .map((receiver): NewEntrega => toEntrega(evento, receiver.id, 'evento')),
  )
  if (entregas.length > 0) await insertEntregas(tx, entregas, now)
}

/** True when the webhook subscribes to the event, its owner may read the record, by right and by place, and its filters match. */
export function isFor(receiver: BoundReceiver, evento: OrderedEvento): boolean {
  const tipo = evento.tipo as TipoDeEvento
  return (
    receiver.eventos.includes(tipo) &&
    (receiver.sees_all || receiver.permissoes.includes(EVENTOS[tipo].permissao)) &&
    isWithinReach(receiver, evento) &&
    passesFilter(receiver, evento)
  )
}

export function toEntrega(
  evento: OrderedEvento,
  webhook_id: string,
  motivo: NewEntrega['motivo'],
): NewEntrega {
  const { id: evento_id, tipo, chave } = evento
  const alcance = reachOf(evento)
  return { webhook_id, evento_id, tipo, chave, motivo, alcance, corpo: bodyOf(toEvento(evento), webhook_id) }
}

/** Spec 6.2. */
export function bodyOf(evento: ReturnType<typeof toEvento>, webhook_id: string): string {
  return JSON.stringify({ ...evento, webhook_id })
}
