import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { type Answer, MASTER_KEY, PASSWORD, testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const pessoa = await t.person({ permissoes: ['grupos.listar'] })
const { body: pair } = await t.anonymous.post('/auth/login', { email: pessoa.email, senha: PASSWORD })
const honest: string = pair.access_token
const [head64 = '', body64 = '', signature64 = ''] = honest.split('.')
const header = JSON.parse(Buffer.from(head64, 'base64url').toString())
const claims = JSON.parse(Buffer.from(body64, 'base64url').toString())
const ours = t.app.keyring.newest()

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString(
    'base64url',
  )
/** Signed by whatever key, ours unless given: only its header and claims can then be what is wrong. */
function signed(
  head: unknown,
  body: unknown,
  key: KeyObject = ours.privateKey,
  digest: string | null = null,
): string {
  const input = `${encode(head)}.${encode(body)}`
  const algorithm = String((head as { alg?: unknown } | null)?.alg)
  const options = algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return `${input}.${sign(digest, Buffer.from(input), options as KeyObject).toString('base64url')}`
}
const withHead = (change: object) => signed({ ...header, ...change }, claims)
const withClaims = (change: object) => signed(header, { ...claims, ...change })
const seconds = Math.floor(t.clock.now().getTime() / 1000)

/** `none` in every mixture of cases. */
const NONES = Array.from({ length: 16 }, (_, mask) =>
  [...'none'].map((c, i) => (mask & (1 << i) ? c.toUpperCase() : c)).join(''),
)

const spki = ours.publicKey.export({ type: 'spki', format: 'der' })
const PUBLIC_KEYS: Record<string, string | Buffer> = {
  PEM: ours.publicKey.export({ type: 'spki', format: 'pem' }),
  'PEM without its last newline': String(ours.publicKey.export({ type: 'spki', format: 'pem' })).trim(),
  DER: spki,
  'bare bytes': Buffer.from(String(ours.jwk.x), 'base64url'),
  'base64url text': String(ours.jwk.x),
  JWK: JSON.stringify(ours.jwk),
  JWKS: (await t.anonymous.get('/.well-known/jwks.json')).text,
  kid: ours.kid,
  nothing: '',
}
function hmac(bits: number, key: string | Buffer): string {
  const input = `${encode({ ...header, alg: `HS${bits}` })}.${body64}`
  return `${input}.${createHmac(`sha${bits}`, key).update(input).digest('base64url')}`
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const stranger = generateKeyPairSync('ed25519')
const swapped = (alg: string, key: KeyObject, digest: string | null) =>
  signed({ ...header, alg }, claims, key, digest)

/** One bit of the decoded part is another one. */
function flipped(part: number, bit: number): string {
  const parts = honest.split('.').map((text) => Buffer.from(text, 'base64url'))
  const bytes = parts[part] as Buffer
  const at = Math.floor((bit / 12) * bytes.length)
  bytes[at] = (bytes[at] as number) ^ (1 << (bit % 8))
  return parts.map((buffer) => buffer.toString('base64url')).join('.')
}
const cut = (part: number, keep: (text: string) => string) =>
  honest
    .split('.')
    .map((text, i) => (i === part ? keep(text) : text))
    .join('.')

const bearer = (tokens: Record<string, string>) =>
  Object.fromEntries(Object.entries(tokens).map(([what, token]) => [what, `Bearer ${token}`]))
const each = <T>(list: readonly T[], name: (item: T) => string, token: (item: T) => string) =>
  bearer(Object.fromEntries(list.map((item, i) => [`${i}: ${name(item)}`, token(item)])))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** What is sent, by family: a name and the whole Authorization header. */
const FAMILIES: Record<string, Record<string, string>> = {
  'alg none without a signature, however it is spelled': each(
    NONES,
    (alg) => alg,
    (alg) => `${encode({ ...header, alg })}.${body64}.`,
  ),
  'alg none with the honest signature, however it is spelled': each(
    NONES,
    (alg) => alg,
    (alg) => `${encode({ ...header, alg })}.${body64}.${signature64}`,
  ),
  'an alg that is none at all, though our key signed': each(
    [undefined, null, '', ' ', 0, true, [], ['EdDSA'], ['none'], {}, 'none ', ' none', 'no\u0000ne'],
    (alg) => JSON.stringify(alg) ?? 'absent',
    (alg) => withHead({ alg }),
  ),
  'another name of our own algorithm, though our key signed': each(
    ['eddsa', 'EDDSA', 'Eddsa', 'Ed25519', 'ed25519', 'EdDSA ', ' EdDSA', 'Ed448', 'ES25519'],
    (alg) => alg,
    (alg) => withHead({ alg }),
  ),
  'an HMAC under what is public': Object.assign(
    {},
    ...[256, 384, 512].map((bits) =>
      each(
        Object.keys(PUBLIC_KEYS),
        (name) => `HS${bits} under ${name}`,
        (name) => hmac(bits, PUBLIC_KEYS[name] as string),
      ),
    ),
  ),
  'another algorithm under a key of a stranger': bearer({
    RS256: swapped('RS256', rsa, 'sha256'),
    RS384: swapped('RS384', rsa, 'sha384'),
    RS512: swapped('RS512', rsa, 'sha512'),
    PS256: swapped('PS256', rsa, 'sha256'),
    ES256: swapped('ES256', ec('P-256'), 'sha256'),
    ES384: swapped('ES384', ec('P-384'), 'sha384'),
    ES512: swapped('ES512', ec('P-521'), 'sha512'),
    ES256K: swapped('ES256K', ec('secp256k1'), 'sha256'),
    'EdDSA by Ed448': swapped('EdDSA', generateKeyPairSync('ed448').privateKey, null),
    'EdDSA by RSA': swapped('EdDSA', rsa, 'sha256'),
    EdDSA: swapped('EdDSA', stranger.privateKey, null),
  }),
  'a key that the token brings along or says where to find': each(
    [
      { jwk: stranger.publicKey.export({ format: 'jwk' }) },
      { jwk: stranger.publicKey.export({ format: 'jwk' }), kid: undefined },
      { jku: 'https://exemplo.example/jwks.json' },
      { x5u: 'https://exemplo.example/cert.pem' },
      { x5c: [stranger.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
      { kid: '/dev/null' },
      { kid: '../../keys/data.key' },
      { kid: "' or true --" },
      { kid: 'x'.repeat(500) },
    ],
    (change) => JSON.stringify(change).slice(0, 40),
    (change) => signed({ ...header, ...change }, claims, stranger.privateKey),
  ),
  'another kid, though our key signed': each(
    [undefined, null, '', 0, [], [ours.kid], { kid: ours.kid }, ours.kid.toUpperCase(), `${ours.kid} `, 'é'],
    (kid) => JSON.stringify(kid) ?? 'absent',
    (kid) => withHead({ kid }),
  ),
  'another type, though our key signed': each(
    [
      undefined,
      null,
      '',
      'JWT',
      'jwt',
      'rt+jwt',
      'at+jwt ',
      'id_token+jwt',
      'application/jwt',
      ['at+jwt'],
      1,
    ],
    (typ) => JSON.stringify(typ) ?? 'absent',
    (typ) => withHead({ typ }),
  ),
  'a critical extension, though our key signed': each(
    [{ crit: ['x'], x: 1 }, { crit: [] }, { crit: 'exp' }, { crit: ['b64'], b64: false }],
    (change) => JSON.stringify(change),
    withHead,
  ),
  'another issuer, though our key signed': each(
    [undefined, null, '', 'outro', 'VIGIA', 'vigia ', 'vigia/', 'https://vigia', ['vigia'], 1],
    (iss) => JSON.stringify(iss) ?? 'absent',
    (iss) => withClaims({ iss }),
  ),
  'another audience, though our key signed': each(
    [undefined, null, '', 'vigia', 'VIGIA-API', 'vigia-api ', [], ['outra'], [['vigia-api']], {}, 1],
    (aud) => JSON.stringify(aud) ?? 'absent',
    (aud) => withClaims({ aud }),
  ),
  'a claim that is missing or of another kind, though our key signed': each(
    [
      { sub: undefined },
      { sub: null },
      { sub: '' },
      { sub: 'ana' },
      { sub: '1' },
      { sub: '-1' },
      { sub: '99999999999999' },
      { sub: `${pessoa.id}.5` },
      { sub: { id: pessoa.id } },
      { sid: undefined },
      { sid: null },
      { sid: '' },
      { sid: 'nenhuma' },
      { sid: '00000000-0000-0000-0000-000000000000' },
      { sid: `${claims.sid}' or true --` },
      { jti: undefined },
      { iat: undefined },
      { iat: 'ontem' },
      { exp: undefined },
      { exp: null },
      { exp: '9999999999' },
      { exp: {} },
      { nbf: 'agora' },
    ],
    (change) => JSON.stringify(change, (_key, value) => value ?? 'absent'),
    withClaims,
  ),
  'a time that is not now, though our key signed': each(
    [{ exp: seconds - 1 }, { exp: seconds - 3600 }, { exp: 0 }, { exp: -1 }, { nbf: seconds + 60 }],
    (change) => JSON.stringify(change),
    withClaims,
  ),
  'a payload that is no set of claims, though our key signed': each(
    ['', 'null', '[]', '"texto"', '5', '{', Buffer.from([0xff, 0xfe]), `{"sub":"${pessoa.id}"`],
    (payload) => JSON.stringify(payload),
    (payload) => signed(header, payload),
  ),
  'a header that is none': each(
    ['', 'null', '[]', '"EdDSA"', '{', Buffer.from([0xc3, 0x28])],
    (head) => JSON.stringify(head),
    (head) => `${encode(head)}.${body64}.${signature64}`,
  ),
  'the honest token cut short': each(
    numbers(24).map((i) => Math.floor((i / 24) * honest.length)),
    (length) => `after ${length} characters`,
    (length) => honest.slice(0, length),
  ),
  'the honest token with one part cut': Object.assign(
    {},
    ...[0, 1, 2].map((part) =>
      bearer({
        [`part ${part} empty`]: cut(part, () => ''),
        [`part ${part} by its last bytes`]: cut(part, (text) => text.slice(0, -4)),
        [`part ${part} by its first bytes`]: cut(part, (text) => text.slice(4)),
        [`part ${part} by half`]: cut(part, (text) => text.slice(0, text.length >> 1)),
        [`part ${part} twice`]: cut(part, (text) => text + text),
      }),
    ),
  ),
  'the honest token with one bit flipped': Object.assign(
    {},
    ...[0, 1, 2].map((part) =>
      each(
        numbers(12),
        (bit) => `part ${part}, ${bit}`,
        (bit) => flipped(part, bit),
      ),
    ),
  ),
  'too many parts, or in another order': bearer({
    'a fourth': `${honest}.${signature64}`,
    'a fifth': `${honest}.${body64}.${signature64}`,
    'an empty fourth': `${honest}.`,
    'an empty first': `.${honest}`,
    'a doubled dot': honest.replace('.', '..'),
    'dots only': '..',
    'one dot': '.',
    'four dots': '....',
    backwards: honest.split('.').reverse().join('.'),
    twice: honest + honest,
    'signature of another token': `${head64}.${body64}.${pessoa.token.split('.')[2]}`,
    'payload of another token': `${head64}.${pessoa.token.split('.')[1]}.${signature64}`,
    'the whole in base64': encode(honest),
    'as JSON (JWS)': encode({ protected: head64, payload: body64, signature: signature64 }),
  }),
  'another secret of ours': bearer({
    'the refresh token': pair.refresh_token,
    'the refresh token as a payload': `${head64}.${pair.refresh_token}.${signature64}`,
    'the session id': claims.sid,
    'the id of the token': claims.jti,
    'the id of the account': String(pessoa.id),
    'the kid': ours.kid,
    'the master key': encode(MASTER_KEY),
    'the public key': String(ours.jwk.x),
    'the word null': 'null',
    'the word undefined': 'undefined',
  }),
  'a size beyond reason': bearer({
    '1 MB of one letter': 'a'.repeat(1_000_000),
    '1 MB of dots': '.'.repeat(1_000_000),
    'a payload of 1 MB, though our key signed': withClaims({ x: 'x'.repeat(1_000_000) }),
    'a header of 1 MB, though our key signed': withHead({ x: 'x'.repeat(1_000_000) }),
    'a signature of 1 MB': `${head64}.${body64}.${'A'.repeat(1_000_000)}`,
    'a little more than a token can have, though our key signed': withClaims({ x: 'x'.repeat(2000) }),
  }),
  'characters that no token has': bearer({
    'full-width dots': honest.replaceAll('.', '．'),
    'a zero-width space': `${honest}\u200b`,
    'a no-break space before it': `\u00a0${honest}`,
    'a line separator': `${honest}\u2028`,
    'a line feed': `${honest}\n`,
    NUL: `${honest}\0`,
    emoji: '🦟.🦟.🦟',
    'a lone surrogate': `${honest}\ud800`,
    accents: 'ação.não.é',
    'percent signs': encodeURIComponent(`${honest} `),
    quotes: `"${honest}"`,
    brackets: `<${honest}>`,
    'a space inside': honest.replace('.', '. '),
    'a semicolon': `${honest};`,
  }),
  'another scheme, or none': {
    nothing: '',
    'a space': ' ',
    'the bare token': honest,
    'Bearer alone': 'Bearer',
    'Bearer and a space': 'Bearer ',
    'Bearer without a space': `Bearer${honest}`,
    'Bearer with a colon': `Bearer: ${honest}`,
    'Bearer with an equals sign': `Bearer=${honest}`,
    'Bearer with a comma': `Bearer,${honest}`,
    'Bearer with a tab': `Bearer\t${honest}`,
    'Bearer twice': `Bearer Bearer ${honest}`,
    'Bearer with a realm': `Bearer realm="vigia", token="${honest}"`,
    'Bearer after a space': ` Bearer ${honest}`,
    'a list of two': `Bearer ${honest}, Bearer ${honest}`,
    'two tokens': `Bearer ${honest} ${honest}`,
    'Cyrillic В': `\u0412earer ${honest}`,
    Basic: `Basic ${Buffer.from(`${pessoa.email}:${PASSWORD}`).toString('base64')}`,
    'Basic with the token': `Basic ${honest}`,
    Digest: `Digest username="${pessoa.email}", response="${honest}"`,
    Negotiate: `Negotiate ${honest}`,
    Token: `Token ${honest}`,
    JWT: `JWT ${honest}`,
    DPoP: `DPoP ${honest}`,
    MAC: `MAC id="${honest}"`,
    OAuth: `OAuth ${honest}`,
  },
}

const COUNT = Object.values(FAMILIES).reduce((sum, cases) => sum + Object.keys(cases).length, 0)

const ask = (authorization: string) => t.anonymous.get('/usuarios/logado', { headers: { authorization } })
const works = async () => (await ask(`Bearer ${honest}`)).status === 200

/** All that a client sees of a refusal, but for what no two answers share. */
function seen(answer: Answer, what = 'no token') {
  const {
    status,
    headers: { date: _date, 'x-request-id': _id, ...headers },
    body,
  } = answer
  assert.equal(status, 401, what)
  const { request_id, timestamp, ...error } = body.error
  assert.equal(typeof request_id, 'string')
  assert.equal(typeof timestamp, 'string')
  return { status, headers: { ...headers, 'content-length': undefined }, error }
}

describe(`each of ${COUNT} forged or malformed tokens answers 401, all with the same words:`, async () => {
  const plain = seen(await t.anonymous.get('/usuarios/logado'))

  it('they are at least 200, and the answer to no token at all is the model', () => {
    assert.ok(COUNT >= 200, String(COUNT))
    assert.equal(plain.status, 401)
    assert.equal(plain.error.code, 'UNAUTHORIZED')
    assert.deepEqual(Object.keys(plain.error), ['code', 'message'])
  })

  for (const [family, cases] of Object.entries(FAMILIES))
    it(`${family} (${Object.keys(cases).length})`, async () => {
      assert.ok(await works(), 'the honest token works')
      for (const [what, authorization] of Object.entries(cases))
        assert.deepEqual(seen(await ask(authorization), what), plain, what)
      assert.ok(await works(), 'the honest token still works')
    })

  it('and the log holds no fault and no token', () => {
    const log = t.logs.join('')
    assert.doesNotMatch(log, /"msg":"fault"/)
    assert.ok(!log.includes(signature64))
  })
})
