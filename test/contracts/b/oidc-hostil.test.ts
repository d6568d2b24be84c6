import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { sql } from '../../../src/db/sql.ts'
import { forgetFailures, type Person, testApp } from '../../harness/app.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  type Issuer,
  json,
  providerRow,
  type SsoBrowser,
  ssoBrowser,
  trialProvider,
} from '../../harness/oidc.ts'

const provider = await trialProvider(['a', 'b', 'chaves', 'mapa', 'criar'])
const row = (id: string, more: object = {}) => providerRow(id, provider.issuers[id]?.issuer as string, more)
const t = await testApp({
  env: {
    PUBLIC_URL: 'https://vigia.test',
    OIDC_PROVIDERS: JSON.stringify([
      row('a', {
        vincular: ['email', 'cpf'],
        claim_cpf: 'cpf',
        grupos: { claim: 'grupos', mapa: { adm: 'admin', epi: 'analista' } },
      }),
      row('b'),
      row('chaves'),
      row('mapa', { grupos: { claim: 'grupos', mapa: { epi: 'grupo-que-nao-existe' } } }),
      row('criar', { criar: { grupos: ['grupo-que-nao-existe'] } }),
    ]),
  },
})
after(async () => {
  await t.close()
  await provider.close()
})
const { pool } = t.database
beforeEach(() => forgetFailures(pool))

const CPF = '52998224725'
const stranger = await generateKeyPair('RS256')
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (secret: string) => (claims: Claims) => {
  const signed = `${base64({ alg: 'HS256', kid: 'chave-1' })}.${base64(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
const signedWith =
  (header: object, key = provider.key.privateKey) =>
  (claims: Claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'chave-1', ...header }).sign(key)
const now = () => Math.floor(Date.now() / 1000)
const without = (name: string) => (claims: Claims) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const withClaims = (more: Claims) => (claims: Claims) => ({ ...claims, ...more })
const param = (name: string, value: string | null) => (back: URL) => {
  back.searchParams.delete(name)
  if (value !== null) back.searchParams.set(name, value)
}

interface World {
  /** Whose account is at stake. */
  ana: Person
  browser: SsoBrowser
}
interface Hostile {
  motivo: string
  id?: string
  /** What the provider does. */
  how?: Partial<Issuer>
  /** Claims of the person, beside subject and verified e-mail. */
  person?: Claims
  before?: (world: World) => Promise<unknown>
  /** Between provider and return. */
  meddle?: (back: URL, world: World) => unknown
}

const signInWith = async (person: Claims, id = 'a') => {
  const browser = ssoBrowser(t)
  provider.behave(id, { person })
  const back = provider.consent(await browser.begin(id))
  return { browser, back, answer: await browser.go(back.href) }
}

const CASES: Record<string, Hostile> = {
  'no state': { motivo: 'tentativa_invalida', meddle: param('state', null) },
  'another state': { motivo: 'tentativa_invalida', meddle: param('state', 'x'.repeat(43)) },
  'two states': {
    motivo: 'tentativa_invalida',
    meddle: (back) => back.searchParams.append('state', 'outro'),
  },
  'a state that was used': {
    motivo: 'tentativa_invalida',
    async meddle(back, { browser }) {
      const cookie = browser.cookies.get('__Host-vigia-sso') as string
      const used = new URL(back)
      used.searchParams.set('error', 'access_denied')
      await browser.go(used.href)
      browser.cookies.set('__Host-vigia-sso', cookie)
    },
  },
  'the cookie of another browser': {
    motivo: 'tentativa_invalida',
    meddle: (_back, { browser }) => browser.cookies.set('__Host-vigia-sso', 'B'.repeat(43)),
  },
  'no cookie': {
    motivo: 'tentativa_invalida',
    meddle: (_back, { browser }) => browser.cookies.clear(),
  },
  'an attempt that is over': {
    motivo: 'tentativa_invalida',
    meddle: () => t.clock.advance(10 * 60_000 + 1),
  },
  'the return of another provider': {
    motivo: 'tentativa_invalida',
    meddle: (back) => {
      back.pathname = back.pathname.replace('/a/', '/b/')
    },
  },
  'the return of no provider': {
    motivo: 'provedor_desconhecido',
    meddle: (back) => {
      back.pathname = back.pathname.replace('/a/', '/nenhum/')
    },
  },
  'a parameter without end': {
    motivo: 'tentativa_invalida',
    meddle: param('code', 'c'.repeat(5_000)),
  },
  'the error of the provider': {
    motivo: 'recusado_pelo_provedor',
    meddle: (back) => {
      back.searchParams.delete('code')
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', '<script>alert(1)</script>')
    },
  },
  'no code': { motivo: 'resposta_invalida', meddle: param('code', null) },
  'a code that was used': {
    motivo: 'resposta_invalida',
    async meddle(back, { ana }) {
      const used = await signInWith({ sub: 'quem-veio-antes', email: 'x', email_verified: true }, 'a')
      back.searchParams.set('code', used.back.searchParams.get('code') as string)
      provider.behave('a', { person: { sub: 'sub-hostil', email: ana.email, email_verified: true } })
    },
  },
  'a code of another issuer': {
    motivo: 'resposta_invalida',
    async meddle(back) {
      const other = provider.consent(await ssoBrowser(t).begin('b'))
      back.searchParams.set('code', other.searchParams.get('code') as string)
    },
  },
  'the issuer of another provider in the answer': {
    motivo: 'resposta_invalida',
    meddle: (back) => back.searchParams.set('iss', provider.issuers.b?.issuer as string),
  },
  'no issuer in the answer, where it is promised': {
    motivo: 'resposta_invalida',
    meddle: param('iss', null),
  },
  'another nonce': { motivo: 'resposta_invalida', how: { claims: withClaims({ nonce: 'outro' }) } },
  'no nonce': { motivo: 'resposta_invalida', how: { claims: without('nonce') } },
  'no signature': {
    motivo: 'resposta_invalida',
    how: { sign: (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.` },
  },
  'a signature with our own secret': {
    motivo: 'resposta_invalida',
    how: { sign: hmac(CLIENT_SECRET) },
  },
  'a signature with the public key as a secret': {
    motivo: 'resposta_invalida',
    how: { sign: async (claims) => hmac(await exportSPKI(provider.key.publicKey))(claims) },
  },
  'another key': { motivo: 'resposta_invalida', how: { sign: signedWith({}, stranger.privateKey) } },
  'an unknown key': { motivo: 'resposta_invalida', how: { sign: signedWith({ kid: 'nenhuma' }) } },
  'claims changed after the signature': {
    motivo: 'resposta_invalida',
    how: {
      async sign(claims) {
        const [header, , signature] = (await signedWith({})(claims)).split('.')
        return [header, base64({ ...claims, sub: 'outro' }), signature].join('.')
      },
    },
  },
  'a header that must be understood': {
    motivo: 'resposta_invalida',
    how: {
      sign: (claims) => `${base64({ alg: 'RS256', kid: 'chave-1', crit: ['x'], x: 1 })}.${base64(claims)}.AA`,
    },
  },
  'no ID token': { motivo: 'resposta_invalida', how: { sign: () => undefined as unknown as string } },
  'no token of ours': { motivo: 'resposta_invalida', how: { sign: () => 'nada' } },
  'another issuer': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ iss: 'https://outro.example' }) },
  },
  'another audience': { motivo: 'resposta_invalida', how: { claims: withClaims({ aud: 'outro' }) } },
  'several audiences without a party': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ aud: [CLIENT_ID, 'outro'] }) },
  },
  'several audiences and another party': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ aud: [CLIENT_ID, 'outro'], azp: 'outro' }) },
  },
  'one audience and another party': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ azp: 'outro' }) },
  },
  'a token that is over': { motivo: 'resposta_invalida', how: { claims: withClaims({ exp: now() - 60 }) } },
  'a token without an end': { motivo: 'resposta_invalida', how: { claims: without('exp') } },
  'a token of tomorrow': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ iat: now() + 86_400, exp: now() + 90_000 }) },
  },
  'no subject': { motivo: 'resposta_invalida', how: { claims: without('sub') } },
  'an empty subject': { motivo: 'resposta_invalida', how: { claims: withClaims({ sub: '' }) } },
  'a subject without end': {
    motivo: 'resposta_invalida',
    how: { claims: withClaims({ sub: 's'.repeat(256) }) },
  },
  'a subject that is a number': { motivo: 'resposta_invalida', how: { claims: withClaims({ sub: 7 }) } },
  'user info of another subject': {
    motivo: 'resposta_invalida',
    how: { claims: without('email_verified'), userinfo: { sub: 'outro', email_verified: true } },
  },
  'an address that is not verified': {
    motivo: 'email_nao_verificado',
    person: { email_verified: false },
  },
  'an address verified by a text': {
    motivo: 'email_nao_verificado',
    person: { email_verified: 'true' },
  },
  'an address without a word about it': {
    motivo: 'email_nao_verificado',
    how: { claims: without('email_verified') },
  },
  'user info that verifies another address': {
    motivo: 'email_nao_verificado',
    how: {
      claims: without('email_verified'),
      userinfo: { email: 'outra@fora.example', email_verified: true },
    },
  },
  'an address of nobody': { motivo: 'sem_conta', person: { email: 'ninguem@fora.example' } },
  'an address that is a list': { motivo: 'sem_conta', person: { email: ['ninguem@fora.example'] } },
  'a CPF with a wrong digit': { motivo: 'cpf_invalido', person: { cpf: '52998224726' } },
  'a CPF that is a number': { motivo: 'cpf_invalido', person: { cpf: Number(CPF) } },
  'address and CPF of two accounts': {
    motivo: 'conflito',
    person: { cpf: CPF },
    async before() {
      const other = await t.person()
      await pool.run(sql`update usuarios set cpf = null where cpf = ${CPF}`)
      await pool.run(sql`update usuarios set cpf = ${CPF} where id = ${other.id}`)
    },
  },
  'another CPF than that of the account': {
    motivo: 'conflito',
    person: { cpf: CPF },
    async before({ ana }) {
      await pool.run(sql`update usuarios set cpf = null where cpf = ${CPF}`)
      await pool.run(sql`update usuarios set cpf = '11144477735' where id = ${ana.id}`)
    },
  },
  'the account of another identity': {
    motivo: 'ja_vinculada',
    async before({ ana }) {
      await signInWith({ sub: `primeira-${ana.id}`, email: ana.email, email_verified: true })
    },
  },
  'the address of a service account': {
    motivo: 'conflito',
    before: ({ ana }) => pool.run(sql`update usuarios set servico = true where id = ${ana.id}`),
  },
  'a deactivated account': {
    motivo: 'conta_desativada',
    before: ({ ana }) => pool.run(sql`update usuarios set desativado_em = now() where id = ${ana.id}`),
  },
  'a locked account': {
    motivo: 'conta_bloqueada',
    async before({ ana }) {
      for (let i = 0; i < 5; i++)
        await t.anonymous.post('/auth/login', { username: ana.email, password: 'Errada#Senha1' })
    },
  },
  'an account that was deleted': {
    motivo: 'sem_conta',
    async before({ ana }) {
      await signInWith({ sub: 'sub-hostil', email: ana.email, email_verified: true })
      await pool.run(sql`delete from usuarios where id = ${ana.id}`)
    },
  },
  'groups that are no list': { motivo: 'grupos_invalidos', person: { grupos: 'adm' } },
  'groups that are numbers': { motivo: 'grupos_invalidos', person: { grupos: [1, 2] } },
  'groups without end': {
    motivo: 'grupos_invalidos',
    person: { grupos: Array.from({ length: 501 }, (_, i) => `g${i}`) },
  },
  'a group with a name without end': {
    motivo: 'grupos_invalidos',
    person: { grupos: ['g'.repeat(501)] },
  },
  'a group that does not exist': { motivo: 'grupos_invalidos', id: 'mapa', person: { grupos: ['epi'] } },
  'an account in a group that does not exist': {
    motivo: 'grupos_invalidos',
    id: 'criar',
    person: { email: 'nova@fora.example' },
  },
  'the last administrator': {
    motivo: 'ultimo_administrador',
    person: { grupos: [] },
    async before({ ana }) {
      await pool.run(sql`update usuarios set admin = false where admin`)
      await pool.run(sql`
        insert into usuarios_grupos (usuario_id, grupo_id)
        select ${ana.id}, id from grupos where nome = 'admin'`)
    },
  },
  'a fault of the token endpoint': {
    motivo: 'provedor_indisponivel',
    how: { token: (response) => json(response, { error: 'server_error' }, 500) },
  },
  'a page instead of tokens': {
    motivo: 'provedor_indisponivel',
    how: {
      token: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>segredo</html>'),
    },
  },
  'tokens without end': {
    motivo: 'provedor_indisponivel',
    how: { token: (response) => json(response, { lixo: 'x'.repeat(400_000) }) },
  },
  'tokens elsewhere': {
    motivo: 'provedor_indisponivel',
    how: { token: (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end() },
  },
  'a connection that breaks': {
    motivo: 'provedor_indisponivel',
    how: { token: (response) => response.destroy() },
  },
  'a token endpoint that never answers': { motivo: 'provedor_indisponivel', how: { token: () => {} } },
  'keys that are away': {
    motivo: 'provedor_indisponivel',
    id: 'chaves',
    how: { keys: (response) => json(response, {}, 503) },
  },
}

async function counts() {
  return pool.one<{ sessoes: number; identidades: number; usuarios: number }>(sql`
    select (select count(*) from sessoes where cookie_hash is not null) as sessoes,
           (select count(*) from identidades) as identidades, (select count(*) from usuarios) as usuarios`)
}

describe('Forty hostile sign-ins and more', () => {
  for (const [name, { motivo, id = 'a', how = {}, person = {}, before, meddle }] of Object.entries(CASES))
    it(`refuses ${name}: ${motivo}`, async () => {
      const ana = await t.person()
      const browser = ssoBrowser(t)
      await before?.({ ana, browser })
      const claims = { sub: 'sub-hostil', email: ana.email, email_verified: true, ...person }
      provider.behave(id, { person: claims, ...how })
      const back = provider.consent(await browser.begin(id))
      const secrets = [...browser.cookies.values()]
      for (const parameter of ['code', 'state']) secrets.push(back.searchParams.get(parameter) as string)
      await meddle?.(back, { ana, browser })
      const start = await counts()
      const logged = t.logs.length
      const { status, location, headers } = await browser.go(back.href)
      assert.deepEqual([status, location], [302, `/entrar?erro=${motivo}`])
      assert.doesNotMatch(String(headers['set-cookie'] ?? ''), /__Host-vigia=/, 'no session')
      assert.deepEqual(await counts(), start, 'nothing linked, created or opened')
      const audit = await pool.rows<{ linha: string }>(
        sql`select to_jsonb(a)::text as linha from auditoria a where acao like 'sso.%'`,
      )
      const written = [...t.logs.slice(logged), ...audit.map(({ linha }) => linha)].join('\n')
      for (const secret of [...secrets, CLIENT_SECRET, ana.email, CPF, 'sub-hostil', 'um-token-de-acesso'])
        assert.ok(!written.includes(secret), `${secret} is in the log or the audit`)
      if (name === 'the last administrator')
        await pool.run(sql`update usuarios set admin = true where id = 1`)
    })

  it('lets the same person in where nothing is hostile', async () => {
    const ana = await t.person()
    const { answer } = await signInWith({ sub: 'sub-hostil', email: ana.email, email_verified: true })
    assert.equal(answer.location, '/painel')
  })

  it('has forty cases at least', () => {
    assert.ok(Object.keys(CASES).length >= 40, `${Object.keys(CASES).length}`)
  })

  it('records refusals of people whom the provider vouches for, and counts all others', async () => {
    const rows = await pool.rows<{ motivo: string }>(
      sql`select distinct detalhes ->> 'motivo' as motivo from auditoria where acao = 'sso.recusado' order by 1`,
    )
    assert.deepEqual(
      rows.map(({ motivo }) => motivo),
      [
        'conflito',
        'conta_bloqueada',
        'conta_desativada',
        'cpf_invalido',
        'email_nao_verificado',
        'grupos_invalidos',
        'ja_vinculada',
        'sem_conta',
        'ultimo_administrador',
      ],
    )
    const { total } = await pool.one<{ total: number }>(
      sql`select sum(total)::int as total from recusas where acao = 'sso.recusado'`,
    )
    assert.ok(total >= 40)
  })
})
