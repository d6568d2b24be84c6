import { hash } from 'node:crypto'
import { ENCODINGS, type Encoding } from '../system/encoded-content.ts'

/** The version of a record as an entity tag, and what a client says it expects (RFC 9110, 8.8.3 and 13.1.1). */

const VERSION = new RegExp(`^"([1-9]\\d{0,8})(?:-(?:${ENCODINGS.join('|')}))?"$`)

export const etagOf = (versao: number) => `"${versao}"`

/** Strong tags are of the bytes: compressed ones have their own. A weak one stands for all encodings. */
export const etagInEncoding = (etag: string, encoding: Encoding) =>
  etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`

/** Null: any version will do, in whatever encoding it was read. A tag that is none of ours, or a weak one, matches nothing. */
export function fromIfMatch(header: string | undefined): ReadonlySet<number> | null {
  if (header === undefined || header.trim() === '*') return null
  const versions = header.split(',').map((tag) => VERSION.exec(tag.trim())?.[1])
  return new Set(versions.filter((version) => version !== undefined).map(Number))
}

/** Weak tag of an answer that has no version: a hash of it, the same in every encoding. */
export const etagOfAnswer = (answer: object) => `W/"${hash('sha1', JSON.stringify(answer), 'base64url')}"`

/** True where a client that sends `If-None-Match` has the answer already. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch?.split(',').map(opaque) ?? []
  return tags.includes('*') || tags.includes(opaque(etag))
}
