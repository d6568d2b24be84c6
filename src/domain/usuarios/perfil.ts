import type { Caller } from '../../caller/caller.ts'
import { PERMISSIONS } from '../../caller/permissions.ts'
import type { App } from '../app.ts'
import type { GrupoDoUsuario, UsuarioRow } from '../contas/contas.sql.ts'
import { getUsuario } from '../contas/contas.ts'
import type { SessaoRow } from '../sessoes/sessoes.sql.ts'
import { listSessoesOf } from '../sessoes/sessoes.ts'
import { getPreferencias, type Preferencias } from './preferencias.ts'
import { listGruposOf, listPermissoesDiretas } from './usuarios.sql.ts'

export const PERFIL_INCLUDES = ['grupos', 'permissoes', 'sessoes', 'preferencias'] as const
export type PerfilInclude = (typeof PERFIL_INCLUDES)[number]

export interface Perfil {
  usuario: UsuarioRow
  sessoes: SessaoRow[]
  grupos: GrupoDoUsuario[] | null
  permissoes_diretas: GrupoDoUsuario[] | null
  preferencias: Preferencias | null
}

export async function getPerfil(
  app: Pick<App, 'db' | 'clock'>,
  caller: Caller,
  include: Set<PerfilInclude>,
): Promise<Perfil> {
  return {
    usuario: await getUsuario(app, caller.id),
    sessoes: await listSessoesOf(app, caller.id),
    grupos: include.has('grupos') ? await listGruposOf(app.db, caller.id) : null,
    permissoes_diretas: include.has('permissoes') ? await listPermissoesDiretas(app.db, caller.id) : null,
    preferencias: include.has('preferencias') ? await getPreferencias(app, caller) : null,
  }
}

/** Names of the caller's permissions; an administrator holds all. */
export function effectiveNames(caller: Caller): string[] {
  return caller.holdsAll
    ? [...new Set([...Object.keys(PERMISSIONS), ...caller.permissoes])]
    : [...caller.permissoes]
}
