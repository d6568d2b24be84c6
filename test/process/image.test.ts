import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type pg from 'pg'
import { cpuOf, treeOf } from '../../bench/comparison/processes.ts'
import { openJournal } from '../../faults/journal.ts'
import { startLoad } from '../../faults/load.ts'
import { ADMIN, PASSWORD } from '../../faults/target.ts'
import { verify } from '../../faults/verify.ts'
import { createTestDatabase } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { databaseProxy } from './database-proxy.ts'
import { buildImage, type Container, createContainer, type Image, imageMissing, statusOf } from './image.ts'
import { untilOver } from './import-setup.ts'
import { freePort } from './service.ts'

const reason = imageMissing()
const missing = reason === null ? false : `LEFT OUT: the images are not built: ${reason}`
if (missing) console.log(missing)

/** CPU of a start: how long it takes is the machine's, and told. */
const READY_CPU_SECONDS = 5
const STOPPED_MS = 10_000
const WRITERS = 8
/** Acknowledged before the kill, and as many after it. */
const WRITES = 40
const SECRETS = {
  data_key: randomBytes(32).toString('base64'),
  master_key: randomBytes(32).toString('base64'),
  admin_password: PASSWORD,
}

/** Where the database of a target is: in its volume, or on a server. */
interface Kept {
  secrets: Record<string, string>
  connection(container: Container): pg.ClientConfig
}

const TARGETS: { target: string; megabytes: number; keep(): Promise<Kept> }[] = [
  {
    target: 'servidor',
    megabytes: 250,
    async keep() {
      const database = await createTestDatabase({ template: 'template0' })
      after(() => database.drop())
      const proxy = await databaseProxy({ after })
      return {
        secrets: { database_url: proxy.url(database.name, '?sslmode=disable') },
        connection: () => database.connection,
      }
    },
  },
  {
    target: 'unico',
    megabytes: 450,
    keep: async () => ({
      secrets: {},
      connection: ({ volume }) => ({
        host: join(volume, 'postgres'),
        user: 'vigia',
        database: 'vigia',
        ssl: false,
      }),
    }),
  },
]

const images = new Map<string, Image>()
// One after the other: the second takes the layers of the first.
if (!missing)
  for (const { target } of TARGETS) {
    const begun = performance.now()
    images.set(target, await buildImage(target))
    console.log(`${target} was built in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
  }

for (const { target, megabytes, keep } of TARGETS)
  describe(`The image ${target}`, { skip: missing }, async () => {
    if (missing) return
    const image = images.get(target) as Image
    const kept = await keep()
    const secrets: Record<string, string> = { ...SECRETS, ...kept.secrets }
    const container = await createContainer({ after }, image, secrets)
    const env = {
      ...Object.fromEntries(
        Object.keys(secrets).map((name) => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`]),
      ),
      PORT: String(await freePort()),
      ADMIN_EMAIL: ADMIN,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    }
    let service = await container.start(env)

    it(`has at most ${megabytes} MB, and says how it is run`, () => {
      console.log(`${target}: ${image.megabytes.toFixed(0)} MB`)
      assert.ok(image.megabytes <= megabytes, `${image.megabytes} MB`)
      const { User, StopSignal, Volumes, Healthcheck } = image.config
      assert.deepEqual([User, StopSignal], ['10001:10001', 'SIGTERM'])
      assert.deepEqual(Volumes, { '/dados': {} })
      assert.deepEqual(Healthcheck.Test, ['CMD', 'node', 'deploy/health.mjs'])
    })

    it('serves as nobody without rights, under a root that is read-only', async () => {
      const status = await statusOf(container.pid())
      for (const name of ['Uid', 'Gid'])
        assert.equal(status.get(name), ['10001', '10001', '10001', '10001'].join('\t'))
      assert.equal(Number(status.get('CapEff')), 0)
      const mounts = await readFile(`/proc/${container.pid()}/mountinfo`, 'utf8')
      assert.match(mounts, /^\d+ \d+ \S+ \S+ \/ ro,/m)
      const write = await container.exec(['node', '-e', `fs.writeFileSync('/opt/vigia/x', '')`])
      assert.match(write.stderr, /EROFS/)
      assert.deepEqual(await container.exec(image.config.Healthcheck.Test.slice(1)), {
        code: 0,
        stdout: '',
        stderr: '',
      })
      assert.equal((await service.request('/api/v1/health/detailed')).status, 200)
      assert.equal((await service.request('/entrar')).status, 200)
    })

    it('runs jobs there, and writes nowhere but in its volume', async () => {
      const token = await service.login(ADMIN, PASSWORD)
      const body = { formato: 'csv' }
      const asked = await service.request('/api/v1/agravos/casos/exportar', { token, body })
      const job = await untilOver(service, token, asked.body.job_id)
      assert.equal(job.status, 'completed', JSON.stringify(job))
      assert.deepEqual(await container.temporary(), [])
    })

    it('ends with 0 at SIGTERM, and starts again', async () => {
      const { code, ms } = await service.stop()
      assert.equal(code, 0, service.output.stderr)
      assert.ok(ms < STOPPED_MS, `${ms} ms`)
      service = await container.start(env)
      const cpu = cpuOf(treeOf(container.pid()), { ended: true })
      console.log(
        `${target}: ended in ${ms} ms, ready again after ${service.startedIn} ms, ${cpu.toFixed(1)} s of CPU`,
      )
      assert.ok(cpu <= READY_CPU_SECONDS, `${cpu} s`)
    })

    it('has every acknowledged write once after a SIGKILL among them', async (t) => {
      const journal = await journalOf(t)
      const token = await service.login(ADMIN, PASSWORD)
      const load = startLoad({ service, token }, journal, WRITERS)
      const acknowledged = (count: number) =>
        until(`${count} writes are acknowledged`, () => journal.read().length >= count)
      await acknowledged(WRITES)
      await service.kill()
      const before = journal.read().length
      service = await container.start(env)
      await acknowledged(before + WRITES)
      await load.stop()
      console.log(
        `${target}: ${before} writes before SIGKILL, ${journal.read().length} in all, ready again after ${service.startedIn} ms`,
      )
      const found = await verify(
        {
          service,
          env,
          connection: async () => kept.connection(container),
          folder: { run: (args) => container.exec(['node', 'src/main.ts', ...args]) },
        },
        journal.read(),
      )
      assert.deepEqual([...load.findings, ...found], [])
    })

    if (kept.secrets.database_url !== undefined)
      it('says that it needs DATABASE_URL where none is given', async (t) => {
        const { begin } = await createContainer(t, image, {})
        const { ended, output } = begin({ PORT: String(await freePort()) })
        assert.equal((await ended).code, 1)
        assert.match(output.stderr, /name a server in DATABASE_URL/)
      })
  })

async function journalOf(t: { after(done: () => Promise<void>): void }) {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-journal-'))
  const journal = openJournal(join(folder, 'journal.jsonl'))
  t.after(async () => {
    journal.close()
    await rm(folder, { recursive: true })
  })
  return journal
}
