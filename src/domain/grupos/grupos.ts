import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { ListRules } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getPermissao, getPermissoes } from '../permissoes/permissoes.ts'
import { assertAdministradorRemains, assertMayGrant } from '../permissoes/rights.ts'
import { assertVersao, type IfMatch, versaoDe } from '../versoes.ts'
import {
  copyMembros,
  deleteGrupo,
  deleteGrupoPermissao,
  deleteMembros,
  findGrupo,
  findGrupoForUpdate,
  type GrupoRow,
  insertGrupo,
  insertGrupoPermissao,
  listGruposByIds,
  listRightsOfMembros,
  lockGrupos,
  replaceGrupoPermissoes,
  touchGrupo,
  updateGrupo,
} from './grupos.sql.ts'

export { pageOfGrupos } from './grupos.sql.ts'

/**
 * Groups grant permissions to their members. A caller may change a group only if they hold everything it grants, before and
 * after. A change of the grants (permissions, activation, deletion) acts on every member, so no member may hold more than
 * the caller.
 */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

export const GRUPOS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    nome: { type: 'text', plain: 'like' },
    descricao: { type: 'text', plain: 'like' },
    ativo: { type: 'boolean' },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
  },
  sortable: ['id', 'nome', 'descricao', 'ativo', 'criado_em', 'atualizado_em', 'total_usuarios'],
  defaultSort: { field: 'id', order: 'asc' },
}

export interface NewGrupo {
  nome: string
  descricao: string | null
  ativo: boolean
  exige_mfa: boolean
  permissoes_ids: number[]
}

/** Members are none of it: each is added and removed alone, and overwrites nothing. */
export const versaoDoGrupo = ({ nome, descricao, ativo, exige_mfa, permissoes }: GrupoRow): string =>
  versaoDe([nome, descricao, ativo, exige_mfa, permissoes.map(({ id }) => id)])

/** Groups with these ids, with their permissions, and the unknown ids. */
export async function findGrupos(db: Db, ids: number[]): Promise<{ found: GrupoRow[]; unknown: number[] }> {
  const found = await listGruposByIds(db, ids)
  const known = new Set(found.map(({ id }) => id))
  return { found, unknown: [...new Set(ids)].filter((id) => !known.has(id)) }
}

export async function getGrupo({ db }: { db: Db }, id: number): Promise<GrupoRow> {
  return (await findGrupo(db, id)) ?? notFound()
}

export async function createGrupo(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  grupo: NewGrupo,
): Promise<GrupoRow> {
  return db.transaction(async (tx) => {
    await checkGrant(tx, caller, grupo.permissoes_ids)
    const id = await insertGrupo(tx, grupo, clock.now())
    await replaceGrupoPermissoes(tx, id, grupo.permissoes_ids)
    const created = await getGrupo({ db: tx }, id)
    await auditoria.record(tx, { acao: 'grupo.criado', ...by(caller), ...about(id), detalhes: { ...grupo } })
    return created
  })
}

export async function changeGrupo(
  needs: Needs,
  caller: Caller,
  id: number,
  change: Partial<NewGrupo>,
  ifMatch: IfMatch,
): Promise<GrupoRow> {
  return changeLocked(needs, caller, id, async (tx, grupo, now) => {
    if (grupo.padrao && change.nome !== undefined && change.nome !== grupo.nome)
      throw invalid('body', ['nome'], 'PROTECTED', {})
    if (change.permissoes_ids) await checkGrant(tx, caller, change.permissoes_ids)
    if (actsOnMembros(grupo, change)) await assertMembrosNotAbove(tx, caller, id)
    assertVersao(ifMatch, versaoDoGrupo(grupo))
    await updateGrupo(tx, id, { ...grupo, ...change }, now)
    if (change.permissoes_ids) await replaceGrupoPermissoes(tx, id, change.permissoes_ids)
    await assertAdministradorRemains(tx, 'body', change.ativo === false ? 'ativo' : 'permissoes_ids')
    return { acao: 'grupo.alterado', detalhes: { ...change } }
  })
}

export async function addGrupoPermissao(
  needs: Needs,
  caller: Caller,
  id: number,
  permissaoId: number,
): Promise<GrupoRow> {
  return changeLocked(needs, caller, id, async (tx, _grupo, now) => {
    assertMayGrant(caller, [await getPermissao(tx, permissaoId)])
    if ((await insertGrupoPermissao(tx, id, permissaoId)) === 0) return null
    await assertMembrosNotAbove(tx, caller, id)
    await touchGrupo(tx, id, now)
    return { acao: 'grupo.permissao_incluida', detalhes: { permissao_id: permissaoId } }
  })
}

export async function removeGrupoPermissao(
  needs: Needs,
  caller: Caller,
  id: number,
  permissaoId: number,
): Promise<void> {
  await changeLocked(needs, caller, id, async (tx, _grupo, now) => {
    if ((await deleteGrupoPermissao(tx, id, permissaoId)) === 0) notFound()
    await assertMembrosNotAbove(tx, caller, id)
    await touchGrupo(tx, id, now)
    await assertAdministradorRemains(tx, 'path', 'permissao_id')
    return { acao: 'grupo.permissao_retirada', detalhes: { permissao_id: permissaoId } }
  })
}

/** Members go to the group `transferir_usuarios`, or simply leave with `force`; with neither, a group in use stays. */
export async function removeGrupo(
  { db, auditoria }: Needs,
  caller: Caller,
  id: number,
  options: { transferir_usuarios?: number; force?: boolean },
  ifMatch: IfMatch,
): Promise<void> {
  const { transferir_usuarios, force = false } = options
  await db.transaction(async (tx) => {
    if (transferir_usuarios !== undefined) await lockGrupos(tx, [id, transferir_usuarios])
    const grupo = await lockGrupo(tx, caller, id)
    if (grupo.padrao) throw invalid('path', ['id'], 'PROTECTED', {})
    if (transferir_usuarios !== undefined) {
      const target = transferir_usuarios === id ? null : await findGrupo(tx, transferir_usuarios)
      if (target === null)
        throw invalid('query', ['transferir_usuarios'], 'UNKNOWN', { ids: [transferir_usuarios] })
      assertMayGrant(caller, target.permissoes)
      await copyMembros(tx, id, target.id)
    } else if (grupo.total_usuarios > 0 && !force) {
      throw invalid('path', ['id'], 'IN_USE', { total_usuarios: grupo.total_usuarios })
    }
    await assertMembrosNotAbove(tx, caller, id)
    assertVersao(ifMatch, versaoDoGrupo(grupo))
    await deleteMembros(tx, id)
    await deleteGrupo(tx, id)
    await assertAdministradorRemains(tx, 'path', 'id')
    const detalhes = { nome: grupo.nome, membros: grupo.total_usuarios, ...options }
    await auditoria.record(tx, { acao: 'grupo.excluido', ...by(caller), ...about(id), detalhes })
  })
}

/** Audit entry of a change; null if nothing changed. */
type Done = { acao: string; detalhes: Record<string, unknown> } | null

/** Runs one change of a group under its lock, records it and returns the changed group. */
async function changeLocked(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  id: number,
  change: (tx: Db, grupo: GrupoRow, now: Date) => Promise<Done>,
): Promise<GrupoRow> {
  return db.transaction(async (tx) => {
    const done = await change(tx, await lockGrupo(tx, caller, id), clock.now())
    const changed = await getGrupo({ db: tx }, id)
    if (done !== null) await auditoria.record(tx, { ...done, ...by(caller), ...about(id) })
    return changed
  })
}

const about = (id: number) => ({ recurso: 'grupo', recurso_id: id })

async function lockGrupo(tx: Db, caller: Caller, id: number): Promise<GrupoRow> {
  const grupo = (await findGrupoForUpdate(tx, id)) ?? notFound()
  assertMayGrant(caller, grupo.permissoes)
  return grupo
}

/** Refuses a change that acts on members who hold more than the caller. */
async function assertMembrosNotAbove(tx: Db, caller: Caller, id: number): Promise<void> {
  if (!caller.holdsAll) assertMayGrant(caller, await listRightsOfMembros(tx, id, caller.id))
}

/** A change of the permissions, or of what members need to use them. */
function actsOnMembros(grupo: GrupoRow, change: Partial<NewGrupo>): boolean {
  const { ativo = grupo.ativo, exige_mfa = grupo.exige_mfa, permissoes_ids } = change
  if (ativo !== grupo.ativo || exige_mfa !== grupo.exige_mfa) return true
  if (permissoes_ids === undefined) return false
  const wanted = new Set(permissoes_ids)
  return grupo.permissoes.length !== wanted.size || grupo.permissoes.some(({ id }) => !wanted.has(id))
}

async function checkGrant(tx: Db, caller: Caller, permissoesIds: number[]): Promise<void> {
  assertMayGrant(caller, await getPermissoes(tx, permissoesIds, 'permissoes_ids'))
}

function notFound(): never {
  throw new AppError('NOT_FOUND')
}
