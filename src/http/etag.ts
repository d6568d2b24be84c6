import { hash } from 'node:crypto'
import { ENCODINGS, type Encoding } from '../system/encoded-content.ts'
import { Type } from './type.ts'

/** The version of a record as an entity tag, and what a client says it expects (RFC 9110, 8.8.3 and 13.1.1). */

/** A number, or a hash in hexadecimal digits: neither has the dash before an encoding. */
const VERSION = new RegExp(`^"([0-9a-f]{1,32})(?:-(?:${ENCODINGS.join('|')}))?"$`)

export const etagOf = (versao: number | string) => `"${versao}"`

/** Strong tags are of the bytes: compressed ones have their own. A weak one stands for all encodings. */
export const etagInEncoding = (etag: string, encoding: Encoding) =>
  etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`

/** Headers of a row with `versioned`; what is sent is compared, never refused for its form. */
export const IfMatchHeaders = Type.Object({
  'If-Match': Type.Optional(
    Type.String({ description: 'O `ETag` lido; com outra versão, 409 `CONFLICT` e nada muda' }),
  ),
})
export const ETAG_HEADER = {
  ETag: { description: 'A versão do registro, para `If-Match`', schema: { type: 'string' } },
}

/** Null: any version will do, in whatever encoding it was read. A tag that is none of ours, or a weak one, matches nothing. */
export function fromIfMatch(header: string | undefined): ReadonlySet<string> | null {
  if (header === undefined || header.trim() === '*') return null
  const versions = header.split(',').map((tag) => VERSION.exec(tag.trim())?.[1])
  return new Set(versions.filter((version) => version !== undefined))
}

/** Weak tag of an answer that has no version: a hash of it, the same in every encoding. */
export const etagOfAnswer = (answer: object) => `W/"${hash('sha1', JSON.stringify(answer), 'base64url')}"`

/** True where a client that sends `If-None-Match` has the answer already. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch?.split(',').map(opaque) ?? []
  return tags.includes('*') || tags.includes(opaque(etag))
}
