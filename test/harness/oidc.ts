import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Answer, TestApp } from './app.ts'
import { OWN_PAGE } from './console.ts'

export const CLIENT_ID = 'vigia-testes'
export const CLIENT_SECRET = 'segredo-do-cliente-que-ninguem-deve-ler'

export type Claims = Record<string, unknown>
type Answers = (response: ServerResponse, request: IncomingMessage) => void

/** One issuer of the trial provider, and what it does next; each member is taken back by `behave`. */
export interface Issuer {
  issuer: string
  /** Of the person who signs in. */
  person: Claims
  /** The last word on the claims of the ID token. */
  claims?: (claims: Claims) => Claims
  /** The last word on the ID token. */
  sign?: (claims: Claims) => Promise<string> | string
  token?: Answers
  keys?: Answers
  discovery?: Answers
  userinfo?: Claims
  /** What was asked, by path. */
  asked: string[]
}

export interface TrialProvider {
  issuers: Record<string, Issuer>
  /** Key of its ID tokens. */
  key: Awaited<ReturnType<typeof generateKeyPair>>
  /** Starts over: only what is given differs from an honest provider. */
  behave(name: string, how: Partial<Omit<Issuer, 'issuer' | 'asked'>>): Issuer
  /** Signs the person in: the address that the browser is sent back to. */
  consent(authorization: string): URL
  close(): Promise<void>
}

const KID = 'chave-1'
export const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A provider of OpenID Connect on loopback that lies when it is told to. An issuer for each name. */
export async function trialProvider(names: string[]): Promise<TrialProvider> {
  const key = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(key.publicKey)), kid: KID, alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { nonce: string | null; challenge: string | null; name: string }>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const honest = (name: string): Issuer => ({ issuer: `${origin}/${name}`, person: {}, asked: [] })
  const issuers = Object.fromEntries(names.map((name) => [name, honest(name)]))

  const metadata = (issuer: string) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', ...rest] = new URL(request.url ?? '/', origin).pathname.split('/')
    const one = issuers[name]
    if (one === undefined) return void response.writeHead(404).end()
    const path = rest.join('/')
    one.asked.push(path)
    if (path === '.well-known/openid-configuration')
      return void (one.discovery ?? ((r: ServerResponse) => json(r, metadata(one.issuer))))(response, request)
    if (path === 'keys')
      return void (one.keys ?? ((r: ServerResponse) => json(r, { keys: [jwk] })))(response, request)
    if (path === 'userinfo') return void json(response, { sub: one.person.sub, ...one.userinfo })
    if (path !== 'token') return void response.writeHead(404).end()
    if (one.token !== undefined) return void one.token(response, request)
    await exchange(one, name, request, response)
  }

  async function exchange(one: Issuer, name: string, request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = credentialsOf(request) === `${CLIENT_ID}:${CLIENT_SECRET}`
    if (!isClient) return json(response, { error: 'invalid_client' }, 401)
    if (code?.name !== name || code.challenge !== verifier)
      return json(response, { error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const plain = { iss: one.issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce: code.nonce }
    const claims = (one.claims ?? ((same) => same))({ ...plain, ...one.person })
    const id_token = await (one.sign ?? honestly)(claims)
    json(response, { access_token: 'um-token-de-acesso', token_type: 'Bearer', expires_in: 60, id_token })
  }

  const honestly = (claims: Claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KID }).sign(key.privateKey)

  return {
    issuers,
    key,
    behave(name, how) {
      const one = { ...honest(name), ...how }
      issuers[name] = one
      return one
    },
    consent(authorization) {
      const { pathname, searchParams } = new URL(authorization)
      const name = pathname.split('/')[1] ?? ''
      const code = randomBytes(16).toString('base64url')
      codes.set(code, {
        name,
        nonce: searchParams.get('nonce'),
        challenge: searchParams.get('code_challenge'),
      })
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      back.searchParams.set('iss', issuers[name]?.issuer ?? '')
      return back
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Of RFC 6749: each half is encoded as in a form before they are joined. */
function credentialsOf({ headers }: IncomingMessage): string {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  return Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent).join(':')
}

/** A row of `OIDC_PROVIDERS`. */
export const providerRow = (id: string, issuer: string, more: object = {}) => ({
  id,
  nome: `Provedor ${id}`,
  issuer,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  vincular: ['email'],
  ...more,
})

/** A browser that keeps every cookie, and goes where it is sent. */
export interface SsoBrowser {
  cookies: Map<string, string>
  /** A navigation; the answer's `location`, if it leads on. */
  go(url: string, headers?: Record<string, string>): Promise<Answer & { location: string }>
  /** From the button to the provider. */
  begin(id: string, volta?: string): Promise<string>
  /** A request of our own page. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

export function ssoBrowser(t: TestApp): SsoBrowser {
  const cookies = new Map<string, string>()
  const keep = ({ headers }: Answer) => {
    for (const header of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(header)) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const browser: SsoBrowser = {
    cookies,
    async go(url, headers = {}) {
      const { pathname, search } = new URL(url, 'https://vigia.test')
      const answer = await t.anonymous.get(`/${pathname}${search}`, {
        headers: { ...(cookies.size > 0 && { cookie: cookie() }), ...headers },
      })
      keep(answer)
      return { ...answer, location: String(answer.headers.location ?? '') }
    },
    async begin(id, volta) {
      const query = volta === undefined ? '' : `?${new URLSearchParams({ volta })}`
      const { status, location } = await browser.go(`/entrar/oidc/${id}${query}`)
      if (status !== 302) throw new Error(`${status} ${location}`)
      return location
    },
    async send(method, path, body) {
      const answer = await t.anonymous.request(method, path, {
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        headers: {
          ...OWN_PAGE,
          cookie: cookie(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      })
      keep(answer)
      return answer
    },
  }
  return browser
}
