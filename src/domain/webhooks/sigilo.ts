import type { App } from '../app.ts'
import type { WebhookRow } from './webhooks.sql.ts'

/** What of a webhook is encrypted at rest, each value bound to its row and place. */

type Needs = Pick<App, 'cipher'>

const contextOf = (id: string, coluna: string) => `webhooks.${coluna}:${id}`

export function sealSecret({ cipher }: Needs, id: string, secret: string): Buffer {
  return cipher.encrypt(Buffer.from(secret), contextOf(id, 'secret'))
}

export function sealHeaders({ cipher }: Needs, id: string, headers: Record<string, string>): Buffer {
  return cipher.encrypt(Buffer.from(JSON.stringify(headers)), contextOf(id, 'headers'))
}

export function openHeaders(
  { cipher }: Needs,
  { id, headers }: Pick<WebhookRow, 'id' | 'headers'>,
): Record<string, string> {
  return JSON.parse(cipher.decrypt(headers, contextOf(id, 'headers')).toString('utf8'))
}

/** The one in force and, while both count, the one before. */
export function openSecrets(
  { cipher }: Needs,
  row: Pick<WebhookRow, 'id' | 'secret' | 'secret_anterior' | 'secret_anterior_ate'>,
  now: Date,
): [string] | [string, string] {
  const open = (sealed: Buffer) => cipher.decrypt(sealed, contextOf(row.id, 'secret')).toString('utf8')
  const { secret, secret_anterior, secret_anterior_ate } = row
  const both = secret_anterior !== null && secret_anterior_ate !== null && secret_anterior_ate > now
  return both ? [open(secret), open(secret_anterior)] : [open(secret)]
}

/** An answer is whatever the receiver wrote: bound to its webhook, read by its owner alone. */
export function sealResposta({ cipher }: Needs, webhookId: string, resposta: string): Buffer | null {
  return resposta === '' ? null : cipher.encrypt(Buffer.from(resposta), contextOf(webhookId, 'resposta'))
}

export function openResposta({ cipher }: Needs, webhookId: string, resposta: Buffer): string {
  return cipher.decrypt(resposta, contextOf(webhookId, 'resposta')).toString('utf8')
}
