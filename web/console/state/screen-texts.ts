import { effect, signal } from '@preact/signals'
import { type Idioma, idioma } from './preferences.ts'

/**
 * Texts of one screen, which come with its code: those of `texts/pt-BR.ts` are loaded by everybody before the first screen. Awaited by the
 * module that a screen imports them from, so that no screen is drawn in another language first.
 */
export async function screenTexts<T>(loaders: Record<Idioma, () => Promise<T>>): Promise<() => T> {
  const current = signal<T>(await loaders[idioma()]())
  effect(() => {
    const language = idioma()
    void loaders[language]().then((loaded) => {
      if (language === idioma()) current.value = loaded
    })
  })
  return () => current.value
}
