/** Limits the concurrent places of each account. */
export function createQuota(most: number) {
  const held = new Map<number, number>()
  return {
    /** Returns the function that releases the place (idempotent); null when all are taken. */
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
