import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { enqueueEmail } from '../../src/domain/emails/emails.ts'
import { MailFailure } from '../../src/domain/emails/mail.ts'
import { BACKOFF_MS, createMailWorker } from '../../src/domain/emails/worker.ts'
import { createTestDatabase } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { account, mailbox, PUBLIC_URL, stillClock, testWorker, waiting } from '../mail/mailbox.ts'

const database = await createTestDatabase()
after(() => database.drop())
afterEach(() => database.pool.run(sql`delete from emails_pendentes`))
const db = database.pool

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const realClock = { now: () => new Date() }
const refuse = () => {
  throw new MailFailure('refused')
}

/** A notice to a new account. */
async function notice(para?: string) {
  const usuario = await account(db)
  const email = { tipo: 'senha_alterada', para: para ?? usuario.email, usuario_id: usuario.id } as const
  await enqueueEmail(db, email)
  return email
}

describe('the queue', () => {
  it('sends what is due and forgets it once it was accepted', async () => {
    const { para } = await notice()
    const { mails, transport } = mailbox()
    const worker = testWorker(database, { clock: stillClock(), transport })
    await worker.runOnce()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [para],
    )
    assert.deepEqual(await waiting(db), [])
    await worker.runOnce()
    assert.equal(mails.length, 1)
  })

  it('sends nothing of a transaction that failed', async () => {
    const { id, email } = await account(db)
    const failing = db.transaction(async (tx) => {
      await enqueueEmail(tx, { tipo: 'senha_alterada', para: email, usuario_id: id })
      throw new Error('afterwards')
    })
    await assert.rejects(failing, /afterwards/)
    const { mails, transport } = mailbox()
    await testWorker(database, { clock: stillClock(), transport }).runOnce()
    assert.deepEqual(mails, [])
  })

  it('sends each mail exactly once when several instances share it', async () => {
    const expected = await Promise.all(Array.from({ length: 120 }, async () => (await notice()).para))
    const other = createPool({ connection: database.connection })
    const { mails, transport } = mailbox(() => sleep(Math.random() * 4))
    const clock = stillClock()
    const workers = [db, db, other, other].map((pool) => testWorker(database, { clock, transport, db: pool }))
    await Promise.all(workers.map((worker) => worker.runOnce()))
    await other.end()
    assert.deepEqual(mails.map((mail) => mail.to).sort(), expected.sort())
    assert.deepEqual(await waiting(db), [])
    assert.deepEqual(
      workers.flatMap((worker) => worker.failures),
      [],
    )
  })

  it('tries again after 1, 5, 15 min, 1, 3, 6, 12 and 24 h, then gives up and says so without the address', async () => {
    const { para } = await notice('segredo@teste.local')
    const clock = stillClock()
    let attempts = 0
    const { transport } = mailbox(() => {
      attempts++
      refuse()
    })
    const worker = testWorker(database, { clock, transport })
    const hours = [1 / 60, 5 / 60, 15 / 60, 1, 3, 6, 12, 24]
    assert.deepEqual(
      BACKOFF_MS,
      hours.map((h) => h * HOUR),
    )
    await worker.runOnce()
    for (const [i, pause] of BACKOFF_MS.entries()) {
      const [row] = await waiting(db)
      assert.equal(row?.tentativas, i + 1)
      assert.equal(row?.proxima_tentativa.getTime(), clock.now().getTime() + pause)
      clock.advance(pause - 1)
      await worker.runOnce()
      assert.equal(attempts, i + 1, 'not a moment too early')
      clock.advance(1)
      await worker.runOnce()
      assert.equal(attempts, i + 2)
    }
    assert.deepEqual(await waiting(db), [])
    assert.deepEqual(
      worker.failures.map(({ gaveUp }) => gaveUp),
      [...BACKOFF_MS.map(() => false), true],
    )
    assert.ok(!JSON.stringify(worker.failures).includes(para))
    clock.advance(1000 * HOUR)
    await worker.runOnce()
    assert.equal(attempts, 9)
  })

  it('delivers at a later attempt what was refused before', async () => {
    const { para } = await notice()
    const clock = stillClock()
    let refusals = 2
    const { mails, transport } = mailbox(() => {
      if (refusals-- > 0) refuse()
    })
    const worker = testWorker(database, { clock, transport })
    await worker.runOnce()
    clock.advance(MINUTE)
    await worker.runOnce()
    assert.equal(mails.length, 0)
    clock.advance(5 * MINUTE)
    await worker.runOnce()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [para],
    )
    assert.deepEqual(await waiting(db), [])
  })

  it('is not held back by an address that fails', async () => {
    const bad = await notice('ruim@teste.local')
    const good = await Promise.all(Array.from({ length: 8 }, async () => (await notice()).para))
    const { mails, transport } = mailbox(({ to }) => {
      if (to === bad.para) refuse()
    })
    await testWorker(database, { clock: stillClock(), transport }).runOnce()
    assert.deepEqual(mails.map((mail) => mail.to).sort(), good.sort())
    assert.deepEqual(
      (await waiting(db)).map(({ para }) => para),
      [bad.para],
    )
  })

  it('is not held back by an address that hangs, not even for mails that come later', async () => {
    const bad = await notice('lento@teste.local')
    const hanging = Promise.withResolvers<void>()
    const { mails, transport } = mailbox(({ to }) => (to === bad.para ? hanging.promise : undefined))
    const worker = testWorker(database, { clock: stillClock(), transport })
    const run = worker.runOnce()
    await until('it was tried once', async () => (await waiting(db))[0]?.tentativas === 1)
    const good = await notice()
    worker.wake()
    await until('one is sent', () => mails.length === 1)
    assert.equal(mails[0]?.to, good.para)
    hanging.resolve()
    await run
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [good.para, bad.para],
    )
  })

  it('takes a mail that takes too long for one that failed', async () => {
    await notice()
    const transport = { send: () => new Promise<void>(() => {}) }
    const worker = testWorker(database, { clock: stillClock(), transport, timing: { send: 50 } })
    await worker.runOnce()
    assert.deepEqual(
      worker.failures.map(({ message, gaveUp }) => ({ message, gaveUp })),
      [{ message: 'took too long', gaveUp: false }],
    )
    assert.equal((await waiting(db))[0]?.tentativas, 1)
  })

  it('loses nothing when an instance is killed between claiming and sending', async () => {
    const { para } = await notice()
    const file = fileURLToPath(new URL('../mail/killed-worker.ts', import.meta.url))
    const instance = spawn(process.execPath, [file], {
      env: { ...process.env, CONNECTION: JSON.stringify(database.connection) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(instance.stdout, 'data')
    assert.equal(String(said), 'sending\n')
    instance.kill('SIGKILL')
    await once(instance, 'exit')

    const clock = stillClock({ ahead: 0 })
    const { mails, transport } = mailbox()
    const worker = testWorker(database, { clock, transport })
    await worker.runOnce()
    assert.equal(mails.length, 0, 'its lease still runs')
    clock.advance(2 * MINUTE)
    await worker.runOnce()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [para],
    )
    assert.deepEqual(await waiting(db), [])
  })

  it('leaves the schedule to whoever holds the mail after a lease ran out', async () => {
    await notice()
    const clock = stillClock()
    let fail = (_error: Error) => {}
    const slow = testWorker(database, {
      clock,
      transport: {
        send: () =>
          new Promise((_, reject) => {
            fail = reject
          }),
      },
    })
    const run = slow.runOnce()
    await until('it was tried once', async () => (await waiting(db))[0]?.tentativas === 1)
    clock.advance(2 * MINUTE)
    const second = testWorker(database, { clock, transport: mailbox(refuse).transport })
    await second.runOnce()
    const before = await waiting(db)
    assert.equal(before[0]?.tentativas, 2)
    clock.advance(10_000)
    fail(new MailFailure('late'))
    await run
    assert.deepEqual(await waiting(db), before)
  })

  it('gives up nothing of a kind that only a newer version knows', async () => {
    const { id, email } = await account(db)
    await db.run(
      sql`insert into emails_pendentes (tipo, para, usuario_id) values ('boas_vindas', ${email}, ${id})`,
    )
    const { mails, transport } = mailbox()
    const worker = testWorker(database, { clock: stillClock(), transport })
    await worker.runOnce()
    assert.deepEqual(mails, [])
    assert.match(worker.failures[0]?.message ?? '', /unknown kind/)
    assert.equal((await waiting(db)).length, 1)
  })

  it('loses its mails with the account they are about', async () => {
    const { usuario_id } = await notice()
    await db.run(sql`delete from usuarios where id = ${usuario_id}`)
    assert.deepEqual(await waiting(db), [])
  })
})

describe('the worker', () => {
  it('sends at once when woken', async () => {
    const { mails, transport } = mailbox()
    const worker = testWorker(database, { clock: realClock, transport, timing: { poll: 3_600_000 } })
    worker.start()
    for (const total of [1, 2]) {
      await notice()
      worker.wake()
      await until('all are sent', () => mails.length === total)
    }
    await worker.stop()
  })

  it('finds by itself what nobody woke it for, and nothing more once stopped', async () => {
    const { mails, transport } = mailbox()
    const worker = testWorker(database, { clock: realClock, transport, timing: { poll: 20 } })
    worker.start()
    await notice()
    await until('one is sent', () => mails.length === 1)
    await worker.stop()
    await notice()
    worker.wake()
    await sleep(100)
    assert.equal(mails.length, 1)
    assert.equal((await waiting(db)).length, 1)
  })

  it('finishes the mails in hand when it stops, and waits for none that hangs', async () => {
    const { para } = await notice()
    const hung = await notice('pendurado@teste.local')
    const hanging = Promise.withResolvers<void>()
    const { mails, transport } = mailbox(({ to }) => (to === hung.para ? hanging.promise : sleep(50)))
    const worker = testWorker(database, { clock: stillClock(), transport, timing: { stop: 500 } })
    worker.start()
    await until('each was tried once', async () =>
      (await waiting(db)).every(({ tentativas }) => tentativas === 1),
    )
    await worker.stop()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [para],
    )
    hanging.resolve()
    await until('none waits', async () => (await waiting(db)).length === 0)
  })

  it('never throws at whoever wakes it: an unreachable database is told once, and again after it came back', async () => {
    let reachable = false
    const errors: unknown[] = []
    const worker = createMailWorker({
      db: {
        ...db,
        rows: (query) => (reachable ? db.rows(query) : Promise.reject(new Error('unreachable'))),
      },
      clock: stillClock(),
      transport: mailbox().transport,
      publicUrl: PUBLIC_URL,
      onError: (error, email) => errors.push([(error as Error).message, email]),
    })
    await worker.runOnce()
    await worker.runOnce()
    assert.deepEqual(errors, [['unreachable', null]])
    reachable = true
    await worker.runOnce()
    reachable = false
    await worker.runOnce()
    assert.equal(errors.length, 2)
  })

  it('does not keep the process alive', async () => {
    const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const script = `
      import { createMailWorker } from ${url('../../src/domain/emails/worker.ts')}
      const rows = async () => []
      createMailWorker({ db: { rows }, clock: { now: () => new Date() }, publicUrl: '', onError() {} }).start()`
    const instance = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
    const [code] = await once(instance, 'exit')
    assert.equal(code, 0)
  })
})
