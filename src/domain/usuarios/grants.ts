import type { Caller } from '../../caller/caller.ts'
import { holds } from '../../caller/caller.ts'
import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { findGrupos } from '../grupos/grupos.ts'
import { findPermissoes } from '../permissoes/permissoes.ts'
import { assertMayGrant } from '../permissoes/rights.ts'

/** Permission needed to change each field that carries rights, besides holding the granted rights. */
export const FIELD_PERMISSIONS = {
  admin: 'admin',
  plano: 'admin',
  grupos_ids: 'usuarios.gerenciar_grupos',
  permissoes_ids: 'usuarios.gerenciar_permissoes',
} as const satisfies Record<string, Permission>

export function assertHolds(caller: Caller, permissao: Permission): void {
  if (!holds(caller, permissao)) throw new AppError('PERMISSION_DENIED', { required_permission: permissao })
}

/** Refuses to grant groups (with all their permissions) and permissions beyond the caller's own. */
export async function assertMayGive(
  tx: Db,
  caller: Caller,
  given: { grupos_ids?: number[]; permissoes_ids?: number[] },
): Promise<void> {
  if (given.grupos_ids !== undefined) {
    assertHolds(caller, FIELD_PERMISSIONS.grupos_ids)
    const { found } = await findGrupos(tx, given.grupos_ids)
    assertMayGrant(
      caller,
      found.flatMap((grupo) => grupo.permissoes),
    )
  }
  if (given.permissoes_ids !== undefined) {
    assertHolds(caller, FIELD_PERMISSIONS.permissoes_ids)
    const { found } = await findPermissoes(
      tx,
      given.permissoes_ids.map((id) => ({ id })),
    )
    assertMayGrant(caller, found)
  }
}

/** Problems that name unknown groups and permissions. */
export async function unknownRights(
  db: Db,
  { grupos_ids = [], permissoes_ids = [] }: { grupos_ids?: number[]; permissoes_ids?: number[] },
): Promise<Problem[]> {
  const problems: Problem[] = []
  const grupos = await findGrupos(db, grupos_ids)
  if (grupos.unknown.length > 0)
    problems.push(problem('body', ['grupos_ids'], 'UNKNOWN', { ids: grupos.unknown }))
  const permissoes = await findPermissoes(
    db,
    permissoes_ids.map((id) => ({ id })),
  )
  if (permissoes.unknown.length > 0)
    problems.push(problem('body', ['permissoes_ids'], 'UNKNOWN', { ids: permissoes.unknown }))
  return problems
}
