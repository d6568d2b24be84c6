import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { generate } from 'selfsigned'
import { StartupError } from '../../src/config/config.ts'
import { openForService } from '../../src/db/open.ts'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { databaseUrl } from '../harness/database.ts'
import { type DatabaseProxy, databaseProxy } from '../process/database-proxy.ts'

const ignore = () => {}
const open = (databaseUrl: string, report: (message: string) => void = ignore, timeoutMs = 500) =>
  openForService({ databaseUrl, dataDir: '/nonexistent' }, report, { timeoutMs })

/** Opens and asks something through a pool, as the service does. */
async function ask(databaseUrl: string): Promise<number> {
  const { connection, close } = await open(databaseUrl)
  const pool = createPool({ connection })
  try {
    return await pool.run(sql`select 1`)
  } finally {
    await pool.end()
    await close()
  }
}

describe('DATABASE_URL', () => {
  it('may name a socket', async () => {
    assert.equal(await ask(databaseUrl('postgres')), 1)
  })

  it('a server that comes up late is waited for', async (t) => {
    const proxy = await databaseProxy(t)
    await proxy.away()
    const lines: string[] = []
    const opened = open(proxy.url('postgres'), (line) => lines.push(line), 10_000)
    setTimeout(() => proxy.back(), 300)
    await opened
    assert.deepEqual(lines, ['waiting for the database server (ECONNREFUSED)'])
  })

  it('a server that does not come up is given up after a while', async (t) => {
    const proxy = await databaseProxy(t)
    await proxy.away()
    const expected = `DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${proxy.port}`
    await assert.rejects(open(proxy.url('postgres')), new StartupError(expected))
  })

  it('what waiting does not mend is refused at once', async () => {
    const lines: string[] = []
    const unknown = open(databaseUrl('nao_existe'), (line) => lines.push(line), 60_000)
    const expected = 'DATABASE_URL cannot be used: database "nao_existe" does not exist'
    await assert.rejects(unknown, new StartupError(expected))
    assert.deepEqual(lines, [])
  })
})

const dir = await mkdtemp(join(tmpdir(), 'vigia-sslmode-'))
after(() => rm(dir, { recursive: true }))
const here = await selfSigned('here', { type: 7, ip: '127.0.0.1' })
const elsewhere = await selfSigned('elsewhere', { type: 2, value: 'db.example' })
const encrypted = await databaseProxy({ after }, here)
const misnamed = await databaseProxy({ after }, elsewhere)
const plain = await databaseProxy({ after })

describe('sslmode', () => {
  it('require, and no TLS on the other side: refused, nothing is said in the clear', async () => {
    const expected = new StartupError(
      'DATABASE_URL cannot be used: The server does not support SSL connections',
    )
    await assert.rejects(ask(plain.url('postgres', '?sslmode=require')), expected)
    assert.deepEqual(plain.seen, { encrypted: 0, plain: 0 })
    await assert.rejects(ask(`${databaseUrl('postgres')}&sslmode=require`), expected)
  })

  it('require encrypts, whoever signed the certificate', async () => {
    assert.equal(await ask(encrypted.url('postgres', '?sslmode=require')), 1)
    assert.equal(encrypted.seen.plain, 0)
    assert.ok(encrypted.seen.encrypted > 0)
  })

  it('verify-full wants a certificate of that authority, made out to that host', async () => {
    const verify = (proxy: DatabaseProxy, { file }: { file: string }) =>
      ask(proxy.url('postgres', `?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`))
    assert.equal(await verify(encrypted, here), 1)
    await assert.rejects(verify(encrypted, elsewhere), /DATABASE_URL cannot be used: self-signed certificate/)
    await assert.rejects(
      verify(misnamed, elsewhere),
      /DATABASE_URL cannot be used: Hostname\/IP does not match/,
    )
    assert.equal(misnamed.seen.encrypted + misnamed.seen.plain, 0)
  })

  it('verify-ca wants a certificate of that authority, made out to anybody', async () => {
    const verify = ({ file }: { file: string }) =>
      ask(misnamed.url('postgres', `?sslmode=verify-ca&sslrootcert=${encodeURIComponent(file)}`))
    assert.equal(await verify(elsewhere), 1)
    await assert.rejects(verify(here), /DATABASE_URL cannot be used: self-signed certificate/)
  })

  it('a certificate file that is not there is named', async () => {
    const url = encrypted.url('postgres', '?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem')
    await assert.rejects(open(url, ignore, 60_000), (error) => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, /^DATABASE_URL cannot be used: .*\/nonexistent\/ca\.pem/)
      return true
    })
  })
})

async function selfSigned(name: string, host: { type: 7; ip: string } | { type: 2; value: string }) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [host] }],
  })
  const file = join(dir, `${name}.pem`)
  await writeFile(file, cert)
  return { cert, key, file }
}
