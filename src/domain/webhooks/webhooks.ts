import { randomBytes } from 'node:crypto'
import { type Caller, firstLacking, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import { problemOfTarget } from '../../outbound/target.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { EVENTOS, type TipoDeEvento } from '../eventos/catalogue.ts'
import { assertWithinReach, withinReach } from '../territorios/alcance.ts'
import { assertVersao, type IfMatch, versaoDe } from '../versoes.ts'
import { headerProblems, unmaskHeaders } from './headers.ts'
import { makeDue } from './queue.sql.ts'
import { openHeaders, openSecrets, sealHeaders, sealSecret } from './sigilo.ts'
import { newSecret } from './signature.ts'
import {
  countWebhooksOf,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  pageOfWebhookRows,
  updateSecret,
  updateWebhook,
  type WebhookRow,
} from './webhooks.sql.ts'

/**
 * Webhooks: URLs that subscribe to events.
 *
 *   active ── pause ──► paused ── resume ──► active        events meanwhile are queued and delivered then
 *     └── 410, or nothing accepted for five days ──► switched off (its owner gets a mail) ── resume ──► active
 */

type Needs = Pick<
  App,
  | 'db'
  | 'clock'
  | 'cipher'
  | 'auditoria'
  | 'municipios'
  | 'agravos'
  | 'territorios'
  | 'territories'
  | 'webhookTargets'
>

/** Bounds the deliveries that one account can cause. */
const MAX_PER_ACCOUNT = 20
/** Overlap of both secrets after a rotation: a day to change the receiver. */
const OVERLAP_MS = 24 * 3_600_000

export interface NewWebhook {
  url: string
  eventos: TipoDeEvento[]
  ativo: boolean
  headers: Record<string, string>
  filtros: Filtros
}

/** Empty means all. Municipalities as they were sent: codes of six or seven digits. */
export interface Filtros {
  tipo_agravo: string[]
  estado: string[]
  municipio: string[]
  /** Of alerts: the new level or the former one. */
  nivel: string[]
  /** Of events in animals. */
  suspeita: string[]
}

export interface Webhook extends Omit<WebhookRow, 'headers'> {
  headers: Record<string, string>
  versao: string
}

/** Headers count as they are stored: the hash of a credential could be guessed, and every change encrypts them anew. */
function versaoDoWebhook(row: WebhookRow): string {
  const { url, eventos, tipos_agravo, estados, municipios, niveis, suspeitas, ativo, headers } = row
  const filtros = [tipos_agravo, estados, municipios, niveis, suspeitas]
  return versaoDe([url, eventos, filtros, ativo, headers.toString('base64')])
}

export const WEBHOOKS_LIST: ListRules = {
  fields: {
    usuario_id: { type: 'integer' },
    url: { type: 'text' },
    ativo: { type: 'boolean' },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
  },
  sortable: ['criado_em', 'atualizado_em', 'url', 'ativo'],
  defaultSort: { field: 'criado_em', order: 'desc' },
}

/** The caller's own; with the permission to manage webhooks, those of every account within reach. */
export async function pageOfWebhooks(app: Needs, caller: Caller, list: ListQuery): Promise<Page<Webhook>> {
  const owner = holds(caller, 'webhooks.gerenciar') ? null : caller.id
  const filter = withinReach(list.filter, caller)
  const page = await pageOfWebhookRows(app.db, owner, { ...list, filter })
  return { ...page, items: page.items.map((row) => opened(app, row)) }
}

export async function getWebhook(app: Needs, caller: Caller, id: string): Promise<Webhook> {
  return opened(app, await manageable(app.db, caller, await findWebhook(app.db, id)))
}

/** NOT_FOUND for callers that may not manage it: by right, or since its owner is out of reach. */
async function manageable(db: Db, caller: Caller, row: WebhookRow | null): Promise<WebhookRow> {
  if (row === null || (row.usuario_id !== caller.id && !holds(caller, 'webhooks.gerenciar')))
    throw new AppError('NOT_FOUND')
  await assertWithinReach(db, caller, row.usuario_id)
  return row
}

/** Returns the secret, which is never shown again. */
export async function createWebhook(
  app: Needs,
  caller: Caller,
  novo: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  assertMayLearn(caller, novo.eventos)
  refuse(contentProblems(app, novo))
  const id = `wh_${randomBytes(18).toString('base64url')}`
  const secret = newSecret()
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    if ((await countWebhooksOf(tx, caller.id)) >= MAX_PER_ACCOUNT)
      throw invalid('body', ['webhooks'], 'TOO_MANY', { limit: MAX_PER_ACCOUNT })
    await insertWebhook(
      tx,
      {
        ...{ id, usuario_id: caller.id, url: novo.url, eventos: novo.eventos, ativo: novo.ativo },
        ...filterColumns(app, novo.filtros),
        headers: sealHeaders(app, id, novo.headers),
        secret: sealSecret(app, id, secret),
      },
      now,
    )
    const { ativo, eventos } = novo
    await record(app, tx, caller, 'webhook.criado', id, { eventos, ativo })
    return { webhook: opened(app, (await findWebhook(tx, id)) as WebhookRow), secret }
  })
}

/** Only what is sent changes. */
export async function changeWebhook(
  app: Needs,
  caller: Caller,
  id: string,
  change: Partial<NewWebhook>,
  ifMatch: IfMatch = null,
): Promise<Webhook> {
  return app.db.transaction(async (tx) => {
    const row = await manageable(tx, caller, await lockWebhook(tx, id))
    const before = opened(app, row)
    const turned = change.url !== undefined && change.url !== before.url
    // The owner's header values, often credentials, are not sent to a URL that somebody else chose.
    const kept = turned && row.usuario_id !== caller.id ? {} : before.headers
    const headers = change.headers ? unmaskHeaders(change.headers, kept) : kept
    const filtros = { ...filtersOf(before), ...change.filtros }
    const { url, ativo } = { ...before, ...change }
    const asked = before.eventos as TipoDeEvento[]
    const eventos = change.eventos ?? asked
    if (change.eventos !== undefined) assertMayLearn(caller, eventos)
    // A new URL also redirects the pending deliveries to the caller's receiver.
    if (turned) assertMayLearn(caller, asked)
    refuse(contentProblems(app, { headers, filtros, ...(change.url !== undefined && { url }) }))
    assertVersao(ifMatch, before.versao)
    const sealed = sealHeaders(app, id, headers)
    await updateWebhook(
      tx,
      { id, url, eventos, ativo, headers: sealed, ...filterColumns(app, filtros) },
      app.clock.now(),
    )
    if (ativo && !before.ativo) await makeDue(tx, id, app.clock.now())
    await record(app, tx, caller, 'webhook.alterado', id, { campos: Object.keys(change), ativo })
    return opened(app, (await findWebhook(tx, id)) as WebhookRow)
  })
}

/** Deletes its pending deliveries, too. */
export async function removeWebhook(app: Needs, caller: Caller, id: string, ifMatch: IfMatch): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await manageable(tx, caller, await lockWebhook(tx, id))
    assertVersao(ifMatch, versaoDoWebhook(row))
    await deleteWebhook(tx, id)
    await record(app, tx, caller, 'webhook.removido', id)
  })
}

/** Deliveries carry the signatures of both secrets for `OVERLAP_MS`. */
export async function rotateSecret(
  app: Needs,
  caller: Caller,
  id: string,
): Promise<{ secret: string; anterior_ate: Date }> {
  const secret = newSecret()
  const now = app.clock.now()
  const ate = new Date(now.getTime() + OVERLAP_MS)
  return app.db.transaction(async (tx) => {
    const row = await manageable(tx, caller, await lockWebhook(tx, id))
    const [current] = openSecrets(app, row, now)
    const anterior = { secret: sealSecret(app, id, current), ate }
    await updateSecret(tx, id, sealSecret(app, id, secret), anterior, now)
    await record(app, tx, caller, 'webhook.segredo_trocado', id)
    return { secret, anterior_ate: ate }
  })
}

/** Refuses kinds of events about records that the caller may not read. */
function assertMayLearn(caller: Caller, eventos: TipoDeEvento[]): void {
  const lacking = firstLacking(
    caller,
    eventos.map((tipo) => EVENTOS[tipo].permissao),
  )
  if (lacking !== null) throw new AppError('PERMISSION_DENIED', { required_permission: lacking })
}

function contentProblems(
  { municipios, webhookTargets, agravos }: Pick<App, 'municipios' | 'webhookTargets' | 'agravos'>,
  { url, headers, filtros }: Pick<NewWebhook, 'headers' | 'filtros'> & { url?: string },
): Problem[] {
  const reason = url === undefined ? null : problemOfTarget(url, webhookTargets)
  const unknown = filtros.municipio.filter((codigo) => !municipios.byCodigo(Number(codigo)))
  const { codigos } = agravos.vigentes()
  const isKnown = filtros.tipo_agravo.every((tipo) => codigos.includes(tipo))
  const expected = `^(?:${codigos.join('|')})$`
  return [
    ...(reason === null ? [] : [problem('body', ['url'], 'FORBIDDEN_TARGET', { reason })]),
    ...headerProblems(headers),
    ...(isKnown ? [] : [problem('body', ['filtros', 'tipo_agravo'], 'INVALID_FORMAT', { expected })]),
    ...(unknown.length === 0 ? [] : [problem('body', ['filtros', 'municipio'], 'UNKNOWN_MUNICIPIO', {})]),
  ]
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}

function filterColumns({ municipios }: Pick<App, 'municipios'>, filtros: Filtros) {
  const codigos = filtros.municipio.map((codigo) => municipios.byCodigo(Number(codigo))?.codigo as number)
  return {
    tipos_agravo: [...new Set(filtros.tipo_agravo)],
    estados: [...new Set(filtros.estado)],
    municipios: [...new Set(codigos)],
    niveis: [...new Set(filtros.nivel)],
    suspeitas: [...new Set(filtros.suspeita)],
  }
}

function filtersOf({ tipos_agravo, estados, municipios, niveis, suspeitas }: Webhook): Filtros {
  return {
    ...{ tipo_agravo: tipos_agravo, estado: estados, municipio: municipios.map(String) },
    ...{ nivel: niveis, suspeita: suspeitas },
  }
}

function opened(app: Pick<App, 'cipher'>, row: WebhookRow): Webhook {
  return { ...row, headers: openHeaders(app, row), versao: versaoDoWebhook(row) }
}

function record(
  { auditoria }: Needs,
  tx: Db,
  caller: Caller,
  acao: string,
  id: string,
  detalhes: Record<string, unknown> = {},
): Promise<void> {
  return auditoria.record(tx, { acao, ...by(caller), recurso: 'webhook', recurso_id: id, detalhes })
}
