import type { Caller } from '../../caller/caller.ts'
import { LANGUAGES, type Language } from '../../errors/texts.ts'
import type { App } from '../app.ts'
import { findPreferencias, mergePreferencias } from './preferencias.sql.ts'

/** How an account wants the console, wherever it signs in. Nothing of it decides what the account may do. */

export const TEMAS = ['sistema', 'claro', 'escuro'] as const
export const DENSIDADES = ['confortavel', 'compacta'] as const
export const IDIOMAS = Object.keys(LANGUAGES) as Language[]

export interface Preferencias {
  tema?: (typeof TEMAS)[number]
  /** Null: the browser's. */
  idioma?: Language | null
  /** Single letters as keys. */
  teclas?: boolean
  densidade?: (typeof DENSIDADES)[number]
  /** The second factor is not offered any more at the sign-in. */
  fator_adiado?: boolean
}

/** Only what is sent changes. */
export function savePreferencias(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id }: Pick<Caller, 'id'>,
  change: Preferencias,
): Promise<Preferencias> {
  return mergePreferencias(db, id, change, clock.now())
}

export function getPreferencias({ db }: Pick<App, 'db'>, { id }: Pick<Caller, 'id'>): Promise<Preferencias> {
  return findPreferencias(db, id)
}
