import { randomUUID } from 'node:crypto'
import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { checkPassword, refuse } from './credentials.ts'
import type { LoginAttempt } from './lockout.ts'
import { insertRefreshToken } from './refresh.sql.ts'
import { acceptCode } from './second-factor.ts'
import { type Credentials, insertSessao, touchUltimoLogin } from './sessoes.sql.ts'
import { expiryOf, newRefreshToken, sha256, type TokenPair, tokenPair } from './tokens.ts'

export interface LoginInput {
  email: string
  senha: string
  mfa_code: string | null
  lembrar: boolean
  /** Language of the client, if stated; used for mails. */
  idioma: string | null
}

/** Account whose password and second factor were right. */
export interface Proven {
  usuario: Credentials
  attempt: LoginAttempt
}

export interface NewLogin {
  id: string
  criado_em: Date
  expira_em: Date
  /** Of the console. */
  cookie_hash?: Buffer
  /** By single sign-on. */
  sso?: { provedor: string; mfa_do_provedor: boolean }
}

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'lockout' | 'auditoria' | 'cipher' | 'backupCodeKey'>

/** Opens a session of tokens; `console.ts` opens one of the console. */
export async function login(
  app: Needs & Pick<App, 'accessTokens'>,
  input: LoginInput,
  origin: Origin,
): Promise<TokenPair> {
  const proven = await proveLogin(app, input, origin)
  const { id, nome, email } = proven.usuario
  const refresh_token = newRefreshToken()
  const now = app.clock.now()
  const expira_em = expiryOf(now, { criado_em: now, lembrar: input.lembrar })
  const sessao = { id: randomUUID(), criado_em: now, expira_em }
  await openSession(app, proven, input, origin, sessao, (tx) =>
    insertRefreshToken(tx, { hash: sha256(refresh_token), sessao_id: sessao.id, criado_em: now }),
  )
  return tokenPair(app, sessao, { id, nome, email }, refresh_token, now)
}

export function proveLogin(app: Needs, input: LoginInput, origin: Origin): Promise<Proven> {
  return checkPassword(app, input, origin, 'INVALID_CREDENTIALS', async (known, itsAttempt) => {
    if (!known.ativo) throw new AppError('ACCOUNT_INACTIVE')
    if (known.mfa_ativo) await checkSecondFactor(app, known, input.mfa_code, itsAttempt, origin)
  })
}

/** Runs after the right password or the provider's word only: nobody else learns that there is a second factor. */
export async function checkSecondFactor(
  app: Pick<App, 'db' | 'clock' | 'lockout' | 'auditoria' | 'cipher' | 'backupCodeKey'>,
  usuario: Credentials,
  code: string | null,
  attempt: LoginAttempt,
  origin: Origin,
): Promise<void> {
  if (code === null) throw new AppError('MFA_REQUIRED')
  if (await acceptCode(app, usuario.id, code)) return
  const problems = [problem('body', ['mfa_code'], 'INVALID_CODE', {})]
  throw await refuse(app, usuario, attempt, origin, because('WRONG_MFA_CODE', { problems }))
}

/** Stores the session and, in the same transaction, what else belongs to it. */
export async function openSession(
  app: Pick<App, 'db' | 'lockout' | 'auditoria'>,
  { usuario, attempt }: Proven,
  { lembrar, idioma }: Pick<LoginInput, 'lembrar' | 'idioma'>,
  origin: Origin,
  { sso, ...sessao }: NewLogin,
  storeMore: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const { id, nome } = usuario
  const now = sessao.criado_em
  await app.db.transaction(async (tx) => {
    // Otherwise a session opened with the old password could outlive the change that ends all sessions.
    if ((await touchUltimoLogin(tx, usuario, idioma, now)) === 0) throw new AppError('INVALID_CREDENTIALS')
    const { endereco_ip, agente } = origin
    const { mfa_do_provedor = false } = sso ?? {}
    await insertSessao(tx, { ...sessao, usuario_id: id, lembrar, endereco_ip, agente, mfa_do_provedor })
    await storeMore(tx)
    await app.lockout.succeed(tx, attempt, now)
    await app.auditoria.record(tx, {
      acao: 'login.sucesso',
      ator: { id, nome },
      origin,
      recurso: 'sessao',
      recurso_id: sessao.id,
      ...(sso && { detalhes: { provedor: sso.provedor } }),
    })
  })
}
