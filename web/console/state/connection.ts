import { effect, signal } from '@preact/signals'

/** Null while the service is reached; else since when it is not, and of when the last answer is. */
export const offline = signal<{ since: Date; lastAnswer: Date | null } | null>(null)
/** A request that waits because of 429 or 503: until when. */
export const waitingUntil = signal<Date | null>(null)

let lastAnswer: Date | null = null

export function reached(isReachable: boolean): void {
  if (isReachable) {
    lastAnswer = new Date()
    offline.value = null
  } else offline.value ??= { since: new Date(), lastAnswer }
}

const waits = new Set<Date>()

function showWaits(): void {
  waitingUntil.value = [...waits].toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
}

/** Shows the longest of the waits, until the answer is called. */
export function waiting(seconds: number): () => void {
  const until = new Date(Date.now() + seconds * 1000)
  waits.add(until)
  showWaits()
  return () => {
    waits.delete(until)
    showWaits()
  }
}

addEventListener('offline', () => reached(false))

/** Interval of asking a service that was not reached whether it is there again. */
const PROBE_MS = 5_000

/** Asks by itself while nothing is reached: buttons that wait for the connection would otherwise wait for somebody to press another one. */
effect(() => {
  if (offline.value === null) return
  let isAsking = false
  const probe = async () => {
    if (isAsking) return
    isAsking = true
    try {
      await (await fetch('/api/v1/health', { cache: 'no-store' })).text()
      reached(true)
    } catch {
      // Still away.
    }
    isAsking = false
  }
  const timer = setInterval(probe, PROBE_MS)
  addEventListener('online', probe)
  return () => {
    clearInterval(timer)
    removeEventListener('online', probe)
  }
})
