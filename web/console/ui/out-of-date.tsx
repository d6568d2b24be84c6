import type { Query } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { type Change, changes } from '../state/aovivo.ts'
import { cache } from '../state/session.ts'
import { avisosTexts } from '../state/texts/avisos.ts'
import { changesBehind, isByItself, isOffered, isOutdated, watchAnswers } from './behind.ts'
import { Button } from './button.tsx'
import { useGained } from './gained.ts'

/** Places in words; null where one of the changes is about no place. */
function placesOf(behind: readonly Change[]): string[] | null {
  if (behind.some(({ lugar }) => lugar === null)) return null
  const names = behind.map(({ lugar }) => {
    const { estado, nome } = lugar as NonNullable<Change['lugar']>
    return nome === null ? estado : `${nome}, ${estado}`
  })
  return [...new Set(names)].sort((one, other) => one.localeCompare(other))
}

/** Between two readings of the same figures: an import tells of itself many times. */
const CALM_MS = 10_000

/** Milliseconds until figures that are out of date may be read again; null: none is, or nobody looks. */
function waitOf(queries: readonly Query[]): number | null {
  const shown = queries.filter((query) => isByItself(query) && query.isActive())
  // While figures of another filter are on their way, those that they will replace are not worth a request.
  const isChanging = shown.some(({ state }) => state.fetchStatus !== 'idle')
  if (isChanging || document.hidden || !shown.some(isOutdated)) return null
  const readAt = Math.max(...shown.map(({ state }) => state.dataUpdatedAt))
  return Math.max(0, readAt + CALM_MS - Date.now())
}

/**
 * Says that a list is out of date, and how many rows it gained or lost, instead of changing it under the reader. It lies over the page,
 * so that nothing moves, and watches the answers themselves: screens need not know of it.
 */
export function OutOfDate() {
  // Null: no list is out of date.
  const [places, setPlaces] = useState<string | null>(null)
  const { gained, isCounted } = useGained()
  const told = changes.value
  useEffect(() => {
    const queries = cache.getQueryCache()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const all = queries.getAll()
      const behind = all.filter((query) => !isByItself(query)).flatMap((query) => changesBehind(query))
      setPlaces(behind.length === 0 ? null : JSON.stringify(placesOf(behind)))
      const wait = waitOf(all)
      clearTimeout(timer)
      if (wait !== null) timer = setTimeout(refresh, wait, isByItself)
    }
    look()
    document.addEventListener('visibilitychange', look)
    const leave = watchAnswers(look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      leave()
    }
  }, [told])
  const t = avisosTexts()
  return (
    <div class="out-of-date" role="status">
      {(places !== null || gained !== null) && (
        <p>
          {gained !== null && gained.rows !== 0
            ? t.gained(gained.name, gained.rows)
            : t.outOfDate(JSON.parse(places ?? 'null'))}
          <Button kind="primary" icon="retry" onClick={() => refresh(() => true, isCounted)}>
            {t.refresh}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Reads again what is out of date, and the numbers that stand beside it. */
function refresh(which: (query: Query) => boolean, isCounted = (_: Query) => false): void {
  const isOld = (query: Query) => (which(query) && isOutdated(query)) || isCounted(query)
  const names = new Set(
    cache
      .getQueryCache()
      .getAll()
      .filter(isOld)
      .map(({ queryKey: [name] }) => name),
  )
  const isBeside = (query: Query) => names.has(query.queryKey[0]) && isOffered(query)
  void cache.refetchQueries({ type: 'active', predicate: (query) => isOld(query) || isBeside(query) })
}
