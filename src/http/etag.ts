import { hash } from 'node:crypto'

/** The version of a record as an entity tag, and what a client says it expects (RFC 9110, 8.8.3 and 13.1.1). */

export const etagOf = (versao: number) => `"${versao}"`

/** Null: any version will do. A tag that is none of ours, or a weak one, matches nothing. */
export function fromIfMatch(header: string | undefined): ReadonlySet<number> | null {
  if (header === undefined || header.trim() === '*') return null
  const versions = header.split(',').map((tag) => /^"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1])
  return new Set(versions.filter((version) => version !== undefined).map(Number))
}

/** Tag of an answer that has no version: a hash of it. */
export const etagOfAnswer = (answer: object) => `"${hash('sha1', JSON.stringify(answer), 'base64url')}"`

/** True where a client that sends `If-None-Match` has the answer already. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch?.split(',').map(opaque) ?? []
  return tags.includes('*') || tags.includes(opaque(etag))
}
