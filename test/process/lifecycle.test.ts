import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { isTrueWithin, sendSignal, startOf } from '../../src/db/embedded/process.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { HANG_MS, until } from '../harness/eventually.ts'
import {
  answerOf,
  beginRequest,
  dataFolder,
  type Folder,
  instancesOf,
  npmStart,
  type Service,
} from './service.ts'

const GRUPOS = '/api/v1/grupos'

async function createGrupo(service: Service, token: string, nome: string): Promise<void> {
  const { status, text } = await service.request(GRUPOS, { token, body: { nome } })
  assert.equal(status, 201, text)
}

async function hasGrupo(service: Service, token: string, nome: string): Promise<boolean> {
  const { status, body } = await service.request(`${GRUPOS}?nome=${nome}`, { token })
  assert.equal(status, 200)
  return body.total === 1
}

/** A connection beside the service, to the embedded database of the folder. */
async function besides({ dataDir }: Folder): Promise<pg.Client> {
  const connection = await attachEmbedded(dataDir)
  assert.ok(connection)
  const client = new pg.Client({ ...connection, ssl: false })
  client.on('error', () => {})
  await client.connect()
  return client
}

const untilSomebodyWaits = (client: pg.Client) =>
  until(
    'somebody waits for the lock',
    async () => (await client.query('select from pg_locks where not granted')).rowCount,
  )

const logLines = (service: Service) =>
  service.output.stdout.split('\n').filter((line) => line.startsWith('{'))

describe('a data folder through starts, crashes and stops', async () => {
  const folder = await dataFolder({ after })
  const email = 'admin@vigia.local'
  let service: Service
  let senha: string

  it('prints at the first start where it is and how to get in', async (t) => {
    service = await folder.start()
    t.diagnostic(`cold start on an empty folder: ${service.startedIn} ms`)
    const { stdout, stderr } = service.output
    assert.match(stdout, /^Vigia is ready at https:\/\/127\.0\.0\.1:\d+$/m)
    assert.ok(stdout.includes(`\nDocumentation: ${service.url}/docs\n`), stdout)
    assert.ok(stdout.includes(`\nAdministrator: ${email}\n`), stdout)
    senha = /^Password \(shown only now\): (\S{12,})$/m.exec(stdout)?.[1] ?? ''
    assert.notEqual(senha, '')
    assert.ok(logLines(service).length > 0, 'there is a log')
    assert.ok(!logLines(service).join('\n').includes(senha), 'the log does not hold the password')
    assert.equal(stderr, '')
    assert.equal((await service.request('/docs')).status, 200)
    assert.doesNotMatch(stdout, /metrics/i, 'there is no metrics port unless it is asked for')
  })

  it('asks for another password before anything else: the generated one was seen on a screen', async () => {
    const token = await service.login(email, senha)
    const refused = await service.request('/api/v1/grupos', { token })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.code, 'PASSWORD_CHANGE_REQUIRED')
    const body = { senha_atual: senha, senha_nova: 'Primeira#Senha1', confirmar_senha: 'Primeira#Senha1' }
    assert.equal((await service.request('/api/v1/auth/change-password', { token, body })).status, 200)
    senha = body.senha_nova
  })

  it('refuses a second instance on the same folder, and the first one does not notice', async () => {
    const token = await service.login(email, senha)
    await createGrupo(service, token, 'primeiro')
    const second = await folder.run([])
    assert.equal(second.code, 1)
    assert.match(second.stderr, /data folder .* is in use by another running instance \(process \d+\)/)
    assert.doesNotMatch(second.stderr, /\n {4}at /, 'no stack')
    assert.equal(await hasGrupo(service, token, 'primeiro'), true)
  })

  it('comes up after a SIGKILL that left its database running, with everything it acknowledged', async (t) => {
    await createGrupo(service, await service.login(email, senha), 'segundo')
    await service.kill()
    assert.ok(folder.databaseProcesses().length > 0, 'the database was left running')
    service = await folder.start()
    t.diagnostic(`start beside a database left running: ${service.startedIn} ms`)
    assert.doesNotMatch(service.output.stdout, /Administrator|Password/)
    const token = await service.login(email, senha)
    assert.equal(await hasGrupo(service, token, 'primeiro'), true)
    assert.equal(await hasGrupo(service, token, 'segundo'), true)
  })

  it('comes up after a SIGKILL of itself and of its database, with everything it acknowledged', async (t) => {
    const token = await service.login(email, senha)
    await createGrupo(service, token, 'terceiro')
    await service.kill()
    await folder.endDatabaseProcesses()
    service = await folder.start()
    t.diagnostic(`start after a crash of everything: ${service.startedIn} ms`)
    assert.equal(await hasGrupo(service, token, 'terceiro'), true, 'the token is good as well')
  })

  it('outlives a crash of its database alone: 503 until it has started it again', async (t) => {
    const token = await service.login(email, senha)
    await folder.endDatabaseProcesses()
    const crashed = performance.now()
    const statuses = new Set<number>()
    await until('it is back', async () =>
      statuses.add((await service.request(GRUPOS, { token })).status).has(200),
    )
    t.diagnostic(`back after ${Math.round(performance.now() - crashed)} ms`)
    assert.deepEqual([...statuses], [503, 200])
    assert.equal(await hasGrupo(service, token, 'terceiro'), true)
  })

  it('finishes on SIGTERM what it has in hand, refuses what is new, and leaves nothing running', async (t) => {
    const token = await service.login(email, senha)
    const url = new URL(GRUPOS, service.url)
    const body = JSON.stringify({ nome: 'corpo_lento' })
    const headers = { 'content-length': String(body.length), expect: '100-continue' }
    const slowBody = beginRequest(url, { token, body, headers })
    const slowBodyAnswer = answerOf(slowBody)
    slowBody.flushHeaders()
    await once(slowBody, 'continue')
    slowBody.write(body.slice(0, 5))
    const client = await besides(folder)
    await client.query('begin; lock table grupos')
    const slowQuery = service.request(GRUPOS, { token, body: { nome: 'consulta_lenta' } })
    await untilSomebodyWaits(client)

    const stopped = service.stop('SIGTERM')
    await isTrueWithin(HANG_MS, () => service.output.stdout.includes('"stopping"'))
    await assert.rejects(service.request('/api/v1/health'), { code: /^ECONN(REFUSED|RESET)$/ })
    service.process.kill('SIGTERM')
    await sleep(500)
    await client.query('rollback')
    slowBody.end(body.slice(5))

    assert.equal((await slowQuery).status, 201)
    assert.equal((await slowBodyAnswer).status, 201)
    await client.end()
    const { code, ms } = await stopped
    assert.equal(code, 0)
    assert.ok(ms < HANG_MS)
    assert.deepEqual(folder.databaseProcesses(), [])
    t.diagnostic(`stopped ${ms} ms after SIGTERM, of which 500 ms were the requests in hand`)

    service = await folder.start()
    t.diagnostic(`start of an existing folder: ${service.startedIn} ms`)
    assert.equal(await hasGrupo(service, token, 'corpo_lento'), true)
    assert.equal(await hasGrupo(service, token, 'consulta_lenta'), true)
  })

  it('does not let a request that never finishes keep it from stopping', async (t) => {
    const token = await service.login(email, senha)
    const client = await besides(folder)
    await client.query('begin; lock table grupos')
    const stuck = service.request(GRUPOS, { token, body: { nome: 'preso' } })
    const cut = assert.rejects(stuck, { code: 'ECONNRESET' })
    await untilSomebodyWaits(client)
    const { code, ms } = await service.stop('SIGTERM')
    await cut
    assert.equal(code, 0)
    assert.ok(ms < HANG_MS, `${ms} ms`)
    t.diagnostic(`stopped after ${ms} ms`)
    await client.end()
    assert.deepEqual(folder.databaseProcesses(), [])
  })
})

describe('signals', async () => {
  const folder = await dataFolder({ after })

  it('one that comes while it starts ends it, and its database with it', async () => {
    const starting = folder.begin()
    assert.ok(await isTrueWithin(HANG_MS, () => folder.databaseProcesses().length > 0))
    starting.process.kill('SIGTERM')
    assert.deepEqual(await starting.ended, { code: 0, signal: null })
    assert.ok(await isTrueWithin(HANG_MS, () => folder.databaseProcesses().length === 0))
    assert.doesNotMatch(starting.output.stdout, /ready/)
  })

  it('the next start is the first as if nothing had been, with the administrator it is given', async () => {
    const [email, senha] = ['chefe@saude.example', 'Outra#Senha9']
    const service = await folder.start({ ADMIN_EMAIL: email, ADMIN_PASSWORD: senha })
    assert.ok(service.output.stdout.includes(`\nAdministrator: ${email}\n`))
    await service.login(email, senha)

    // Ctrl-C in a terminal: the shell's and npm's.
    service.process.kill('SIGINT')
    const { code, ms } = await service.stop('SIGINT')
    assert.equal(code, 0)
    assert.ok(ms < HANG_MS)
    assert.deepEqual(folder.databaseProcesses(), [])
    const { stdout, stderr } = service.output
    assert.equal(stdout.split('"stopping"').length, 2, 'it stopped once')
    assert.doesNotMatch(stdout + stderr, /Password|Outra#Senha9/)
    assert.equal(stderr, '')
  })

  it('a service whose npm was killed outright stops by itself', async (t) => {
    const npm = await npmStart(t, folder)
    npm.process.kill('SIGKILL')
    assert.ok(await isTrueWithin(HANG_MS, () => startOf(npm.servicePid) === null))
    assert.deepEqual(folder.databaseProcesses(), [])
  })

  it('the next one starts, and one that a supervisor sends to npm alone stops it and its database', async (t) => {
    const npm = await npmStart(t, folder)
    npm.process.kill('SIGTERM')
    assert.deepEqual(await npm.ended, { code: 0, signal: null })
    assert.equal(startOf(npm.servicePid), null)
    assert.deepEqual(folder.databaseProcesses(), [])
    assert.match(npm.output.stdout, /"stopping"/)
  })
})

describe('a first start that fails when the database is made', async () => {
  const database = await createTestDatabase({ template: 'template0' })
  const folder = await dataFolder({ after })
  after(() => database.drop())
  const DATABASE_URL = databaseUrl(database.name)

  it('shows the credentials all the same, and they are good', async () => {
    const starting = folder.begin([], { DATABASE_URL, INSTANCES: '2' })
    assert.ok(await isTrueWithin(HANG_MS, () => instancesOf(starting).length > 0))
    for (const instance of instancesOf(starting)) sendSignal(instance, 'SIGKILL')
    assert.equal((await starting.ended).code, 1)
    const { stdout, stderr } = starting.output
    assert.equal(stderr, 'an instance could not start\n')
    assert.match(stdout, /^Master key for sign-ups \(shown only now\): \S{32,}$/m)
    const senha = /^Password \(shown only now\): (\S{12,})$/m.exec(stdout)?.[1] ?? ''
    const service = await folder.start({ DATABASE_URL })
    await service.login('admin@vigia.local', senha)
    assert.doesNotMatch(service.output.stdout, /Administrator|Password|Master key/)
    assert.equal((await service.stop()).code, 0)
  })
})
