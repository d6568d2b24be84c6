import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import https from 'node:https'
import { basename, extname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, StartupError } from '../config/config.ts'
import { publicUrlOf } from '../config/public-url.ts'
import { defineCommand } from './command.ts'
import { drawBar, endBar } from './progress-bar.ts'

const OPTIONS = {
  importar: { type: 'boolean', default: false },
  'ignorar-erros': { type: 'boolean', default: false },
  tipo: { type: 'string' },
  url: { type: 'string' },
  email: { type: 'string' },
  inseguro: { type: 'boolean', default: false },
} as const

export const importFile = defineCommand({
  usage: `npm run vigia -- import file [options]

Sends a file of cases to a running service and follows its import. Exit code 1 when it failed. The password is asked
for, unless it is in ADMIN_PASSWORD.

  --importar        imports; without it the file is only checked
  --ignorar-erros   imports the good rows of a file that also has bad ones
  --tipo <type>     disease of the rows: dengue, zika or chikungunya
  --url <address>   service to send it to; the one of this configuration if not given
  --email <email>   account to log in with; ADMIN_EMAIL if not given
  --inseguro        accepts any certificate`,
  options: OPTIONS,
  positionals: { min: 1, max: 1 },
  run: (config, _log, { options, positionals: [file] }) => sendFile(config, file as string, options),
})

async function sendFile(config: Config, file: string, options: Options): Promise<void> {
  const { size } = await stat(file).catch(() => {
    throw new StartupError(`${file} cannot be read`)
  })
  const api = await connect(config, options)
  const token = await logIn(api, options.email ?? config.adminEmail, config)
  const job = await send(api, token, file, size, options)
  const result = await follow(api, token, job)
  print(result)
  if (result.status !== 'completed') process.exitCode = 1
}

interface Options {
  importar: boolean
  'ignorar-erros': boolean
  tipo?: string | undefined
  url?: string | undefined
  email?: string | undefined
  inseguro: boolean
}

interface Api {
  request(method: string, path: string, options: SendOptions): Promise<Answer>
}
interface SendOptions {
  headers?: Record<string, string | number>
  body?: Iterable<Buffer> | AsyncIterable<Buffer>
}
interface Answer {
  status: number
  /** Seconds of `Retry-After`, if sent. */
  retryAfter: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  body: any
}

/** The service's own certificate, where it made one, is trusted; `--inseguro` trusts any. */
async function connect(config: Config, { url, inseguro }: Options): Promise<Api> {
  const base = url ?? publicUrlOf(config)
  const ca = await readFile(join(config.dataDir, 'tls', 'cert.pem')).catch(() => undefined)
  const agent = new https.Agent({
    keepAlive: true,
    rejectUnauthorized: !inseguro,
    ...(url === undefined && ca && { ca, checkServerIdentity: () => undefined }),
  })
  return {
    async request(method, path, { headers = {}, body = [] }) {
      const outgoing = https.request(`${base}/api/v1${path}`, { method, headers, agent })
      const response = new Promise<Answer>((resolve, reject) => {
        outgoing.on('error', reject)
        outgoing.on('response', async (incoming) => {
          const text = Buffer.concat(await incoming.toArray()).toString()
          resolve({
            status: incoming.statusCode ?? 0,
            retryAfter: Number(incoming.headers['retry-after'] ?? 0),
            body: text === '' ? null : JSON.parse(text),
          })
        })
      })
      // An answer may come before all is sent, and says more than the broken pipe.
      pipeline(Readable.from(body, { objectMode: false }), outgoing).catch(() => {})
      return response.catch((error) => {
        throw new StartupError(`${base}: ${(error as Error).message}`)
      })
    },
  }
}

function expectStatus(answer: Answer, status: number): Answer['body'] {
  if (answer.status === status) return answer.body
  const { message, details = [] } = answer.body?.error ?? {}
  const problems = details.map((one: { field: string; message: string }) => `${one.field}: ${one.message}`)
  throw new StartupError([`${answer.status}: ${message}`, ...problems].join('; '))
}

async function logIn(api: Api, email: string, config: Config): Promise<string> {
  const senha =
    (email === config.adminEmail ? config.adminPassword : null) ??
    (await askPassword(`Password of ${email}: `))
  const body = [Buffer.from(JSON.stringify({ email, senha }))]
  const answer = await api.request('POST', '/auth/login', {
    headers: { 'content-type': 'application/json' },
    body,
  })
  return expectStatus(answer, 200).access_token
}

/** Not shown while it is typed. */
async function askPassword(question: string): Promise<string> {
  process.stderr.write(question)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  // Without anybody to type it, the input ends instead.
  const nobody = once(lines, 'close').then(() => {
    throw new StartupError('no password was given')
  })
  const answer = await Promise.race([lines.question(''), nobody])
  nobody.catch(() => {})
  lines.close()
  process.stderr.write('\n')
  return answer
}

const BOUNDARY = 'vigia-import-8b1f0c5e'

async function send(api: Api, token: string, file: string, size: number, options: Options): Promise<string> {
  const formato = extname(file).slice(1).toLowerCase()
  const fields: Record<string, string> = {
    formato: ['csv', 'xlsx', 'dbf', 'dbc'].includes(formato) ? formato : 'csv',
    modo: options.importar ? 'importar' : 'validar',
    ignorar_erros: String(options['ignorar-erros']),
    ...(options.tipo !== undefined && { tipo_agravo: options.tipo }),
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const name = basename(file).replaceAll('"', '')
  const head = Buffer.from(
    `${parts.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const answer = await api.request('POST', '/agravos/casos/bulk', {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + size + tail.length,
    },
    body: body(),
  })
  return expectStatus(answer, 202).job_id

  async function* body(): AsyncGenerator<Buffer> {
    yield head
    let sent = 0
    for await (const chunk of createReadStream(file)) {
      yield chunk
      sent += chunk.length
      drawBar('sending', (100 * sent) / Math.max(size, 1))
    }
    yield tail
  }
}

async function follow(api: Api, token: string, id: string): Promise<Answer['body']> {
  // Less and less often: a long import must not use up the account's requests.
  for (let wait = 250; ; wait = Math.min(wait * 1.5, 5_000)) {
    const answer = await api.request('GET', `/jobs/${id}`, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status === 429) {
      await sleep(1_000 * answer.retryAfter)
      continue
    }
    const job = expectStatus(answer, 200)
    drawBar('working', job.progress)
    if (job.status !== 'processing') return job
    await sleep(wait)
  }
}

function print(job: Answer['body']): void {
  endBar()
  const { erros_detalhados = [], avisos_detalhados = [], arquivo: _, ...numbers } = job.resultado ?? {}
  console.log(job.message)
  for (const [name, value] of Object.entries(numbers)) console.log(`  ${name.padEnd(22)} ${value ?? '-'}`)
  for (const { linha, erro } of erros_detalhados.slice(0, 20)) console.log(`  line ${linha}: ${erro}`)
  if (erros_detalhados.length > 20) console.log(`  … and ${erros_detalhados.length - 20} more errors`)
  for (const { linha, aviso } of avisos_detalhados.slice(0, 10)) console.log(`  ${linha ?? 'file'}: ${aviso}`)
  if (job.rejeitados_url) console.log(`  rejected rows: ${job.rejeitados_url}`)
}
