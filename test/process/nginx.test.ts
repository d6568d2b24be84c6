import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { arquivoDeCasos, enqueue, formOf, untilOver } from './import-setup.ts'
import { beginRequest, dataFolder, freePort, type RequestOptions, request } from './service.ts'

const missing = spawnSync('nginx', ['-v']).error === undefined ? false : 'LEFT OUT: there is no nginx here'
if (missing) console.log(missing)
const EXAMPLE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url))
/** Above 1 MiB, where nginx itself refuses unless it is told otherwise. */
const ROWS = 12_000

interface Ports {
  secure: number
  plain: number
  instance: number
  gone: number
}

/** nginx with the example of `deploy/`, but for its ports and certificate; the second instance is one that is gone. */
async function startNginx(ports: Ports): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-nginx-'))
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }])
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key)
  const site = (await readFile(EXAMPLE, 'utf8'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.secure} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replace(':8443', `:${ports.instance}`)
    .replace(':8444', `:${ports.gone}`)
    .replaceAll('/etc/ssl/vigia', folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr error; events {}\nhttp { access_log off;\n${temporary}\n${site}\n}`,
  )
  const child = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  after(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  })
  await eventually(async () => {
    assert.equal(child.exitCode, null, child.stderr.read()?.toString())
    await request(new URL(`http://127.0.0.1:${ports.plain}/`))
  })
}

describe('behind nginx, as deploy/nginx.conf has it', { skip: missing }, async () => {
  if (missing) return
  const database = await createTestDatabase()
  after(() => database.drop())
  const folder = await dataFolder({ after })
  const [secure, plain, instance, gone] = await Promise.all([0, 1, 2, 3].map(freePort))
  const service = await folder.start({
    DATABASE_URL: databaseUrl(database.name),
    PORT: String(instance),
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: 'https://localhost',
  })
  await startNginx({ secure, plain, instance, gone } as Ports)
  const url = (path: string) => new URL(path, `https://127.0.0.1:${secure}`)
  const send = (path: string, options: RequestOptions = {}) => request(url(`/api/v1${path}`), options)
  const login = await send('/auth/login', {
    body: { username: ADMIN_EMAIL, password: PASSWORD },
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  const token: string = login.body.access_token

  it('a login over TLS has the address that nginx saw, not the one that a client claims', async () => {
    assert.equal(login.status, 200, login.text)
    const sessao = await database.pool.first<{ ip: string }>(
      sql`select host(endereco_ip) as ip from sessoes order by criado_em desc limit 1`,
    )
    assert.equal(sessao?.ip, '127.0.0.1')
  })

  it('plain requests are sent on to TLS', async () => {
    const { status, headers } = await request(new URL(`http://127.0.0.1:${plain}/api/v1/health`))
    assert.deepEqual([status, headers.location], [308, 'https://127.0.0.1/api/v1/health'])
  })

  it('no request fails while one of the two instances is gone', async () => {
    for (let i = 0; i < 10; i++) {
      assert.equal((await send('/usuarios/logado', { token })).status, 200)
      const made = await send('/grupos', { token, body: { nome: `grupo-${i}` } })
      assert.equal(made.status, 201, made.text)
    }
  })

  it('a large file arrives, and events come while they happen', async () => {
    const live = beginRequest(url('/api/v1/eventos/aovivo'), { token })
    live.end()
    const [stream] = (await once(live, 'response')) as [http.IncomingMessage]
    assert.equal(stream.statusCode, 200)
    let events = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      events += text
    })
    const file = arquivoDeCasos('NGX-', ROWS)
    assert.ok(file.length > 1024 * 1024)
    const behind = {
      ...service,
      url: url('/').href,
      request: (path: string, options?: RequestOptions) => request(url(path), options),
    }
    const job = await untilOver(behind, token, await enqueue(behind, token, formOf(file)))
    assert.equal(job.status, 'completed', JSON.stringify(job))
    await eventually(() => assert.match(events, /importacao/))
    assert.equal(stream.complete, false)
    live.destroy()
  })
})
