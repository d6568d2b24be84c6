import type * as Library from 'openid-client'
import type { ProvedorConfig } from '../../config/oidc.ts'
import type { Clock } from '../../system/clock.ts'
import { boundedFetch, PROVIDER_TIMEOUT_MS, Unreachable } from './bounded-fetch.ts'
import { type MotivoDoSso, SsoRefusal } from './recusa.ts'

/** Kept with an attempt, sealed; the state is in the browser alone. */
export interface SegredosDaTentativa {
  nonce: string
  verifier: string
}

/** A person, as the provider's signed answer names them. */
export interface Afirmacao {
  sub: string
  /** Of the ID token and, for those that are not in it, of the user info. */
  claims: Readonly<Record<string, unknown>>
  amr: readonly unknown[]
}

export type RegrasDoProvedor = Omit<ProvedorConfig, 'client_secret'>

/** Client of one provider: code flow with PKCE. */
export interface Provedor {
  regras: RegrasDoProvedor
  begin(redirectUri: string): Promise<{ url: string; state: string; segredos: SegredosDaTentativa }>
  /** `answer`: the redirect URI with the parameters that the browser brought. */
  finish(answer: URL, state: string, segredos: SegredosDaTentativa): Promise<Afirmacao>
}

export interface Provedores {
  all: readonly Provedor[]
  find(id: string): Provedor | null
}

/** A refusal of the provider, or of what it answered; `code` is the library's, and shows no value. */
export interface FalhaDoProvedor {
  provedor: string
  motivo: MotivoDoSso
  code: string | null
}

interface Options {
  clock: Clock
  onFault(falha: FalhaDoProvedor): void
}

/** Asymmetric ones only: a token that is signed with our own secret, or not at all, proves nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** Clocks of providers go well: this is for the last seconds. */
const TOLERANCE_SECONDS = 30
const METADATA_KEPT_MS = 3_600_000
const MAX_SUB = 255
/** Codes of the library that say "no sensible answer" instead of "a wrong one". */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

export function createProvedores(configs: readonly ProvedorConfig[], options: Options): Provedores {
  const all = configs.map((config) => createProvedor(config, options))
  return { all, find: (id) => all.find(({ regras }) => regras.id === id) ?? null }
}

function createProvedor(config: ProvedorConfig, { clock, onFault }: Options): Provedor {
  const { client_secret: _secret, ...regras } = config
  const discovered = keepFor(METADATA_KEPT_MS, clock, () => discover(config))

  async function refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { refusal, code } = await refusalOf(error)
      onFault({ provedor: config.id, motivo: refusal.motivo, code })
      throw refusal
    }
  }

  return {
    regras,
    begin: (redirect_uri) =>
      refusing(async () => {
        const { library, client } = await discovered()
        const segredos = { nonce: library.randomNonce(), verifier: library.randomPKCECodeVerifier() }
        const state = library.randomState()
        const url = library.buildAuthorizationUrl(client, {
          redirect_uri,
          scope: config.escopos.join(' '),
          state,
          nonce: segredos.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(segredos.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, state, segredos }
      }),
    finish: (answer, expectedState, { nonce, verifier }) =>
      refusing(async () => {
        const { library, client } = await discovered()
        const tokens = await library.authorizationCodeGrant(client, answer, {
          expectedState,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new SsoRefusal('resposta_invalida')
        checkMore(claims, config.client_id, clock.now())
        const { amr } = claims
        return {
          sub: claims.sub,
          claims: await withUserInfo(library, client, regras, tokens.access_token, claims),
          amr: Array.isArray(amr) ? amr : [],
        }
      }),
  }
}

interface Client {
  library: typeof Library
  client: Library.Configuration
}

/** The library is loaded when somebody signs in by it. */
async function discover({ issuer, client_id, client_secret }: ProvedorConfig): Promise<Client> {
  const library = await import('openid-client')
  const customFetch = boundedFetch(issuer)
  const isTrial = new URL(issuer).protocol === 'http:'
  const found = await library.discovery(new URL(issuer), client_id, undefined, library.None(), {
    timeout: PROVIDER_TIMEOUT_MS / 1000,
    [library.customFetch]: customFetch,
    execute: isTrial ? [library.allowInsecureRequests] : [],
  })
  const { supportsPKCE: _, ...server } = found.serverMetadata()
  // The library lets some large providers answer with another issuer than the one that was asked.
  if (new URL(server.issuer).href !== new URL(issuer).href) throw new SsoRefusal('resposta_invalida')
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256']
  const metadata = {
    ...server,
    id_token_signing_alg_values_supported: offered.filter((alg) => ALGORITHMS.includes(alg)),
  }
  const client = new library.Configuration(
    metadata,
    client_id,
    { [library.clockTolerance]: TOLERANCE_SECONDS },
    authenticationOf(library, client_secret, server.token_endpoint_auth_methods_supported),
  )
  client.timeout = PROVIDER_TIMEOUT_MS / 1000
  client[library.customFetch] = customFetch
  if (isTrial) library.allowInsecureRequests(client)
  // Signatures of ID tokens, although TLS vouches for the endpoint they come from.
  library.enableNonRepudiationChecks(client)
  return { library, client }
}

function authenticationOf(
  library: typeof Library,
  secret: string | null,
  supported: readonly string[] = ['client_secret_basic'],
): Library.ClientAuth {
  if (secret === null) return library.None()
  return supported.includes('client_secret_basic')
    ? library.ClientSecretBasic(secret)
    : library.ClientSecretPost(secret)
}

/** Checks that the library leaves to its callers. */
function checkMore({ sub, iat, azp }: Library.IDToken, clientId: string, now: Date): void {
  const isSub = sub.length > 0 && sub.length <= MAX_SUB && !/\p{Cc}/u.test(sub)
  const isFuture = iat > now.getTime() / 1000 + TOLERANCE_SECONDS
  if (!isSub || isFuture || (azp !== undefined && azp !== clientId)) throw new SsoRefusal('resposta_invalida')
}

/** Many providers put nothing but the subject into the ID token. */
async function withUserInfo(
  library: typeof Library,
  client: Library.Configuration,
  { vincular, claim_cpf, criar, grupos }: RegrasDoProvedor,
  accessToken: string,
  claims: Library.IDToken,
): Promise<Afirmacao['claims']> {
  const wanted = [
    ...(vincular.includes('email') || criar !== null ? ['email', 'email_verified'] : []),
    ...(claim_cpf === null ? [] : [claim_cpf]),
    ...(grupos === null ? [] : [grupos.claim]),
  ]
  const isComplete = wanted.every((claim) => claims[claim] !== undefined)
  if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return claims
  const info = await library.fetchUserInfo(client, accessToken, claims.sub)
  const { email_verified, ...others } = info
  // Of another address it says nothing about this one.
  const isSameEmail = claims.email === undefined || claims.email === info.email
  return { ...others, ...(isSameEmail && { email_verified }), ...claims }
}

async function refusalOf(error: unknown): Promise<{ refusal: SsoRefusal; code: string | null }> {
  if (error instanceof SsoRefusal) return { refusal: error, code: null }
  const { AuthorizationResponseError } = await import('openid-client')
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  const isAway = error instanceof Unreachable || (code !== null && AWAY.has(code))
  const motivo =
    error instanceof AuthorizationResponseError
      ? 'recusado_pelo_provedor'
      : isAway
        ? 'provedor_indisponivel'
        : 'resposta_invalida'
  return { refusal: new SsoRefusal(motivo), code: error instanceof Unreachable ? error.message : code }
}

/** One call at a time; a failure is not kept. */
function keepFor<T>(ms: number, clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let kept: { made: Promise<T>; until: number } | null = null
  return () => {
    const now = clock.now().getTime()
    if (kept !== null && now < kept.until) return kept.made
    const entry = { made: make(), until: now + ms }
    kept = entry
    entry.made.catch(() => {
      if (kept === entry) kept = null
    })
    return entry.made
  }
}
