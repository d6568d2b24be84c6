import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import { getReachedWithRights } from '../contas/contas.ts'
import { getGrupo } from '../grupos/grupos.ts'
import { getPermissao } from '../permissoes/permissoes.ts'
import { changeUsuario, type EditResult } from './update.ts'
import { listFontes } from './usuarios.sql.ts'

/**
 * Adds or removes one group or permission of a user. An edit of the whole list, under the same rules: permission of the
 * field, nothing granted that the caller lacks, nobody above the caller, the last administrator stays.
 */
type Needs = Parameters<typeof changeUsuario>[0]

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id)

export async function addGrupo(app: Needs, caller: Caller, id: number, grupoId: number): Promise<EditResult> {
  await getGrupo(app, grupoId)
  return changeUsuario(app, caller, id, ({ grupos }) => ({ grupos_ids: withId(grupos, grupoId) }))
}

export async function dropGrupo(
  app: Needs,
  caller: Caller,
  id: number,
  grupoId: number,
): Promise<EditResult> {
  return changeUsuario(app, caller, id, ({ grupos }) => ({ grupos_ids: without(grupos, grupoId) }))
}

export async function addPermissao(
  app: Needs,
  caller: Caller,
  id: number,
  permissaoId: number,
): Promise<EditResult> {
  await getPermissao(app.db, permissaoId)
  return changeUsuario(app, caller, id, ({ permissoes_diretas }) => ({
    permissoes_ids: withId(permissoes_diretas, permissaoId),
  }))
}

export async function dropPermissao(
  app: Needs,
  caller: Caller,
  id: number,
  permissaoId: number,
): Promise<EditResult> {
  return changeUsuario(app, caller, id, ({ permissoes_diretas }) => ({
    permissoes_ids: without(permissoes_diretas, permissaoId),
  }))
}

function withId(items: { id: number }[], id: number): number[] {
  return [...new Set([...idsOf(items), id])]
}

function without(items: { id: number }[], id: number): number[] {
  const ids = idsOf(items)
  if (!ids.includes(id)) throw new AppError('NOT_FOUND')
  return ids.filter((other) => other !== id)
}

export interface Rights {
  usuario: UsuarioWithRights
  /** Source of each effective permission: the groups that grant it, or the account itself. */
  fontes: { nome: string; direta: boolean; grupos: string[] }[]
}

export async function getRights({ db }: Pick<App, 'db'>, caller: Caller, id: number): Promise<Rights> {
  return { usuario: await getReachedWithRights({ db }, caller, id), fontes: await listFontes(db, id) }
}
