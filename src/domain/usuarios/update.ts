import type { Caller } from '../../caller/caller.ts'
import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import type { UsuarioRow, UsuarioWithRights } from '../contas/contas.sql.ts'
import { getUsuarioWithRights, lockReached, versaoDaConta } from '../contas/contas.ts'
import { dropEmailPendente } from '../contas/email.ts'
import { PERFIL, type PerfilField, pick } from '../contas/perfil.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { revokeTokens } from '../emails/tokens.ts'
import { endJobsOf } from '../jobs/jobs.ts'
import { assertAdministradorRemains, assertNotAbove } from '../permissoes/rights.ts'
import { passwordProblems } from '../senhas/rules.ts'
import { notifyNewSenha, storeSenha } from '../senhas/senhas.ts'
import { replaceCookieOf } from '../sessoes/cookies.ts'
import { endSessoes } from '../sessoes/sessoes.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import { announceUsuario } from './announce.ts'
import { assertHolds, assertMayGive, FIELD_PERMISSIONS, unknownRights } from './grants.ts'
import {
  deactivation,
  findTaken,
  forgetEmailsAnteriores,
  replaceUsuarioGrupos,
  replaceUsuarioPermissoes,
  type UsuarioChange,
  updateUsuario,
} from './usuarios.sql.ts'

/** Fields to change; absent ones stay as they are. */
export interface UsuarioEdit
  extends Partial<Pick<UsuarioRow, PerfilField | 'email' | 'admin' | 'ativo' | 'plano'>> {
  senha?: string
  grupos_ids?: number[]
  permissoes_ids?: number[]
}

export interface EditResult {
  usuario: UsuarioWithRights
  campos_alterados: string[]
  /** True if a new address must be verified. */
  email_verificacao: boolean
  /** True if all sessions of the account were ended. */
  relogin: boolean
}

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'auditoria' | 'mailer'>
type Field = keyof UsuarioEdit

/** Fields that anyone may change of their own account. */
const OWN_FIELDS: Field[] = [...PERFIL, 'email', 'senha']
/** Fields that nobody may change of an account that holds more than they do. */
const SENSITIVE: Field[] = ['email', 'senha', 'ativo', 'admin', 'plano', 'grupos_ids', 'permissoes_ids']
/** Fields whose change may take away an administrator. */
const DEMOTING: Field[] = ['ativo', 'admin', 'grupos_ids', 'permissoes_ids']
/** Fields whose values the audit records: rights, not personal data. */
const RIGHTS: Field[] = ['admin', 'ativo', 'plano', 'grupos_ids', 'permissoes_ids']

/** Computes new groups and permissions from the current ones, read under the lock. */
export type RightsChange = (current: UsuarioWithRights) => Pick<UsuarioEdit, 'grupos_ids' | 'permissoes_ids'>

/**
 * Edits an account; every route that changes one ends here. A field whose value stays the same is no change and needs no
 * permission.
 */
export async function changeUsuario(
  app: Needs,
  caller: Caller,
  id: number,
  change: UsuarioEdit | RightsChange,
  {
    ifMatch = null,
    blame,
  }: {
    ifMatch?: IfMatch
    /** Place of the problem if the last administrator would be lost; by default the changed field. */
    blame?: { at: 'body' | 'path'; field: string }
  } = {},
): Promise<EditResult> {
  const given: UsuarioEdit = typeof change === 'function' ? {} : change
  await refuseInvalid(app, id, given)
  const senha_hash = given.senha === undefined ? null : await app.passwords.hash(given.senha, caller.origin)
  const now = app.clock.now()
  const result = await app.db.transaction(async (tx) => {
    await lockReached(tx, caller, id)
    const current = await getUsuarioWithRights({ db: tx }, id)
    const sent: UsuarioEdit = typeof change === 'function' ? change(current) : change
    const changed = changedFields(current, sent, caller.id === id)
    await authorise(tx, caller, current, sent, changed)
    refuseOfServico(current, changed)
    assertVersao(ifMatch, versaoDaConta(current))
    if (senha_hash !== null) {
      // Before the new address: a new password cancels an earlier, unverified change of address, not this one.
      await storeSenha(tx, id, senha_hash, sent.senha as string, false, now)
      await notifyNewSenha(tx, caller, current, now)
    }
    const email_verificacao = await applyEmail(tx, caller, current, sent, changed, now)
    if (changed.length > 0) await updateUsuario(tx, id, profileChange(sent, changed, now), caller, now)
    if (changed.includes('grupos_ids')) await replaceUsuarioGrupos(tx, id, sent.grupos_ids as number[])
    if (changed.includes('permissoes_ids'))
      await replaceUsuarioPermissoes(tx, id, sent.permissoes_ids as number[])
    const relogin = await endSessions(tx, caller, id, sent, changed, now)
    const demoting = changed.find((field) => DEMOTING.includes(field))
    if (demoting !== undefined)
      await assertAdministradorRemains(tx, blame?.at ?? 'body', blame?.field ?? demoting)
    if (isSwitchedOff(sent, changed)) {
      await endJobsOf(tx, id, now)
      await announceUsuario(tx, 'usuario.desativado', id, now)
    }
    const usuario = await getUsuarioWithRights({ db: tx }, id)
    if (changed.length > 0)
      await app.auditoria.record(tx, {
        acao: 'usuario.alterado',
        ...by(caller),
        recurso: 'usuario',
        recurso_id: id,
        detalhes: auditDetails(sent, changed),
      })
    return { usuario, campos_alterados: changed, email_verificacao, relogin }
  })
  app.mailer.wake()
  return result
}

async function refuseInvalid({ db, passwordPolicy }: Needs, id: number, sent: UsuarioEdit): Promise<void> {
  const problems: Problem[] = [...(await unknownRights(db, sent))]
  if (sent.senha !== undefined) problems.push(...passwordProblems(sent.senha, passwordPolicy, ['senha']))
  if (sent.email !== undefined && (await findTaken(db, { email: sent.email, cpf: null }, id)).email)
    problems.push(problem('body', ['email'], 'DUPLICATE', {}))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}

function changedFields(current: UsuarioWithRights, sent: UsuarioEdit, own: boolean): Field[] {
  const sameIds = (now: { id: number }[], wanted: number[]) =>
    now.length === new Set(wanted).size && now.every(({ id }) => wanted.includes(id))
  return (Object.keys(sent) as Field[]).filter((field) => {
    if (sent[field] === undefined) return false
    if (field === 'senha') return true
    if (field === 'email' && own && current.email_pendente !== null) return true
    if (field === 'grupos_ids') return !sameIds(current.grupos, sent.grupos_ids as number[])
    if (field === 'permissoes_ids')
      return !sameIds(current.permissoes_diretas, sent.permissoes_ids as number[])
    return current[field] !== sent[field]
  })
}

async function authorise(
  tx: Db,
  caller: Caller,
  current: UsuarioWithRights,
  sent: UsuarioEdit,
  changed: Field[],
): Promise<void> {
  const own = caller.id === current.id
  for (const field of changed) {
    const needed = permissionFor(field, sent)
    if (!(own && OWN_FIELDS.includes(field)) && needed !== null) assertHolds(caller, needed)
  }
  if (!own && changed.some((field) => SENSITIVE.includes(field))) await assertNotAbove(tx, caller, current.id)
  const added = (now: { id: number }[], wanted: number[] = []) =>
    wanted.filter((id) => !now.some((one) => one.id === id))
  await assertMayGive(tx, caller, {
    ...(changed.includes('grupos_ids') && { grupos_ids: added(current.grupos, sent.grupos_ids) }),
    ...(changed.includes('permissoes_ids') && {
      permissoes_ids: added(current.permissoes_diretas, sent.permissoes_ids),
    }),
  })
}

/** A service account has no mailbox and no password, and never holds everything. */
function refuseOfServico({ servico }: UsuarioRow, changed: Field[]): void {
  const field = servico && changed.find((one) => ['email', 'senha', 'admin'].includes(one))
  if (field) throw invalid('body', [field], 'NOT_EDITABLE', {})
}

/** Deactivation needs the permission to remove, reactivation that to edit, rights their own. */
function permissionFor(field: Field, sent: UsuarioEdit): Permission | null {
  if (field in FIELD_PERMISSIONS) return FIELD_PERMISSIONS[field as keyof typeof FIELD_PERMISSIONS]
  return field === 'ativo' && sent.ativo === false ? 'usuarios.deletar' : 'usuarios.editar'
}

function profileChange(sent: UsuarioEdit, changed: Field[], now: Date): UsuarioChange {
  const direct = [...PERFIL, 'admin', 'plano'] as const
  return {
    ...pick(
      sent,
      direct.filter((field) => changed.includes(field)),
    ),
    ...(changed.includes('ativo') && (sent.ativo ? { desativado_em: null } : deactivation(now))),
  }
}

/**
 * Own change: pending until the link sent to the new address is opened. Change by somebody else: in force at once,
 * unverified. Both notify the old address and revoke its reset links; only the own change can be undone from there. The
 * current address, sent by its owner, cancels a pending change. True if the new address must be verified.
 */
async function applyEmail(
  tx: Db,
  caller: Caller,
  current: UsuarioRow,
  sent: UsuarioEdit,
  changed: Field[],
  now: Date,
): Promise<boolean> {
  if (!changed.includes('email')) return false
  const email = sent.email as string
  if (email === current.email) {
    await dropEmailPendente(tx, current.id)
    return false
  }
  const own = caller.id === current.id
  const change = own ? { email_pendente: email } : { email, email_pendente: null, email_verificado: false }
  await updateUsuario(tx, current.id, change, caller, now)
  if (!own) await forgetEmailsAnteriores(tx, current.id)
  await revokeTokens(tx, current.id, 'verificar_email')
  await revokeTokens(tx, current.id, 'redefinir_senha')
  await revokeTokens(tx, current.id, 'convite')
  await enqueueEmail(tx, { tipo: 'verificar_email', para: email, usuario_id: current.id })
  await enqueueEmail(tx, { tipo: 'email_alterado', para: current.email, usuario_id: current.id })
  return true
}

const isSwitchedOff = (sent: UsuarioEdit, changed: Field[]) =>
  changed.includes('ativo') && sent.ativo === false

async function endSessions(
  tx: Db,
  caller: Caller,
  id: number,
  sent: UsuarioEdit,
  changed: Field[],
  now: Date,
): Promise<boolean> {
  const switchedOff = isSwitchedOff(sent, changed)
  if (!switchedOff && !changed.includes('senha')) return false
  const keep = caller.id === id && !switchedOff ? caller.sessao_id : null
  await endSessoes(tx, id, now, keep)
  if (keep !== null) await replaceCookieOf(tx, caller, now)
  return keep === null
}

/** Names of the changed fields; values only of rights. */
function auditDetails(sent: UsuarioEdit, changed: Field[]): Record<string, unknown> {
  return {
    campos: changed,
    ...pick(
      sent,
      RIGHTS.filter((field) => changed.includes(field)),
    ),
  }
}

/** Deactivation and reactivation: an edit like any other, and no change if it is so already. */
export async function setAtivo(app: Needs, caller: Caller, id: number, ativo: boolean): Promise<void> {
  // No body to name a field of.
  await changeUsuario(app, caller, id, { ativo }, { blame: { at: 'path', field: 'id' } })
}
