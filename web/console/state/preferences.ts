import { effect, signal } from '@preact/signals'
import { PREFERENCIAS } from '../api/early.ts'
import { tell } from './tabs.ts'

export const TEMAS = ['sistema', 'claro', 'escuro'] as const
export const IDIOMAS = ['pt-BR', 'en-US', 'es-ES'] as const
export const DENSIDADES = ['confortavel', 'compacta'] as const
export type Densidade = (typeof DENSIDADES)[number]
export type Tema = (typeof TEMAS)[number]
export type Idioma = (typeof IDIOMAS)[number]

/** All that this browser keeps of its user. */
export interface Preferences {
  tema: Tema
  /** Null: the first of the browser's languages that there are texts for. */
  idioma: Idioma | null
  /** Single letters as keys (WCAG 2.1.4: they can be switched off). */
  teclas: boolean
  /** Height of the rows of tables. */
  densidade: Densidade
  /** Place that the painel opens with, as `uf:PE`; null: the country. */
  territorio: string | null
}

const DEFAULTS: Preferences = {
  ...{ tema: 'sistema', idioma: null, teclas: true, densidade: 'confortavel', territorio: null },
}
const SCHEMES = { sistema: 'light dark', claro: 'light', escuro: 'dark' } as const

/** Nothing but known values is taken over from the storage. */
function read(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(PREFERENCIAS) ?? '{}') as Partial<Preferences>
    const { tema, idioma, teclas, densidade, territorio } = stored
    return {
      tema: TEMAS.find((one) => one === tema) ?? DEFAULTS.tema,
      idioma: IDIOMAS.find((one) => one === idioma) ?? DEFAULTS.idioma,
      teclas: typeof teclas === 'boolean' ? teclas : DEFAULTS.teclas,
      densidade: DENSIDADES.find((one) => one === densidade) ?? DEFAULTS.densidade,
      territorio: typeof territorio === 'string' ? territorio : DEFAULTS.territorio,
    }
  } catch {
    return DEFAULTS
  }
}

export const preferences = signal(read())

/** Takes over what another tab has chosen. */
export function rereadPreferences(): void {
  preferences.value = read()
}

let told: (change: Partial<Preferences>) => void = () => undefined

/** Called with every choice of the person. */
export function onChoice(listener: typeof told): void {
  told = listener
}

/** A choice of the person, which follows the account. */
export function choose(change: Partial<Preferences>): void {
  keep(change)
  told(change)
}

/** Takes values over, and keeps them for this browser. */
export function keep(change: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...change }
  try {
    localStorage.setItem(PREFERENCIAS, JSON.stringify(preferences.value))
  } catch {
    // A browser without storage forgets them with the page.
  }
  tell('preferencias')
}

const fromBrowser = () => {
  const byPrimary: Record<string, Idioma> = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' }
  const known = navigator.languages.map((tag) => byPrimary[tag.toLowerCase().split('-')[0] as string])
  return known.find((tag) => tag !== undefined) ?? 'pt-BR'
}

export const idioma = (): Idioma => preferences.value.idioma ?? fromBrowser()

effect(() => {
  document.documentElement.style.colorScheme = SCHEMES[preferences.value.tema]
})
