import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { getGrupo } from '../grupos/grupos.ts'
import { getPermissao } from '../permissoes/permissoes.ts'
import { type Alterado, changeUsuario } from './update.ts'
import { listFontes, type UsuarioWithRights } from './usuarios.sql.ts'
import { getUsuarioWithRights } from './usuarios.ts'

/**
 * One group or permission more or less for a user. The same change as replacing the whole list, so the same rules hold:
 * the field's permission, holding what is given, not above oneself, the last administrator.
 */
type Needs = Parameters<typeof changeUsuario>[0]

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id)

export async function addGrupo(app: Needs, caller: Caller, id: number, grupoId: number): Promise<Alterado> {
  await getGrupo(app, grupoId)
  return changeUsuario(app, caller, id, ({ grupos }) => ({ grupos_ids: withId(grupos, grupoId) }))
}

export async function dropGrupo(app: Needs, caller: Caller, id: number, grupoId: number): Promise<Alterado> {
  return changeUsuario(app, caller, id, ({ grupos }) => ({ grupos_ids: without(grupos, grupoId) }))
}

export async function addPermissao(
  app: Needs,
  caller: Caller,
  id: number,
  permissaoId: number,
): Promise<Alterado> {
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
): Promise<Alterado> {
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
  /** Each effective permission with the groups it comes from, or that it is direct. */
  fontes: { nome: string; direta: boolean; grupos: string[] }[]
}

export async function getRights({ db }: Pick<App, 'db'>, id: number): Promise<Rights> {
  return { usuario: await getUsuarioWithRights({ db }, id), fontes: await listFontes(db, id) }
}
