import type { Grupo } from './grupo-data.ts'

/** Permissions that a group is to gain and to lose, by ids, before they are saved. */
export interface Change {
  gains: ReadonlySet<number>
  loses: ReadonlySet<number>
}
/** By the id of the group; groups without a difference are not in it. */
export type Changes = ReadonlyMap<number, Change>

const NONE: Change = { gains: new Set(), loses: new Set() }
const without = (ids: ReadonlySet<number>, id: number) => new Set([...ids].filter((one) => one !== id))

/** Ticks a permission of a group or takes the tick away; back to what it was is no difference. */
export function changed(changes: Changes, grupo: Grupo, permissao: number, isOn: boolean): Changes {
  const { gains, loses } = changes.get(grupo.id) ?? NONE
  const wasOn = grupo.permissoes.some(({ id }) => id === permissao)
  const next: Change = {
    gains: isOn && !wasOn ? new Set([...gains, permissao]) : without(gains, permissao),
    loses: !isOn && wasOn ? new Set([...loses, permissao]) : without(loses, permissao),
  }
  const all = new Map(changes)
  if (next.gains.size + next.loses.size === 0) all.delete(grupo.id)
  else all.set(grupo.id, next)
  return all
}

/** Permissions that the group would grant. */
export function isGranted(changes: Changes, grupo: Grupo, permissao: number): boolean {
  const { gains, loses } = changes.get(grupo.id) ?? NONE
  return (
    gains.has(permissao) || (grupo.permissoes.some(({ id }) => id === permissao) && !loses.has(permissao))
  )
}

export const isChanged = (changes: Changes, grupo: Grupo, permissao: number): boolean => {
  const { gains, loses } = changes.get(grupo.id) ?? NONE
  return gains.has(permissao) || loses.has(permissao)
}

export const countChanges = (changes: Changes): number =>
  [...changes.values()].reduce((sum, { gains, loses }) => sum + gains.size + loses.size, 0)

/** The permissions of a group with its difference on top: of the group as it is now, whatever somebody else changed meanwhile. */
export function applied({ permissoes }: Grupo, { gains, loses }: Change): number[] {
  const kept = permissoes.map(({ id }) => id).filter((id) => !loses.has(id))
  return [...new Set([...kept, ...gains])]
}
