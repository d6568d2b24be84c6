import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { enqueueEmail } from '../../src/domain/emails/emails.ts'
import { MailFailure } from '../../src/domain/emails/mail.ts'
import { redeemToken } from '../../src/domain/emails/tokens.ts'
import { createTestDatabase } from '../harness/database.ts'
import { account, mailbox, PUBLIC_URL, stillClock, testWorker, tokenIn, waiting } from '../mail/mailbox.ts'

const database = await createTestDatabase()
after(() => database.drop())
const db = database.pool

const MINUTE = 60_000

function outbox(refuse?: Parameters<typeof mailbox>[0]) {
  const clock = stillClock()
  const { mails, transport } = mailbox(refuse)
  return { clock, mails, worker: testWorker(database, { clock, transport }) }
}

const tokensOf = (usuario_id: number) =>
  db.rows<{ tipo: string; email: string }>(
    sql`select tipo, email from tokens_de_email where usuario_id = ${usuario_id}`,
  )

describe('redefinir_senha', () => {
  it('brings a working link to the account of the address, however its case was typed', async () => {
    const { id, email } = await account(db, { email: 'Maria.Silva@teste.local' })
    const { clock, mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: 'mARIA.silva@TESTE.local' })
    await worker.runOnce()
    assert.equal(mails.length, 1)
    assert.equal(mails[0]?.to, email, 'to the stored address, not to the typed one')
    assert.ok(mails[0]?.text.includes(`${PUBLIC_URL}/redefinir-senha#token=${tokenIn(mails[0])}`))
    assert.deepEqual(await redeemToken(db, 'redefinir_senha', tokenIn(mails[0]), clock.now()), {
      usuario_id: id,
      email,
    })
  })

  it('sends nothing and keeps nothing when there is no account, or none that is active', async () => {
    const inactive = await account(db, { ativo: false })
    const { mails, worker } = outbox()
    for (const para of ['ninguem@teste.local', inactive.email, "x' or 1=1 --"])
      await enqueueEmail(db, { tipo: 'redefinir_senha', para })
    await worker.runOnce()
    assert.deepEqual(mails, [])
    assert.deepEqual(worker.failures, [])
    assert.deepEqual(await waiting(db), [])
    assert.deepEqual(await tokensOf(inactive.id), [])
  })

  it('is written in the same way whether or not there is an account', async () => {
    const { email } = await account(db)
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: 'outra@teste.local' })
    const rows = await db.rows<object>(
      sql`select tipo, usuario_id, idioma, tentativas from emails_pendentes order by id`,
    )
    assert.deepEqual(rows[0], rows[1])
    await outbox().worker.runOnce()
  })

  it('goes out five times an hour for one account, whatever asks at once, and again afterwards', async () => {
    const { id, email } = await account(db)
    const other = await account(db)
    const { clock, mails, worker } = outbox()
    const second = testWorker(database, { clock, transport: { send: async (mail) => void mails.push(mail) } })
    for (let i = 0; i < 12; i++) await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: other.email })
    await Promise.all([worker.runOnce(), second.runOnce()])
    assert.equal(mails.filter((mail) => mail.to === email).length, 5)
    assert.equal(mails.filter((mail) => mail.to === other.email).length, 1)
    assert.equal((await tokensOf(id)).length, 5)
    assert.deepEqual(await waiting(db), [])

    clock.advance(60 * MINUTE)
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
    await worker.runOnce()
    assert.equal(mails.filter((mail) => mail.to === email).length, 6)
  })

  it('counts no mail that surely did not go out, and leaves no link behind for it', async () => {
    const { id, email } = await account(db)
    let down = true
    const { clock, mails, worker } = outbox(() => {
      if (down) throw new MailFailure('no server')
    })
    for (let i = 0; i < 4; i++) await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
    for (const minutes of [0, 1, 5]) {
      clock.advance(minutes * MINUTE)
      await worker.runOnce()
    }
    assert.deepEqual(await tokensOf(id), [])
    down = false
    clock.advance(15 * MINUTE)
    await worker.runOnce()
    assert.equal(mails.length, 4)
    assert.equal(new Set(mails.map(tokenIn)).size, 4)
  })

  it('keeps the link of a mail that may have arrived although the connection broke', async () => {
    const { email } = await account(db)
    const sent: string[] = []
    const { clock, mails, worker } = outbox((mail) => {
      sent.push(tokenIn(mail))
      if (sent.length === 1) throw new MailFailure('cut off', { mayHaveArrived: true })
    })
    await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
    await worker.runOnce()
    clock.advance(MINUTE)
    await worker.runOnce()
    assert.equal(mails.length, 1)
    for (const token of sent)
      assert.notEqual(await redeemToken(db, 'redefinir_senha', token, clock.now()), null)
  })
})

describe('verificar_email', () => {
  it('brings a link for the address in `para` to that address', async () => {
    const { id } = await account(db)
    await db.run(sql`update usuarios set email_pendente = 'novo@teste.local' where id = ${id}`)
    const { clock, mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'verificar_email', para: 'novo@teste.local', usuario_id: id })
    await worker.runOnce()
    assert.equal(mails[0]?.to, 'novo@teste.local')
    assert.ok(mails[0]?.text.includes(`${PUBLIC_URL}/verificar-email#token=`))
    assert.deepEqual(await redeemToken(db, 'verificar_email', tokenIn(mails[0]), clock.now()), {
      usuario_id: id,
      email: 'novo@teste.local',
    })
  })

  it('is not sent to an address that the account has left in the meantime', async () => {
    const { id } = await account(db)
    const { mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'verificar_email', para: 'abandonado@teste.local', usuario_id: id })
    await worker.runOnce()
    assert.deepEqual(mails, [])
    assert.deepEqual(await waiting(db), [])
    assert.deepEqual(await tokensOf(id), [])
  })
})

describe('notices', () => {
  it('go to the address given, in the language of the account, without any token', async () => {
    const { id } = await account(db, { idioma: 'es-ES', ativo: false })
    const { mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'senha_alterada', para: 'antigo@teste.local', usuario_id: id })
    await worker.runOnce()
    assert.equal(mails[0]?.to, 'antigo@teste.local')
    assert.match(mails[0]?.subject ?? '', /contraseña/)
    assert.deepEqual(await tokensOf(id), [])
  })

  it('can be given another language than the account has; an unknown one is Portuguese', async () => {
    const { id, email } = await account(db, { idioma: 'tlh' })
    const { mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'senha_alterada', para: email, usuario_id: id, idioma: 'en-US' })
    await worker.runOnce()
    await enqueueEmail(db, { tipo: 'senha_alterada', para: email, usuario_id: id })
    await worker.runOnce()
    assert.match(mails[0]?.subject ?? '', /password/)
    assert.match(mails[1]?.subject ?? '', /senha/)
  })

  it('say that a password set by an administrator has to be changed, when it has to', async () => {
    const { id, email } = await account(db)
    const { mails, worker } = outbox()
    for (const trocar_senha of [true, false]) {
      await db.run(sql`update usuarios set trocar_senha = ${trocar_senha} where id = ${id}`)
      await enqueueEmail(db, { tipo: 'senha_definida', para: email, usuario_id: id })
      await worker.runOnce()
    }
    assert.match(mails[0]?.text ?? '', /precisará trocá-la/)
    assert.doesNotMatch(mails[1]?.text ?? '', /trocá-la/)
  })

  it('tell a requested change of address from one that already counts, and never name the new one', async () => {
    const { id, email } = await account(db)
    const { mails, worker } = outbox()
    await db.run(sql`update usuarios set email_pendente = 'segredo@teste.local' where id = ${id}`)
    await enqueueEmail(db, { tipo: 'email_alterado', para: email, usuario_id: id })
    await worker.runOnce()
    await db.run(sql`update usuarios set email = email_pendente, email_pendente = null where id = ${id}`)
    await enqueueEmail(db, { tipo: 'email_alterado', para: email, usuario_id: id })
    await worker.runOnce()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [email, email],
    )
    assert.match(mails[0]?.subject ?? '', /pedido/)
    assert.match(mails[1]?.subject ?? '', /alterado/)
    assert.ok(!JSON.stringify(mails).includes('segredo'))
  })

  it('tell that a webhook was switched off, in the language of its owner, and not which one', async () => {
    const { id, email } = await account(db, { idioma: 'en-US' })
    const { mails, worker } = outbox()
    await enqueueEmail(db, { tipo: 'webhook_desligado', para: email, usuario_id: id })
    await worker.runOnce()
    assert.equal(mails[0]?.to, email)
    assert.match(mails[0]?.subject ?? '', /webhooks was switched off/)
    assert.match(mails[0]?.text ?? '', /410 or accepted no delivery for five days/)
    assert.doesNotMatch(mails[0]?.text ?? '', /wh_|http/)
    assert.deepEqual(await tokensOf(id), [])
  })
})
