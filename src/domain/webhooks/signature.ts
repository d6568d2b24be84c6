import { createHmac, randomBytes } from 'node:crypto'

/**
 * HMAC-SHA256 signatures of a delivery, in two forms: the hex digest of the body (spec 6.3), and that of Standard Webhooks,
 * which also covers id and time and so lets a receiver refuse replays.
 */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export interface SignedMessage {
  id: string
  sentAt: Date
  body: string
}

/** The secret in force and, during the overlap of a rotation, the previous one. */
export function signatureHeaders(
  { id, sentAt, body }: SignedMessage,
  [secret, previous]: [string] | [string, string],
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const standard = [secret, ...(previous === undefined ? [] : [previous])].map(
    (one) => `v1,${hmac(keyOf(one), signed).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
    'x-webhook-signature': hmac(secret, body).digest('hex'),
    ...(previous !== undefined && { 'x-webhook-signature-previous': hmac(previous, body).digest('hex') }),
  }
}

const keyOf = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
