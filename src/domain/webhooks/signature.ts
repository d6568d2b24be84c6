import { createHmac, randomBytes } from 'node:crypto'

/**
 * How a receiver knows that a delivery is ours and unchanged. Two forms at once: the hex digest of the whole body
 * (spec 6.3) and that of Standard Webhooks, which also covers the id and the time and so refuses old copies.
 */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export interface Assinavel {
  id: string
  instante: Date
  corpo: string
}

/** The first secret is the one in force; the second, for as long as both count, the one before. */
export function signatureHeaders(
  { id, instante, corpo }: Assinavel,
  [secret, previous]: [string] | [string, string],
): Record<string, string> {
  const timestamp = String(Math.floor(instante.getTime() / 1000))
  const signed = `${id}.${timestamp}.${corpo}`
  const standard = [secret, ...(previous === undefined ? [] : [previous])].map(
    (one) => `v1,${hmac(keyOf(one), signed).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
    'x-webhook-signature': hmac(secret, corpo).digest('hex'),
    ...(previous !== undefined && { 'x-webhook-signature-previous': hmac(previous, corpo).digest('hex') }),
  }
}

const keyOf = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
