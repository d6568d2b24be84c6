import { useId } from 'preact/hooks'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { DateInput } from '../../ui/date-field.tsx'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { FIELDS, type Name } from './fields.ts'

interface FormFieldProps {
  name: Name
  value: string
  today: string
  /** Values with their words, for a choice; suggestions for a line. */
  options: readonly { value: string; label: string }[]
  problem: string | undefined
  onType(value: string): void
}

const NOTES: Partial<Record<Name, 'dayUnknown' | 'observationNote'>> = {
  mes_ocorrencia: 'dayUnknown',
  ano_ocorrencia: 'dayUnknown',
  observacao: 'observationNote',
}

/** One field of an event, drawn by its kind; its problem and note are read out with it. */
export function FormField({ name, value, today, options, problem, onType }: FormFieldProps) {
  const t = epizootiasTexts()
  const id = useId()
  const { kind, isRequired = false, maxLength } = FIELDS[name]
  const note = NOTES[name] === undefined ? undefined : t.form[NOTES[name]]
  const label = isRequired ? `${t.campos[name]} *` : t.campos[name]
  if (kind === 'municipio')
    return (
      <MunicipioField
        label={label}
        value={value === '' ? null : value}
        onChoose={(municipio) => onType(municipio?.codigo ?? '')}
        onText={onType}
        problem={problem}
      />
    )
  const control = {
    id,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired,
    'aria-describedby':
      [problem !== undefined && `${id}-problem`, note !== undefined && `${id}-note`]
        .filter(Boolean)
        .join(' ') || undefined,
  }
  return (
    <div class={kind === 'text' ? 'field whole' : 'field'}>
      <label for={id}>{label}</label>
      {kind === 'date' ? (
        <DateInput
          {...control}
          value={value}
          today={today}
          placeholder={t.form.datePlaceholder}
          title={t.form.dateKeys}
          onType={onType}
          onBlur={() => undefined}
        />
      ) : kind === 'choice' || kind === 'yes-no' ? (
        <select
          {...control}
          class="input"
          value={value}
          onChange={(event) => onType(event.currentTarget.value)}
        >
          {name !== 'classificacao' && <option value="">{isRequired ? t.form.choose : t.unknown}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : kind === 'text' ? (
        <textarea
          {...control}
          class="input"
          rows={3}
          maxLength={maxLength ?? 1000}
          value={value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      ) : (
        <input
          {...control}
          type="text"
          class="input"
          autocomplete="off"
          inputMode={kind === 'integer' || kind === 'year' ? 'numeric' : 'text'}
          maxLength={maxLength ?? 20}
          list={options.length === 0 ? undefined : `${id}-list`}
          value={value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
      {kind === 'line' && options.length > 0 && (
        <datalist id={`${id}-list`}>
          {options.map((option) => (
            <option key={option.value} value={option.value} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
