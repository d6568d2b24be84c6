import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { CIFRADOS, type Cifrado } from './cifrados.ts'
import { announceRecifragem, countCifrados, listOlder, replaceCifrados } from './recifragem.sql.ts'

/**
 * Re-encryption: brings every value under the current key, block by block beside the running service. Each value names its
 * key, so that what is left to do is read from the data: a run that was killed is resumed by the next one, and none is done
 * twice. Price: the whole of each table is read once.
 */

const BLOCK = 500

export interface Situation {
  table: string
  column: string
  /** Values under former keys. */
  older: number
  total: number
}

type Needs = Pick<App, 'db' | 'cipher'>

/** Number of values under each key, column by column. */
export async function situationOfKeys({ db, cipher }: Needs): Promise<Situation[]> {
  const all: Situation[] = []
  for (const one of CIFRADOS) {
    const { table, column } = one
    all.push({ table, column, ...(await countCifrados(db, one, cipher.prefix)) })
  }
  return all
}

/** Returns the number of values that were encrypted anew; `step` is told after each block. */
export async function reencrypt(
  { db, cipher }: Needs,
  step: (column: Cifrado, done: number) => void = () => {},
): Promise<number> {
  let total = 0
  for (const one of CIFRADOS) {
    let done = 0
    let after: unknown[] | null = null
    for (;;) {
      const rows = await listOlder(db, one, cipher.prefix, after, one.block ?? BLOCK)
      const last = rows.at(-1)
      if (last === undefined) break
      after = Object.keys(one.key).map((name) => last[name])
      const renewed = rows.map((row) => ({ row, sealed: renew(cipher, one, row) }))
      done += await db.transaction(async (tx: Db) => {
        await announceRecifragem(tx)
        return replaceCifrados(tx, one, renewed)
      })
      step(one, done)
    }
    total += done
  }
  return total
}

function renew(cipher: Needs['cipher'], one: Cifrado, row: { sealed: Buffer }): Buffer {
  const context = one.context(row)
  return cipher.encrypt(cipher.decrypt(row.sealed, context), context)
}
