import type { Query } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { changes, type Theme } from '../state/aovivo.ts'
import { cache } from '../state/session.ts'
import { avisosTexts } from '../state/texts/avisos.ts'
import { Button } from './button.tsx'

/** Themes that answers depend on, by the first part of their key. */
const THEMES: Record<string, readonly Theme[]> = {
  painel: ['casos'],
  pendencias: ['casos'],
  bairros: ['casos'],
  casos: ['casos'],
  situacao: ['alertas'],
  alertas: ['alertas'],
  importacoes: ['importacoes'],
  usuarios: ['usuarios'],
}

/** The disease that an answer is about, where its key names one. */
function agravoOf([, asked]: readonly unknown[]): string | null {
  if (typeof asked !== 'object' || asked === null) return null
  const { tipo_agravo, agravo } = asked as Record<string, unknown>
  const named = tipo_agravo ?? agravo
  return typeof named === 'string' ? named : null
}

/** Counts that an empty list offers instead of itself. */
const OFFERED: readonly unknown[] = ['all', 'total']

function changedAt(queryKey: readonly unknown[]): number {
  if (OFFERED.includes(queryKey[1])) return 0
  const themes = THEMES[String(queryKey[0])] ?? []
  const agravo = agravoOf(queryKey)
  const told = Object.entries(changes.value).filter(([theme]) =>
    themes.some(
      (one) =>
        theme === one || (agravo === null ? theme.startsWith(`${one} `) : theme === `${one} ${agravo}`),
    ),
  )
  return Math.max(0, ...told.map(([, at]) => at ?? 0))
}

/** Shown, and older than a change that was told of. */
const isOutdated = (query: Query) =>
  query.isActive() &&
  query.state.fetchStatus === 'idle' &&
  query.state.status === 'success' &&
  changedAt(query.queryKey) > query.state.dataUpdatedAt

/**
 * Says that what is on the screen is out of date, instead of changing it under the reader. It lies over the page, so that nothing moves, and
 * watches the answers themselves: screens need not know of it.
 */
export function OutOfDate() {
  const [isShown, setShown] = useState(false)
  const told = changes.value
  useEffect(() => {
    const queries = cache.getQueryCache()
    const look = () => setShown(queries.getAll().some(isOutdated))
    look()
    return queries.subscribe(look)
  }, [told])
  const t = avisosTexts()
  return (
    <div class="out-of-date" role="status">
      {isShown && (
        <p>
          {t.outOfDate}
          <Button
            kind="primary"
            icon="retry"
            onClick={() => void cache.refetchQueries({ predicate: isOutdated })}
          >
            {t.refresh}
          </Button>
        </p>
      )}
    </div>
  )
}
