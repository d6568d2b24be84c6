import type { Caller, Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { by, type Entry } from '../auditoria/auditoria.ts'
import { findUsuarioForUpdate, lockReached } from '../contas/contas.ts'
import { assertAdministradorRemains, assertMayGrant, assertNotAbove } from '../permissoes/rights.ts'
import { withinReach } from '../territorios/alcance.ts'
import {
  deleteMembro,
  findGrupoForUpdate,
  type GrupoRow,
  insertMembro,
  listGruposByNomes,
  listGruposIdsOf,
  listMembros,
  lockGrupos,
  type MembroRow,
} from './grupos.sql.ts'
import { getGrupo } from './grupos.ts'

/** Membership grants all permissions of the group, so the caller must hold them. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

export const MEMBROS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    nome: { type: 'text', plain: 'like' },
    email: { type: 'text', plain: 'like' },
    ativo: { type: 'boolean' },
  },
  sortable: ['id', 'nome', 'email', 'ativo'],
  defaultSort: { field: 'nome', order: 'asc' },
}

export async function pageOfMembros(
  needs: Needs,
  caller: Caller,
  grupoId: number,
  list: ListQuery,
): Promise<Page<MembroRow>> {
  await getGrupo(needs, grupoId)
  return listMembros(needs.db, grupoId, { ...list, filter: withinReach(list.filter, caller) })
}

export async function addMembro(
  { db, auditoria }: Needs,
  caller: Caller,
  grupoId: number,
  usuarioId: number,
): Promise<GrupoRow> {
  return db.transaction(async (tx) => {
    await lockMembership(tx, caller, grupoId, usuarioId)
    const added = await insertMembro(tx, grupoId, usuarioId)
    const grupo = await getGrupo({ db: tx }, grupoId)
    if (added > 0) await auditoria.record(tx, membership('grupo.membro_incluido', caller, grupoId, usuarioId))
    return grupo
  })
}

export async function removeMembro(
  { db, auditoria }: Needs,
  caller: Caller,
  grupoId: number,
  usuarioId: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockMembership(tx, caller, grupoId, usuarioId)
    if ((await deleteMembro(tx, grupoId, usuarioId)) === 0) throw new AppError('NOT_FOUND')
    await assertAdministradorRemains(tx, 'path', 'usuario_id')
    await auditoria.record(tx, membership('grupo.membro_retirado', caller, grupoId, usuarioId))
  })
}

function membership(acao: string, caller: Caller, grupoId: number, usuarioId: number): Entry {
  return { acao, ...by(caller), recurso: 'grupo', recurso_id: grupoId, detalhes: { usuario_id: usuarioId } }
}

async function lockMembership(tx: Db, caller: Caller, grupoId: number, usuarioId: number): Promise<void> {
  // The account first, as its own changes lock it: groups are part of its version.
  await lockReached(tx, caller, usuarioId)
  const grupo = await findGrupoForUpdate(tx, grupoId)
  if (grupo === null) throw new AppError('NOT_FOUND')
  assertMayGrant(caller, grupo.permissoes)
  await assertNotAbove(tx, caller, usuarioId)
}

/** Names of groups → ids; null if one of them does not exist. */
export async function gruposByNome(db: Db, nomes: readonly string[]): Promise<number[] | null> {
  const wanted = [...new Set(nomes)]
  const found = await listGruposByNomes(db, wanted)
  return found.length === wanted.length ? found.map(({ id }) => id) : null
}

/**
 * Sets the membership in some groups, for a provider of single sign-on that decides them; others stay as they are. Returns what
 * is to be recorded at the end of the transaction.
 */
export async function syncMembro(
  tx: Db,
  usuarioId: number,
  { managed, wanted }: { managed: number[]; wanted: number[] },
  { provedor, origin }: { provedor: string; origin: Origin },
): Promise<Entry[]> {
  const changeOf = async () => {
    const present = (await listGruposIdsOf(tx, usuarioId)).map(({ id }) => id)
    return {
      added: wanted.filter((id) => !present.includes(id)),
      removed: managed.filter((id) => present.includes(id) && !wanted.includes(id)),
    }
  }
  const found = await changeOf()
  // Most sign-ins change nothing, and wait for nobody.
  if (found.added.length + found.removed.length === 0) return []
  // The account first, as its own changes lock it; one that was under way is seen by asking again.
  await findUsuarioForUpdate(tx, usuarioId)
  const { added, removed } = await changeOf()
  await lockGrupos(tx, [...added, ...removed])
  for (const id of added) await insertMembro(tx, id, usuarioId)
  for (const id of removed) await deleteMembro(tx, id, usuarioId)
  if (removed.length > 0) await assertAdministradorRemains(tx, 'body', 'grupos')
  const detalhes = { usuario_id: usuarioId, provedor }
  const entry = (acao: string) => (recurso_id: number) => {
    return { acao, ator: null, origin, recurso: 'grupo', recurso_id, detalhes }
  }
  return [...added.map(entry('grupo.membro_incluido')), ...removed.map(entry('grupo.membro_retirado'))]
}
