import type { Db } from './db.ts'

/** Runs the statements of a transaction one after the other, also those that are asked for side by side: it has one connection. */
export function serial(tx: Db): Db {
  let last: Promise<unknown> = Promise.resolve()
  const after = <T>(statement: () => Promise<T>): Promise<T> => {
    const next = last.then(statement, statement)
    last = next
    return next
  }
  return {
    rows: (query) => after(() => tx.rows(query)),
    first: (query) => after(() => tx.first(query)),
    one: (query) => after(() => tx.one(query)),
    value: (query) => after(() => tx.value(query)),
    run: (query) => after(() => tx.run(query)),
    copy: (query, lines) => after(() => tx.copy(query, lines)),
  }
}
