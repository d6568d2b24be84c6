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

/** Every text that is seen. Read where it is used, so that a change of language shows at once. */
export const texts = (): Texts => current.value

export async function loadTexts(): Promise<void> {
  const language = idioma()
  const loaded = await LOADERS[language]()
  if (language !== idioma()) return
  current.value = loaded
  document.documentElement.lang = language
}

preferences.subscribe(() => {
  void loadTexts()
})
