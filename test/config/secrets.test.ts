import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { DATA_KEY_FILE, findDataKey, loadMasterKey, makeDataKey } from '../../src/config/secrets.ts'

/** Tells the size that a file has when it is first there. */
const WATCH = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { statSync } = require('node:fs')
  for (let found; found === undefined; ) {
    found = statSync(workerData, { throwIfNoEntry: false })
    if (found) parentPort.postMessage(found.size)
  }
`
/** Of a file that is written in place one of so many is met empty. */
const ROUNDS = 20

describe('Secrets of the data folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-secrets-'))
  after(() => rm(dataDir, { recursive: true }))

  it('are one for instances that start at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => makeDataKey({ dataDir })))
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1)
    assert.deepEqual(await findDataKey({ dataKey: null, dataDir }), keys[0])
    assert.deepEqual(await readdir(join(dataDir, 'keys')), ['data.key'], 'no draft is left')
    assert.equal((await stat(join(dataDir, DATA_KEY_FILE))).mode & 0o777, 0o600)
  })

  it('are seen by nobody before they are whole', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const own = join(dataDir, String(round))
      const watcher = new Worker(WATCH, { eval: true, workerData: join(own, DATA_KEY_FILE) })
      await once(watcher, 'online')
      const [[seen]] = await Promise.all([once(watcher, 'message'), makeDataKey({ dataDir: own })])
      assert.equal(seen, 44, 'bytes of a key as text')
    }
  })

  it('are told as made by the instance that made them, once', async () => {
    const config = { masterKey: null, dataDir }
    const all = await Promise.all(Array.from({ length: 5 }, () => loadMasterKey(config)))
    assert.equal(new Set(all.map(({ value }) => value)).size, 1)
    assert.equal(all.filter(({ generated }) => generated).length, 1)
    assert.equal((await loadMasterKey(config)).generated, false)
  })
})
