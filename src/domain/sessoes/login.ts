import { randomUUID } from 'node:crypto'
import type { Origin } from '../../caller/caller.ts'
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

type Needs = Pick<
  App,
  'db' | 'clock' | 'passwords' | 'accessTokens' | 'lockout' | 'auditoria' | 'cipher' | 'backupCodeKey'
>

export async function login(app: Needs, input: LoginInput, origin: Origin): Promise<TokenPair> {
  const { usuario, attempt } = await checkPassword(
    app,
    input,
    origin,
    'INVALID_CREDENTIALS',
    async (known, itsAttempt) => {
      if (!known.ativo) throw new AppError('ACCOUNT_INACTIVE')
      if (known.mfa_ativo) await checkSecondFactor(app, known, input.mfa_code, itsAttempt, origin)
    },
  )
  return openSession(app, usuario, input, attempt, origin)
}

/** Runs after the right password only: nobody else learns that there is a second factor. */
async function checkSecondFactor(
  app: Needs,
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

async function openSession(
  app: Needs,
  usuario: Credentials,
  { lembrar, idioma }: LoginInput,
  attempt: LoginAttempt,
  origin: Origin,
): Promise<TokenPair> {
  const { id, nome, email } = usuario
  const sessao_id = randomUUID()
  const refresh_token = newRefreshToken()
  const now = app.clock.now()
  const expira_em = expiryOf(now, { criado_em: now, lembrar })
  await app.db.transaction(async (tx) => {
    // Otherwise a session opened with the old password could outlive the change that ends all sessions.
    if ((await touchUltimoLogin(tx, usuario, idioma, now)) === 0) throw new AppError('INVALID_CREDENTIALS')
    const { endereco_ip, agente } = origin
    await insertSessao(tx, {
      id: sessao_id,
      usuario_id: id,
      criado_em: now,
      expira_em,
      lembrar,
      endereco_ip,
      agente,
    })
    await insertRefreshToken(tx, { hash: sha256(refresh_token), sessao_id, criado_em: now })
    await app.lockout.succeed(tx, attempt, now)
    await app.auditoria.record(tx, {
      acao: 'login.sucesso',
      ator: { id, nome },
      origin,
      recurso: 'sessao',
      recurso_id: sessao_id,
    })
  })
  return tokenPair(app, { id: sessao_id, expira_em }, { id, nome, email }, refresh_token, now)
}
