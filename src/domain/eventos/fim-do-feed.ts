import type { Db, Notices } from '../../db/db.ts'
import { TIPOS_DE_EVENTO } from './catalogue.ts'
import { findFeedEnd, listEventosAfter, type OrderedEvento } from './eventos.sql.ts'

/**
 * End of the feed, kept in memory for the streams of one process: one statement a second serves all of them, and none runs while
 * there are none. Notices of the database wake the streams of an account whose access or notifications changed.
 */

/** In milliseconds. */
const LOOK_MS = 1_000
/** Events in memory, some 500 bytes each; a stream further behind reads from the database. */
const MOST_KEPT = 2_000
const BATCH = 500
const EVERYTHING = {
  tipos: TIPOS_DE_EVENTO,
  tipos_agravo: [],
  estados: [],
  municipios: [],
  niveis: [],
  suspeitas: [],
  bounds: null,
}

/** Channels of triggers: changes of rights and sessions, and new notifications. The account is the payload; empty: any. */
const ACESSOS = 'acessos'
const NOTIFICACOES = 'notificacoes'

export interface Seguidor {
  /** True once for each new notification, or several at a time. */
  takeNotified(): boolean
  /** Until something may have changed, or the time is over. */
  wait(ms: number): Promise<void>
  leave(): void
}

export interface FimDoFeed {
  /** Events behind a position and the new position; null: further back than what is kept. */
  behind(position: number): { eventos: OrderedEvento[]; end: number } | null
  follow(usuarioId: number): Seguidor
  isClosed(): boolean
  /** Ends all streams: a service that stops does not wait for them. */
  close(): void
}

interface Follower {
  usuarioId: number
  notified: boolean
  wake(): void
}

export function createFimDoFeed(db: Db & Notices, onError: (error: unknown) => void): FimDoFeed {
  const followers = new Set<Follower>()
  let kept: OrderedEvento[] = []
  /** All events behind `from`, up to `end`, are kept; null: nothing was read yet. */
  let span: { from: number; end: number } | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false

  db.subscribe(ACESSOS, (usuarioId) => wakeThose(usuarioId, () => undefined))
  db.subscribe(NOTIFICACOES, (usuarioId) =>
    wakeThose(usuarioId, (follower) => {
      follower.notified = true
    }),
  )

  function wakeThose(usuarioId: string, change: (follower: Follower) => void): void {
    for (const follower of followers) {
      if (usuarioId !== '' && Number(usuarioId) !== follower.usuarioId) continue
      change(follower)
      follower.wake()
    }
  }

  async function look(): Promise<void> {
    const end = await findFeedEnd(db)
    // Behind: a database that was restored to an earlier state.
    if (span === null || end < span.end) {
      kept = []
      span = { from: end, end }
    } else if (end > span.end) span = await readOn(span, end)
    else return
    for (const follower of followers) follower.wake()
  }

  async function readOn({ from, end: before }: NonNullable<typeof span>, end: number) {
    let read = before
    while (read < end) {
      const rows = await listEventosAfter(db, EVERYTHING, read, null, BATCH)
      kept.push(...rows)
      read = rows.length < BATCH ? end : (rows.at(-1) as OrderedEvento).ordem
    }
    const dropped = kept.splice(0, Math.max(0, kept.length - MOST_KEPT))
    return { from: dropped.at(-1)?.ordem ?? from, end: Math.max(end, kept.at(-1)?.ordem ?? 0) }
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      look()
        .catch(onError)
        .finally(() => {
          timer = null
          if (followers.size > 0 && !closed) schedule(LOOK_MS)
          else rest()
        })
    }, ms)
    timer.unref()
  }

  /** Nobody looks: what is kept grows old. */
  function rest(): void {
    kept = []
    span = null
  }

  return {
    behind(position) {
      if (span === null || position < span.from) return null
      const { end } = span
      return { eventos: kept.filter(({ ordem }) => ordem > position), end: Math.max(position, end) }
    },
    follow(usuarioId) {
      let awaken: () => void = () => undefined
      let isAwake = false
      const follower: Follower = {
        usuarioId,
        notified: false,
        wake() {
          isAwake = true
          awaken()
        },
      }
      followers.add(follower)
      if (timer === null && !closed) schedule(0)
      return {
        takeNotified() {
          const { notified } = follower
          follower.notified = false
          return notified
        },
        async wait(ms) {
          if (!isAwake && !closed)
            await new Promise<void>((resolve) => {
              const over = setTimeout(resolve, ms)
              awaken = () => {
                clearTimeout(over)
                resolve()
              }
            })
          isAwake = false
        },
        leave() {
          followers.delete(follower)
          follower.wake()
        },
      }
    },
    isClosed: () => closed,
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      for (const follower of followers) follower.wake()
    },
  }
}
