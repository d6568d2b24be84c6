import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { prepared, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import { type ListQuery, type Page, valuesOf } from '../../filter.ts'
import { type Reach, reachedBy } from '../territorios/alcance.ts'

export interface WebhookRow {
  id: string
  usuario_id: number
  usuario_nome: string
  url: string
  eventos: string[]
  tipos_agravo: string[]
  estados: string[]
  municipios: number[]
  niveis: string[]
  suspeitas: string[]
  ativo: boolean
  desligado_por: 'recusado' | 'falhas' | null
  desligado_em: Date | null
  falhando_desde: Date | null
  aguardar_ate: Date | null
  headers: Buffer
  secret: Buffer
  secret_anterior: Buffer | null
  secret_anterior_ate: Date | null
  criado_em: Date
  atualizado_em: Date
  pendentes: number
}

const WEBHOOK = sql`
  w.id, w.usuario_id, u.nome as usuario_nome, w.url, w.eventos, w.tipos_agravo, w.estados, w.municipios, w.niveis, w.suspeitas, w.ativo,
  w.desligado_por, w.desligado_em, w.falhando_desde, w.aguardar_ate, w.headers, w.secret, w.secret_anterior, w.secret_anterior_ate,
  w.criado_em, w.atualizado_em,
  (select count(*) from entregas e where e.webhook_id = w.id and e.estado = 'pendente') as pendentes`
const WEBHOOKS = sql`webhooks w join usuarios u on u.id = w.usuario_id`

const columns: Columns = {
  fields: {
    usuario_id: sql`w.usuario_id`,
    url: sql`w.url`,
    ativo: sql`w.ativo`,
    criado_em: sql`w.criado_em`,
    atualizado_em: sql`w.atualizado_em`,
  },
  required: new Set(['usuario_id', 'url', 'ativo', 'criado_em', 'atualizado_em']),
  conditions: { alcance: (filter) => reachedBy(valuesOf(filter) as Reach, sql`w.usuario_id`) },
  search: (contains) => sql`plain(w.url) like plain(${contains})`,
}

/** `owner` null: everybody's. */
export function pageOfWebhookRows(db: Db, owner: number | null, list: ListQuery): Promise<Page<WebhookRow>> {
  const only = sql`(${owner}::integer is null or w.usuario_id = ${owner})`
  return pageOf(db, { select: WEBHOOK, from: WEBHOOKS, columns, id: sql`w.id`, only }, list)
}

export function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  return db.first(sql`select ${WEBHOOK} from ${WEBHOOKS} where w.id = ${id}`)
}

export function lockWebhook(tx: Db, id: string): Promise<WebhookRow | null> {
  return tx.first(sql`select ${WEBHOOK} from ${WEBHOOKS} where w.id = ${id} for update of w`)
}

/** Locks the account until the end of the transaction: its webhooks are counted by one request at a time. */
export async function countWebhooksOf(tx: Db, usuarioId: number): Promise<number> {
  await tx.run(sql`select from usuarios where id = ${usuarioId} for no key update`)
  return tx.value(sql`select count(*) from webhooks where usuario_id = ${usuarioId}`)
}

export type NewWebhookRow = Pick<
  WebhookRow,
  | 'id'
  | 'usuario_id'
  | 'url'
  | 'eventos'
  | 'tipos_agravo'
  | 'estados'
  | 'municipios'
  | 'niveis'
  | 'suspeitas'
  | 'ativo'
  | 'headers'
  | 'secret'
>

export function insertWebhook(tx: Db, webhook: NewWebhookRow, now: Date): Promise<number> {
  const {
    id,
    usuario_id,
    url,
    eventos,
    tipos_agravo,
    estados,
    municipios,
    niveis,
    suspeitas,
    ativo,
    headers,
    secret,
  } = webhook
  return tx.run(sql`
    insert into webhooks
      (id, usuario_id, url, eventos, tipos_agravo, estados, municipios, niveis, suspeitas, ativo, headers, secret, criado_em, atualizado_em)
    values (${id}, ${usuario_id}, ${url}, ${eventos}, ${tipos_agravo}, ${estados}, ${municipios}, ${niveis}, ${suspeitas}, ${ativo}, ${headers},
      ${secret}, ${now}, ${now})`)
}

/** Switched on again, it is no longer switched off by the service, and its failures begin anew. */
export function updateWebhook(
  tx: Db,
  {
    id,
    url,
    eventos,
    tipos_agravo,
    estados,
    municipios,
    niveis,
    suspeitas,
    ativo,
    headers,
  }: Omit<NewWebhookRow, 'usuario_id' | 'secret'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update webhooks set url = ${url}, eventos = ${eventos}, tipos_agravo = ${tipos_agravo}, estados = ${estados},
      municipios = ${municipios}, niveis = ${niveis}, suspeitas = ${suspeitas}, headers = ${headers}, atualizado_em = ${now}, ativo = ${ativo},
      desligado_por = case when not ${ativo} then desligado_por end,
      desligado_em = case when not ${ativo} then desligado_em end,
      falhando_desde = case when ativo and ${ativo} then falhando_desde end,
      aguardar_ate = case when ativo and ${ativo} then aguardar_ate end
    where id = ${id}`)
}

export function updateSecret(
  tx: Db,
  id: string,
  secret: Buffer,
  anterior: { secret: Buffer; ate: Date },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update webhooks set secret = ${secret}, secret_anterior = ${anterior.secret}, secret_anterior_ate = ${anterior.ate},
      atualizado_em = ${now}
    where id = ${id}`)
}

export function deleteWebhook(tx: Db, id: string): Promise<number> {
  return tx.run(sql`delete from webhooks where id = ${id}`)
}

export function markAccepted(tx: Db, id: string): Promise<number> {
  return tx.run(
    sql`update webhooks set falhando_desde = null where id = ${id} and falhando_desde is not null`,
  )
}

/** Since when it has been failing. */
export async function markFailing(tx: Db, id: string, aguardar_ate: Date | null, now: Date): Promise<Date> {
  const row = await tx.first<{ desde: Date }>(sql`
    update webhooks set falhando_desde = coalesce(falhando_desde, ${now}),
      aguardar_ate = greatest(aguardar_ate, ${aguardar_ate})
    where id = ${id}
    returning falhando_desde as desde`)
  return row?.desde ?? now
}

/** Returns the owner to notify; null when it was off already. */
export function switchOff(
  tx: Db,
  id: string,
  motivo: NonNullable<WebhookRow['desligado_por']>,
  now: Date,
): Promise<{ usuario_id: number; email: string } | null> {
  return tx.first(sql`
    update webhooks w set ativo = false, desligado_por = ${motivo}, desligado_em = ${now}
    from usuarios u where w.id = ${id} and w.ativo and u.id = w.usuario_id
    returning w.usuario_id, u.email`)
}

/** A webhook as a subscriber, with the permissions and the places of its owner. */
export interface Receiver
  extends Pick<
    WebhookRow,
    'id' | 'usuario_id' | 'eventos' | 'tipos_agravo' | 'estados' | 'municipios' | 'niveis' | 'suspeitas'
  > {
  sees_all: boolean
  permissoes: string[]
  /** Places that the owner is bound to, an administrator's included. */
  territorios: string[]
}

const RECEIVER = sql`
  select w.id, w.usuario_id, w.eventos, w.tipos_agravo, w.estados, w.municipios, w.niveis, w.suspeitas, territorios_de(u.id) as territorios,
    exists (select from administradores a where a.id = u.id) as sees_all,
    array(
      select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
      where e.usuario_id = u.id) as permissoes
  from ${WEBHOOKS} where u.ativo`

/** Locks the webhooks against deletion until the end of the transaction. Accounts that are switched off receive nothing. */
export function listReceivers(tx: Db): Promise<Receiver[]> {
  return tx.rows(prepared(sql`${RECEIVER} for key share of w`))
}

export function findReceiver(tx: Db, id: string): Promise<Receiver | null> {
  return tx.first(sql`${RECEIVER} and w.id = ${id} for key share of w`)
}

export interface WebhookMeasures {
  failing: number
  switched_off: number
}

export function measureWebhooks(db: Db): Promise<WebhookMeasures> {
  return db.one(sql`
    select count(*) filter (where ativo and falhando_desde is not null)::integer as failing,
      count(*) filter (where desligado_por is not null)::integer as switched_off
    from webhooks`)
}
