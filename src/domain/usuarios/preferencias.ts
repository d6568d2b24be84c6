import { UFS } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { lugaresFrom } from '../../caller/territorio.ts'
import { invalid } from '../../errors/catalogue.ts'
import { LANGUAGES, type Language } from '../../errors/texts.ts'
import type { App } from '../app.ts'
import { findPreferencias, mergePreferencias } from './preferencias.sql.ts'

/** Settings of the console that an account keeps, wherever it signs in. Nothing of them decides what the account may do. */

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
  /** Place that the console's painel begins with, as `uf:PE`; null: the country. */
  territorio?: string | null
}

/** Only what is sent changes. A place need not be one of the account's: what is shown of it is what the account may see. */
export async function savePreferencias(
  { db, clock, municipios, territorios }: Pick<App, 'db' | 'clock' | 'municipios' | 'territorios'>,
  { id }: Pick<Caller, 'id'>,
  change: Preferencias,
): Promise<Preferencias> {
  const { territorio = null } = change
  if (territorio !== null && !isKnownPlace({ municipios, territorios }, territorio))
    throw invalid('body', ['territorio'], 'UNKNOWN', { ids: [territorio] })
  return mergePreferencias(db, id, change, clock.now())
}

export function getPreferencias({ db }: Pick<App, 'db'>, { id }: Pick<Caller, 'id'>): Promise<Preferencias> {
  return findPreferencias(db, id)
}

function isKnownPlace(
  { municipios, territorios }: Pick<App, 'municipios' | 'territorios'>,
  place: string,
): boolean {
  const [lugar] = lugaresFrom([place])
  if (lugar?.nivel === 'uf') return UFS.some((uf) => uf === lugar.codigo)
  if (lugar?.nivel === 'regiao_saude')
    return /^\d{5}$/.test(lugar.codigo) && territorios.municipiosOfRegiao(Number(lugar.codigo)).length > 0
  return (
    lugar?.nivel === 'municipio' &&
    /^\d{7}$/.test(lugar.codigo) &&
    municipios.byCodigo(Number(lugar.codigo)) !== null
  )
}
