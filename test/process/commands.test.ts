import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder } from './service.ts'

const migrated = await dataFolder({ after })

describe('migrate', () => {
  it('prepares an empty folder, has nothing to do the second time, and stops its database', async () => {
    const first = await migrated.run(['migrate'])
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^Applied: 0001_\w+\.sql/m)
    assert.deepEqual(migrated.databaseProcesses(), [])
    const second = await migrated.run(['migrate'])
    assert.equal(second.code, 0, second.stderr)
    assert.match(second.stdout, /^Nothing to migrate$/m)
    assert.deepEqual(migrated.databaseProcesses(), [])
  })

  it('works beside a running service, which does not notice', async () => {
    const service = await migrated.start({ ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD })
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    const { code, stdout, stderr } = await migrated.run(['migrate'])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Nothing to migrate$/m)
    assert.equal((await service.request('/api/v1/usuarios/logado', { token })).status, 200)
    assert.equal((await service.stop()).code, 0)
  })
})

describe('what does not start says why, without a stack, and ends with exit code 1', async () => {
  const folder = await dataFolder({ after })
  const database = await createTestDatabase()
  after(() => database.drop())
  const DATABASE_URL = databaseUrl(database.name)

  async function refusal(env: Record<string, string>, args: string[] = []): Promise<string[]> {
    const { code, stdout, stderr } = await folder.run(args, env)
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /ready/)
    assert.doesNotMatch(stderr, /^ {4}at /m)
    return stderr
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  }

  it('an unknown command', async () => {
    assert.deepEqual(await refusal({}, ['sevre']), [
      'Unknown command "sevre". Commands: serve, migrate, keys:rotate, audit:verify, counters:verify, import, backup, restore, demo',
    ])
  })

  it('bad variables, all of them at once', async () => {
    assert.deepEqual(
      await refusal({ PORT: 'x', DATABASE_URL: 'mysql://h/d', AMBIENTE: 'production', LOG_LEVEL: 'loud' }),
      [
        'Configuration:',
        'PORT must be a port number (0 to 65535)',
        'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
        'production needs TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY',
        'production needs DATA_KEY',
      ],
    )
  })

  it('certificate files that are not there', async () => {
    const lines = await refusal({
      DATABASE_URL,
      TLS_CERT_FILE: '/nonexistent/c',
      TLS_KEY_FILE: '/nonexistent/k',
    })
    assert.deepEqual(lines, ['TLS: the certificate file /nonexistent/c cannot be read (ENOENT)'])
  })

  it('a proxy that is no address', async () => {
    const lines = await refusal({ DATABASE_URL, TRUST_PROXY: 'nginx' })
    assert.match(lines.join(), /^TRUST_PROXY: .*"nginx" is no IP address/)
  })

  it('a data folder that is a file', async () => {
    const file = join(folder.dataDir, '..', 'file')
    await writeFile(file, '')
    const lines = await refusal({ DATABASE_URL, DATA_DIR: file })
    assert.match(lines.join(), /^DATA_DIR: EEXIST/)
  })

  it('a port that is taken; the database that was started by then is stopped', async () => {
    const service = await folder.start({ DATABASE_URL })
    const { port } = new URL(service.url)
    const { code, stderr } = await migrated.run([], { PORT: port })
    assert.equal(code, 1)
    assert.equal(stderr.trim(), `HOST, PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
    assert.deepEqual(migrated.databaseProcesses(), [])
  })
})
