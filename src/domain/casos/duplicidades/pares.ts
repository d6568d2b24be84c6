import { type ChaveDoCaso, MOST_OF_KEY } from './identidade.sql.ts'
import type { DoisCasos } from './pares.sql.ts'

/** Pairs of cases that share a key within so many days, each once; of rows in the order of key and day. */
export function paresOf(rows: readonly ChaveDoCaso[], dias: number): DoisCasos[] {
  const pares = new Map<string, DoisCasos>()
  for (const [i, { chave, dia, caso_id }] of rows.entries())
    for (let j = i - 1; j >= 0 && i - j <= MOST_OF_KEY; j--) {
      const other = rows[j] as ChaveDoCaso
      if (other.chave !== chave || dia - other.dia > dias) break
      const par = { caso_1: Math.min(caso_id, other.caso_id), caso_2: Math.max(caso_id, other.caso_id) }
      pares.set(`${par.caso_1}/${par.caso_2}`, par)
    }
  return [...pares.values()]
}
