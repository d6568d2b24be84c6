import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())

const { pool } = t.database
const pessoa = await t.person({ permissoes: ['grupos.listar'] })

const logado = (token: string) => t.as({ ...pessoa, token }).get('/usuarios/logado')

function assertUnauthorized({ status, headers, body }: Answer): void {
  assert.equal(status, 401)
  assert.equal(body.error.code, 'UNAUTHORIZED')
  assert.equal(headers['www-authenticate'], 'Bearer')
}

const encode = (value: object | string | Buffer) =>
  Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString(
    'base64url',
  )
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

const [header64 = '', payload64 = '', signature64 = ''] = pessoa.token.split('.')
const header = decode(header64)
const payload = decode(payload64)

describe('an access token', () => {
  it('names its user, its session and its times, and nothing about the person', () => {
    assert.deepEqual(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
    assert.deepEqual([header.alg, header.typ], ['EdDSA', 'at+jwt'])
    assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
    assert.equal(payload.sub, String(pessoa.id))
    assert.equal(payload.exp - payload.iat, 3600)
  })

  it('is accepted whatever the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${pessoa.token}` }
      assert.equal((await t.anonymous.get('/usuarios/logado', { headers })).status, 200)
    }
  })
})

describe('a protected route answers 401 to', () => {
  it('a request without the header', async () => {
    assertUnauthorized(await t.anonymous.get('/usuarios/logado'))
  })

  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    pessoa.token,
    `Basic ${encode('admin@teste.local:x')}`,
    `Basic ${pessoa.token}`,
    `Bearer ${pessoa.token} ${pessoa.token}`,
    `Bearer "${pessoa.token}"`,
    `Bearer,${pessoa.token}`,
    `Bearer ${pessoa.token}, Bearer x`,
    'Bearer undefined',
    'Bearer a.b.c',
    'Bearer ..',
    `Bearer ${'a'.repeat(8000)}`,
  ])
    it(`the header ${JSON.stringify(authorization.replaceAll(pessoa.token, '<token>').slice(0, 40))}`, async () => {
      assertUnauthorized(await t.anonymous.get('/usuarios/logado', { headers: { authorization } }))
    })

  it('a token in the query or in the body', async () => {
    assertUnauthorized(await t.anonymous.get(`/usuarios/logado?access_token=${pessoa.token}`))
    assertUnauthorized(await t.anonymous.post('/grupos', { access_token: pessoa.token }))
  })
})

describe('a token that was changed is refused:', () => {
  const flipped = Buffer.from(signature64, 'base64url')
  flipped[5] = (flipped[5] as number) ^ 1
  for (const [what, token] of [
    ['another user', `${header64}.${encode({ ...payload, sub: '1' })}.${signature64}`],
    ['a longer life', `${header64}.${encode({ ...payload, exp: payload.exp + 1 })}.${signature64}`],
    [
      'the same claims in another order',
      `${header64}.${encode(Object.fromEntries(Object.entries(payload).reverse()))}.${signature64}`,
    ],
    ['one bit of the signature', `${header64}.${payload64}.${encode(flipped)}`],
    ['a signature cut short', `${header64}.${payload64}.${signature64.slice(0, -4)}`],
    ['no signature', `${header64}.${payload64}.`],
    ['two parts only', `${header64}.${payload64}`],
    ['one part more', `${pessoa.token}.${signature64}`],
    ['the refresh token in its place', 'V2hhdGV2ZXItdGhpcy1pcy1ub3QtYS1qd3QtYXQtYWxs'],
  ] as const)
    it(what, async () => assertUnauthorized(await logado(token)))
})

describe('a forged token is refused:', async () => {
  const stored = await pool.first<{ publica: { x: string } }>(sql`
    select publica from chaves_assinatura where kid = ${header.kid}`)
  const publica = stored?.publica as { x: string }
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(publica.x, 'base64url'),
  ])
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`
  const own = generateKeyPairSync('ed25519')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

  const unsigned = (head: object) => `${encode(head)}.${payload64}`
  const hmac = (key: string | Buffer, head: object = {}) => {
    const input = unsigned({ ...header, alg: 'HS256', ...head })
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  }
  const signed = (key: KeyObject, head: object, digest: string | null = null) => {
    const input = unsigned({ ...header, ...head })
    return `${input}.${sign(digest, Buffer.from(input), key).toString('base64url')}`
  }

  for (const [what, token] of [
    ['alg none without a signature', `${unsigned({ ...header, alg: 'none' })}.`],
    ['alg None', `${unsigned({ ...header, alg: 'None' })}.`],
    ['alg none with the old signature', `${unsigned({ ...header, alg: 'none' })}.${signature64}`],
    ['HS256 under the public key as PEM', hmac(pem)],
    ['HS256 under the public key as DER', hmac(spki)],
    ['HS256 under the bare public key', hmac(Buffer.from(publica.x, 'base64url'))],
    ['HS256 under the public key as JWK', hmac(JSON.stringify(publica))],
    ['HS256 under an empty key', hmac('')],
    ['another key that takes the name of ours', signed(own.privateKey, {})],
    ['another key with a name of its own', signed(own.privateKey, { kid: 'outra' })],
    ['another key without a name', signed(own.privateKey, { kid: undefined })],
    [
      'another key that comes with the token',
      signed(own.privateKey, { jwk: own.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'another key that the token tells where to fetch',
      signed(own.privateKey, { jku: 'https://exemplo.example/jwks' }),
    ],
    ['RS256', signed(rsa.privateKey, { alg: 'RS256' }, 'sha256')],
    ['a name of a key that is SQL', signed(own.privateKey, { kid: "' or true --" })],
    ['a critical extension', signed(own.privateKey, { crit: ['x'], x: 1 })],
  ] as const)
    it(what, async () => assertUnauthorized(await logado(token)))

  it('while the token they were made from is accepted', async () => {
    assert.equal((await logado(pessoa.token)).status, 200)
  })
})

describe('an access token stops working', () => {
  const works = async (person: Person) =>
    assert.equal((await t.as(person).get('/usuarios/logado')).status, 200)
  const fails = async (person: Person) => assertUnauthorized(await t.as(person).get('/usuarios/logado'))
  const sid = (person: Person) => decode(person.token.split('.')[1]).sid as string

  for (const [what, statement] of [
    ['ends', (p: Person) => sql`update sessoes set encerrada_em = now() where id = ${sid(p)}`],
    [
      'is past its time',
      (p: Person) => sql`update sessoes set expira_em = now() - interval '1 second' where id = ${sid(p)}`,
    ],
    ['is gone', (p: Person) => sql`delete from sessoes where id = ${sid(p)}`],
    ['belongs to someone else', (p: Person) => sql`update sessoes set usuario_id = 1 where id = ${sid(p)}`],
  ] as const)
    it(`when its session ${what}, and no other session with it`, async () => {
      const person = await t.person()
      const { body } = await t.anonymous.post('/auth/login', { username: person.email, password: PASSWORD })
      await works(person)
      await pool.run(statement(person))
      await fails(person)
      await works({ ...person, token: body.access_token })
    })

  it('when the account is deactivated, and works again when it is reactivated', async () => {
    const person = await t.person({ admin: true })
    await pool.run(sql`update usuarios set desativado_em = now() where id = ${person.id}`)
    await fails(person)
    await pool.run(sql`update usuarios set desativado_em = null where id = ${person.id}`)
    await works(person)
  })

  it('when the account is removed', async () => {
    const person = await t.person()
    await pool.run(sql`delete from usuarios where id = ${person.id}`)
    await fails(person)
  })

  it('after 3600 seconds and not before', async () => {
    const person = await t.person()
    t.clock.advance(3_598_000)
    await works(person)
    t.clock.advance(2_000)
    await fails(person)
  })
})

describe('what a caller may do is read anew for every request:', () => {
  const probe = async (person: Person) => (await t.as(person).get('/grupos')).status
  const give = (id: number) => sql`
    insert into usuarios_permissoes (usuario_id, permissao_id)
    select ${id}, p.id from permissoes p where p.nome = 'grupos.listar'`

  it('a permission given and taken', async () => {
    const person = await t.person()
    assert.equal(await probe(person), 403)
    await pool.run(give(person.id))
    assert.equal(await probe(person), 200)
    await pool.run(sql`delete from usuarios_permissoes where usuario_id = ${person.id}`)
    assert.equal(await probe(person), 403)
  })

  it('a group joined, switched off and left', async () => {
    const person = await t.person()
    await pool.run(sql`
      insert into usuarios_grupos (usuario_id, grupo_id) select ${person.id}, g.id from grupos g where g.nome = 'gestor'`)
    assert.equal(await probe(person), 200)
    await pool.run(sql`update grupos set ativo = false where nome = 'gestor'`)
    assert.equal(await probe(person), 403)
    await pool.run(sql`update grupos set ativo = true where nome = 'gestor'`)
    assert.equal(await probe(person), 200)
    await pool.run(sql`delete from usuarios_grupos where usuario_id = ${person.id}`)
    assert.equal(await probe(person), 403)
  })

  it('the flag of administrators set and cleared', async () => {
    const person = await t.person()
    await pool.run(sql`update usuarios set admin = true where id = ${person.id}`)
    assert.equal(await probe(person), 200)
    await pool.run(sql`update usuarios set admin = false where id = ${person.id}`)
    assert.equal(await probe(person), 403)
  })
})
