import type pg from 'pg'

/** How often those who wait are looked at. */
const CHECK_MS = 500

interface Waiting {
  client: pg.ClientBase
  /** Statements that were sent and not answered, and since when the server has said nothing. */
  statements: number
  since: number
}

/**
 * Gives up connections whose server does not answer. Not by the driver's own time-out: its timers, one for each statement, keep
 * what they were for from being collected, and the longer texts of many statements soon fill the memory.
 */
export function createPatience(limitMs: number) {
  const all: Waiting[] = []
  const waitingOf = new WeakMap<pg.ClientBase, Waiting>()

  function giveUp(): void {
    const now = performance.now()
    // What it was asked for fails with the connection.
    for (const { client, statements, since } of all)
      if (statements > 0 && now - since > limitMs) void (client as pg.Client).end().catch(() => {})
  }

  const timer = setInterval(giveUp, CHECK_MS).unref()

  return {
    watch(client: pg.ClientBase): void {
      const waiting = { client, statements: 0, since: 0 }
      all.push(waiting)
      waitingOf.set(client, waiting)
      client.once('end', () => all.splice(all.indexOf(waiting), 1))
    },
    asked(client: pg.ClientBase): void {
      const waiting = waitingOf.get(client) as Waiting
      waiting.statements++
      waiting.since = performance.now()
    },
    answered(client: pg.ClientBase): void {
      const waiting = waitingOf.get(client) as Waiting
      waiting.statements--
      waiting.since = performance.now()
    },
    end: () => clearInterval(timer),
  }
}

export type Patience = ReturnType<typeof createPatience>
