import { useId } from 'preact/hooks'
import { choose, IDIOMAS, type Idioma, preferences, TEMAS, type Tema } from '../state/preferences.ts'
import { texts } from '../state/texts.ts'
import { Check } from './field.tsx'

/** Names of languages are written in their own language. */
const NAMES: Record<Idioma, string> = { 'pt-BR': 'Português', 'en-US': 'English', 'es-ES': 'Español' }

export function PreferenceFields() {
  const t = texts().preferences
  const id = useId()
  const { tema, idioma, teclas } = preferences.value
  return (
    <div class="form">
      <div class="field">
        <label for={`${id}-tema`}>{t.theme}</label>
        <select
          id={`${id}-tema`}
          class="input"
          value={tema}
          onChange={(event) => choose({ tema: event.currentTarget.value as Tema })}
        >
          {TEMAS.map((one) => (
            <option key={one} value={one}>
              {t.themes[one]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-idioma`}>{t.language}</label>
        <select
          id={`${id}-idioma`}
          class="input"
          value={idioma ?? ''}
          onChange={(event) => choose({ idioma: (event.currentTarget.value || null) as Idioma | null })}
        >
          <option value="">{t.automatic}</option>
          {IDIOMAS.map((one) => (
            <option key={one} value={one} lang={one}>
              {NAMES[one]}
            </option>
          ))}
        </select>
      </div>
      <Check label={t.keys} checked={teclas} onChange={(checked) => choose({ teclas: checked })} />
    </div>
  )
}
