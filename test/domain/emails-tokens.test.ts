import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { TokenTipo } from '../../src/domain/emails/texts/texts.ts'
import {
  countTokensOfLastHour,
  isRedeemable,
  issueToken,
  redeemToken,
  revokeTokens,
  TOKEN_SECONDS,
} from '../../src/domain/emails/tokens.ts'
import { createTestDatabase } from '../harness/database.ts'
import { account } from '../mail/mailbox.ts'

const database = await createTestDatabase()
after(() => database.drop())
const db = database.pool

const now = new Date('2026-05-04T12:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const TIPOS: TokenTipo[] = ['redefinir_senha', 'verificar_email', 'desfazer_email', 'desfazer_mfa', 'convite']

async function issued(tipo: TokenTipo) {
  const { id, email } = await account(db)
  return { id, email, token: await issueToken(db, { tipo, usuario_id: id, email }, now) }
}

describe('tokens of mails', () => {
  it('are 32 random bytes of which only the SHA-256 is stored', async () => {
    const { id, token } = await issued('redefinir_senha')
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const rows = await db.rows<{ hash: Buffer; linha: string }>(
      sql`select hash, t::text as linha from tokens_de_email t where usuario_id = ${id}`,
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(rows[0]?.hash, createHash('sha256').update(token).digest())
    assert.ok(!rows[0]?.linha.includes(token))
  })

  it('work once and tell whose they are', async () => {
    for (const tipo of TIPOS) {
      const { id, email, token } = await issued(tipo)
      assert.equal(await isRedeemable(db, [tipo], token, later(1)), true)
      assert.deepEqual(await redeemToken(db, tipo, token, later(1)), { usuario_id: id, email })
      assert.equal(await isRedeemable(db, [tipo], token, later(2)), false)
      assert.equal(await redeemToken(db, tipo, token, later(2)), null)
    }
  })

  it('work until their last second and not in the one after', async () => {
    assert.deepEqual(TOKEN_SECONDS, {
      redefinir_senha: 3600,
      verificar_email: 86_400,
      convite: 604_800,
      desfazer_email: 604_800,
      desfazer_mfa: 604_800,
    })
    for (const tipo of TIPOS) {
      const expired = await issued(tipo)
      assert.equal(await isRedeemable(db, [tipo], expired.token, later(TOKEN_SECONDS[tipo])), false)
      assert.equal(await redeemToken(db, tipo, expired.token, later(TOKEN_SECONDS[tipo])), null)
      assert.notEqual(await redeemToken(db, tipo, expired.token, later(TOKEN_SECONDS[tipo] - 1)), null)
    }
  })

  it('work for nothing but what they were issued for', async () => {
    const { token } = await issued('verificar_email')
    assert.equal(await redeemToken(db, 'redefinir_senha', token, now), null)
    for (const wrong of ['', 'x', `${token}x`, token.toLowerCase(), '\u0000'])
      assert.equal(await redeemToken(db, 'verificar_email', wrong, now), null)
    assert.notEqual(await redeemToken(db, 'verificar_email', token, now), null)
  })

  it('let exactly one of many simultaneous uses win', async () => {
    for (const tipo of TIPOS) {
      const { token } = await issued(tipo)
      const uses = await Promise.all(
        Array.from({ length: 10 }, () => db.transaction((tx) => redeemToken(tx, tipo, token, later(1)))),
      )
      assert.equal(uses.filter((owner) => owner !== null).length, 1)
    }
  })

  it('work again when the transaction that used them failed', async () => {
    const { token } = await issued('redefinir_senha')
    const failing = db.transaction(async (tx) => {
      assert.notEqual(await redeemToken(tx, 'redefinir_senha', token, now), null)
      throw new Error('afterwards')
    })
    await assert.rejects(failing, /afterwards/)
    assert.notEqual(await redeemToken(db, 'redefinir_senha', token, now), null)
  })

  it('are revoked for one account and kind, and for no other', async () => {
    const ana = await issued('redefinir_senha')
    const bia = await issued('redefinir_senha')
    const verification = await issueToken(
      db,
      { tipo: 'verificar_email', usuario_id: ana.id, email: 'x@y.z' },
      now,
    )
    await revokeTokens(db, ana.id, 'redefinir_senha')
    assert.equal(await redeemToken(db, 'redefinir_senha', ana.token, now), null)
    assert.notEqual(await redeemToken(db, 'redefinir_senha', bia.token, now), null)
    assert.notEqual(await redeemToken(db, 'verificar_email', verification, now), null)
  })

  it('do not pile up: a new one removes the expired ones', async () => {
    const { id, email } = await issued('redefinir_senha')
    await issueToken(db, { tipo: 'redefinir_senha', usuario_id: id, email }, later(3599))
    assert.equal(await countTokensOfLastHour(db, { usuario_id: id, tipo: 'redefinir_senha' }, later(3599)), 2)
    await issueToken(db, { tipo: 'redefinir_senha', usuario_id: id, email }, later(3600))
    const rows = await db.rows(sql`select from tokens_de_email where usuario_id = ${id}`)
    assert.equal(rows.length, 2)
  })
})
