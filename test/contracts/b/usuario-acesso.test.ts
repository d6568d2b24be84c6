import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { enrol, fromBase32, totp } from '../../harness/totp.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const admin = await t.administrador()

const logIn = (email: string, mfa_code?: string) =>
  t.anonymous.post('/auth/login', { email, senha: PASSWORD, ...(mfa_code && { mfa_code }) })
const endMfa = (id: number | string, who: Person = admin) => t.as(who).delete(`/usuarios/${id}/mfa`)
const endSessions = (id: number | string, who: Person = admin) => t.as(who).delete(`/usuarios/${id}/sessoes`)
async function subjectsTo(email: string): Promise<string[]> {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
}
const recordsOf = (id: number, acao: string) =>
  t.database.pool.rows<{ ator_id: number; detalhes: object }>(sql`
    select ator_id, detalhes from auditoria
     where recurso = 'usuario' and recurso_id = ${String(id)} and acao = ${acao}`)

describe('DELETE /usuarios/{id}/mfa', () => {
  it('ends the second factor, its backup codes and the sessions, records who did it and tells the owner', async () => {
    const ana = await t.person()
    const { backup_codes } = await enrol(t, ana)
    assert.equal((await logIn(ana.email)).status, 428)
    const { status, body } = await endMfa(ana.id)
    assert.deepEqual([status, body.sessoes_encerradas], [200, 1])
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401)
    assert.equal((await logIn(ana.email)).status, 200)
    const left = await t.database.pool.rows(sql`select from codigos_backup where usuario_id = ${ana.id}`)
    assert.deepEqual([left.length, backup_codes.length], [0, 10])
    assert.deepEqual(await recordsOf(ana.id, 'mfa.encerrado'), [
      { ator_id: admin.id, detalhes: { sessoes_encerradas: 1 } },
    ])
    assert.equal(
      (await subjectsTo(ana.email)).at(-1),
      'Vigia: o segundo fator foi encerrado pela administração',
    )
  })

  it('is 409 without one, and of two at the same time one ends it', async () => {
    const ana = await t.person()
    assert.equal((await endMfa(ana.id)).body.error.code, 'CONFLICT')
    await enrol(t, ana)
    const statuses = (await Promise.all([endMfa(ana.id), endMfa(ana.id)])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409])
  })

  it('is not the way to end one’s own: a session alone is not enough for that', async () => {
    const chefe = await t.person({ admin: true })
    await enrol(t, chefe)
    const answer = await endMfa(chefe.id, chefe)
    assert.equal(answer.status, 422)
    assert.deepEqual(problems(answer.body.error.details), ['id NOT_EDITABLE'])
    assert.equal((await logIn(chefe.email)).status, 428)
  })
})

describe('DELETE /usuarios/{id}/sessoes', () => {
  it('ends every session, records it and tells the owner; again there is none and nothing to tell', async () => {
    const ana = await t.person()
    await logIn(ana.email)
    assert.equal((await endSessions(ana.id)).body.sessoes_encerradas, 2)
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401)
    assert.deepEqual(await subjectsTo(ana.email), ['Vigia: suas sessões foram encerradas'])
    assert.equal((await endSessions(ana.id)).body.sessoes_encerradas, 0)
    assert.equal((await subjectsTo(ana.email)).length, 1)
    assert.equal((await recordsOf(ana.id, 'sessoes.encerradas')).length, 2)
  })

  it('keeps the present one of one’s own account', async () => {
    const chefe = await t.person({ admin: true })
    await logIn(chefe.email)
    assert.equal((await endSessions(chefe.id, chefe)).body.sessoes_encerradas, 1)
    assert.equal((await t.as(chefe).get('/usuarios/me')).status, 200)
  })
})

for (const [route, act] of [
  ['DELETE /usuarios/{id}/mfa', endMfa],
  ['DELETE /usuarios/{id}/sessoes', endSessions],
] as const)
  describe(`${route} refuses`, () => {
    it('ids that are none, accounts that are not there or above the caller, callers without the permission', async () => {
      const gestor = await t.person({ grupos: ['gestor'] })
      const chefe = await t.person({ admin: true })
      assert.equal((await act('x')).status, 422)
      assert.equal((await act(999_999)).status, 404)
      assert.equal((await act(chefe.id, gestor)).status, 403)
      assert.equal((await act(gestor.id, await t.person())).status, 403)
      assert.equal((await t.as(chefe).get('/usuarios/me')).status, 200)
    })
  })

describe('POST /auth/mfa/codigos', () => {
  const renew = (who: Person, body: object) => t.as(who).post('/auth/mfa/codigos', body)
  const codeOf = ({ secret }: { secret: string }) => totp(fromBase32(secret), t.clock.now().getTime())

  it('gives ten new codes for password and code; the old ones are worth nothing, and the owner is told', async () => {
    const ana = await t.person()
    const mfa = await enrol(t, ana)
    const { status, body } = await renew(ana, { senha: PASSWORD, code: codeOf(mfa) })
    assert.equal(status, 200)
    assert.equal(new Set([...body.backup_codes, ...mfa.backup_codes]).size, 20)
    assert.equal((await logIn(ana.email, mfa.backup_codes[0])).status, 401)
    assert.equal((await logIn(ana.email, body.backup_codes[0])).status, 200)
    assert.equal((await subjectsTo(ana.email)).at(-1), 'Vigia: novos códigos de reserva')
    assert.equal((await recordsOf(ana.id, 'mfa.codigos_renovados')).length, 1)
  })

  it('takes the last backup code, for somebody without the device', async () => {
    const ana = await t.person()
    const { backup_codes } = await enrol(t, ana)
    const { body } = await renew(ana, { senha: PASSWORD, code: backup_codes[9] })
    assert.equal(body.backup_codes.length, 10)
  })

  it('is refused with a wrong password, a wrong code, without one, and without a second factor', async () => {
    const ana = await t.person()
    const mfa = await enrol(t, ana)
    assert.equal((await renew(ana, { senha: 'Errada#Senha1', code: codeOf(mfa) })).status, 401)
    assert.equal((await renew(ana, { senha: PASSWORD, code: 'ABCDE-FGHJK' })).status, 422)
    assert.equal((await renew(ana, { senha: PASSWORD })).status, 422)
    assert.equal((await logIn(ana.email, mfa.backup_codes[0])).status, 200, 'the old codes stand')
    const bia = await t.person()
    assert.equal((await renew(bia, { senha: PASSWORD, code: '123456' })).body.error.code, 'CONFLICT')
  })

  it('counts failures towards the lock', async () => {
    const ana = await t.person()
    await enrol(t, ana)
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await renew(ana, { senha: 'Errada#Senha1', code: '123456' })).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 423])
  })
})
