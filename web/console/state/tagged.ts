import { ApiError } from '../api/errors.ts'
import type { AnswerOf, PathOf, RequestOf } from '../api/rows.ts'
import { api } from './session.ts'

/** A record with the tag of its version, which a change of it sends back. */
export type Tagged<T> = T & { etag: string | null }

export async function tagged<P extends PathOf<'GET'>>(
  path: P,
  asked: RequestOf<'GET', P>,
  signal?: AbortSignal,
): Promise<Tagged<AnswerOf<'GET', P>>> {
  let etag: string | null = null
  const onTag = (tag: string | null) => {
    etag = tag
  }
  const answer = await api.get(path, asked, { onTag, ...(signal && { signal }) })
  return { ...(answer as object), etag } as Tagged<AnswerOf<'GET', P>>
}

/** Refused since somebody else changed the record meanwhile. */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 409
