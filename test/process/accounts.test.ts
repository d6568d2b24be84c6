import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { until } from '../harness/eventually.ts'
import { dataFolder, type Service } from './service.ts'

const PASSWORD = 'Senha#Boa1'
const EMAIL = 'ana@saude.example'
const LOCKED = 'bia@saude.example'

/** A mail server that takes calls and never says a word: mails stay in hand. */
async function silentMailServer(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('accounts in the real service, over TLS, with its commands and through a crash', async () => {
  const folder = await dataFolder({ after })
  let service: Service
  let masterKey = ''
  let pair: { access_token: string; refresh_token: string }
  let lockedUntil = ''
  let kid = ''

  const post = (path: string, body: object, token?: string) =>
    service.request(`/api/v1${path}`, { body, ...(token !== undefined && { token }) })
  const logIn = (email: string, senha = PASSWORD) => post('/auth/login', { email, senha })
  const works = async (token: string) =>
    (await service.request('/api/v1/usuarios/logado', { token })).status === 200
  const signUp = (email: string, key = masterKey) =>
    post('/usuarios/signup', { usuario: { nome: 'Ana', email, senha: PASSWORD, master_key: key } })

  /** One statement beside the service. */
  async function query<T>(text: string): Promise<T[]> {
    const client = new pg.Client({ ...(await attachEmbedded(folder.dataDir)), ssl: false })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  it('prints the master key at the first start, beside the log', async () => {
    service = await folder.start({ SMTP_URL: await silentMailServer() })
    masterKey = /^Master key for sign-ups \(shown only now\): (\S+)$/m.exec(service.output.stdout)?.[1] ?? ''
    assert.ok(masterKey.length >= 32, service.output.stdout)
    const log = service.output.stdout.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(log.length > 0 && !log.join().includes(masterKey))
  })

  it('signs up with that key only', async () => {
    assert.equal((await signUp(EMAIL, 'outra')).status, 403)
    const { status, body } = await signUp(EMAIL)
    assert.equal(status, 201)
    assert.equal(body.email, EMAIL)
    assert.equal((await signUp(LOCKED)).status, 201)
  })

  it('logs in, opens what is protected and refreshes', async () => {
    const first = await logIn(EMAIL)
    assert.equal(first.status, 200, first.text)
    assert.ok(await works(first.body.access_token))
    const second = await post('/auth/refresh', { refresh_token: first.body.refresh_token })
    assert.equal(second.status, 200)
    assert.ok(await works(second.body.access_token))
    pair = second.body
  })

  it('refuses a token of 1 MB before it costs anything, and serves on', async () => {
    const { status } = await service
      .request('/api/v1/usuarios/logado', { token: 'a'.repeat(1_000_000) })
      .catch(
        // It may close the connection while we are still sending.
        (error: NodeJS.ErrnoException) => {
          assert.match(String(error.code), /ECONNRESET|EPIPE/)
          return { status: 431 }
        },
      )
    assert.ok([400, 401, 431].includes(status), String(status))
    assert.ok(await works(pair.access_token))
  })

  it('locks an account after five failures', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await logIn(LOCKED, 'Errada#123')).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 423])
    const { body } = await logIn(LOCKED)
    lockedUntil = body.error.locked_until
    assert.ok(Date.parse(lockedUntil) > Date.now() + 14 * 60_000)
  })

  it('has its audit verified beside it, which it does not notice', async () => {
    const { code, stdout, stderr } = await folder.run(['audit:verify'])
    assert.equal(code, 0, stderr)
    const [row] = await query<{ n: string }>('select count(*) as n from auditoria')
    assert.match(stdout, new RegExp(`^The audit is whole: ${row?.n} records$`, 'm'))
    assert.ok(await works(pair.access_token))
  })

  it('has its keys rotated beside it: tokens of before work on', async () => {
    const { code, stdout, stderr } = await folder.run(['keys:rotate'])
    assert.equal(code, 0, stderr)
    kid = /^New signing key: (\S+)$/m.exec(stdout)?.[1] ?? ''
    assert.notEqual(kid, '')
    assert.ok(await works(pair.access_token))
    assert.equal((await query('select from chaves_assinatura')).length, 2)
  })

  it('has mails in hand when it is killed', async () => {
    assert.equal((await query('select from emails_pendentes')).length, 2)
    await service.kill()
    assert.ok(folder.databaseProcesses().length > 0)
  })

  it('comes up without showing the master key again, which still counts', async () => {
    service = await folder.start()
    assert.doesNotMatch(service.output.stdout, /Master key|Password/)
    assert.ok(!service.output.stdout.includes(masterKey))
    assert.equal((await signUp('caio@saude.example', 'outra')).status, 403)
    assert.equal((await signUp('caio@saude.example')).status, 201)
  })

  it('has kept the sessions: the access token works and the refresh token renews it, with the new key', async () => {
    assert.ok(await works(pair.access_token))
    const { status, body } = await post('/auth/refresh', { refresh_token: pair.refresh_token })
    assert.equal(status, 200)
    assert.equal(decodeProtectedHeader(body.access_token).kid, kid)
    assert.ok(await works(body.access_token))
    const jwks = await service.request('/.well-known/jwks.json')
    assert.equal(jwks.body.keys.length, 2)
    assert.equal(jwks.body.keys[0].kid, kid)
  })

  it('has kept the lock, to the same moment', async () => {
    const { status, body } = await logIn(LOCKED)
    assert.equal(status, 423)
    assert.equal(body.error.locked_until, lockedUntil)
  })

  it('has kept the mails and sends them now: files in DATA_DIR/mail', async () => {
    // Their lease of two minutes is over.
    await query('update emails_pendentes set proxima_tentativa = now()')
    const dir = join(folder.dataDir, 'mail')
    const sent = async () => {
      const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.eml'))
      return Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))
    }
    await until('three are sent', async () => (await sent()).length >= 3)
    const mails = (await sent()).join('\n')
    for (const email of [EMAIL, LOCKED, 'caio@saude.example'])
      assert.ok(mails.includes(`To: ${email}`), email)
    await until('none waits', async () => (await query('select from emails_pendentes')).length === 0)
  })

  it('has an audit that is whole after all this, and audit:verify tells when somebody changes a row', async () => {
    assert.equal((await folder.run(['audit:verify'])).code, 0)
    await query(`
      begin; alter table auditoria disable trigger all;
      update auditoria set acao = 'nada' where id = 4;
      alter table auditoria enable trigger all; commit`)
    const { code, stdout, stderr } = await folder.run(['audit:verify'])
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /whole/)
    assert.equal(stderr.trim(), 'The audit is broken: record 4 is changed')
    assert.ok(await works(pair.access_token), 'the service goes on')
  })

  it('does not start under another DATA_KEY, and says so', async () => {
    assert.equal((await service.stop()).code, 0)
    const { code, stdout, stderr } = await folder.run([], { DATA_KEY: randomBytes(32).toString('base64') })
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /ready/)
    assert.equal(stderr.trim(), 'DATA_KEY is not the key this database was encrypted under')
    assert.deepEqual(folder.databaseProcesses(), [])
  })

  it('has its commands work while it does not run, too', async () => {
    const { code, stderr } = await folder.run(['audit:verify'])
    assert.equal(code, 1)
    assert.match(stderr, /record 4 is changed/)
    assert.equal((await folder.run(['keys:rotate'])).code, 0)
    assert.deepEqual(folder.databaseProcesses(), [])
  })
})
