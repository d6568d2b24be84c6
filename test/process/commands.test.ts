import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { UsageError } from '../../src/commands/command.ts'
import { COMMANDS } from '../../src/commands/commands.ts'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { administer, createTestDatabase, databaseUrl } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
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
    assert.equal(code, 1, stderr)
    assert.doesNotMatch(stdout, /ready/)
    assert.doesNotMatch(stderr, /^ {4}at /m)
    return stderr
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  }

  it('bad variables, all of them at once', async () => {
    assert.deepEqual(
      await refusal({ PORT: 'x', DATABASE_URL: 'mysql://h/d', AMBIENTE: 'production', LOG_LEVEL: 'loud' }),
      [
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

  it('a port that is taken, before anything is made', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.after(() => taken.close())
    const { port } = taken.address() as AddressInfo
    const untouched = await dataFolder(t)
    for (const [name, variables] of [
      ['PORT', 'HOST, PORT'],
      ['METRICS_PORT', 'METRICS_PORT'],
    ] as const) {
      const { code, stdout, stderr } = await untouched.run([], { [name]: String(port) })
      assert.equal(code, 1)
      const reason = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`
      assert.deepEqual([stdout, stderr], ['', `${variables}: ${reason}\n`])
      assert.equal(existsSync(untouched.dataDir), false)
    }
  })

  it('a data folder that cannot be made or used, in one line and without waiting for it', async () => {
    const parent = dirname(folder.dataDir)
    const file = join(parent, 'a file')
    await writeFile(file, '')
    await mkdir(join(parent, 'odd', 'postgres'), { recursive: true })
    const refused: [string, RegExp][] = [
      ['/proc/vigia', /^DATA_DIR: ENOENT: .*'\/proc\/vigia'$/],
      ['/proc', /^DATA_DIR: ENOENT: .*\/proc\/vigia\.pid/],
      [join(parent, 'x'.repeat(256)), /^DATA_DIR: ENAMETOOLONG/],
      [join(file, 'data'), /^DATA_DIR: ENOTDIR/],
      [join(parent, 'odd'), /^DATA_DIR: .*postgres exists and holds no database/],
    ]
    for (const [DATA_DIR, reason] of refused) {
      const lines = await refusal({ DATA_DIR })
      assert.equal(lines.length, 1, lines.join('\n'))
      assert.match(lines.join(), reason)
    }
    assert.deepEqual(await readdir(join(parent, 'odd')), ['postgres'])
  })
})

/** Commands that work on what there is. */
const NEED_A_DATABASE = [
  ['backup', 'file.gz'],
  ['audit:verify'],
  ['counters:verify'],
  ['keys:rotate'],
  ['admin:password'],
]

describe('every command', async () => {
  const folder = await dataFolder({ after })

  const names = `Commands: ${Object.keys(COMMANDS).join(', ')}`

  it('explains itself with --help, whatever the configuration, and does nothing else', async () => {
    for (const [name, load] of Object.entries(COMMANDS)) {
      const start = name === 'serve' ? 'npm start\n' : `npm run vigia -- ${name}`
      assert.ok((await load()).usage.startsWith(start), name)
    }
    // `--help`, and what `npm run vigia` makes of no command and of one.
    for (const args of [['--help'], ['--'], ['--', '--help']]) {
      const { code, stdout } = await folder.run(args, { PORT: 'x' })
      const listed = stdout.split('\n').flatMap((line) => /^ {2}(\S+) +[A-Z].*\.$/.exec(line)?.[1] ?? [])
      assert.deepEqual([code, listed], [0, Object.keys(COMMANDS)], args.join(' '))
    }
    assert.equal(
      (await folder.run(['--', 'migrate', '--help'])).stdout.split('\n')[0],
      'npm run vigia -- migrate',
    )
    const { code, stdout } = await folder.run(['backup', '--help'], { PORT: 'x' })
    assert.equal(code, 0)
    assert.match(stdout, /^npm run vigia -- backup file\n\nWrites /)
    assert.equal(existsSync(folder.dataDir), false)
    assert.equal(existsSync('--help'), false)
  })

  it('refuses what it does not know in one line, with exit code 2', async () => {
    const oneLine = /^[^\n]+\. Usage: npm (run|start)[^\n]*$/
    for (const load of Object.values(COMMANDS)) {
      const command = await load()
      for (const args of [['--nonsense'], Array.from({ length: 2_000 }, () => 'x')])
        assert.throws(() => command.prepare(args), { constructor: UsageError, message: oneLine })
    }
    for (const args of [['backup'], ['backup', '--nonsense'], ['demo', 'many'], ['serve', '--tuning={']]) {
      const { code, stdout, stderr } = await folder.run(args)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr.trimEnd(), oneLine)
    }
    const unknown = await folder.run(['toString'])
    assert.equal(unknown.code, 2)
    assert.equal(unknown.stderr, `Unknown command "toString". ${names}\n`)
    assert.equal(existsSync(folder.dataDir), false)
  })

  it('that works on a database refuses a folder without one in one line, and makes none', async () => {
    for (const args of NEED_A_DATABASE) {
      const { code, stdout, stderr } = await folder.run(args)
      assert.equal(code, 1, args.join(' '))
      assert.deepEqual([stdout, stderr], ['', `DATA_DIR: ${folder.dataDir} holds no database\n`])
    }
    assert.equal(existsSync(folder.dataDir), false)
    assert.equal(existsSync('file.gz'), false)
  })

  it('that works on a database refuses a server whose database is not ours, and leaves it as it is', async (t) => {
    const empty = await createTestDatabase({ template: 'template0' })
    t.after(() => empty.drop())
    for (const args of NEED_A_DATABASE) {
      const { code, stderr } = await folder.run(args, { DATABASE_URL: databaseUrl(empty.name) })
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, /^(The database is empty|There is nothing to back up)[^\n]*\n$/)
    }
    const tables = sql`select from pg_class where relnamespace = 'public'::regnamespace`
    assert.deepEqual(await empty.pool.rows(tables), [])
    assert.equal(existsSync(folder.dataDir), false)
  })
})

describe('on a database that is encrypted under a key', async () => {
  const folder = await dataFolder({ after })
  const database = await createTestDatabase()
  after(() => database.drop())
  const env = { DATABASE_URL: databaseUrl(database.name) }
  const keyFile = join(folder.dataDir, 'keys', 'data.key')
  const guarded = [[], ['audit:verify'], ['keys:rotate'], ['admin:password']]
  const state = () =>
    database.pool.rows(sql`
      select (select array_agg(kid) from chaves_assinatura) as kids, (select count(*) from auditoria) as audit,
             (select array_agg(senha_hash) from usuarios) as hashes`)

  it('a wrong key is told as such by the start and by every command, and changes nothing', async () => {
    const service = await folder.start(env)
    await service.login(ADMIN_EMAIL, PASSWORD)
    await service.stop()
    const before = await state()
    for (const args of guarded) {
      const DATA_KEY = randomBytes(32).toString('base64')
      const { code, stderr } = await folder.run(args, { ...env, DATA_KEY })
      assert.equal(code, 1, args.join(' '))
      assert.equal(stderr, 'DATA_KEY is not the key this database was encrypted under\n')
    }
    assert.deepEqual(await state(), before)
    assert.match((await folder.run(['audit:verify'], env)).stdout, /^The audit is whole: [1-9]/m)
  })

  it('without the key nothing starts, and no other one is written', async () => {
    const before = await state()
    await rename(keyFile, `${keyFile}.away`)
    await rm(join(folder.dataDir, 'keys', 'master.key'))
    for (const args of guarded) {
      const { code, stderr } = await folder.run(args, env)
      assert.equal(code, 1, args.join(' '))
      assert.match(
        stderr,
        /^The key of this database is missing: set DATA_KEY, or put keys\/data\.key back.*\n$/,
      )
    }
    assert.deepEqual(await readdir(dirname(keyFile)), ['data.key.away'])
    assert.deepEqual(await state(), before)
    await rename(`${keyFile}.away`, keyFile)
  })

  it('admin:password gives a new password beside the service, and ends sessions and locks', async () => {
    const service = await folder.start({ ...env, ADMIN_EMAIL })
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    const logIn = (senha: string) =>
      service.request('/api/v1/auth/login', { body: { username: ADMIN_EMAIL, password: senha } })
    for (let failures = 0; failures < 5; failures++) await logIn('Senha#Errada1')
    assert.equal((await logIn(PASSWORD)).status, 423)

    const { code, stdout, stderr } = await folder.run(['admin:password'], { ...env, ADMIN_EMAIL })
    assert.equal(code, 0, stderr)
    const [, senha = ''] = /^Administrator: \S+\nPassword \(shown only now\): (\S{12,})\n$/.exec(stdout) ?? []
    assert.equal((await service.request('/api/v1/usuarios/logado', { token })).status, 401)
    assert.equal((await logIn(PASSWORD)).status, 401)
    const again = await service.login(ADMIN_EMAIL, senha)
    assert.equal((await service.request('/api/v1/auditoria', { token: again })).status, 403)
    const body = { senha_atual: senha, senha_nova: PASSWORD, confirmar_senha: PASSWORD }
    assert.equal((await service.request('/api/v1/auth/change-password', { token: again, body })).status, 200)
    const audit = await service.request('/api/v1/auditoria?acao=senha.definida', { token: again })
    assert.equal(audit.body.items[0].detalhes.pelo_operador, true)
    const mails = join(folder.dataDir, 'mail')
    await eventually(async () => {
      const sent = await Promise.all(readdirSync(mails).map((mail) => readFile(join(mails, mail), 'utf8')))
      assert.match(sent.join('\n'), /A administra\S+o definiu uma nova senha/)
    })
    await service.stop()
  })

  it('admin:password refuses who is no active administrator, and changes nothing', async () => {
    const before = await state()
    for (const args of [[], ['--email', 'ninguem@exemplo.test']]) {
      const { code, stderr } = await folder.run(['admin:password', ...args], {
        ...env,
        ADMIN_EMAIL: 'outro@exemplo.test',
      })
      assert.equal(code, 1)
      assert.match(stderr, /^There is no active administrator (outro|ninguem)@exemplo\.test: [^\n]+\n$/)
    }
    assert.deepEqual(await state(), before)
  })

  it('a command is told in one line that the database takes no writes', async () => {
    const readOnly = (value: string) =>
      administer(`alter database ${database.name} set default_transaction_read_only = ${value}`)
    await readOnly('on')
    try {
      const { code, stderr } = await folder.run(['admin:password'], { ...env, ADMIN_EMAIL })
      assert.deepEqual([code, stderr], [1, 'The database does not answer, or takes no writes\n'])
    } finally {
      await readOnly('off')
    }
  })
})
