import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { EVENTOS, type TipoDeEvento } from '../eventos/catalogue.ts'
import {
  type Colocados,
  type EventoNovo,
  listColocados,
  placeNewEventos,
  toEvento,
} from '../eventos/eventos.ts'
import { insertEntregas, type NovaEntrega } from './queue.sql.ts'
import { listReceivers, type Receiver } from './webhooks.sql.ts'

/** Enough for one transaction to be worth its while; few enough for it to be short. */
const AT_ONCE = 500

/**
 * Hands new events to the webhooks that wait for them, paused ones too. Place in the feed and deliveries are one
 * transaction: an instance that dies leaves both to the next. Answers whether more may be waiting.
 */
export async function distribute({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const colocados = await placeNewEventos(tx, AT_ONCE)
    if (colocados === null || colocados.quantos === 0) return false
    // Only now: a webhook that is older than one of these events is among them.
    const receivers = await listReceivers(tx)
    if (receivers.length > 0) await handOut(tx, colocados, receivers, clock.now())
    return colocados.quantos === AT_ONCE
  })
}

async function handOut(tx: Db, colocados: Colocados, receivers: Receiver[], now: Date): Promise<void> {
  const tipos = [...new Set(receivers.flatMap(({ eventos }) => eventos))]
  const entregas = (await listColocados(tx, colocados, tipos)).flatMap((evento) =>
    receivers
      .filter((receiver) => isFor(receiver, evento))
      .map((receiver): NovaEntrega => toEntrega(evento, receiver.id, 'evento')),
  )
  if (entregas.length > 0) await insertEntregas(tx, entregas, now)
}

/** Whether the webhook asks for it, its owner may know of it, and its filters let it pass. */
export function isFor(receiver: Receiver, evento: EventoNovo): boolean {
  const tipo = evento.tipo as TipoDeEvento
  return (
    receiver.eventos.includes(tipo) &&
    (receiver.todas || receiver.permissoes.includes(EVENTOS[tipo].permissao)) &&
    passes(receiver.tipos_agravo, evento.tipos_agravo) &&
    passes(receiver.estados, evento.estados) &&
    passes(receiver.municipios, evento.municipios)
  )
}

/** A filter that asks for nothing, or an event that is not about a case, passes. */
function passes<T>(asked: T[], told: T[] | null): boolean {
  return asked.length === 0 || told === null || told.some((value) => asked.includes(value))
}

export function toEntrega(
  evento: EventoNovo,
  webhook_id: string,
  motivo: NovaEntrega['motivo'],
): NovaEntrega {
  const { id: evento_id, tipo, chave } = evento
  return { webhook_id, evento_id, tipo, chave, motivo, corpo: bodyOf(toEvento(evento), webhook_id) }
}

/** Spec 6.2. */
export function bodyOf(evento: ReturnType<typeof toEvento>, webhook_id: string): string {
  return JSON.stringify({ ...evento, webhook_id })
}
