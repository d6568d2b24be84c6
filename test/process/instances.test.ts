import assert from 'node:assert/strict'
import https from 'node:https'
import { after, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTrueWithin } from '../../src/db/embedded/process.ts'
import { HANG_MS } from '../harness/eventually.ts'
import { answerOf, dataFolder, instancesOf, type Service } from './service.ts'

const PASSWORD = 'Senha#Boa1'

const folder = await dataFolder({ after })
const service = await folder.start({
  INSTANCES: '2',
  ADMIN_PASSWORD: PASSWORD,
  METRICS_PORT: '0',
  LOG_LEVEL: 'info',
})
const token = await service.login('admin@vigia.local', PASSWORD)

/** Who answered so far, by what the requests leave in the log. */
function instancesIn(log: string): Set<number> {
  const lines = log.split('\n').filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
  return new Set(lines.map((line) => JSON.parse(line).pid))
}

/** Clients with connections of their own, until told to stop, at the latest when the test ends. */
function clients(
  t: TestContext,
  { url }: Service,
  { count, keepAlive }: { count: number; keepAlive: boolean },
) {
  let stopped = false
  const answered: number[] = []
  const failed: string[] = []
  const done = Array.from({ length: count }, async () => {
    const agent = new https.Agent({ keepAlive, maxSockets: 1, rejectUnauthorized: false })
    while (!stopped) {
      try {
        const request = https.get(new URL('/api/v1/agravos/tipos', url), {
          agent,
          headers: { authorization: `Bearer ${token}` },
        })
        answered.push((await answerOf(request)).status)
      } catch (error) {
        failed.push(String(error))
      }
      await sleep(5)
    }
    agent.destroy()
  })
  async function stop() {
    stopped = true
    await Promise.all(done)
  }
  t.after(stop)
  return { answered, failed, stop }
}

const log = () => service.output.stdout

describe('several instances on one machine', () => {
  it('share the port, and one supervisor shows the sum of their metrics', async (t) => {
    // One process may take all the connections that are kept; of ever new ones the other gets its part.
    const load = clients(t, service, { count: 6, keepAlive: false })
    assert.ok(await isTrueWithin(HANG_MS, () => instancesIn(log()).size === 2), 'both answer')
    await load.stop()
    assert.deepEqual(load.failed, [])
    assert.deepEqual(new Set(load.answered), new Set([200]))
    const metrics = /^Metrics: (\S+)$/m.exec(log())?.[1]
    const text = await (await fetch(metrics as string)).text()
    const counts = text.matchAll(/^vigia_http_request_seconds_count\{.*tipos.*\} (\d+)$/gm)
    const total = [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    assert.equal(total, load.answered.length)
  })

  it('behave as one: a session ended at one is ended at the other', async () => {
    const other = await service.login('admin@vigia.local', PASSWORD)
    const ask = () => service.request('/api/v1/usuarios/logado', { token: other })
    for (let i = 0; i < 4; i++) assert.equal((await ask()).status, 200)
    const { body } = await service.request('/api/v1/auth/sessions', { token: other })
    const { id } = body.items.find((one: { current: boolean }) => one.current)
    await service.request(`/api/v1/auth/sessions/${id}`, { method: 'DELETE', token: other })
    for (let i = 0; i < 4; i++) assert.equal((await ask()).status, 401)
  })

  it('are replaced one by one on SIGHUP, and no request fails', async (t) => {
    const fresh = await service.login('admin@vigia.local', PASSWORD)
    const before = new Set(instancesOf(service))
    const load = clients(t, service, { count: 6, keepAlive: true })
    await sleep(500)
    service.process.kill('SIGHUP')
    const replaced = () => instancesOf(service).filter((pid) => !before.has(pid)).length >= 2
    assert.ok(await isTrueWithin(HANG_MS, replaced), 'two new ones are there')
    assert.ok(
      await isTrueWithin(HANG_MS, () => [...before].every((pid) => !isAlive(pid))),
      'the old ones are gone',
    )
    await load.stop()
    assert.deepEqual(load.failed, [])
    assert.equal((await service.request('/api/v1/usuarios/logado', { token: fresh })).status, 200)
  })

  it('are replaced, too, on a SIGHUP that comes while they start', async (t) => {
    const early = (await dataFolder(t)).begin([], { INSTANCES: '2', LOG_LEVEL: 'info' })
    assert.ok(await isTrueWithin(HANG_MS, () => instancesOf(early).length > 0), 'one is forked')
    assert.doesNotMatch(early.output.stdout, /is ready/)
    const before = new Set(instancesOf(early))
    early.process.kill('SIGHUP')
    const replaced = () => instancesOf(early).filter((pid) => !before.has(pid)).length >= 2
    assert.ok(await isTrueWithin(HANG_MS, replaced), early.output.stderr)
    assert.match(early.output.stdout, /is ready/)
  })

  it('one that is killed is replaced while the other serves', async () => {
    const [victim] = instancesOf(service)
    process.kill(victim as number, 'SIGKILL')
    for (let i = 0; i < 10; i++) assert.equal((await service.request('/api/v1/health')).status, 200)
    const replaced = () => instancesOf(service).filter((pid) => pid !== victim).length === 2
    assert.ok(await isTrueWithin(HANG_MS, replaced), 'two serve again')
    assert.match(log(), /an instance ended; another one takes its place/)
  })

  it('end with their supervisor, however it ends', async () => {
    const pids = instancesOf(service)
    assert.equal(pids.length, 2)
    await service.kill()
    assert.ok(await isTrueWithin(HANG_MS, () => !pids.some(isAlive)), 'no instance is left alone')
    const again = await folder.start({ INSTANCES: '2', ADMIN_PASSWORD: PASSWORD })
    assert.equal((await again.request('/api/v1/health')).status, 200)
    const { code } = await again.stop()
    assert.equal(code, 0)
    assert.deepEqual(folder.databaseProcesses(), [])
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
