import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { play, type Scenario } from '../../faults/scenario.ts'
import {
  failOver,
  killDatabase,
  killInstance,
  stallDatabase,
  terminateConnections,
} from '../../faults/strikes.ts'
import { embeddedTarget, proxiedTarget, replicatedTarget } from '../../faults/target.ts'

const WRITERS = 8

/** The short version of `npm run faults`; how fast all is normal again is told, not asserted. */
async function assertNothingLost(
  t: { diagnostic(text: string): void },
  scenario: Omit<Scenario, 'writers' | 'backToNormalMs'>,
): Promise<void> {
  const { figures, findings } = await play({ ...scenario, writers: WRITERS, backToNormalMs: null })
  t.diagnostic(figures)
  assert.deepEqual(findings, [])
}

describe('what was acknowledged is there exactly once, with its history, audit and event', () => {
  it('after the death of an instance, of the database and of all connections', async (t) => {
    await assertNothingLost(t, {
      name: 'kills',
      target: embeddedTarget,
      strikes: [killInstance, killDatabase, terminateConnections(500)],
      allowed: ['cut'],
      calmMs: 1_500,
    })
  })

  it('after two failovers to the synchronous standby', async (t) => {
    await assertNothingLost(t, {
      name: 'failover',
      target: replicatedTarget,
      strikes: [failOver, failOver],
      allowed: [],
      calmMs: 1_500,
    })
  })

  it('after a network that lost every packet between service and database', async (t) => {
    await assertNothingLost(t, {
      name: 'black-hole',
      target: proxiedTarget,
      strikes: [stallDatabase(4_000)],
      allowed: [],
      calmMs: 500,
    })
  })
})
