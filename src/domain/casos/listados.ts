import { BoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/db.ts'
import { type CasoListado, findListados, type Referencia } from './casos.sql.ts'

/** Some twenty megabytes. */
const MOST = 20_000

/** Cases as lists tell them to everybody, ready to be sent: the same ones are on the first pages again and again. */
export interface Listados {
  /** In the order of the references, without those that went away meanwhile. */
  read(db: Db, referencias: Referencia[], render: (caso: CasoListado) => string): Promise<string[]>
}

export function createListados(): Listados {
  const ready = new BoundedMap<string, string>(MOST)
  return {
    async read(db, referencias, render) {
      const texts = new Map<number, string>()
      const missing: number[] = []
      for (const referencia of referencias) {
        const text = ready.get(keyOf(referencia))
        if (text === undefined) missing.push(referencia.id)
        else texts.set(referencia.id, text)
      }
      for (const caso of missing.length === 0 ? [] : await findListados(db, missing)) {
        const text = render(caso)
        ready.set(keyOf(caso), text)
        texts.set(caso.id, text)
      }
      return referencias.flatMap(({ id }) => texts.get(id) ?? [])
    },
  }
}

const keyOf = ({ id, escrita }: Referencia) => `${id}/${escrita}`
