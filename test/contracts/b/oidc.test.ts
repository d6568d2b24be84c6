import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { findUsuarioForUpdate } from '../../../src/domain/contas/contas.sql.ts'
import { forgetFailures, type Person, testApp } from '../../harness/app.ts'
import { openConsole } from '../../harness/console.ts'
import { providerRow, ssoBrowser, trialProvider } from '../../harness/oidc.ts'
import { enrol, fromBase32, totp } from '../../harness/totp.ts'

const provider = await trialProvider(['a', 'b', 'c'])
const { issuers } = provider
const GRUPOS = { claim: 'grupos', mapa: { epi: 'analista', chefia: 'gestor' } }
const t = await testApp({
  env: {
    PUBLIC_URL: 'https://vigia.test',
    OIDC_PROVIDERS: JSON.stringify([
      providerRow('a', issuers.a?.issuer as string, {
        vincular: ['email', 'cpf'],
        claim_cpf: 'cpf',
        grupos: GRUPOS,
      }),
      providerRow('b', issuers.b?.issuer as string, { vincular: [], criar: { grupos: ['analista'] } }),
      providerRow('c', issuers.c?.issuer as string, { nome: 'C & "D" <e>', confia_mfa: true }),
    ]),
  },
})
after(async () => {
  await t.close()
  await provider.close()
})
const { pool } = t.database
beforeEach(() => forgetFailures(pool))

let subs = 0
const subject = () => `sub-${++subs}`
const verified = ({ email }: { email: string }, more: object = {}) => {
  return { sub: subject(), email, email_verified: true, ...more }
}
const waitingForLocks = async () =>
  (
    await pool.rows(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length
/** Signs in from the button to the console, or to where a refusal leads. */
async function signIn(id: string, person: object, browser = ssoBrowser(t), volta?: string) {
  provider.behave(id, { person: { ...person } })
  const { location } = await browser.go(provider.consent(await browser.begin(id, volta)).href)
  return { browser, location }
}
const identities = (id: number) =>
  pool.rows<{ provedor: string; linha: string }>(
    sql`select provedor, to_jsonb(i)::text as linha from identidades i where usuario_id = ${id}`,
  )
const acoes = async (id: number) =>
  (
    await pool.rows<{ acao: string }>(
      sql`select acao from auditoria where ator_id = ${id} or (recurso = 'usuario' and recurso_id = ${String(id)}) order by id`,
    )
  ).map(({ acao }) => acao)
const gruposOf = async ({ id }: { id: number }) =>
  (
    await pool.rows<{ nome: string }>(
      sql`select g.nome from usuarios_grupos ug join grupos g on g.id = ug.grupo_id where ug.usuario_id = ${id} order by 1`,
    )
  ).map(({ nome }) => nome)
const mailsTo = async (email: string) => {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email).map(({ subject: title }) => title)
}

describe('GET /auth/oidc', () => {
  it('lists the providers, and none of their settings', async () => {
    const { status, body, text } = await t.anonymous.get('/auth/oidc')
    assert.equal(status, 200)
    assert.deepEqual(body.provedores[0], { id: 'a', nome: 'Provedor a', url: '/entrar/oidc/a' })
    assert.equal(body.provedores.length, 3)
    assert.doesNotMatch(text, /segredo|issuer|127\.0\.0\.1/)
  })

  it('tells them in the page of the sign-in, as text', async () => {
    const { text } = await t.anonymous.get('//entrar', { headers: { accept: 'text/html' } })
    assert.match(text, /<meta name="provedor" id="sso-c" content="C &amp; &quot;D&quot; &lt;e>">/)
  })
})

describe('Single sign-on', () => {
  it('asks the provider with PKCE, state and nonce, and binds the attempt to the browser', async () => {
    const browser = ssoBrowser(t)
    const answer = await browser.go('/entrar/oidc/a')
    assert.equal(answer.status, 302)
    const url = new URL(answer.location)
    assert.equal(url.pathname, '/a/authorize')
    const asked = Object.fromEntries(url.searchParams)
    assert.equal(asked.redirect_uri, 'https://vigia.test/entrar/oidc/a/retorno')
    assert.equal(asked.response_type, 'code')
    assert.equal(asked.code_challenge_method, 'S256')
    assert.equal(asked.scope, 'openid email profile')
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((asked[name] as string).length >= 43, name)
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-vigia-sso=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    assert.equal(answer.headers['cache-control'], 'no-store')
    const rows = await pool.rows<{ linha: string }>(
      sql`select to_jsonb(o)::text as linha from oidc_tentativas o`,
    )
    const stored = rows.map(({ linha }) => linha).join()
    for (const secret of [asked.state, asked.nonce, browser.cookies.get('__Host-vigia-sso')])
      assert.ok(!stored.includes(secret as string))
  })

  it('links by the verified e-mail, opens a session like that of a password, and tells the owner', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    const { browser, location } = await signIn('a', verified(ana), undefined, '/casos?uf=PE')
    assert.equal(location, '/casos?uf=PE')
    const me = await browser.send('GET', '/usuarios/me')
    assert.deepEqual([me.status, me.body.id], [200, ana.id])
    assert.equal(browser.cookies.has('__Host-vigia-sso'), false, 'the cookie of the attempt is gone')
    const [sessao] = await pool.rows<{ lembrar: boolean; cookie: boolean; tokens: number }>(sql`
      select lembrar, cookie_hash is not null as cookie,
             (select count(*) from refresh_tokens r where r.sessao_id = s.id) as tokens
        from sessoes s where usuario_id = ${ana.id} and cookie_hash is not null`)
    assert.deepEqual(sessao, { lembrar: false, cookie: true, tokens: 0 })
    assert.deepEqual(await acoes(ana.id), ['identidade.vinculada', 'login.sucesso'])
    assert.ok((await mailsTo(ana.email)).includes('Vigia: entrada única vinculada à sua conta'))
    const [identidade] = await identities(ana.id)
    assert.doesNotMatch(identidade?.linha as string, /sub-\d/, 'the subject is hashed')
  })

  it('knows a linked person by the subject alone, also with another address, and mails nothing again', async () => {
    const bia = await t.person()
    const person = verified(bia)
    await signIn('a', person)
    const { browser } = await signIn('a', { ...person, email: 'outra@teste.local', email_verified: false })
    assert.equal((await browser.send('GET', '/usuarios/me')).body.id, bia.id)
    assert.equal((await identities(bia.id)).length, 1)
    assert.equal((await mailsTo(bia.email)).filter((title) => title.includes('vinculada')).length, 1)
  })

  it('links by the CPF, in either form', async () => {
    const cai = await t.person()
    await pool.run(sql`update usuarios set cpf = '52998224725' where id = ${cai.id}`)
    const { browser } = await signIn('a', { sub: subject(), cpf: '529.982.247-25' })
    assert.equal((await browser.send('GET', '/usuarios/me')).body.id, cai.id)
  })

  it('takes claims of the user info that the ID token does not have', async () => {
    const dea = await t.person()
    const browser = ssoBrowser(t)
    provider.behave('a', { person: { sub: subject() }, userinfo: { email: dea.email, email_verified: true } })
    await browser.go(provider.consent(await browser.begin('a')).href)
    assert.equal((await browser.send('GET', '/usuarios/me')).body.id, dea.id)
    assert.ok(issuers.a?.asked.includes('userinfo'))
  })

  it('creates an account only where a rule allows it: verified, in its groups, without a usable password', async () => {
    const nobody = { email: 'nova.pessoa@fora.example' }
    assert.equal((await signIn('a', verified(nobody))).location, '/entrar?erro=sem_conta')
    const { browser, location } = await signIn('b', verified(nobody, { name: 'Nova Pessoa' }))
    assert.equal(location, '/painel')
    const me = (await browser.send('GET', '/usuarios/me')).body
    assert.deepEqual(
      [me.nome, me.email, me.email_verificado, me.admin],
      ['Nova Pessoa', nobody.email, true, false],
    )
    assert.deepEqual(await gruposOf(me), ['analista'])
    assert.deepEqual(await acoes(me.id), ['usuario.criado', 'identidade.vinculada', 'login.sucesso'])
    assert.deepEqual(await mailsTo(nobody.email), ['Vigia: entrada única vinculada à sua conta'])
  })

  it('sets the groups of the map at each sign-in, touches no other, and records it', async () => {
    const eva = await t.person({ grupos: ['usuario', 'gestor'] })
    const person = verified(eva)
    await signIn('a', { ...person, grupos: ['epi', 'desconhecido'] })
    assert.deepEqual(await gruposOf(eva), ['analista', 'usuario'])
    await signIn('a', { ...person, grupos: ['epi', 'chefia'] })
    assert.deepEqual(await gruposOf(eva), ['analista', 'gestor', 'usuario'])
    await signIn('a', person)
    assert.deepEqual(await gruposOf(eva), ['usuario'], 'without the claim there are none')
    const entries = await pool.rows<{ acao: string; detalhes: object }>(sql`
      select acao, detalhes from auditoria where recurso = 'grupo' and detalhes ->> 'usuario_id' = ${String(eva.id)}`)
    assert.equal(entries.length, 5)
    assert.deepEqual(entries[0]?.detalhes, { usuario_id: eva.id, provedor: 'a' })
  })

  it('waits for a change of the account that is under way, and sees it', async () => {
    const ivo = await t.person({ grupos: ['usuario'] })
    const person = verified(ivo)
    await signIn('a', { ...person, grupos: [] })
    const changed = Promise.withResolvers<void>()
    const changing = pool.transaction(async (tx) => {
      await findUsuarioForUpdate(tx, ivo.id)
      await tx.run(
        sql`insert into usuarios_grupos (usuario_id, grupo_id) select ${ivo.id}, id from grupos where nome = 'gestor'`,
      )
      changed.resolve()
      while ((await waitingForLocks()) === 0) await new Promise(setImmediate)
    })
    await changed.promise
    const entering = signIn('a', { ...person, grupos: ['epi'] })
    await Promise.all([changing, entering])
    assert.deepEqual(await gruposOf(ivo), ['analista', 'usuario'], 'the provider decides of both')
  })

  it('ends the session that the browser had before', async () => {
    const fia = await t.person()
    const browser = ssoBrowser(t)
    const before = (await openConsole(t, fia.email)).value() as string
    browser.cookies.set('__Host-vigia', before)
    const url = await browser.begin('a')
    // From another site: the browser keeps its strict cookie back.
    browser.cookies.delete('__Host-vigia')
    provider.behave('a', { person: verified(fia) })
    await browser.go(provider.consent(url).href)
    assert.notEqual(browser.cookies.get('__Host-vigia'), before)
    const old = ssoBrowser(t)
    old.cookies.set('__Host-vigia', before)
    assert.equal((await old.send('GET', '/usuarios/me')).status, 401)
  })

  it('lets several browsers and providers sign in side by side', async () => {
    const gil = await t.person()
    const person = verified(gil)
    const [one, two] = [ssoBrowser(t), ssoBrowser(t)]
    const [a, c] = [await one.begin('a'), await two.begin('c')]
    provider.behave('a', { person })
    provider.behave('c', { person })
    const locations = await Promise.all([one.go(provider.consent(a).href), two.go(provider.consent(c).href)])
    assert.deepEqual(
      locations.map(({ location }) => location),
      ['/painel', '/painel'],
    )
    assert.deepEqual((await identities(gil.id)).map(({ provedor }) => provedor).toSorted(), ['a', 'c'])
  })

  it('cleans attempts that are over', async () => {
    await ssoBrowser(t).begin('a')
    t.clock.advance(11 * 60_000)
    await cleanUp(t.app)
    assert.deepEqual(await pool.rows(sql`select from oidc_tentativas`), [])
  })
})

describe('POST /auth/oidc/segundo-fator', () => {
  const ROUTE = '/auth/oidc/segundo-fator'
  async function withFactor() {
    const person = await t.person()
    const { secret, backup_codes } = await enrol(t, person)
    const code = () => totp(fromBase32(secret), t.clock.now().getTime())
    return { person, code, backup_codes }
  }

  it('asks for the code before anything is linked, and opens the session with it', async () => {
    const { person, code } = await withFactor()
    const { browser, location } = await signIn('a', verified(person), undefined, '/casos')
    assert.equal(location, '/entrar?sso=a&voltar=%2Fcasos')
    assert.equal(browser.cookies.has('__Host-vigia'), false)
    assert.deepEqual(await identities(person.id), [])
    const cookie = browser.cookies.get('__Host-vigia-sso') as string
    const wrong = await browser.send('POST', ROUTE, { mfa_code: '000000' })
    assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'INVALID_CREDENTIALS'])
    const right = await browser.send('POST', ROUTE, { mfa_code: code() })
    assert.deepEqual([right.status, right.body.id], [200, person.id])
    assert.equal((await browser.send('GET', '/usuarios/me')).status, 200)
    assert.equal((await identities(person.id)).length, 1)
    const again = ssoBrowser(t)
    again.cookies.set('__Host-vigia-sso', cookie)
    t.clock.advance(60_000)
    const replay = await again.send('POST', ROUTE, { mfa_code: code() })
    assert.deepEqual([replay.status, replay.body.error.code], [400, 'INVALID_SSO_ATTEMPT'])
  })

  it('asks linked people, too, takes a backup code, and locks as a login does', async () => {
    const { person, backup_codes } = await withFactor()
    const who = verified(person)
    const first = await signIn('a', who)
    assert.equal((await first.browser.send('POST', ROUTE, { mfa_code: backup_codes[0] })).status, 200)
    const { browser, location } = await signIn('a', who)
    assert.match(location, /^\/entrar\?sso=a/)
    for (let i = 0; i < 4; i++)
      assert.equal((await browser.send('POST', ROUTE, { mfa_code: '000000' })).status, 401)
    assert.equal((await browser.send('POST', ROUTE, { mfa_code: '000000' })).status, 423)
    assert.equal((await browser.send('POST', ROUTE, { mfa_code: backup_codes[1] })).status, 423)
    assert.equal((await signIn('a', who)).location, '/entrar?erro=conta_bloqueada')
  })

  it('refuses without an attempt, with that of another browser, after ten minutes, and for a deactivated account', async () => {
    const { person, code, backup_codes } = await withFactor()
    const refusedAs = async (send: ReturnType<typeof ssoBrowser>, mfa_code: string) => {
      const { status, body } = await send.send('POST', ROUTE, { mfa_code })
      return [status, body.error.code]
    }
    assert.deepEqual(await refusedAs(ssoBrowser(t), code()), [400, 'INVALID_SSO_ATTEMPT'])
    const { browser } = await signIn('a', verified(person))
    const other = ssoBrowser(t)
    other.cookies.set('__Host-vigia-sso', 'A'.repeat(43))
    assert.deepEqual(await refusedAs(other, code()), [400, 'INVALID_SSO_ATTEMPT'])
    assert.equal((await browser.send('POST', ROUTE, {})).status, 422)
    await pool.run(sql`update usuarios set desativado_em = now() where id = ${person.id}`)
    assert.deepEqual(await refusedAs(browser, backup_codes[0] as string), [403, 'ACCOUNT_INACTIVE'])
    await pool.run(sql`update usuarios set desativado_em = null where id = ${person.id}`)
    t.clock.advance(11 * 60_000)
    assert.deepEqual(await refusedAs(browser, backup_codes[1] as string), [400, 'INVALID_SSO_ATTEMPT'])
    assert.deepEqual(await identities(person.id), [])
  })

  it('refuses what the rules refuse after the code, too, and records why', async () => {
    const { person, backup_codes } = await withFactor()
    const { browser } = await signIn('a', verified(person))
    await pool.run(sql`
      insert into identidades (usuario_id, provedor, sub_hash, vinculada_em, ultimo_uso_em)
      values (${person.id}, 'a', 'outra', now(), now())`)
    const { status, body } = await browser.send('POST', ROUTE, { mfa_code: backup_codes[0] })
    assert.deepEqual([status, body.error.code], [400, 'INVALID_SSO_ATTEMPT'])
    assert.match(body.error.message, /regras da entrada única/)
    assert.equal(browser.cookies.has('__Host-vigia'), false)
    const last = await pool.first(sql`
      select detalhes from auditoria where acao = 'sso.recusado' order by id desc limit 1`)
    assert.deepEqual(last, { detalhes: { provedor: 'a', motivo: 'ja_vinculada' } })
  })

  it('is for our own pages alone', async () => {
    const { status, body } = await t.anonymous.post(ROUTE, { mfa_code: '123456' })
    assert.deepEqual([status, body.error.code], [403, 'CONSOLE_ONLY'])
  })

  it('trusts the factor of a provider that is trusted, and of no other', async () => {
    const { person } = await withFactor()
    const who = verified(person)
    assert.match((await signIn('c', who)).location, /^\/entrar\?sso=c/)
    assert.match((await signIn('c', { ...who, amr: ['pwd', 'sms'] })).location, /^\/entrar\?sso=c/)
    assert.match((await signIn('a', { ...who, amr: ['mfa'] })).location, /^\/entrar\?sso=a/)
    assert.equal((await signIn('c', { ...who, amr: ['pwd', 'otp'] })).location, '/painel')
  })

  it('spares people of a group that requires a factor the enrolment, with a trusted one only', async () => {
    const hugo = await t.person({ grupos: ['usuario'] })
    await pool.run(sql`update grupos set exige_mfa = true where nome = 'usuario'`)
    const who = verified(hugo)
    const plain = await signIn('c', who)
    const refused = await plain.browser.send('GET', '/usuarios/me')
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'MFA_ENROLMENT_REQUIRED'])
    const trusted = await signIn('c', { ...who, amr: ['mfa'] })
    assert.equal((await trusted.browser.send('GET', '/usuarios/me')).status, 200)
    await pool.run(sql`update grupos set exige_mfa = false where nome = 'usuario'`)
  })
})

describe('Identities of an account', () => {
  const linkOf = async (person: Person) => {
    await signIn('a', verified(person))
    return (await t.as(person).get('/usuarios/me/identidades')).body
  }

  it('are listed and unlinked by the owner, who is told', async () => {
    const ivo = await t.person()
    const { total, items } = await linkOf(ivo)
    assert.equal(total, 1)
    const { id, vinculada_em, ultimo_uso_em, ...named } = items[0]
    assert.deepEqual(named, { provedor: 'a', provedor_nome: 'Provedor a' })
    assert.equal(vinculada_em, ultimo_uso_em)
    const other = await t.person()
    assert.equal((await t.as(other).delete(`/usuarios/me/identidades/${id}`)).status, 404)
    assert.equal((await t.as(ivo).delete(`/usuarios/me/identidades/${id}`)).status, 204)
    assert.equal((await t.as(ivo).delete(`/usuarios/me/identidades/${id}`)).status, 404)
    assert.equal((await t.as(ivo).delete('/usuarios/me/identidades/nenhuma')).status, 422)
    assert.deepEqual(await identities(ivo.id), [])
    assert.ok((await acoes(ivo.id)).includes('identidade.desvinculada'))
    assert.ok((await mailsTo(ivo.email)).includes('Vigia: entrada única desvinculada da sua conta'))
  })

  it('are listed and unlinked by administrators, and by nobody below', async () => {
    const jo = await t.person()
    const [{ id }] = (await linkOf(jo)).items
    const admin = t.as(await t.administrador())
    const path = `/usuarios/${jo.id}/identidades`
    assert.equal((await admin.get(path)).body.items[0].id, id)
    assert.equal((await t.as(await t.person()).get(path)).status, 403)
    assert.equal((await t.as(await t.person()).delete(`${path}/${id}`)).status, 403)
    assert.equal((await admin.get('/usuarios/999999/identidades')).status, 404)
    assert.equal((await admin.delete(`${path}/999999`)).status, 404)
    assert.equal((await admin.delete(`${path}/abc`)).status, 422)
    assert.equal((await admin.get('/usuarios/abc/identidades')).status, 422)
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204)
    assert.deepEqual(await identities(jo.id), [])
  })

  it('go with the account, and those linked by a thief with the recovery of its address', async () => {
    const lia = await t.person()
    await linkOf(lia)
    await pool.run(sql`
      insert into emails_anteriores (usuario_id, email, trocado_em)
      values (${lia.id}, 'lia.antiga@teste.local', ${new Date(t.clock.now().getTime() - 60_000)})`)
    await pool.run(sql`
      insert into tokens_de_email (hash, tipo, usuario_id, email, criado_em, expira_em)
      values (sha256('um-link-de-volta'), 'desfazer_email', ${lia.id}, 'lia.antiga@teste.local', ${t.clock.now()},
              ${new Date(t.clock.now().getTime() + 60_000)})`)
    assert.equal((await t.anonymous.post('/auth/nao-fui-eu', { token: 'um-link-de-volta' })).status, 200)
    assert.deepEqual(await identities(lia.id), [])
  })
})
