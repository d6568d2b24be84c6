import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())

const DAY = 86_400_000
const STRENGTHS = ['muito_fraca', 'fraca', 'media', 'forte', 'muito_forte']
const admin = await t.administrador()

interface Metrics {
  login_attempts: { successful: number; failed: number; last_failed: string | null }
  password_strength: string
  password_age_days: number
  mfa_enabled: boolean
  active_sessions: number
  suspicious_activities: string[]
  security_score: number
  recommendations: string[]
}

const logIn = ({ email }: Person, senha = PASSWORD) => t.anonymous.post('/auth/login', { email, senha })
const logInFrom = async ({ email }: Person, remoteAddress: string) => {
  const payload = { email, senha: PASSWORD }
  return (await t.server.inject({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress })).json()
}
const set = (person: Person, facts: ReturnType<typeof sql>) =>
  t.database.pool.run(sql`update usuarios set ${facts} where id = ${person.id}`)

/** The metrics, with their score checked against D-20 every time. */
async function metricsOf(person: Person): Promise<Metrics> {
  const { status, body } = await t.as(person).get('/auth/security-metrics')
  assert.equal(status, 200)
  const { email_verificado } = (await t.as(person).get('/usuarios/me')).body
  const points =
    (body.mfa_enabled ? 35 : 0) +
    (30 * STRENGTHS.indexOf(body.password_strength)) / 4 +
    (body.password_age_days < 180 ? 10 : 0) +
    (email_verificado ? 10 : 0) +
    (body.suspicious_activities.length === 0 ? 15 : 0)
  assert.equal(body.security_score, Math.round(points))
  return body
}

const MFA = 'Ative o segundo fator de autenticação'
const LONGER = 'Use uma senha mais longa'
const OLD = 'Troque a senha, que tem mais de 180 dias'
const VERIFY = 'Verifique o seu e-mail'
const MANY = 'Encerre as sessões que não usa'
const CHECK = 'Confira as sessões abertas e troque a senha'
const LOCKED = 'A conta foi bloqueada por excesso de tentativas'
const REUSED = 'Um refresh token já usado foi apresentado de novo; a sessão foi encerrada'

describe('GET /auth/security-metrics', () => {
  it('answers exactly the fields of the interface', async () => {
    const metrics = await metricsOf(await t.person())
    assert.deepEqual(Object.keys(metrics), [
      'login_attempts',
      'password_strength',
      'password_age_days',
      'mfa_enabled',
      'active_sessions',
      'suspicious_activities',
      'security_score',
      'recommendations',
    ])
    assert.deepEqual(metrics.login_attempts, { successful: 1, failed: 0, last_failed: null })
  })

  it('counts the logins of the account, good and failed, and nobody else’s', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    await logIn(ana)
    await logIn(bia, 'Errada#123')
    await logIn(ana, 'Errada#123')
    await logIn(ana, 'Errada#123')
    const { login_attempts, active_sessions, suspicious_activities } = await metricsOf(ana)
    const { last_failed, ...counts } = login_attempts
    assert.deepEqual(counts, { successful: 2, failed: 2 })
    assert.ok(Math.abs(Date.parse(last_failed as string) - t.clock.now().getTime()) < 10_000)
    assert.equal(active_sessions, 2)
    assert.deepEqual(suspicious_activities, [])
    assert.equal((await metricsOf(bia)).login_attempts.failed, 1)
  })

  it('tells of a lock and of the many failures before it', async () => {
    const ana = await t.person()
    for (let i = 0; i < 4; i++) assert.equal((await logIn(ana, 'Errada#123')).status, 401)
    const before = await metricsOf(ana)
    assert.equal((await logIn(ana, 'Errada#123')).status, 423)
    const { login_attempts, suspicious_activities, security_score, recommendations } = await metricsOf(ana)
    assert.equal(login_attempts.failed, 5)
    assert.deepEqual(suspicious_activities, ['5 tentativas de login falharam em 30 dias', LOCKED])
    assert.equal(security_score, before.security_score - 15)
    assert.ok(recommendations.includes(CHECK) && !before.recommendations.includes(CHECK))
  })

  it('tells of a refresh token that was used again, and of the session that ended by it', async () => {
    const ana = await t.person()
    const { refresh_token } = (await logIn(ana)).body
    const { body: renewed } = await t.anonymous.post('/auth/refresh', { refresh_token })
    assert.equal((await metricsOf(ana)).active_sessions, 2)
    await t.anonymous.post('/auth/refresh', { refresh_token: renewed.refresh_token })
    assert.equal((await t.anonymous.post('/auth/refresh', { refresh_token })).status, 401)
    const metrics = await metricsOf(ana)
    assert.deepEqual(metrics.suspicious_activities, [REUSED])
    assert.equal(metrics.active_sessions, 1)
  })

  it('tells of logins from many addresses and of many sessions', async () => {
    const ana = await t.person()
    for (const n of [1, 2, 3]) await logInFrom(ana, `203.0.113.${n}`)
    const before = await metricsOf(ana)
    assert.deepEqual(before.suspicious_activities, [])
    assert.ok(!before.recommendations.includes(MANY))
    for (const n of [3, 4]) await logInFrom(ana, `203.0.113.${n}`)
    const metrics = await metricsOf(ana)
    assert.deepEqual(metrics.suspicious_activities, ['Logins de 5 endereços diferentes'])
    assert.equal(metrics.active_sessions, 6)
    assert.ok(metrics.recommendations.includes(MANY))
  })

  it('knows the strength of every password that is set', async () => {
    const ana = await t.person()
    for (const [nova_senha, strength] of [
      ['P@ssw0rd1!', 'muito_fraca'],
      ['Aa1#Aa1#Aa1#Aa1#', 'fraca'],
      ['Zebra#42x', 'media'],
      ['Zebra#42xKdle', 'forte'],
      ['Zebra#42xKdleWoq7', 'muito_forte'],
    ] as const) {
      const { status } = await t.as(admin).post(`/usuarios/${ana.id}/alterar-senha`, { nova_senha })
      assert.equal(status, 200)
      const token = (await logIn(ana, nova_senha)).body.access_token
      const metrics = await metricsOf({ ...ana, token })
      assert.equal(metrics.password_strength, strength, nova_senha)
      const isLong = ['forte', 'muito_forte'].includes(strength)
      assert.equal(metrics.recommendations.includes(LONGER), !isLong)
    }
  })

  it('goes from all recommendations to none, and to a full score, as the account gets safer', async () => {
    const ana = await t.person()
    await set(ana, sql`senha_alterada_em = ${new Date(t.clock.now().getTime() - 180 * DAY)}`)
    const worst = await metricsOf(ana)
    assert.equal(worst.password_age_days, 180)
    assert.deepEqual([worst.security_score, worst.recommendations], [15, [MFA, LONGER, OLD, VERIFY]])

    const senha_nova = 'Zebra#42xKdleWoq7'
    const body = { senha_atual: PASSWORD, senha_nova, confirmar_senha: senha_nova }
    assert.equal((await t.as(ana).post('/auth/change-password', body)).status, 200)
    const changed = await metricsOf(ana)
    assert.deepEqual([changed.password_age_days, changed.password_strength], [0, 'muito_forte'])
    assert.deepEqual([changed.security_score, changed.recommendations], [55, [MFA, VERIFY]])

    await set(ana, sql`email_verificado = true`)
    assert.deepEqual((await metricsOf(ana)).recommendations, [MFA])
    await set(ana, sql`mfa_ativado_em = now()`)
    const best = await metricsOf(ana)
    assert.equal(best.mfa_enabled, true)
    assert.deepEqual([best.security_score, best.recommendations], [100, []])
  })

  it('forgets what is older than thirty days, but not how old the password is', async () => {
    const ana = await t.person()
    for (let i = 0; i < 5; i++) await logIn(ana, 'Errada#123')
    t.clock.advance(29.9 * DAY)
    const token = (await logIn(ana)).body.access_token
    assert.equal((await metricsOf({ ...ana, token })).login_attempts.failed, 5)
    t.clock.advance(0.2 * DAY)
    const later = (await logIn(ana)).body.access_token
    const metrics = await metricsOf({ ...ana, token: later })
    assert.deepEqual(metrics.login_attempts, { successful: 2, failed: 0, last_failed: null })
    assert.deepEqual(metrics.suspicious_activities, [])
    assert.equal(metrics.password_age_days, 30)
    assert.equal(metrics.active_sessions, 2)
  })
})
