import type { Caller, Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getReached, getUsuario } from '../contas/contas.ts'
import { confirmEmail, dropEmailPendente } from '../contas/email.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { isRedeemable, redeemToken, revokeTokens } from '../emails/tokens.ts'
import { notify } from '../notificacoes/notificacoes.ts'
import { assertNotAbove } from '../permissoes/rights.ts'
import { replaceCookieOf } from '../sessoes/cookies.ts'
import { checkPassword } from '../sessoes/credentials.ts'
import { canonicalEmail } from '../sessoes/lockout.ts'
import { endSessoes } from '../sessoes/sessoes.ts'
import { assertStrong, strengthOf } from './rules.ts'
import { lockAdministrador, lockSenha, updateSenha } from './senhas.sql.ts'

/** Ways to change a password. Each ends sessions and notifies by mail; those that prove the owner also end login locks. */

export const RESET_TOKEN_SECONDS = 3600
/** Links by which the owner of a mailbox chooses a password. */
const CHOOSING = ['redefinir_senha', 'convite'] as const

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'lockout' | 'auditoria' | 'mailer'>

/** Queues the mail without a look-up of the account, so that answer and time do not reveal whether there is one. */
export async function requestReset({ db, mailer }: Pick<App, 'db' | 'mailer'>, email: string): Promise<void> {
  await enqueueEmail(db, { tipo: 'redefinir_senha', para: email })
  mailer.wake()
}

export async function resetSenha(
  app: Needs,
  { token, senha_nova, confirmar_senha }: { token: string; senha_nova: string; confirmar_senha: string },
  origin: Origin,
): Promise<void> {
  assertConfirmed(senha_nova, confirmar_senha)
  if (!(await isRedeemable(app.db, CHOOSING, token, app.clock.now())))
    throw new AppError('INVALID_RESET_TOKEN')
  assertStrong(senha_nova, app.passwordPolicy)
  const senha_hash = await app.passwords.hash(senha_nova, origin)
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const reset = await redeemToken(tx, 'redefinir_senha', token, now)
    const redeemed = reset ?? (await redeemToken(tx, 'convite', token, now))
    if (redeemed === null) throw new AppError('INVALID_RESET_TOKEN')
    const usuario = await getUsuario({ db: tx }, redeemed.usuario_id)
    await storeSenha(tx, usuario.id, senha_hash, senha_nova, false, now)
    // The link proves access to the mailbox.
    await confirmEmail(tx, usuario.id, redeemed.email)
    await endSessoes(tx, usuario.id, now)
    await app.lockout.unlock(tx, usuario.email, now)
    // The first password of an account replaces none that somebody would miss.
    if (reset !== null)
      await enqueueEmail(tx, { tipo: 'senha_alterada', para: usuario.email, usuario_id: usuario.id })
    await app.auditoria.record(tx, {
      acao: reset === null ? 'convite.aceito' : 'senha.redefinida',
      ator: usuario,
      origin,
      recurso: 'usuario',
      recurso_id: usuario.id,
    })
  })
  app.mailer.wake()
}

/** Changes the caller's own password; returns the number of other sessions ended. */
export async function changeSenha(
  app: Needs,
  caller: Caller,
  {
    senha_atual,
    senha_nova,
    confirmar_senha,
  }: { senha_atual: string; senha_nova: string; confirmar_senha: string },
): Promise<number> {
  assertConfirmed(senha_nova, confirmar_senha)
  assertStrong(senha_nova, app.passwordPolicy)
  const { usuario } = await checkPassword(
    app,
    { email: caller.email, senha: senha_atual },
    caller.origin,
    'INVALID_CURRENT_PASSWORD',
  )
  if (senha_nova.normalize('NFC') === senha_atual.normalize('NFC'))
    throw new AppError('WEAK_PASSWORD', { rules: ['unchanged'] })
  const senha_hash = await app.passwords.hash(senha_nova, caller.origin)
  const now = app.clock.now()
  const ended = await app.db.transaction(async (tx) => {
    // Replaced meanwhile, by a reset perhaps: the old password proves nothing any more.
    if (!(await lockSenha(tx, usuario))) throw new AppError('INVALID_CURRENT_PASSWORD')
    await storeSenha(tx, caller.id, senha_hash, senha_nova, false, now)
    const count = await endSessoes(tx, caller.id, now, caller.sessao_id)
    await replaceCookieOf(tx, caller, now)
    await notifyNewSenha(tx, caller, caller, now)
    await app.auditoria.record(tx, {
      acao: 'senha.alterada',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: caller.id,
    })
    return count
  })
  app.mailer.wake()
  return ended
}

/** Sets the password of another account, which must not hold more than the caller; returns the number of sessions ended. */
export async function setSenha(
  app: Needs,
  caller: Caller,
  usuarioId: number,
  { nova_senha, forcar_troca }: { nova_senha: string; forcar_troca: boolean },
): Promise<number> {
  assertStrong(nova_senha, app.passwordPolicy)
  await getReached(app, caller, usuarioId)
  await assertNotAbove(app.db, caller, usuarioId)
  const senha_hash = await app.passwords.hash(nova_senha, caller.origin)
  const now = app.clock.now()
  const ended = await app.db.transaction(async (tx) => {
    const usuario = await getReached({ db: tx }, caller, usuarioId)
    if (usuario.servico) throw invalid('path', ['id'], 'NOT_EDITABLE', {})
    await assertNotAbove(tx, caller, usuarioId)
    await storeSenha(tx, usuarioId, senha_hash, nova_senha, forcar_troca, now)
    const count = await endSessoes(tx, usuarioId, now, usuarioId === caller.id ? caller.sessao_id : null)
    if (usuarioId === caller.id) await replaceCookieOf(tx, caller, now)
    await notifyNewSenha(tx, caller, usuario, now)
    await app.auditoria.record(tx, {
      acao: 'senha.definida',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: usuarioId,
      detalhes: { forcar_troca },
    })
    return count
  })
  app.mailer.wake()
  return ended
}

/**
 * Sets the password of an administrator from the command line, which has to be changed at the next login; ends all sessions and locks. False if no active administrator
 * has that email.
 */
export async function recoverSenha(
  app: Omit<Needs, 'passwordPolicy'>,
  email: string,
  senha: string,
): Promise<boolean> {
  const senha_hash = await app.passwords.hash(senha, null)
  const now = app.clock.now()
  const found = await app.db.transaction(async (tx) => {
    const administrador = await lockAdministrador(tx, canonicalEmail(email))
    if (administrador === null) return false
    const { id } = administrador
    await storeSenha(tx, id, senha_hash, senha, true, now)
    await endSessoes(tx, id, now)
    await app.lockout.unlock(tx, administrador.email, now)
    await enqueueEmail(tx, { tipo: 'senha_definida', para: administrador.email, usuario_id: id })
    await app.auditoria.record(tx, {
      acao: 'senha.definida',
      ator: null,
      origin: null,
      recurso: 'usuario',
      recurso_id: id,
      detalhes: { forcar_troca: true, pelo_operador: true },
    })
    return true
  })
  app.mailer.wake()
  return found
}

/** Stores the new hash; revokes links to choose a password and cancels a pending change of address. */
export async function storeSenha(
  tx: Db,
  usuarioId: number,
  senha_hash: string,
  senha: string,
  trocar_senha: boolean,
  now: Date,
): Promise<void> {
  await updateSenha(tx, usuarioId, { senha_hash, senha_forca: strengthOf(senha), trocar_senha }, now)
  for (const tipo of CHOOSING) await revokeTokens(tx, usuarioId, tipo)
  await dropEmailPendente(tx, usuarioId)
}

/** Notifies the owner of every new password, whoever set it, so that no theft goes unnoticed. */
export async function notifyNewSenha(
  tx: Db,
  caller: Caller,
  { id, email }: { id: number; email: string },
  now: Date,
): Promise<void> {
  const tipo = caller.id === id ? 'senha_alterada' : 'senha_definida'
  await enqueueEmail(tx, { tipo, para: email, usuario_id: id })
  if (tipo === 'senha_definida') await notify(tx, id, tipo, now)
}

function assertConfirmed(senha: string, confirmation: string): void {
  if (senha.normalize('NFC') !== confirmation.normalize('NFC'))
    throw invalid('body', ['confirmar_senha'], 'MISMATCH', {})
}
