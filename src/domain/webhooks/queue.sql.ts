import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { WebhookRow } from './webhooks.sql.ts'

export interface NovaEntrega {
  webhook_id: string
  evento_id: string
  tipo: string
  chave: string
  corpo: string
  motivo: 'evento' | 'reenvio' | 'repeticao'
}

/**
 * Each behind what waits for the same record. Queues are locked in one order by all who add to them, and whoever empties
 * one locks it before looking: nothing is left in a queue that is gone.
 */
export function insertEntregas(tx: Db, entregas: NovaEntrega[], now: Date): Promise<{ id: number }[]> {
  return tx.rows(sql`
    with novas as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(entregas)}::jsonb)
          as (webhook_id text, evento_id text, tipo text, chave text, corpo text, motivo text)
      ) with ordinality as nova (webhook_id, evento_id, tipo, chave, corpo, motivo, ordem)
    ), filas as (
      insert into webhook_filas (webhook_id, chave, proxima_tentativa)
      select distinct webhook_id, chave, ${now}::timestamptz from novas order by webhook_id, chave
      on conflict (webhook_id, chave) do update set chave = excluded.chave
    )
    insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, criado_em)
    select webhook_id, evento_id, tipo, chave, corpo, motivo, ${now}::timestamptz from novas order by ordem
    returning id`)
}

/** Everything that waits for a webhook, without its pauses. */
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

export interface Fila {
  webhook_id: string
  chave: string
}

export interface Vagas {
  /** At once in this process. */
  total: number
  /** For a receiver that accepts, and for one that does not: those that hang must not take the places of the others. */
  porWebhook: { aceitando: number; falhando: number }
}

/** Due queues of active webhooks, for as long as the lease; those that another instance is taking are passed over. */
export function claimFilas(
  db: Db,
  trabalhador: string,
  { total, porWebhook }: Vagas,
  now: Date,
  ate: Date,
): Promise<Fila[]> {
  return db.rows(sql`
    with vagas as materialized (
      select w.id, w.falhando_desde is not null as falhando,
        case when w.falhando_desde is null then ${porWebhook.aceitando}::integer else ${porWebhook.falhando}::integer end
          - (select count(*) from webhook_filas f where f.webhook_id = w.id and f.reservada_ate > ${now}) as livres
      from webhooks w join usuarios u on u.id = w.usuario_id
      where w.ativo and u.ativo and coalesce(w.aguardar_ate, '-infinity') <= ${now}
        and exists (select from webhook_filas f where f.webhook_id = w.id and f.proxima_tentativa <= ${now})
    ), escolhidas as materialized (
      select f.webhook_id, f.chave
      from vagas v cross join lateral (
        select f.webhook_id, f.chave, f.proxima_tentativa from webhook_filas f
        where f.webhook_id = v.id and f.proxima_tentativa <= ${now} and coalesce(f.reservada_ate, '-infinity') <= ${now}
        order by f.proxima_tentativa limit greatest(v.livres, 0)
        for update skip locked
      ) f
      order by v.falhando, f.proxima_tentativa limit ${total}
    )
    update webhook_filas f set reservada_por = ${trabalhador}, reservada_ate = ${ate}
    from escolhidas e where f.webhook_id = e.webhook_id and f.chave = e.chave
    returning f.webhook_id, f.chave`)
}

export interface Tentativa
  extends Pick<WebhookRow, 'url' | 'headers' | 'secret' | 'secret_anterior' | 'secret_anterior_ate'> {
  webhook_id: string
  chave: string
  falhando: boolean
  /** Null: the queue is empty. */
  entrega_id: number | null
  evento_id: string
  corpo: string
  tentativas: number
}

/** What is first in each queue. A statement of its own: it must see what the last holder of the queue did. */
export function listFirst(db: Db, filas: Fila[]): Promise<Tentativa[]> {
  return db.rows(sql`
    select w.id as webhook_id, f.chave, w.url, w.headers, w.secret, w.secret_anterior, w.secret_anterior_ate,
      w.falhando_desde is not null as falhando, e.id as entrega_id, e.evento_id, e.corpo, e.tentativas
    from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb) as f (webhook_id text, chave text)
    join webhooks w on w.id = f.webhook_id
    left join lateral (
      select * from entregas e where e.webhook_id = f.webhook_id and e.chave = f.chave and e.estado = 'pendente'
      order by e.id limit 1
    ) e on true`)
}

/**
 * Those of the queues that are still this worker's, until the end of the transaction. What comes of attempts on the
 * others is for those to tell who hold them by now. Webhooks are locked before their queues, as by those who change or
 * remove them: the other way round each would wait for the other.
 */
export async function holdFilas(tx: Db, filas: Fila[], trabalhador: string): Promise<Fila[]> {
  const ids = [...new Set(filas.map(({ webhook_id }) => webhook_id))]
  await tx.run(sql`select from webhooks where id = any(${ids}) order by id for key share`)
  return tx.rows(sql`
    select f.webhook_id, f.chave from webhook_filas f
    where (f.webhook_id, f.chave) in (
        select n.webhook_id, n.chave from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb)
          as n (webhook_id text, chave text))
      and f.reservada_por = ${trabalhador}
    order by f.webhook_id, f.chave for update`)
}

export interface Registro {
  estado: 'pendente' | 'entregue' | 'falhou'
  status_http: number | null
  erro: string | null
  duracao_ms: number
  resposta: Buffer | null
  /** It came from an address that is not public. */
  resposta_interna: boolean
}

export interface Resultado extends Fila, Registro {
  /** Null: the queue was found empty. */
  entrega_id: number | null
  /** When the queue is due again, unless it is empty now. */
  proxima: Date
}

/** What came of attempts. An empty queue goes, the others are free again. */
export function settleEntregas(tx: Db, resultados: Resultado[], now: Date): Promise<number> {
  const rows = resultados.map(({ resposta, ...rest }) => ({ ...rest, resposta: resposta?.toString('hex') }))
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

/** At the end of a process: others go on at once. */
export function releaseFilas(db: Db, trabalhador: string): Promise<number> {
  return db.run(sql`
    update webhook_filas set reservada_por = null, reservada_ate = null where reservada_por = ${trabalhador}`)
}

/**
 * Events that nobody distributes, or queues of which nobody takes one, since before this moment. What waited for a webhook
 * or an owner that was off became due when that was changed.
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

/** With age; what still waits for a webhook that is off goes with it. */
export function deleteOldEntregas(db: Db, before: Date): Promise<number> {
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
