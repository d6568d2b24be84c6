import { hash } from 'node:crypto'
import { AppError } from '../errors/catalogue.ts'

/** Versions that a client accepts to change (`If-Match`); null accepts any. */
export type IfMatch = ReadonlySet<string> | null

/**
 * Version of a record that keeps no number: a hash of all that can be changed of it. What happens to the row besides, as the sign-ins
 * of an account, makes no version; a change that is taken back is the version before it again. Given to those alone who may read
 * every value: the hash of a short one can be guessed.
 */
export const versaoDe = (editable: object): string =>
  hash('sha256', JSON.stringify(editable), 'hex').slice(0, 32)

/** Asked under the lock of the row, after all that refuses the caller: nobody learns from it what they may not read. */
export function assertVersao(ifMatch: IfMatch, versao: number | string): void {
  if (ifMatch !== null && !ifMatch.has(String(versao))) throw new AppError('CONFLICT')
}
