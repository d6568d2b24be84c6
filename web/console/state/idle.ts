import { signal } from '@preact/signals'
import { endUnused, loadSession, session } from './session.ts'
import { onMessage, tell } from './tabs.ts'

/** As the service ends a session without use (`POST /auth/sessao`). */
const LIMIT_MS = 8 * 60 * 60_000
const WARNING_MS = 5 * 60_000
/** Interval at which tabs tell each other that somebody is there, and look at the clock. */
const TELL_MS = 60_000
const LOOK_MS = 15_000

/** Set in the last minutes: when the session ends. */
export const endsAt = signal<Date | null>(null)

let lastUse = Date.now()
let lastTold = 0

function use(): void {
  lastUse = Date.now()
  if (lastUse - lastTold < TELL_MS) return
  lastTold = lastUse
  tell('ativo')
}

/** The person is there: the session is used, so that the service sees it too. */
export function stay(): void {
  use()
  endsAt.value = null
  void loadSession()
}

function look(): void {
  if (session.value.kind !== 'open') return
  const left = lastUse + LIMIT_MS - Date.now()
  if (left <= 0) {
    endsAt.value = null
    lastUse = Date.now()
    void endUnused()
  } else endsAt.value = left <= WARNING_MS ? new Date(lastUse + LIMIT_MS) : null
}

export function watchUse(): void {
  // While the warning stands only its button counts.
  for (const event of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(event, () => endsAt.value === null && use(), { passive: true })
  onMessage('ativo', () => {
    lastUse = Date.now()
    endsAt.value = null
  })
  setInterval(look, LOOK_MS)
}
