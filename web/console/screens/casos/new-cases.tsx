import { useEffect, useState } from 'preact/hooks'
import type { Filters } from '../../state/filters.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { askCasos } from './ask.ts'

/** How often the total is looked at while the page is seen. */
const LOOK_MS = 60_000

interface NewCasesProps {
  filters: Filters
  today: string
  /** Total that is on the screen. */
  shown: number | undefined
  onRefresh(): void
}

/** Announces that the filter has other cases by now; the rows stay as they are until somebody asks for the new ones. */
export function NewCases({ filters, today, shown, onRefresh }: NewCasesProps) {
  const t = texts().casos
  const total = useTotal(filters, today, shown)
  const change = total === undefined || shown === undefined ? 0 : total - shown
  return (
    <div aria-live="polite">
      {change !== 0 && (
        <p class="bar news">
          {change > 0 ? t.newCases(change) : t.fewerCases(-change)}
          <Button kind="quiet" onClick={onRefresh}>
            {t.refresh}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Total of the filter, asked for again and again beginning a minute after the list told it. A failure is nobody's concern: it asks again. */
function useTotal(filters: Filters, today: string, shown: number | undefined): number | undefined {
  const [total, setTotal] = useState<number | undefined>(undefined)
  useEffect(() => {
    setTotal(undefined)
    if (shown === undefined) return
    const ended = new AbortController()
    const look = async () => {
      if (document.hidden) return
      const found = await askCasos(filters, today, { size: 1 }, ended.signal).catch(() => null)
      if (found !== null && !ended.signal.aborted) setTotal(found.total)
    }
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => {
      clearInterval(timer)
      ended.abort()
    }
  }, [JSON.stringify(filters), today, shown])
  return total
}
