import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { type Done, type Sample, startSoakLoad } from '../../bench/soak-load.ts'
import { dataFolder } from './service.ts'

const CLIENTS = 8
const REQUESTS_OF_A_CLIENT = 20
const ROUNDS = 4

/** The short version of `npm run soak`; what it takes of memory and time is measured there, over minutes. */
it('some hundred requests leave neither file handles nor database connections behind', async (t) => {
  const load = await startSoakLoad(await dataFolder({ after }), { cases: 20, maxSockets: CLIENTS })
  const round = async () => {
    const clients = Array.from({ length: CLIENTS }, async () => {
      const done: Done[] = []
      for (let i = 0; i < REQUESTS_OF_A_CLIENT; i++) done.push(await load.any())
      return done
    })
    const statuses = (await Promise.all(clients)).flat().map(({ status }) => status)
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status !== 200 && status !== 201),
      [],
    )
    return load.sample()
  }
  // The first one opens what is kept.
  const first = await round()
  const rounds: Sample[] = []
  for (let i = 1; i < ROUNDS; i++) rounds.push(await round())
  await load.close()

  const all = [first, ...rounds].map(({ handles, connections }) => ({ handles, connections }))
  t.diagnostic(JSON.stringify(all))
  // The database connections: ten of the pool, and one that counts requests; some may only be opened later on. The three at most of a
  // job that runs beside a round are no handles of the service.
  const [own, ofJob] = [11, 3]
  const opened = (sample: Sample) => sample.handles - Math.min(sample.connections, own)
  for (const sample of rounds) {
    assert.ok(sample.connections <= own + ofJob, `${sample.connections} connections`)
    assert.ok(opened(sample) <= opened(first) + 2, JSON.stringify(all))
  }
})
