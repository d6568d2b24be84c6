import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import { canonicalEmail, type LoginAttempt, later, locked } from './lockout.ts'
import type { Verify } from './passwords.ts'
import { type Credentials, findCredentials } from './sessoes.sql.ts'

export { findCredentialsById } from './sessoes.sql.ts'

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'lockout' | 'auditoria'>

/**
 * Compares a password; nothing else does. Takes the same steps for an account that exists, does not exist, is locked or
 * inactive, so that neither answer nor time reveals which. Every failure counts towards the lock.
 */
export async function checkPassword(
  app: Needs,
  { email, senha }: { email: string; senha: string },
  origin: Origin,
  refusal: 'INVALID_CREDENTIALS' | 'INVALID_CURRENT_PASSWORD',
  /** Further check, such as a second factor; in the same hashing slot, so that its failures are counted before the next guess. */
  alsoCheck: (usuario: Credentials, attempt: LoginAttempt) => Promise<void> = async () => {},
): Promise<{ usuario: Credentials; attempt: LoginAttempt }> {
  const attempt = app.lockout.attempt(email, origin)
  const usuario = await app.passwords.turn(origin, async (verify) => {
    const checked = await verifyCounted(app, verify, email, senha, attempt, origin, refusal)
    await alsoCheck(checked, attempt)
    return checked
  })
  return { usuario, attempt }
}

async function verifyCounted(
  app: Needs,
  verify: Verify,
  email: string,
  senha: string,
  attempt: LoginAttempt,
  origin: Origin,
  refusal: 'INVALID_CREDENTIALS' | 'INVALID_CURRENT_PASSWORD',
): Promise<Credentials> {
  const lockedUntil = await app.lockout.lockedUntil(app.db, attempt, app.clock.now())
  const usuario = await findCredentials(app.db, canonicalEmail(email))
  const matches = await verify(senha, lockedUntil === null ? (usuario?.senha_hash ?? null) : null)
  if (lockedUntil !== null) {
    await countRecusa(app, 'login.recusado', origin)
    throw locked(lockedUntil)
  }
  if (usuario === null || !matches) throw await refuse(app, usuario, attempt, origin, new AppError(refusal))
  return usuario
}

/** Counts a failure and returns its error; the failure that reaches the limit is already answered as locked. */
export async function refuse(
  app: Pick<App, 'db' | 'clock' | 'lockout' | 'auditoria'>,
  usuario: { id: number } | null,
  attempt: LoginAttempt,
  origin: Origin,
  refusal: AppError,
): Promise<AppError> {
  const lockedUntil = await app.db.transaction(async (tx) => {
    const failure = await app.lockout.fail(tx, attempt, app.clock.now(), usuario?.id ?? null)
    const { accountLockedUntil, sourceLockedUntil, locksSource } = failure
    const acao = accountLockedUntil === null ? 'login.falhou' : 'conta.bloqueada'
    await recordAttempt(app, tx, acao, usuario, origin)
    if (locksSource) await app.auditoria.record(tx, { acao: 'origem.bloqueada', ator: null, origin })
    return later(accountLockedUntil, sourceLockedUntil)
  })
  return lockedUntil === null ? refusal : locked(lockedUntil)
}

/** Records a failed attempt; without an account, only its source is kept. */
function recordAttempt(
  { auditoria }: Pick<App, 'auditoria'>,
  tx: Db,
  acao: 'login.falhou' | 'conta.bloqueada',
  usuario: { id: number } | null,
  origin: Origin,
): Promise<void> {
  return auditoria.record(tx, {
    acao,
    ator: null,
    origin,
    recurso: 'usuario',
    recurso_id: usuario?.id ?? null,
  })
}
