import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cell, generatedText, makeDbf, makeXlsx, makeZip } from '../domain/importacao/formats/files.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { HANG_MS, until } from '../harness/eventually.ts'
import { MULTIPART } from '../harness/multipart.ts'
import { arquivoDeCasos, formOf, leftovers, NADA, untilOver, upload } from './import-setup.ts'
import { answerOf, beginRequest, dataFolder } from './service.ts'

const BULK = '/api/v1/agravos/casos/bulk'
const MIB = 1024 * 1024
/** Limit of a body that is no upload; half a minute by default. */
const BODY_MS = 4_000
/** A job on a busy machine may rest for long between two statements of its transaction, or two renewals of its lease. */
const UNHURRIED = { idleInTransactionMs: HANG_MS, leaseSeconds: HANG_MS / 1000 }

describe('what arrives as a file, or pretends to', async () => {
  const database = await createTestDatabase()
  const folder = await dataFolder({ after })
  const client = new pg.Client(database.connection)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  const env = { DATABASE_URL: databaseUrl(database.name), DATA_KEY: randomBytes(32).toString('base64') }
  const service = await folder.start(env, {
    bodyMs: BODY_MS,
    jobs: { retrySeconds: 0.2, pollMs: 100, ...UNHURRIED },
  })
  const token = await service.login(ADMIN_EMAIL, PASSWORD)

  const begin = (path: string, headers: Record<string, string>) =>
    beginRequest(new URL(path, service.url), { method: 'POST', token, headers })
  const casos = async () => (await client.query('select count(*)::int as total from casos')).rows[0].total
  /** Null where the system does not tell. */
  function residentBytes(): number | null {
    const file = `/proc/${service.process.pid}/status`
    const line = existsSync(file) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) : null
    return line === null ? null : Number(line[1]) * 1024
  }
  async function assertNothingKept(): Promise<void> {
    await until('nothing is left', async () => {
      const left = await leftovers(client)
      return Object.values(left).every((count) => count === 0)
    })
    assert.deepEqual(await leftovers(client), NADA)
    assert.equal(await casos(), 0)
    assert.equal((await service.request('/api/v1/health/detailed')).status, 200)
  }

  // Begun here, and looked at in the end.
  const endless = begin('/api/v1/auth/login', {
    'content-type': 'application/json',
    'content-length': '1000',
  })
  const begun = performance.now()
  const cut = Promise.race([
    answerOf(endless).then(
      ({ status }) => status,
      (error) => error.code as string,
    ),
    sleep(HANG_MS, 'never', { ref: false }),
  ]).then((end) => ({ end, afterMs: performance.now() - begun }))
  endless.write('{')
  const drip = setInterval(() => endless.write(' '), 500)
  endless.on('close', () => clearInterval(drip))

  it('an upload that is cut off half-way leaves nothing and makes no job', async () => {
    const form = formOf(arquivoDeCasos('A', 20_000))
    const outgoing = begin(BULK, { ...MULTIPART, 'content-length': String(form.length) })
    outgoing.on('error', () => {})
    outgoing.write(form.subarray(0, form.length / 2))
    await until('its first pieces are stored', async () => (await leftovers(client)).arquivos === 1)
    outgoing.destroy()
    await assertNothingKept()
    assert.equal((await client.query('select from jobs')).rowCount, 0)
  })

  it('an upload that comes in drips keeps nobody waiting, and is taken when it has come', async () => {
    const form = formOf(arquivoDeCasos('A', 100), { modo: 'validar' })
    const slow = begin(BULK, { ...MULTIPART, 'content-length': String(form.length) })
    const answer = answerOf(slow)
    const drops = 30
    for (let i = 0; i < drops; i++) {
      slow.write(
        form.subarray(Math.floor((i * form.length) / drops), Math.floor(((i + 1) * form.length) / drops)),
      )
      assert.equal((await service.request('/api/v1/grupos', { token })).status, 200)
      await sleep(30)
    }
    slow.end()
    const { status, body, text } = await answer
    assert.equal(status, 202, text)
    assert.equal((await untilOver(service, token, body.job_id)).resultado.total_linhas, 100)
    // A checked file is kept for its import, for an hour; nothing else is.
    await until('only the file is left', async () => (await leftovers(client)).fila === 0)
    assert.deepEqual(await leftovers(client), { ...NADA, arquivos: 1 })
    await client.query('delete from arquivos')
    await assertNothingKept()
  })

  const cabecalho =
    'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'
  const linha = (i: number) => `dengue;N${i};2024-03-12;Ana Lima;Recife;PE\n`
  const zeros = 'x'.repeat(63 * 1024)
  /** As many unfold to 68 MiB, of which 64 are allowed at any ratio. */
  const BOMB_PARTS = 1_100

  function lyingDbf(): Buffer {
    const dbf = makeDbf([['NU_NOTIFIC', 'C', 7]], [['1234567']])
    dbf.writeUInt32LE(4_000_000_000, 4)
    dbf.writeUInt16LE(65_535, 10)
    return dbf
  }

  const HOSTILE: { what: string; formato: string; content: () => Promise<Buffer> | Buffer; says: RegExp }[] =
    [
      {
        what: 'a ZIP that unfolds to hundreds of times its size',
        formato: 'csv',
        content: () =>
          makeZip({ 'casos.csv': generatedText(`${cabecalho}\n`, () => zeros, BOMB_PARTS, '\n') }),
        says: /se expande|caracteres/,
      },
      {
        what: 'a spreadsheet that unfolds to hundreds of times its size',
        formato: 'xlsx',
        content: () =>
          makeXlsx({
            data: generatedText(
              `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cabecalho
                .split(';')
                .map((nome, i) => cell(`${'ABCDEF'[i]}1`, nome))
                .join('')}</row>`,
              () => `<row>${' '.repeat(zeros.length)}</row>`,
              BOMB_PARTS,
              '</sheetData></worksheet>',
            ),
          }),
        says: /se expande/,
      },
      {
        what: '20,000 columns',
        formato: 'csv',
        content: () => Buffer.from(`${Array.from({ length: 20_000 }, (_, i) => `c${i}`).join(';')}\n1;2\n`),
        says: /20\.000 colunas; o máximo é 1\.000/,
      },
      {
        what: 'NUL bytes',
        formato: 'csv',
        content: () => Buffer.from(`${cabecalho}\ndengue;N\0;2024-03-12;An\0a;Recife;PE\n`),
        says: /./,
      },
      { what: 'nothing but NUL bytes', formato: 'csv', content: () => Buffer.alloc(MIB), says: /./ },
      {
        what: 'half a spreadsheet',
        formato: 'xlsx',
        content: async () => {
          const whole = await makeXlsx({ data: `<row r="1">${cell('A1', 'tipo_agravo')}</row>` })
          return whole.subarray(0, whole.length / 2)
        },
        says: /corrompido ou incompleto/,
      },
      { what: 'a DBF whose header lies', formato: 'dbf', content: lyingDbf, says: /./ },
      { what: 'an empty file', formato: 'csv', content: () => Buffer.alloc(0), says: /vazio/ },
      { what: 'random bytes', formato: 'dbc', content: () => randomBytes(300_000), says: /./ },
      {
        what: 'one line that never ends',
        formato: 'csv',
        content: () => Buffer.from(`${cabecalho}\n${'x'.repeat(2_000_000)}`),
        says: /./,
      },
      {
        what: 'a program',
        formato: 'csv',
        content: () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(5000)]),
        says: /./,
      },
    ]

  it('hostile files: each is refused with a reason, nothing is stored, and the service stays small', async (t) => {
    const before = residentBytes()
    for (const { what, formato, content, says } of HOSTILE) {
      const { status, body, text } = await upload(
        service,
        token,
        formOf(await content(), { formato }, 'x.bin'),
      )
      if (status !== 202) {
        assert.ok(status >= 400 && status < 500, `${what}: ${text}`)
        continue
      }
      const job = await untilOver(service, token, body.job_id)
      assert.equal(job.status, 'failed', `${what}: ${JSON.stringify(job)}`)
      assert.match(job.message, says, what)
      assert.notEqual(job.message, 'Erro interno', what)
      assert.ok(job.message.length < 500, what)
    }
    await assertNothingKept()
    const grown = (residentBytes() ?? 0) - (before ?? 0)
    t.diagnostic(`grown by ${Math.round(grown / MIB)} MiB`)
    assert.ok(before === null || grown < 150 * MIB)
  })

  it('rows of nearly a million characters, all bad: whatever becomes of the job, the service lives and keeps nothing', async (t) => {
    const before = residentBytes()
    // More than the heap of a job's process holds, which is 96 MiB.
    const rows = 120
    const zip = await makeZip({
      'casos.csv': generatedText(
        `${cabecalho};observacao\n`,
        (i) => `dengue;;;;;;${randomBytes(3000).toString('hex').repeat(150)}${i}\n`,
        rows,
        linha(1),
      ),
    })
    const form = formOf(zip, { ignorar_erros: 'true', modo: 'validar' })
    const { status, body, text } = await upload(service, token, form)
    assert.equal(status, 202, text)
    // A process that runs out of memory is tried again a few times.
    const job = await untilOver(service, token, body.job_id)
    const grown = (residentBytes() ?? 0) - (before ?? 0)
    t.diagnostic(
      `${job.status}, a file of ${Math.round(zip.length / MIB)} MiB; grown by ${Math.round(grown / MIB)} MiB`,
    )
    if (job.status === 'completed') assert.equal(job.resultado.erros, rows)
    assert.ok(before === null || grown < 150 * MIB)
    // What a process had written of its own file when it died is taken by the daily cleaning.
    await client.query('delete from arquivos where not em_uso or id in (select arquivo_id from jobs)')
    await client.query('delete from jobs')
    await assertNothingKept()
  })

  it('a body that is no upload and never ends is cut', async () => {
    const { end, afterMs } = await cut
    assert.ok(end === 408 || end === 'ECONNRESET' || end === 'EPIPE', String(end))
    assert.ok(afterMs > BODY_MS - 100, 'an honest slow line has time')
    assert.equal((await service.request('/api/v1/health')).status, 200)
  })
})
