import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { enqueueEmail } from '../../src/domain/emails/emails.ts'
import { type Mail, MailFailure } from '../../src/domain/emails/mail.ts'
import { createTransport } from '../../src/mail/transport.ts'
import { createTestDatabase } from '../harness/database.ts'
import { account, stillClock, testWorker, waiting } from './mailbox.ts'

const FROM = 'Vigia <nao-responda@vigia.example>'
const LINK = `https://vigia.example/redefinir-senha#token=${'a-B_'.repeat(11)}`
const MAIL: Mail = {
  to: 'ana@teste.local',
  subject: 'Redefinição de senha',
  text: `Olá,\n\n${LINK}\n\n.\nfim = fim\n`,
  html: `<p>Olá</p>\n<a href="${LINK}">é</a>\n`,
}

interface Received {
  user: unknown
  secure: boolean
  from: string | undefined
  to: string[]
  message: string
}

/** A real SMTP server on this machine that keeps what it accepts. */
async function smtpServer(t: TestContext, options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          user: session.user,
          secure: session.secure,
          from: mailFrom === false ? undefined : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { received, port: (server.server.address() as AddressInfo).port }
}

const smtp = (smtpUrl: string) => createTransport({ smtpUrl, mailFrom: FROM, dataDir: '/nowhere' })

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** What went wrong, which must not name the address. */
async function failureOf(sending: Promise<void>): Promise<MailFailure> {
  const failure = await sending.then(
    () => assert.fail('it was sent'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof MailFailure)
  for (const secret of [MAIL.to, 'segredo', 'usuario'])
    assert.ok(!`${failure.message} ${failure.stack} ${JSON.stringify(failure)}`.includes(secret))
  return failure
}

describe('SMTP', () => {
  it('delivers one mail to one address, in both forms', async (t) => {
    const { received, port } = await smtpServer(t)
    await smtp(`smtp://127.0.0.1:${port}`).send(MAIL)
    assert.equal(received.length, 1)
    const [{ from, to, message }] = received as [Received]
    assert.equal(from, 'nao-responda@vigia.example')
    assert.deepEqual(to, [MAIL.to])
    const { headers, parts } = parseMail(message)
    assert.equal(headers.from, FROM)
    assert.equal(headers.to, MAIL.to)
    assert.equal(headers.subject, MAIL.subject)
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.match(headers['message-id'] ?? '', /^<[^<>]+@vigia\.example>$/)
    assert.ok(Math.abs(Date.parse(headers.date ?? '') - Date.now()) < 60_000)
    assert.deepEqual(parts, { 'text/plain': MAIL.text, 'text/html': MAIL.html })
  })

  it('logs in with what the URL says, and sends nothing when it is refused', async (t) => {
    const { received, port } = await smtpServer(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'usuario@x' && password === 'segredo/1'
          ? done(null, { user: username })
          : done(reply(535, `no ${username} ${password}`)),
    })
    await smtp(`smtp://usuario%40x:segredo%2F1@127.0.0.1:${port}`).send(MAIL)
    assert.deepEqual(
      received.map(({ user }) => user),
      ['usuario@x'],
    )
    const failure = await failureOf(smtp(`smtp://usuario%40x:segredo@127.0.0.1:${port}`).send(MAIL))
    assert.match(failure.message, /EAUTH.*535/)
    assert.equal(failure.mayHaveArrived, false)
    await failureOf(smtp(`smtp://127.0.0.1:${port}`).send(MAIL))
    assert.equal(received.length, 1)
  })

  it('uses TLS as the URL says and trusts no unknown certificate', async (t) => {
    const pair = await generate([{ name: 'commonName', value: 'localhost' }], { algorithm: 'sha256' })
    const tls = { key: pair.private, cert: pair.cert }
    const wrapped = await smtpServer(t, { ...tls, secure: true })
    const upgraded = await smtpServer(t, { ...tls, disabledCommands: [] })
    const plain = await smtpServer(t)
    await failureOf(smtp(`smtps://127.0.0.1:${wrapped.port}`).send(MAIL))
    await failureOf(smtp(`smtp://127.0.0.1:${upgraded.port}`).send(MAIL))
    await failureOf(smtp(`smtp://127.0.0.1:${plain.port}?requireTLS=true`).send(MAIL))
    assert.equal(wrapped.received.length + upgraded.received.length + plain.received.length, 0)
    const trusting = 'tls.rejectUnauthorized=false'
    await smtp(`smtps://127.0.0.1:${wrapped.port}?${trusting}`).send(MAIL)
    await smtp(`smtp://127.0.0.1:${upgraded.port}?${trusting}`).send(MAIL)
    assert.deepEqual(
      [...wrapped.received, ...upgraded.received].map(({ secure }) => secure),
      [true, true],
    )
  })

  it('tells what the server refused, by its codes alone', async (t) => {
    const quoting = (code: number) => reply(code, `no mail for ${MAIL.to}`)
    for (const code of [450, 550]) {
      const atRecipient = await smtpServer(t, { onRcptTo: (_address, _session, done) => done(quoting(code)) })
      const afterData = await smtpServer(t, {
        onData(stream, _session, done) {
          stream.resume().on('end', () => done(quoting(code)))
        },
      })
      for (const { port } of [atRecipient, afterData]) {
        const failure = await failureOf(smtp(`smtp://127.0.0.1:${port}`).send(MAIL))
        assert.ok(failure.message.includes(String(code)))
        assert.equal(failure.mayHaveArrived, false)
      }
    }
  })

  it('knows a mail that may have arrived from one that cannot have', async (t) => {
    const { port: cutOff } = await smtpServer(t, {
      onData(stream, session) {
        stream.resume().on('end', () => socketOf.get(session.remotePort)?.destroy())
      },
    })
    const socketOf = new Map<number, net.Socket>()
    const between = net.createServer((client) => {
      const server = net.connect(cutOff, '127.0.0.1')
      server.on('connect', () => socketOf.set((server.address() as AddressInfo).port, client))
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) socket.on('error', () => {})
      client.on('close', () => server.destroy())
    })
    between.listen(0, '127.0.0.1')
    await once(between, 'listening')
    t.after(() => between.close())
    const broken = await failureOf(
      smtp(`smtp://127.0.0.1:${(between.address() as AddressInfo).port}`).send(MAIL),
    )
    assert.equal(broken.mayHaveArrived, true)

    const closed = net.createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const unreachable = await failureOf(smtp(`smtp://127.0.0.1:${port}`).send(MAIL))
    assert.equal(unreachable.mayHaveArrived, false)
  })

  it('has mails refused with 4xx or 5xx tried again by the worker', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const answers = [450, 550, null]
    const { received, port } = await smtpServer(t, {
      onRcptTo(_address, _session, done) {
        const code = answers.shift()
        done(code ? reply(code, 'not now') : null)
      },
    })
    const clock = stillClock()
    const worker = testWorker(database, { clock, transport: smtp(`smtp://127.0.0.1:${port}`) })
    const { email } = await account(database.pool)
    await enqueueEmail(database.pool, { tipo: 'redefinir_senha', para: email })
    for (const minutes of [0, 1, 5]) {
      clock.advance(minutes * 60_000)
      await worker.runOnce()
    }
    assert.deepEqual(
      worker.failures.map(({ tentativas, message }) => [tentativas, /\d{3}/.exec(message)?.[0]]),
      [
        [1, '450'],
        [2, '550'],
      ],
    )
    assert.deepEqual(
      received.map(({ to }) => to),
      [[email]],
    )
    assert.deepEqual(await waiting(database.pool), [])
  })
})

describe('files', () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'vigia-mail-'))
  })
  after(() => rm(dataDir, { recursive: true, force: true }))
  const files = () => createTransport({ smtpUrl: null, mailFrom: FROM, dataDir })
  const folder = () => join(dataDir, 'mail')

  it('are one for each mail, readable by their owner alone and named after no one', async () => {
    await Promise.all(Array.from({ length: 5 }, () => files().send(MAIL)))
    const names = await readdir(folder())
    assert.equal(names.length, 5)
    assert.equal((await stat(folder())).mode & 0o777, 0o700)
    for (const name of names) {
      assert.match(name, /^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/)
      assert.equal((await stat(join(folder(), name))).mode & 0o777, 0o600)
    }
  })

  it('hold the whole mail, with a link that can be copied out of them', async () => {
    const [name = ''] = await readdir(folder())
    const message = await readFile(join(folder(), name), 'utf8')
    assert.ok(message.includes(`\r\n${LINK}\r\n`))
    const { headers, parts } = parseMail(message)
    assert.equal(headers.from, FROM)
    assert.equal(headers.to, MAIL.to)
    assert.equal(headers.subject, MAIL.subject)
    assert.deepEqual(parts, { 'text/plain': MAIL.text, 'text/html': MAIL.html })
  })

  it('close a folder that was left open', async () => {
    const open = await mkdtemp(join(dataDir, 'open-'))
    await mkdir(join(open, 'mail'), { mode: 0o755 })
    await createTransport({ smtpUrl: null, mailFrom: FROM, dataDir: open }).send(MAIL)
    assert.equal((await stat(join(open, 'mail'))).mode & 0o777, 0o700)
  })

  it('that cannot be written fail the mail', async () => {
    const blocked = await mkdtemp(join(dataDir, 'blocked-'))
    await writeFile(join(blocked, 'mail'), '')
    const failure = await failureOf(
      createTransport({ smtpUrl: null, mailFrom: FROM, dataDir: blocked }).send(MAIL),
    )
    assert.match(failure.message, /EEXIST/)
  })
})

describe('headers', () => {
  const INJECTIONS = [
    '\r\nBcc: mal@teste.local',
    '\nBcc: mal@teste.local',
    '\rBcc: x',
    '\u0000',
    '\u2028Bcc: x',
  ]

  it('cannot be added through the subject or the sender', async (t) => {
    const { received, port } = await smtpServer(t)
    for (const injection of INJECTIONS) {
      const mailFrom = `Vigia${injection} <nao-responda@vigia.example>`
      const transport = createTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom, dataDir: '' })
      await transport.send({
        ...MAIL,
        subject: `Olá${injection}`,
        text: `${injection}\n.\r\nRCPT TO:<x@y.z>`,
      })
    }
    assert.equal(received.length, INJECTIONS.length)
    for (const { to, message } of received) {
      assert.deepEqual(to, [MAIL.to])
      const { headers } = parseMail(message)
      assert.equal(headers.bcc, undefined)
      assert.deepEqual(Object.keys(headers).sort(), HEADERS)
    }
  })

  it('cannot be added through the address: what is not one plain address is refused', async (t) => {
    const { received, port } = await smtpServer(t)
    const bad = [
      ...INJECTIONS.flatMap((injection) => [`ana@teste.local${injection}`, `ana${injection}@teste.local`]),
      'ana@teste.local, mal@teste.local',
      'ana@teste.local;mal@teste.local',
      'Ana <ana@teste.local>',
      'ana@teste.local> RCPT TO:<mal@teste.local',
      '"ana@x"@teste.local',
      'grupo: ana@teste.local;',
      'ana@teste.local@mal.local',
      'ana',
      '',
    ]
    for (const to of bad)
      assert.equal(
        (await failureOf(smtp(`smtp://127.0.0.1:${port}`).send({ ...MAIL, to }))).message,
        'not an address',
      )
    assert.deepEqual(received, [])
  })

  it('take addresses with every sign an address may have', async (t) => {
    const { received, port } = await smtpServer(t)
    const good = ["o'brien+tag.x_y-z@sub.teste.local", '!#$%&*/=?^`{|}~@teste.local']
    for (const to of good) await smtp(`smtp://127.0.0.1:${port}`).send({ ...MAIL, to })
    assert.deepEqual(
      received.flatMap(({ to }) => to),
      good,
    )
  })
})

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
]

/** As much of RFC 5322 and MIME as these mails use. */
function parseMail(message: string) {
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const headers = parseHeaders(head)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const sections = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1)
  const parts = sections.map((section) => {
    const [partHead = '', ...body] = section.replace(/^\r\n/, '').split('\r\n\r\n')
    const { 'content-type': type = '', 'content-transfer-encoding': encoding = '' } = parseHeaders(partHead)
    const content = decode(body.join('\r\n\r\n').replace(/\r\n$/, ''), encoding)
    return [type.split(';')[0], content.replaceAll('\r\n', '\n')]
  })
  return { headers, parts: Object.fromEntries(parts) as Record<string, string> }
}

function parseHeaders(head: string): Record<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => {
      assert.match(line, /^[\w-]+: /)
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 2))]
    }),
  )
}

const decodeWords = (value: string) =>
  value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) =>
      decode(word.replaceAll('_', ' '), 'quoted-printable'),
    )
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/g, (_, word: string) => decode(word, 'base64'))

function decode(content: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString()
  if (encoding !== 'quoted-printable') return content
  const bytes = content
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
