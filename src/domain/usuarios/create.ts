import { randomBytes } from 'node:crypto'
import { normaliseCpf } from '../../brasil/cpf.ts'
import type { Caller, Origin } from '../../caller/caller.ts'
import type { Plano } from '../../caller/planos.ts'
import { type LugarDoTerritorio, NIVEIS_DE_TERRITORIO } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by, type Entry } from '../auditoria/auditoria.ts'
import type { UsuarioRow, UsuarioWithRights } from '../contas/contas.sql.ts'
import { getUsuarioWithRights } from '../contas/contas.ts'
import { confirmEmail } from '../contas/email.ts'
import { PERFIL, type PerfilField, pick } from '../contas/perfil.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { passwordProblems, strengthOf } from '../senhas/rules.ts'
import { assertMayBind, ownLugares, replaceTerritorios } from '../territorios/alcance.ts'
import { knownLugares, readLugares } from '../territorios/lugares.ts'
import { announceUsuario } from './announce.ts'
import { assertHolds, assertMayGive, FIELD_PERMISSIONS, unknownRights } from './grants.ts'
import {
  findTaken,
  insertUsuario,
  insertUsuarioGrupoByNome,
  insertUsuarioPermissoes,
  type NewUsuarioRow,
  replaceUsuarioGrupos,
} from './usuarios.sql.ts'

export interface NewUsuario extends Pick<UsuarioRow, PerfilField | 'email' | 'cpf' | 'admin' | 'ativo'> {
  /** Null: the person chooses it by the link of an invitation. */
  senha: string | null
  /** Of a machine (`../servico/contas.ts`): nobody ever chooses a password. */
  servico?: boolean
  /** Must be changed at the first login: the creator knows it. */
  forcar_troca: boolean
  /** Null for the default of the account's kind. */
  plano: Plano | null
  /** Null for the default group. */
  grupos_ids: number[] | null
  permissoes_ids: number[]
  /** Null for those of the creator. */
  territorios: LugarDoTerritorio[] | null
  idioma: string
}

const DEFAULT_GROUP = 'usuario'

type Needs = Pick<
  App,
  'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'auditoria' | 'mailer' | 'municipios' | 'territorios'
>

/** Problems that only the domain can find (password rules, CPF, duplicates, unknown rights and places); takes an unvalidated body. */
export async function newUsuarioProblems(app: Needs, body: unknown): Promise<Problem[]> {
  const { db, passwordPolicy } = app
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const fields = (isObject ? body : {}) as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : null)
  const ids = (name: string) => (Array.isArray(fields[name]) ? (fields[name] as unknown[]).filter(isId) : [])
  const [senha, email, cpf] = [text('senha'), text('email'), text('cpf')]
  const digits = cpf === null ? null : normaliseCpf(cpf)
  const problems: Problem[] = senha === null ? [] : passwordProblems(senha, passwordPolicy, ['senha'])
  if (isObject) problems.push(...invitationProblems(fields))
  if (cpf !== null && digits === null) problems.push(problem('body', ['cpf'], 'INVALID_CPF', {}))
  const storable = email !== null && !email.includes('\0') ? email : null
  const taken = await findTaken(db, { email: storable, cpf: digits }, null)
  if (taken.email) problems.push(problem('body', ['email'], 'DUPLICATE', {}))
  if (taken.cpf) problems.push(problem('body', ['cpf'], 'DUPLICATE', {}))
  const rights = {
    grupos_ids: ids('grupos_ids') as number[],
    permissoes_ids: ids('permissoes_ids') as number[],
  }
  return [...problems, ...(await unknownRights(db, rights)), ...unknownLugares(app, fields.territorios)]
}

/** Either a password or an invitation, by which the person chooses one. */
function invitationProblems({ senha, convidar, forcar_troca }: Record<string, unknown>): Problem[] {
  if (convidar !== true) return senha === undefined ? [problem('body', ['senha'], 'REQUIRED', {})] : []
  const inconsistent = (field: string) => problem('body', [field], 'INCONSISTENT', { field: 'convidar' })
  return [
    ...(senha === undefined ? [] : [inconsistent('senha')]),
    ...(forcar_troca === true ? [inconsistent('forcar_troca')] : []),
  ]
}

/** Elements of another form are the schema's to refuse. */
function unknownLugares(app: Needs, given: unknown): Problem[] {
  if (!Array.isArray(given) || !given.every(isLugar)) return []
  return readLugares(app, given).problems
}

const isLugar = (one: unknown): one is LugarDoTerritorio =>
  typeof one === 'object' &&
  one !== null &&
  NIVEIS_DE_TERRITORIO.some((nivel) => 'nivel' in one && one.nivel === nivel) &&
  'codigo' in one &&
  typeof one.codigo === 'string' &&
  one.codigo.length <= 20

const isId = (id: unknown) => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= 2_147_483_647

/** Creates an account for a caller, who must hold every granted right and reach every place that it is bound to. */
export async function createUsuario(
  app: Needs,
  caller: Caller,
  input: NewUsuario,
): Promise<UsuarioWithRights> {
  if (input.admin) assertHolds(caller, FIELD_PERMISSIONS.admin)
  if (input.plano !== null) assertHolds(caller, FIELD_PERMISSIONS.plano)
  const territorios = input.territorios === null ? ownLugares(caller) : knownLugares(app, input.territorios)
  assertMayBind(app, caller, territorios)
  return storeUsuario(app, { ...input, territorios }, caller, caller.origin, (tx) =>
    assertMayGive(tx, caller, {
      ...(input.grupos_ids !== null && { grupos_ids: input.grupos_ids }),
      ...(input.permissoes_ids.length > 0 && { permissoes_ids: input.permissoes_ids }),
    }),
  )
}

/** Stores an account, its places as they are; `caller` is null for sign-ups with the master key. */
export async function storeUsuario(
  app: Needs,
  input: NewUsuario,
  caller: Caller | null,
  origin: Origin,
  authorise: (tx: Db) => Promise<void> = async () => {},
): Promise<UsuarioWithRights> {
  const senha = input.senha ?? unknownPassword()
  const senha_hash = await app.passwords.hash(senha, origin)
  const usuario = await app.db.transaction(async (tx) => {
    await authorise(tx)
    const id = await insertWithRights(app, tx, { ...input, senha }, senha_hash, caller)
    const tipo = input.senha === null ? 'convite' : 'verificar_email'
    if (!input.servico) await enqueueEmail(tx, { tipo, para: input.email, usuario_id: id })
    const created = await getUsuarioWithRights({ db: tx }, id)
    await announceUsuario(tx, 'usuario.criado', id, app.clock.now())
    const from = caller === null ? { ator: null, origin } : by(caller)
    const more = input.servico ? { servico: true } : input.senha === null ? { convidado: true } : {}
    await app.auditoria.record(tx, creationOf(id, input, from, more))
    return created
  })
  app.mailer.wake()
  return usuario
}

/**
 * Account of somebody whom a provider of single sign-on vouches for, as the operator's rule allows: without a password that
 * anybody knows, its address verified. In the transaction that links it, which records it at its end.
 */
export async function storeUsuarioOfProvedor(
  app: Pick<App, 'clock'>,
  tx: Db,
  input: Pick<NewUsuario, 'nome' | 'email' | 'cpf' | 'idioma'> & { grupos_ids: number[] },
  senha_hash: string,
  { provedor, origin }: { provedor: string; origin: Origin },
): Promise<{ id: number; entry: Entry }> {
  const usuario: NewUsuario & { senha: string } = {
    ...{ telefone: null, estado: null, cidade: null, funcao: null },
    ...{ instituicao: null, cargo: null, departamento: null },
    ...{ admin: false, ativo: true, forcar_troca: false, plano: null },
    ...{ permissoes_ids: [], territorios: null, senha: '' },
    ...input,
  }
  const id = await insertWithRights(app, tx, usuario, senha_hash, null)
  await confirmEmail(tx, id, input.email)
  await announceUsuario(tx, 'usuario.criado', id, app.clock.now())
  return { id, entry: creationOf(id, usuario, { ator: null, origin }, { provedor }) }
}

async function insertWithRights(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  input: NewUsuario & { senha: string },
  senha_hash: string,
  caller: Caller | null,
): Promise<number> {
  const now = clock.now()
  const id = await insertUsuario(tx, toRow(input, senha_hash, caller, now), now)
  if (input.grupos_ids === null) await insertUsuarioGrupoByNome(tx, id, DEFAULT_GROUP)
  else await replaceUsuarioGrupos(tx, id, input.grupos_ids)
  await insertUsuarioPermissoes(tx, id, input.permissoes_ids)
  await replaceTerritorios(tx, id, input.territorios ?? [])
  return id
}

function creationOf(
  id: number,
  input: NewUsuario,
  from: Pick<Entry, 'ator' | 'origin'>,
  more: Record<string, unknown>,
): Entry {
  const rights = pick(input, ['admin', 'grupos_ids', 'permissoes_ids'])
  const detalhes = { ...rights, territorios: input.territorios ?? [], ...more }
  return { acao: 'usuario.criado', ...from, recurso: 'usuario', recurso_id: id, detalhes }
}

/** Nobody knows it: it only keeps the account closed, until an invitation is accepted or a password is asked for by mail. */
export const unknownPassword = () => randomBytes(32).toString('base64url')

function toRow(
  input: NewUsuario & { senha: string },
  senha_hash: string,
  caller: Caller | null,
  now: Date,
): NewUsuarioRow {
  return {
    ...pick(input, [...PERFIL, 'email', 'admin', 'idioma']),
    senha_hash,
    senha_forca: strengthOf(input.senha),
    trocar_senha: input.forcar_troca,
    servico: input.servico ?? false,
    cpf: input.cpf === null ? null : normaliseCpf(input.cpf),
    // Administrators have the highest rate limit unless stated otherwise.
    plano: input.plano ?? (input.admin ? 'enterprise' : 'basico'),
    desativado_em: input.ativo ? null : now,
    criado_por_id: caller?.id ?? null,
  }
}
