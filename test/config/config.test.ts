import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { type Config, readConfig, StartupError } from '../../src/config/config.ts'

const key = randomBytes(32)
const DATA_KEY = key.toString('base64')

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof StartupError)
    return error.message.split('\n')
  }
  return []
}

describe('Secrets in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-config-'))
  after(() => rm(folder, { recursive: true }))
  const file = async (content: string) => {
    const path = join(folder, randomUUID())
    await writeFile(path, content)
    return path
  }

  it('are taken from there, without the end of the line', async () => {
    const config = readConfig({
      DATA_KEY_FILE: await file(`${DATA_KEY}\n`),
      DATA_KEY_PREVIOUS_FILE: await file(`${DATA_KEY}, ${DATA_KEY}`),
      MASTER_KEY_FILE: await file(' com espaço \r\n'),
      ADMIN_PASSWORD_FILE: await file('Senha#Boa1'),
      DATABASE_URL_FILE: await file('postgres://vigia:segredo@db/vigia\n'),
      SMTP_URL_FILE: await file('smtp://mail'),
    })
    assert.deepEqual(config.dataKey, key)
    assert.deepEqual(config.otherDataKeys, [key, key])
    assert.deepEqual(
      [config.masterKey, config.adminPassword, config.databaseUrl, config.smtpUrl],
      [' com espaço ', 'Senha#Boa1', 'postgres://vigia:segredo@db/vigia', 'smtp://mail'],
    )
  })

  it('are refused beside the value itself, missing, empty or wrong, without being told', async () => {
    const path = await file('kein Schlüssel')
    assert.deepEqual(
      problemsOf({
        MASTER_KEY: 'x',
        MASTER_KEY_FILE: path,
        ADMIN_PASSWORD_FILE: join(folder, 'nada'),
        SMTP_URL_FILE: await file('\n'),
        DATA_KEY_FILE: path,
      }),
      [
        'ADMIN_PASSWORD_FILE cannot be read: ENOENT',
        'MASTER_KEY and MASTER_KEY_FILE are two values of one setting: give one',
        'SMTP_URL_FILE names an empty file',
        'DATA_KEY must be 32 bytes in base64 (openssl rand -base64 32)',
      ],
    )
  })
})

describe('readConfig', () => {
  it('has a default that works for everything', () => {
    assert.deepEqual(readConfig({}), {
      host: '127.0.0.1',
      port: 8443,
      dataDir: resolve('data'),
      databaseUrl: null,
      databaseReadUrl: null,
      ambiente: 'sandbox',
      adminEmail: 'admin@vigia.local',
      adminPassword: null,
      masterKey: null,
      dataKey: null,
      otherDataKeys: [],
      tlsCertFile: null,
      tlsKeyFile: null,
      trustProxy: [],
      publicUrl: null,
      territorioObrigatorio: false,
      smtpUrl: null,
      mailFrom: 'Vigia <vigia@localhost>',
      rateLimits: 'on',
      metricsPort: null,
      worker: true,
      publico: false,
      supressaoMinimo: 5,
      duplicidadeDias: 60,
      webhookAllowPrivate: true,
      webhookNetworks: [],
      oidcProvedores: [],
      instances: 1,
      logLevel: 'info',
    })
  })

  it('takes an empty or blank variable for one that is not set', () => {
    const names = [
      'HOST',
      'PORT',
      'DATA_DIR',
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'AMBIENTE',
      'ADMIN_EMAIL',
      'DATA_KEY',
      'RATE_LIMITS',
      'WORKER',
      'WEBHOOK_ALLOW_PRIVATE',
      'WEBHOOK_NETWORKS',
      'INSTANCES',
      'LOG_LEVEL',
    ]
    const blank = Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? '' : '  ']))
    assert.deepEqual(readConfig({ ...blank, ADMIN_PASSWORD: '' }), readConfig({}))
  })

  const accepted: [NodeJS.ProcessEnv, Partial<Config>][] = [
    [{ HOST: ' 0.0.0.0 ' }, { host: '0.0.0.0' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65535 }],
    [{ METRICS_PORT: '9464' }, { metricsPort: 9464 }],
    [{ DATA_DIR: '/var/lib/vigia' }, { dataDir: '/var/lib/vigia' }],
    [
      { DATABASE_URL: 'postgresql://u:p@h/d?sslmode=require' },
      { databaseUrl: 'postgresql://u:p@h/d?sslmode=require' },
    ],
    [{ DATA_KEY }, { dataKey: key }],
    [{ DATA_KEY: `${DATA_KEY}\n` }, { dataKey: key }],
    [{ ADMIN_PASSWORD: ' with spaces ' }, { adminPassword: ' with spaces ' }],
    [
      { TRUST_PROXY: '10.0.0.1, 10.0.1.0/24  loopback' },
      { trustProxy: ['10.0.0.1', '10.0.1.0/24', 'loopback'] },
    ],
    [{ PUBLIC_URL: 'https://vigia.example/base//' }, { publicUrl: 'https://vigia.example/base' }],
    [
      { TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' },
      { tlsCertFile: 'c.pem', tlsKeyFile: 'k.pem' },
    ],
    [{ RATE_LIMITS: 'on' }, { rateLimits: 'on' }],
    [{ RATE_LIMITS: ' off' }, { rateLimits: 'off' }],
    [{ RATE_LIMITS: 'count' }, { rateLimits: 'count' }],
    [{ AMBIENTE: 'staging' }, { ambiente: 'staging', webhookAllowPrivate: false }],
    [{ WEBHOOK_ALLOW_PRIVATE: 'off' }, { webhookAllowPrivate: false }],
    [{ AMBIENTE: 'staging', WEBHOOK_ALLOW_PRIVATE: 'on' }, { ambiente: 'staging' }],
    [{ INSTANCES: '4' }, { instances: 4 }],
    [{ WORKER: 'on' }, { worker: true }],
    [{ WORKER: ' off ' }, { worker: false }],
    [{ LOG_LEVEL: 'trace' }, { logLevel: 'trace' }],
  ]
  for (const [env, part] of accepted)
    it(`accepts ${JSON.stringify(env).replace(DATA_KEY, '…')}`, () => {
      assert.deepEqual(readConfig(env), { ...readConfig({}), ...part })
    })

  const refused: [NodeJS.ProcessEnv, RegExp][] = [
    [{ PORT: '65536' }, /^PORT must be a port number/],
    [{ PORT: '-1' }, /^PORT/],
    [{ PORT: '84.43' }, /^PORT/],
    [{ PORT: '0x50' }, /^PORT/],
    [{ METRICS_PORT: 'on' }, /^METRICS_PORT/],
    [{ DATABASE_URL: 'mysql://h/d' }, /^DATABASE_URL must be a URL that begins with postgres:\/\//],
    [{ DATABASE_URL: 'host=h dbname=d' }, /^DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://u@h1:1,h2:nada/d' }, /^DATABASE_URL must be a URL/],
    [
      { DATABASE_URL: 'postgres://u@h1,h2/d?target_session_attrs=standby' },
      /^DATABASE_URL may have target_session_attrs read-write or primary only/,
    ],
    [{ DATABASE_READ_URL: 'postgres://u@h/d' }, /^DATABASE_READ_URL needs DATABASE_URL/],
    [{ AMBIENTE: 'Production' }, /^AMBIENTE must be one of sandbox, staging, production/],
    [{ ADMIN_EMAIL: 'chefe' }, /^ADMIN_EMAIL/],
    [{ DATA_KEY: key.toString('hex') }, /^DATA_KEY must be 32 bytes in base64/],
    [{ DATA_KEY: randomBytes(16).toString('base64') }, /^DATA_KEY/],
    [{ DATA_KEY: `${DATA_KEY.slice(0, 10)}*${DATA_KEY.slice(10)}` }, /^DATA_KEY/],
    [{ PUBLIC_URL: 'http://vigia.example' }, /^PUBLIC_URL must be a URL that begins with https:\/\//],
    [{ TLS_CERT_FILE: 'c.pem' }, /^TLS_CERT_FILE and TLS_KEY_FILE go together/],
    [{ RATE_LIMITS: 'lifted' }, /^RATE_LIMITS must be one of on, off, count/],
    [{ INSTANCES: '0' }, /^INSTANCES must be auto or a number from 1 to 64/],
    [{ INSTANCES: '65' }, /^INSTANCES/],
    [{ INSTANCES: 'all' }, /^INSTANCES/],
    [{ WORKER: 'false' }, /^WORKER must be one of on, off/],
    [{ WORKER: 'OFF' }, /^WORKER/],
    [{ WEBHOOK_NETWORKS: '10.0.0.0/8, intranet' }, /^WEBHOOK_NETWORKS: "intranet" is no IP address/],
    [{ WEBHOOK_NETWORKS: '10.0.0.0/0' }, /^WEBHOOK_NETWORKS: "10.0.0.0\/0" needs a prefix length/],
    [{ WEBHOOK_ALLOW_PRIVATE: 'yes' }, /^WEBHOOK_ALLOW_PRIVATE must be one of on, off/],
    [{ LOG_LEVEL: 'verbose' }, /^LOG_LEVEL/],
  ]
  for (const [env, problem] of refused)
    it(`refuses ${Object.keys(env).join()} ${Object.values(env).join().slice(0, 24)}`, () => {
      const problems = problemsOf(env)
      assert.equal(problems.length, 1)
      assert.match(problems.join(), problem)
    })

  it('tells every problem at once, and quotes no value', () => {
    const env = {
      PORT: 'segredo',
      DATABASE_URL: 'segredo',
      DATA_KEY: 'segredo',
      PUBLIC_URL: 'segredo',
      LOG_LEVEL: 'segredo',
    }
    const problems = problemsOf(env)
    assert.equal(problems.length, 5)
    assert.doesNotMatch(problems.join(), /segredo/)
  })
})

describe('production', () => {
  const production = { AMBIENTE: 'production' }

  it('needs a certificate of its own, or a proxy, and the key', () => {
    assert.deepEqual(problemsOf(production), [
      'production needs TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY',
      'production needs DATA_KEY',
    ])
  })

  it('starts with them', () => {
    assert.deepEqual(problemsOf({ ...production, DATA_KEY, TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }), [])
    assert.deepEqual(problemsOf({ ...production, DATA_KEY, TRUST_PROXY: '10.0.0.1' }), [])
  })

  it('does not post into its own network', () => {
    const strong = { ...production, DATA_KEY, TRUST_PROXY: '10.0.0.1' }
    assert.equal(readConfig(strong).webhookAllowPrivate, false)
    assert.deepEqual(problemsOf({ ...strong, WEBHOOK_ALLOW_PRIVATE: 'on' }), [
      'production needs WEBHOOK_ALLOW_PRIVATE=off; WEBHOOK_NETWORKS names private receivers',
    ])
    assert.deepEqual(readConfig({ ...strong, WEBHOOK_NETWORKS: '10.1.0.0/16 fd12::/16' }).webhookNetworks, [
      '10.1.0.0/16',
      'fd12::/16',
    ])
  })
})
