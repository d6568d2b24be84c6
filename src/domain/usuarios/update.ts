import type { Caller } from '../../caller/caller.ts'
import type { Permission } from '../../caller/permissions.ts'
import type { Plano } from '../../caller/planos.ts'
import type { Db } from '../../db/db.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { revokeTokens } from '../emails/tokens.ts'
import { endJobsOf } from '../jobs/jobs.ts'
import { assertAdministradorRemains, assertNotAbove } from '../permissoes/rights.ts'
import { passwordProblems } from '../senhas/regras.ts'
import { storeSenha, tellOfNewSenha } from '../senhas/senhas.ts'
import { endSessoesOf } from '../sessoes/sessoes.ts'
import { tellOfUsuario } from './announce.ts'
import { cancelEmailChange } from './email.ts'
import { assertHolds, assertMayGive, FIELD_PERMISSIONS, unknownRights } from './grants.ts'
import {
  deactivation,
  findTaken,
  findUsuarioForUpdate,
  findUsuarioWithRights,
  forgetEmailsAnteriores,
  replaceUsuarioGrupos,
  replaceUsuarioPermissoes,
  type UsuarioChange,
  type UsuarioRow,
  type UsuarioWithRights,
  updateUsuario,
} from './usuarios.sql.ts'

/** Only the fields that were sent. */
export interface AlteracaoDeUsuario {
  nome?: string
  email?: string
  telefone?: string | null
  estado?: string | null
  cidade?: string | null
  funcao?: string | null
  instituicao?: string | null
  cargo?: string | null
  departamento?: string | null
  admin?: boolean
  ativo?: boolean
  plano?: Plano
  senha?: string
  grupos_ids?: number[]
  permissoes_ids?: number[]
}

export interface Alterado {
  usuario: UsuarioWithRights
  campos_alterados: string[]
  /** The new address must be verified. */
  email_verificacao: boolean
  /** Sessions of the account were ended. */
  relogin: boolean
}

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'auditoria' | 'mailer'>
type Field = keyof AlteracaoDeUsuario

/** What anyone may change of themselves. */
const OWN_FIELDS: Field[] = [
  'nome',
  'email',
  'telefone',
  'estado',
  'cidade',
  'funcao',
  'instituicao',
  'cargo',
  'departamento',
  'senha',
]
/** What nobody may change of an account that holds more than they do. */
const SENSITIVE: Field[] = ['email', 'senha', 'ativo', 'admin', 'plano', 'grupos_ids', 'permissoes_ids']
/** What may take an administrator away. */
const DEMOTING: Field[] = ['ativo', 'admin', 'grupos_ids', 'permissoes_ids']
const PROFILE = [
  'nome',
  'telefone',
  'estado',
  'cidade',
  'funcao',
  'instituicao',
  'cargo',
  'departamento',
] as const

/** Of a user's groups and permissions, what they shall be, told from what they are under the lock. */
export type RightsChange = (
  current: UsuarioWithRights,
) => Pick<AlteracaoDeUsuario, 'grupos_ids' | 'permissoes_ids'>

/**
 * The one way an account is edited, whoever asks and in whatever form. A field whose value stays the same is no change
 * and needs no permission.
 */
export async function changeUsuario(
  app: Needs,
  caller: Caller,
  id: number,
  change: AlteracaoDeUsuario | RightsChange,
  /** What is told to be wrong when the last administrator would go; the changed field unless stated. */
  blame?: { at: 'body' | 'path'; field: string },
): Promise<Alterado> {
  const told: AlteracaoDeUsuario = typeof change === 'function' ? {} : change
  await refuseInvalid(app, id, told)
  const senha_hash = told.senha === undefined ? null : await app.passwords.hash(told.senha, caller.origin)
  const now = app.clock.now()
  const result = await app.db.transaction(async (tx) => {
    if ((await findUsuarioForUpdate(tx, id)) === null) throw new AppError('NOT_FOUND')
    const current = (await findUsuarioWithRights(tx, id)) as UsuarioWithRights
    const sent: AlteracaoDeUsuario = typeof change === 'function' ? change(current) : change
    const changed = changedFields(current, sent, caller.id === id)
    await authorise(tx, caller, current, sent, changed)
    if (senha_hash !== null) {
      // Before the new address: a new password cancels a change of address that was waiting, not one that comes with it.
      await storeSenha(tx, id, senha_hash, sent.senha as string, false, now)
      await tellOfNewSenha(tx, caller, current)
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
      await tellOfUsuario(tx, 'usuario.desativado', id, now)
    }
    const usuario = (await findUsuarioWithRights(tx, id)) as UsuarioWithRights
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

async function refuseInvalid(
  { db, passwordPolicy }: Needs,
  id: number,
  sent: AlteracaoDeUsuario,
): Promise<void> {
  const problems: Problem[] = [...(await unknownRights(db, sent))]
  if (sent.senha !== undefined) problems.push(...passwordProblems(sent.senha, passwordPolicy, ['senha']))
  if (sent.email !== undefined && (await findTaken(db, { email: sent.email, cpf: null }, id)).email)
    problems.push(problem('body', ['email'], 'DUPLICATE', {}))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}

function changedFields(current: UsuarioWithRights, sent: AlteracaoDeUsuario, own: boolean): Field[] {
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
  sent: AlteracaoDeUsuario,
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

/** Switching off asks for the permission to remove; on, for that to edit; rights for their own. */
function permissionFor(field: Field, sent: AlteracaoDeUsuario): Permission | null {
  if (field in FIELD_PERMISSIONS) return FIELD_PERMISSIONS[field as keyof typeof FIELD_PERMISSIONS]
  return field === 'ativo' && sent.ativo === false ? 'usuarios.deletar' : 'usuarios.editar'
}

function profileChange(sent: AlteracaoDeUsuario, changed: Field[], now: Date): UsuarioChange {
  const profile = Object.fromEntries(
    PROFILE.filter((field) => changed.includes(field)).map((field) => [field, sent[field]]),
  )
  return {
    ...profile,
    ...(changed.includes('admin') && { admin: sent.admin as boolean }),
    ...(changed.includes('plano') && { plano: sent.plano as Plano }),
    ...(changed.includes('ativo') && (sent.ativo ? { desativado_em: null } : deactivation(now))),
  }
}

/**
 * One's own new address counts once its link was opened; one set by somebody else counts at once, unverified. Either way
 * the old address is told, and reset links that were sent there stop working; only one's own change can be undone from
 * there. The present address, sent by its owner, cancels a change that waits.
 */
async function applyEmail(
  tx: Db,
  caller: Caller,
  current: UsuarioRow,
  sent: AlteracaoDeUsuario,
  changed: Field[],
  now: Date,
): Promise<boolean> {
  if (!changed.includes('email')) return false
  const email = sent.email as string
  if (email === current.email) {
    await cancelEmailChange(tx, current.id)
    return false
  }
  const own = caller.id === current.id
  const change = own ? { email_pendente: email } : { email, email_pendente: null, email_verificado: false }
  await updateUsuario(tx, current.id, change, caller, now)
  if (!own) await forgetEmailsAnteriores(tx, current.id)
  await revokeTokens(tx, current.id, 'verificar_email')
  await revokeTokens(tx, current.id, 'redefinir_senha')
  await enqueueEmail(tx, { tipo: 'verificar_email', para: email, usuario_id: current.id })
  await enqueueEmail(tx, { tipo: 'email_alterado', para: current.email, usuario_id: current.id })
  return true
}

const isSwitchedOff = (sent: AlteracaoDeUsuario, changed: Field[]) =>
  changed.includes('ativo') && sent.ativo === false

async function endSessions(
  tx: Db,
  caller: Caller,
  id: number,
  sent: AlteracaoDeUsuario,
  changed: Field[],
  now: Date,
): Promise<boolean> {
  const switchedOff = isSwitchedOff(sent, changed)
  if (!switchedOff && !changed.includes('senha')) return false
  const keep = caller.id === id && !switchedOff ? caller.sessao_id : null
  await endSessoesOf(tx, id, now, keep)
  return keep === null
}

/** Names of what changed, and values only where they are rights, not personal data. */
function auditDetails(sent: AlteracaoDeUsuario, changed: Field[]): Record<string, unknown> {
  const rights = changed.filter((field) =>
    ['admin', 'ativo', 'plano', 'grupos_ids', 'permissoes_ids'].includes(field),
  )
  return { campos: changed, ...Object.fromEntries(rights.map((field) => [field, sent[field]])) }
}

/** Deactivation and reactivation by their own routes: the same change, and nothing when it is already so. */
export async function setAtivo(app: Needs, caller: Caller, id: number, ativo: boolean): Promise<void> {
  // Their routes have no body to blame.
  await changeUsuario(app, caller, id, { ativo }, { at: 'path', field: 'id' })
}
