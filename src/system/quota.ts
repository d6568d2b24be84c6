/** Limits how many places one account holds at the same time. */
export function createQuota(most: number) {
  const held = new Map<number, number>()
  return {
    /** Null when all are held; else the way to give the place back, which may be called twice. */
    take(usuarioId: number): (() => void) | null {
      const before = held.get(usuarioId) ?? 0
      if (before >= most) return null
      held.set(usuarioId, before + 1)
      let given = false
      return () => {
        if (given) return
        given = true
        const left = (held.get(usuarioId) ?? 1) - 1
        if (left === 0) held.delete(usuarioId)
        else held.set(usuarioId, left)
      }
    },
  }
}

export type Quota = ReturnType<typeof createQuota>
