import type { Query } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { changes, live } from '../state/aovivo.ts'
import { cache } from '../state/session.ts'
import { changesBehind, isByItself, isUntold, PERHAPS, THEMES, themesOf, watchAnswers } from './behind.ts'

/** Between two looks at the same list; without a stream of changes lists are looked at as often. */
const LOOK_MS = 60_000
/** Until what may follow from a change has followed. */
const PERHAPS_MS = 10_000

/** Rows of all pages. */
function totalOf(data: unknown): number | null {
  const total = (data as { total?: unknown } | undefined)?.total
  return typeof total === 'number' ? total : null
}
const isTold = (query: Query) => [...themesOf(query, THEMES), ...themesOf(query, PERHAPS)].length > 0
const isList = (query: Query) =>
  isUntold(query) || (!isByItself(query) && totalOf(query.state.data) !== null && isTold(query))
/** Of a list without pages, which is an array, too. */
const rowsOf = (data: unknown): number => (Array.isArray(data) ? data.length : (totalOf(data) ?? 0))

/** A list as it was read, when it was looked at again, and what it had gained by then; null: nothing, or not known. */
interface Look {
  hash: string
  readAt: number
  at: number
  gained: Gained | null
}
/** Rows, negative where it lost some; none where its rows are others than those that are shown. */
interface Gained {
  name: string
  rows: number
}
const isOf = (look: Look | null, { queryHash, state }: Query): look is Look =>
  look !== null && look.hash === queryHash && look.readAt === state.dataUpdatedAt

/** Moment of the next look at a list; null: nothing says that it changed. */
function dueOf(list: Query, look: Look | null): number | null {
  const last = isOf(look, list) ? look.at : null
  const told = changesBehind(list).map(({ at }) => at)
  const perhaps = changesBehind(list, PERHAPS).map(({ at }) => at + PERHAPS_MS)
  const isBlind = live.value?.isOpen !== true || isUntold(list)
  const newest = Math.max(0, ...told, ...perhaps)
  if (last !== null) return isBlind || newest > last ? last + LOOK_MS : null
  if (newest > 0) return newest
  return isBlind ? list.state.dataUpdatedAt + LOOK_MS : null
}

/** The same request once more: what is shown stays. A failure is nobody's concern, and leaves what was known. */
async function lookAt(list: Query, last: Gained | null): Promise<Gained | null> {
  const ask = list.options.queryFn as (given: { signal: AbortSignal }) => Promise<unknown>
  const found = await ask(new AbortController()).catch(() => null)
  if (found === null) return last
  const rows = rowsOf(found) - rowsOf(list.state.data)
  const isOther = isUntold(list) && JSON.stringify(found) !== JSON.stringify(list.state.data)
  return rows !== 0 || isOther ? { name: String(list.queryKey[0]), rows } : null
}

/** What the list on the screen gained since it was read, as far as a look at it told. */
export function useGained() {
  const look = useRef<Look | null>(null)
  const [gained, setGained] = useState<Gained | null>(null)
  const [looks, setLooks] = useState(0)
  const told = changes.value
  const isOpen = live.value?.isOpen
  useEffect(() => {
    const queries = cache.getQueryCache()
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = async (list: Query) => {
      const last = isOf(look.current, list) ? look.current.gained : null
      const next: Look = {
        ...{ hash: list.queryHash, readAt: list.state.dataUpdatedAt },
        ...{ at: Date.now(), gained: last },
      }
      look.current = next
      next.gained = await lookAt(list, last)
      if (look.current === next && isOf(next, list)) setGained(next.gained)
      // The next look is to be planned.
      setLooks((before) => before + 1)
    }
    const plan = () => {
      const list = queries.getAll().find(isList)
      if (list === undefined || !isOf(look.current, list)) setGained(null)
      clearTimeout(timer)
      const due = list === undefined || document.hidden ? null : dueOf(list, look.current)
      if (list !== undefined && due !== null)
        timer = setTimeout(() => void count(list), Math.max(0, due - Date.now()))
    }
    plan()
    document.addEventListener('visibilitychange', plan)
    const leave = watchAnswers(plan)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', plan)
      leave()
    }
  }, [told, isOpen, looks])
  return { gained, isCounted: (query: Query) => isOf(look.current, query) }
}
