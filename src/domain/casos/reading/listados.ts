import type { Db } from '../../../db/db.ts'
import { BoundedMap } from '../../../system/bounded-map.ts'
import { type CasoListado, type Escrita, findListados } from '../casos.sql.ts'

/** Some twenty megabytes. */
const MOST = 20_000

/** Cases as lists tell them to everybody, ready to be sent: the same ones are on the first pages again and again. */
export interface Listados {
  /** In the order of the keys, without those that went away meanwhile. */
  read(db: Db, escritas: Escrita[], render: (caso: CasoListado) => string): Promise<string[]>
}

export function createListados(): Listados {
  const ready = new BoundedMap<Escrita, string>(MOST)

  /** They may have changed since: each goes by its id. */
  async function fetch(db: Db, ids: number[], render: (caso: CasoListado) => string) {
    const texts = new Map<number, string>()
    for (const caso of await findListados(db, ids)) {
      const text = render(caso)
      ready.set(caso.escrita, text)
      texts.set(caso.id, text)
    }
    return texts
  }

  return {
    async read(db, escritas, render) {
      const known = escritas.map((escrita) => ready.get(escrita))
      const missing = escritas.filter((_, i) => known[i] === undefined).map(idOf)
      if (missing.length === 0) return known as string[]
      const fetched = await fetch(db, missing, render)
      return escritas.flatMap((escrita, i) => known[i] ?? fetched.get(idOf(escrita)) ?? [])
    },
  }
}

const idOf = (escrita: Escrita) => Number.parseInt(escrita, 10)
