import { signal } from '@preact/signals'
import { ptBR, type Texts } from '../texts/pt-BR.ts'
import { type Idioma, idioma, preferences } from './preferences.ts'

export type { Texts }

/** Portuguese comes with the page, the others when they are chosen. */
const LOADERS: Record<Idioma, () => Promise<Texts>> = {
  'pt-BR': async () => ptBR,
  'en-US': async () => (await import('../texts/en-US.ts')).enUS,
  'es-ES': async () => (await import('../texts/es-ES.ts')).esES,
}

const current = signal<Texts>(ptBR)
let spoken: Texts = ptBR
/** Words of this installation: names of its diseases, and codes that their definitions bring. Those of the console win. */
let own: Record<string, string> = {}

function show(): void {
  current.value = { ...spoken, valores: { ...own, ...spoken.valores } }
}

/** Adds words by their codes; everything that is seen is drawn again. */
export function addWords(words: Record<string, string>): void {
  const isNew = Object.entries(words).some(([codigo, word]) => own[codigo] !== word)
  if (!isNew) return
  own = { ...own, ...words }
  show()
}

/** Every text that is seen. Read where it is used, so that a change of language shows at once. */
export const texts = (): Texts => current.value

export async function loadTexts(): Promise<void> {
  const language = idioma()
  const loaded = await LOADERS[language]()
  if (language !== idioma()) return
  document.documentElement.lang = language
  if (loaded === spoken) return
  spoken = loaded
  show()
}

preferences.subscribe(() => {
  void loadTexts()
})
