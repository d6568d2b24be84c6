import type { UseQueryResult } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/errors.ts'
import { offline, waitingUntil } from '../state/connection.ts'
import { cache } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { useSecondsUntil } from './countdown.ts'
import { useAfterPaint } from './in-turn.ts'
import { Page } from './page.tsx'

/** Milliseconds after which a load is said to be slow. */
const SLOW_MS = 4_000

/** Bars in the measures of what is to come, so that nothing jumps. */
export function Loading({ lines = 4, onCancel }: { lines?: number; onCancel?: () => void }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  const t = texts()
  return (
    <div class={isSlow ? 'loading late' : 'loading'} aria-busy="true">
      <p class="unseen" role="status">
        {isSlow ? t.states.slow : t.states.loading}
      </p>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="bone" />
      ))}
      {isSlow && (
        <p class="slow">
          {t.states.slow}
          {onCancel && (
            <Button kind="quiet" onClick={onCancel}>
              {t.app.cancel}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

export function Empty({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  )
}

export function errorText(error: unknown): string {
  const t = texts().states
  if (!(error instanceof ApiError)) return t.unknown
  if (error.status === 0) return t.unreachable
  return error.message === '' ? t.unknown : error.message
}

/** A part that failed: the API's words, the request to name to support, another try. The rest of the screen goes on. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = texts().states
  return (
    <div class="failure" role="alert">
      <h2>{t.errorTitle}</h2>
      <p>{errorText(error)}</p>
      {error instanceof ApiError && <RequestId of={error} />}
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  )
}

export function RequestId({ of: { requestId } }: { of: ApiError }) {
  return requestId === null ? null : (
    <p class="request-id">
      {texts().states.requestId} <code>{requestId}</code> <Copy text={requestId} />
    </p>
  )
}

export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const t = texts().states
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <Button kind="quiet" icon={isCopied ? 'done' : 'copy'} onClick={copy}>
      <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
    </Button>
  )
}

/** After "Cancelar", until somebody asks again. */
function Cancelled({ onRetry }: { onRetry: () => void }) {
  const t = texts().states
  return (
    <Empty text={t.cancelled}>
      <Button icon="retry" onClick={onRetry}>
        {t.retry}
      </Button>
    </Empty>
  )
}

interface AwaitedProps {
  error: unknown
  lines?: number
  onRetry?: () => void
}

/** In the place of what is no query, code above all: nothing can end its loading, but nobody has to look at it. */
export function Awaited({ error, lines = 4, onRetry = () => location.reload() }: AwaitedProps) {
  const [isCancelled, setCancelled] = useState(false)
  if (error !== null) return <Failure error={error} onRetry={onRetry} />
  if (isCancelled) return <Cancelled onRetry={() => setCancelled(false)} />
  return <Loading lines={lines} onCancel={() => setCancelled(true)} />
}

/** Ends the requests that the screen waits for with nothing to show: each of its parts then says so. */
const cancelLoads = () =>
  void cache.cancelQueries({ type: 'active', predicate: ({ state }) => state.data === undefined })

/** Every state of a query: skeleton, cancelled, failure, or the data, dimmed while newer data is on its way. */
export function Answer<T>({ query, lines, children }: AnswerProps<T>) {
  if (query.data !== undefined)
    return (
      <Data query={query} data={query.data}>
        {children}
      </Data>
    )
  if (query.isError && !query.isFetching)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  // Nothing is on its way, and nothing came: cancelled, here or from another part of the screen.
  if (query.fetchStatus === 'idle' && query.isEnabled)
    return <Cancelled onRetry={() => void query.refetch()} />
  return <Loading {...(lines !== undefined && { lines })} onCancel={cancelLoads} />
}

/** Data of a query. An answer at hand takes the place of the present one after a frame in which this is dimmed; one that was waited for, at once. */
function Data<T>({ query, data, children }: AnswerProps<T> & { data: T }) {
  const wasFetching = useRef(query.isFetching)
  const drawn = useAfterPaint(data, wasFetching.current)
  useLayoutEffect(() => {
    // Until then a fetch is of the answer that is still to be drawn.
    if (drawn === data) wasFetching.current = query.isFetching
  })
  const isStale = query.isPlaceholderData || drawn !== data
  return (
    <div class={isStale ? 'answer stale' : 'answer'} aria-busy={query.isFetching}>
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {children(drawn)}
    </div>
  )
}

interface AnswerProps<T> {
  query: UseQueryResult<T>
  lines?: number
  children(data: T): ComponentChildren
}

/** States of the whole page: no connection, or a request that waits. */
export function ConnectionBars() {
  const t = texts().states
  const seconds = useSecondsUntil(waitingUntil.value)
  const cut = offline.value
  return (
    <div aria-live="polite" class="connection">
      {cut !== null && <p class="bar">{t.offline(cut.since, cut.lastAnswer)}</p>}
      {waitingUntil.value !== null && <p class="bar">{t.waiting(seconds)}</p>}
    </div>
  )
}

export function NotFound({ start }: { start: string }) {
  const t = texts()
  return (
    <Page title={t.screens.notFound} lead={t.notFound.lead}>
      <p>
        <a class="button plain" href={start}>
          {t.notFound.start}
        </a>
      </p>
    </Page>
  )
}
