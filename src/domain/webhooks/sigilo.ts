import type { App } from '../app.ts'
import type { WebhookRow } from './webhooks.sql.ts'

/** Encryption at rest of a webhook's secrets, headers and answers; each value is bound to its row and column. */

type Needs = Pick<App, 'cipher'>

export const contextOf = (id: string, coluna: string) => `webhooks.${coluna}:${id}`

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

/** The secret in force and, during the overlap of a rotation, the previous one. */
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

/** An answer may hold anything the receiver wrote: bound to its webhook, shown to its owner alone. */
export function sealResposta({ cipher }: Needs, webhookId: string, resposta: string): Buffer | null {
  return resposta === '' ? null : cipher.encrypt(Buffer.from(resposta), contextOf(webhookId, 'resposta'))
}

export function openResposta({ cipher }: Needs, webhookId: string, resposta: Buffer): string {
  return cipher.decrypt(resposta, contextOf(webhookId, 'resposta')).toString('utf8')
}
