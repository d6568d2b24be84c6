import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EventReach } from '../eventos/alcance.ts'
import type { WebhookRow } from './webhooks.sql.ts'

export interface NewEntrega {
  webhook_id: string
  evento_id: string
  tipo: string
  chave: string
  corpo: string
  motivo: 'evento' | 'reenvio' | 'repeticao'
  alcance: EventReach | null
}

/**
 * Appends each delivery to the queue of its record. Queues are locked in one order, so that two inserts cannot deadlock;
 * `settleEntregas` locks a queue before it finds it empty, so that no delivery is left without one.
 */
export function insertEntregas(tx: Db, entregas: NewEntrega[], now: Date): Promise<{ id: number }[]> {
  return tx.rows(sql`
    with novas as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(entregas)}::jsonb)
          as (webhook_id text, evento_id text, tipo text, chave text, corpo text, motivo text, alcance jsonb)
      ) with ordinality as nova (webhook_id, evento_id, tipo, chave, corpo, motivo, alcance, ordem)
    ), filas as (
      insert into webhook_filas (webhook_id, chave, proxima_tentativa)
      select distinct webhook_id, chave, ${now}::timestamptz from novas order by webhook_id, chave
      on conflict (webhook_id, chave) do update set chave = excluded.chave
    )
    insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, alcance, criado_em)
    select webhook_id, evento_id, tipo, chave, corpo, motivo, alcance, ${now}::timestamptz from novas order by ordem
    returning id`)
}

/** Skips the backoff of all queues of a webhook. */
export function makeDue(tx: Db, webhookId: string, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_filas set proxima_tentativa = ${now}
    where webhook_id = ${webhookId} and proxima_tentativa > ${now}`)
}

export function makeQueueDue(tx: Db, webhookId: string, chave: string, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_filas set proxima_tentativa = ${now}
    where webhook_id = ${webhookId} and chave = ${chave} and proxima_tentativa > ${now}`)
}

/** One queue: the deliveries of one record to one webhook, in order. */
export interface QueueKey {
  webhook_id: string
  chave: string
}

export interface Capacity {
  /** Free places of this process. */
  total: number
  /** Places of a receiver that accepts, and of one that does not. */
  perWebhook: { accepting: number; failing: number }
}

/** Leases due queues of active webhooks; skips those that another instance is claiming. */
export function claimQueues(
  db: Db,
  worker: string,
  { total, perWebhook }: Capacity,
  now: Date,
  until: Date,
): Promise<QueueKey[]> {
  return db.rows(sql`
    with vagas as materialized (
      select w.id, w.falhando_desde is not null as falhando,
        case when w.falhando_desde is null then ${perWebhook.accepting}::integer else ${perWebhook.failing}::integer end
          - (select count(*) from webhook_filas f where f.webhook_id = w.id and f.reservada_ate > ${now}) as free
      from webhooks w join usuarios u on u.id = w.usuario_id
      where w.ativo and u.ativo and coalesce(w.aguardar_ate, '-infinity') <= ${now}
        and exists (select from webhook_filas f where f.webhook_id = w.id and f.proxima_tentativa <= ${now})
    ), escolhidas as materialized (
      select f.webhook_id, f.chave
      from vagas v cross join lateral (
        select f.webhook_id, f.chave, f.proxima_tentativa from webhook_filas f
        where f.webhook_id = v.id and f.proxima_tentativa <= ${now} and coalesce(f.reservada_ate, '-infinity') <= ${now}
        order by f.proxima_tentativa limit greatest(v.free, 0)
        for update skip locked
      ) f
      order by v.falhando, f.proxima_tentativa limit ${total}
    )
    update webhook_filas f set reservada_por = ${worker}, reservada_ate = ${until}
    from escolhidas e where f.webhook_id = e.webhook_id and f.chave = e.chave
    returning f.webhook_id, f.chave`)
}

/** The first delivery of a queue, with what is needed to send it. */
export interface DueEntrega
  extends Pick<WebhookRow, 'url' | 'headers' | 'secret' | 'secret_anterior' | 'secret_anterior_ate'> {
  webhook_id: string
  chave: string
  falhando: boolean
  /** The owner now: whether no place binds it, and its places. */
  usuario_id: number
  sees_all: boolean
  territorios: string[]
  /** Null: the queue is empty. */
  entrega_id: number | null
  alcance: EventReach | null
  evento_id: string
  corpo: string
  tentativas: number
}

/** Reads the head of each queue. Not part of the claim, whose snapshot would miss what the last holder wrote. */
export function listHeads(db: Db, queues: QueueKey[]): Promise<DueEntrega[]> {
  return db.rows(sql`
    select w.id as webhook_id, f.chave, w.url, w.headers, w.secret, w.secret_anterior, w.secret_anterior_ate,
      w.falhando_desde is not null as falhando, w.usuario_id, territorios_de(w.usuario_id) as territorios,
      exists (select from administradores a where a.id = w.usuario_id) as sees_all,
      e.id as entrega_id, e.alcance, e.evento_id, e.corpo, e.tentativas
    from jsonb_to_recordset(${JSON.stringify(queues)}::jsonb) as f (webhook_id text, chave text)
    join webhooks w on w.id = f.webhook_id
    left join lateral (
      select * from entregas e where e.webhook_id = f.webhook_id and e.chave = f.chave and e.estado = 'pendente'
      order by e.id limit 1
    ) e on true`)
}

/**
 * Locks those of the queues that are still leased to this worker; the others belong to their new holders. Webhooks are
 * locked before their queues, as by `lockWebhook`: the other order could deadlock.
 */
export async function lockQueues(tx: Db, queues: QueueKey[], worker: string): Promise<QueueKey[]> {
  const ids = [...new Set(queues.map(({ webhook_id }) => webhook_id))]
  await tx.run(sql`select from webhooks where id = any(${ids}) order by id for key share`)
  return tx.rows(sql`
    select f.webhook_id, f.chave from webhook_filas f
    where (f.webhook_id, f.chave) in (
        select n.webhook_id, n.chave from jsonb_to_recordset(${JSON.stringify(queues)}::jsonb)
          as n (webhook_id text, chave text))
      and f.reservada_por = ${worker}
    order by f.webhook_id, f.chave for update`)
}

/** The log entry of an attempt. */
export interface AttemptRecord {
  estado: 'pendente' | 'entregue' | 'falhou'
  status_http: number | null
  erro: string | null
  duracao_ms: number
  resposta: Buffer | null
  /** The answer came from an address that is not public. */
  resposta_interna: boolean
}

export interface SettledAttempt extends QueueKey, AttemptRecord {
  /** Null: the queue was empty. */
  entrega_id: number | null
  /** Next attempt on the queue, unless it is empty now. */
  proxima: Date
}

/** Writes the outcomes of attempts; deletes the queues that are empty now and ends the lease of the others. */
export function settleEntregas(tx: Db, settled: SettledAttempt[], now: Date): Promise<number> {
  const rows = settled.map(({ resposta, ...rest }) => ({ ...rest, resposta: resposta?.toString('hex') }))
  return tx.run(sql`
    with feitos as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as feito (
        webhook_id text, chave text, entrega_id bigint, estado text, status_http integer, erro text, duracao_ms integer,
        resposta text, resposta_interna boolean, proxima timestamptz)
    ), entregas_feitas as (
      update entregas e set estado = f.estado, tentativas = e.tentativas + 1, ultima_tentativa = ${now},
        status_http = f.status_http, erro = f.erro, duracao_ms = f.duracao_ms, resposta = decode(f.resposta, 'hex'),
        resposta_interna = f.resposta_interna,
        concluida_em = case when f.estado = 'pendente' then null else ${now}::timestamptz end
      from feitos f where e.id = f.entrega_id
    ), restos as materialized (
      select f.webhook_id, f.chave, f.proxima,
        (f.entrega_id is not null and f.estado = 'pendente') or exists (
          select from entregas e
          where e.webhook_id = f.webhook_id and e.chave = f.chave and e.estado = 'pendente'
            and e.id is distinct from f.entrega_id) as ha
      from feitos f
    ), vazias as (
      delete from webhook_filas f using restos r
      where f.webhook_id = r.webhook_id and f.chave = r.chave and not r.ha
    )
    update webhook_filas f set reservada_por = null, reservada_ate = null, proxima_tentativa = r.proxima
    from restos r where f.webhook_id = r.webhook_id and f.chave = r.chave and r.ha`)
}

/** Ends the leases of a process that stops, so that others go on at once. */
export function releaseQueues(db: Db, worker: string): Promise<number> {
  return db.run(sql`
    update webhook_filas set reservada_por = null, reservada_ate = null where reservada_por = ${worker}`)
}

/**
 * True when events have not been distributed, or due queues not been claimed, since before this moment. A queue whose
 * webhook or owner was switched off counts from when that was changed.
 */
export async function anyLate(db: Db, since: Date, now: Date): Promise<boolean> {
  const row = await db.first(sql`
    select from eventos_novos where criado_em < ${since}
    union all
    select from webhook_filas f join webhooks w on w.id = f.webhook_id join usuarios u on u.id = w.usuario_id
    where w.ativo and u.ativo and f.proxima_tentativa < ${since}
      and greatest(w.atualizado_em, u.atualizado_em, w.aguardar_ate) < ${since}
      and not exists (select from webhook_filas where reservada_ate > ${now})
    limit 1`)
  return row !== null
}

/** Deletes the log by age, with pending deliveries of webhooks that are off. */
export function forgetEntregas(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    with antigas as (
      delete from entregas where criado_em < ${before} returning webhook_id, chave, estado
    )
    delete from webhook_filas f using antigas a
    where a.estado = 'pendente' and f.webhook_id = a.webhook_id and f.chave = a.chave
      and not exists (
        select from entregas e where e.webhook_id = f.webhook_id and e.chave = f.chave and e.estado = 'pendente'
          and e.criado_em >= ${before})`)
}
