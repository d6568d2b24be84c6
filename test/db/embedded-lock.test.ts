import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DataDirInUse, isLocked, lockDataDir } from '../../src/db/embedded/lock.ts'
import { startOf } from '../../src/db/embedded/process.ts'

const GONE = '99999999\n1 x\n'
const mine = `${process.pid}\n${startOf(process.pid)}\n`

test('a locked folder is refused to everyone, and free again after the release', async (t) => {
  const dataDir = await temporaryFolder(t)
  const lock = lockDataDir(dataDir)
  assert.equal(isLocked(dataDir), true)
  assert.throws(() => lockDataDir(dataDir), DataDirInUse)
  lock.release()
  assert.equal(isLocked(dataDir), false)
  assert.deepEqual(await readdir(dataDir), [])
})

for (const [what, text] of [
  ['of a process that is gone', GONE],
  ['whose pid is another process by now', `${process.ppid}\n1 another-boot\n`],
  ['that a crash left empty', ''],
] as const) {
  test(`a pid file ${what} is replaced`, async (t) => {
    const dataDir = await temporaryFolder(t)
    await writeFile(join(dataDir, 'vigia.pid'), text)
    assert.equal(isLocked(dataDir), false)
    lockDataDir(dataDir)
    assert.equal(await readFile(join(dataDir, 'vigia.pid'), 'utf8'), mine)
    assert.deepEqual(await readdir(dataDir), ['vigia.pid'])
  })
}

test('a process that was killed while it replaced a stale file is no obstacle', async (t) => {
  const dataDir = await temporaryFolder(t)
  await writeFile(join(dataDir, 'vigia.pid'), GONE)
  await writeFile(join(dataDir, 'vigia.pid.takeover'), GONE)
  lockDataDir(dataDir)
  assert.deepEqual(await readdir(dataDir), ['vigia.pid'])
})

test('a stale file that another process is replacing is left to it', async (t) => {
  const dataDir = await temporaryFolder(t)
  await writeFile(join(dataDir, 'vigia.pid'), GONE)
  await writeFile(join(dataDir, 'vigia.pid.takeover'), mine)
  assert.throws(() => lockDataDir(dataDir), DataDirInUse)
  assert.equal(await readFile(join(dataDir, 'vigia.pid'), 'utf8'), GONE)
})

test('a release leaves the lock of a later owner alone', async (t) => {
  const dataDir = await temporaryFolder(t)
  const lock = lockDataDir(dataDir)
  await writeFile(join(dataDir, 'vigia.pid'), GONE)
  lock.release()
  assert.deepEqual(await readdir(dataDir), ['vigia.pid'])
})

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-lock-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}
