import type { FieldName, Local } from '../../../../src/domain/casos/campos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { IGNORADO, NAO, SIM } from './reading.ts'

/** Given to every control: how it is named and described, and what typing does. */
export interface ControlProps<T> {
  id: string
  /** Ids of the problem and the note. */
  describedBy: string | undefined
  isInvalid: boolean
  isRequired: boolean
  value: T
  onType(value: T): void
  onLeave(): void
}

const YES_NO = [
  [SIM, '1'],
  [NAO, '2'],
  [IGNORADO, '9'],
] as const

/** Sim, não, ignorado: by pointer, arrows, or the codes of the paper form. */
export function YesNo({ id, describedBy, isInvalid, value, onType, onLeave }: ControlProps<string>) {
  const t = texts().formulario
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = YES_NO.find(([, code]) => code === event.key)?.[0]
    const isCleared = event.key === 'Backspace' || event.key === 'Delete'
    if (chosen === undefined && !isCleared) return
    event.preventDefault()
    onType(chosen ?? '')
  }
  return (
    <div
      class="yesno"
      role="radiogroup"
      id={id}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onKeyDown={onKeyDown}
      onFocusOut={onLeave}
    >
      {YES_NO.map(([one]) => (
        <label key={one} title={t[one]}>
          <input type="radio" name={id} value={one} checked={value === one} onChange={() => onType(one)} />
          <span>
            {one === IGNORADO ? t.ign : t[one]}
            {one === IGNORADO && <span class="unseen"> {t.ignorado}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

interface ChoiceProps extends ControlProps<string> {
  options: readonly { value: string; label: string; code: string | null }[]
}

/** A choice of few words; the code of the paper form stands first, so that typing it finds the word. */
export function Choice({
  id,
  describedBy,
  isInvalid,
  isRequired,
  value,
  options,
  onType,
  onLeave,
}: ChoiceProps) {
  return (
    <select
      id={id}
      class="input"
      value={value}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      aria-required={isRequired}
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={onLeave}
    >
      <option value="">{texts().formulario.choose}</option>
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.code === null ? one.label : `${one.code} – ${one.label}`}
        </option>
      ))}
    </select>
  )
}

/** Any number of given words. */
export function Marks({
  id,
  value,
  values,
  wordOf,
  onType,
  onLeave,
}: ControlProps<string[]> & { values: readonly string[]; wordOf(value: string): string }) {
  return (
    <fieldset class="marks" id={id} aria-labelledby={`${id}-label`} onFocusOut={onLeave}>
      {values.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={value.includes(one)}
            onChange={(event) =>
              onType(
                event.currentTarget.checked
                  ? values.filter((other) => other === one || value.includes(other))
                  : value.filter((other) => other !== one),
              )
            }
          />
          <span>{wordOf(one)}</span>
        </label>
      ))}
    </fieldset>
  )
}

const LOCAL_KEYS = ['local', 'endereco', 'periodo'] as const
const NO_LOCAL: Local = { local: '', endereco: null, periodo: null }

/** Places where somebody was: a row each. */
export function Locais({ id, describedBy, isInvalid, value, onType, onLeave }: ControlProps<Local[]>) {
  const t = texts().formulario
  const change = (place: number, part: Partial<Local>) =>
    onType(value.map((one, at) => (at === place ? { ...one, ...part } : one)))
  return (
    <fieldset class="locais" id={id} aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {value.map((one, place) => (
        <fieldset key={place} onFocusOut={onLeave}>
          <legend class="unseen">{t.localLegend(place + 1)}</legend>
          {LOCAL_KEYS.map((key) => (
            <div key={key} class="field">
              <label for={`${id}-${place}-${key}`}>{t.local[key]}</label>
              <input
                id={`${id}-${place}-${key}`}
                class="input"
                autocomplete="off"
                aria-invalid={key === 'local' && isInvalid && one.local.trim() === ''}
                value={one[key] ?? ''}
                onInput={(event) => change(place, { [key]: event.currentTarget.value })}
              />
            </div>
          ))}
          <Button
            kind="quiet"
            icon="close"
            aria-label={t.removeLocal(place + 1)}
            onClick={() => onType(value.filter((_, at) => at !== place))}
          >
            {''}
          </Button>
        </fieldset>
      ))}
      <Button kind="plain" onClick={() => onType([...value, NO_LOCAL])}>
        {t.addLocal}
      </Button>
    </fieldset>
  )
}

export const fieldId = (nome: FieldName) => `campo-${nome.replaceAll('.', '-')}`
