import type { ComponentChildren } from 'preact'
import type { FieldName, Local } from '../../../../src/domain/casos/campos.ts'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { Choice, type ControlProps, fieldId, Locais, Marks, YesNo } from './controls.tsx'
import type { Ficha } from './ficha.ts'
import type { CaseForm } from './form-state.ts'
import type { Typed } from './reading.ts'
import { troubleText } from './words.ts'

interface CaseFieldProps {
  form: CaseForm
  nome: FieldName
  /** Of the stored patient, where a case is changed. */
  iniciais: string | null
}

/** One field of the ficha, drawn by its kind; nothing where it does not apply. */
export function CaseField({ form, nome, iniciais }: CaseFieldProps) {
  if (!form.isShown[nome].value) return null
  const { ficha } = form
  const id = fieldId(nome)
  const trouble = form.problemOf[nome].value
  const problem = trouble === undefined ? undefined : troubleText(trouble, ficha)
  const isStored = form.base.value !== null && ficha.isSecret(nome)
  const isErased = form.erased.value.has(nome)
  const note = isErased ? texts().formulario.erased : noteOf(ficha, nome, isStored, iniciais)
  const isRequired = form.isRequiredOf[nome].value
  const value = form.typed[nome].value
  const control = {
    id,
    describedBy:
      [problem !== undefined && `${id}-problem`, note !== undefined && `${id}-note`]
        .filter(Boolean)
        .join(' ') || undefined,
    isInvalid: problem !== undefined,
    isRequired,
    onType: (typed: Typed) => form.type(nome, typed),
    onLeave: () => form.leave(nome),
  }
  if (ficha.isMunicipio(nome))
    return (
      <div class={classOf(ficha, nome)} id={id} onFocusOut={control.onLeave}>
        <MunicipioField
          label={isRequired ? `${ficha.labelOf(nome, texts())} *` : ficha.labelOf(nome, texts())}
          value={value === '' ? null : String(value)}
          onChoose={(municipio) => form.type(nome, municipio?.codigo ?? '')}
          onText={(text) => form.type(nome, text)}
          problem={problem}
        />
      </div>
    )
  return (
    <Frame
      ficha={ficha}
      id={id}
      nome={nome}
      problem={problem}
      note={note}
      isRequired={isRequired}
      action={isStored && mayErase(ficha, nome) && <Erase form={form} nome={nome} isErased={isErased} />}
    >
      <Control form={form} nome={nome} value={value} control={control} />
    </Frame>
  )
}

/** Erasing is for accounts that may see the stored value; a case without a name is none. */
const mayErase = (ficha: Ficha, nome: FieldName) =>
  !ficha.isRequired(nome, {}) && holds(['agravos.identificar'])

function Erase({ form, nome, isErased }: { form: CaseForm; nome: FieldName; isErased: boolean }) {
  const t = texts().formulario
  return (
    <Button
      kind="quiet"
      class="button quiet erase"
      aria-label={
        isErased ? t.keepOf(form.ficha.labelOf(nome, texts())) : t.eraseOf(form.ficha.labelOf(nome, texts()))
      }
      onClick={() => form.erase(nome, !isErased)}
    >
      {isErased ? t.keep : t.erase}
    </Button>
  )
}

function noteOf(
  ficha: Ficha,
  nome: FieldName,
  isStored: boolean,
  iniciais: string | null,
): string | undefined {
  const t = texts().formulario
  if (isStored) return nome === 'paciente_nome' && iniciais !== null ? t.storedName(iniciais) : t.stored
  if (nome === 'dados_clinicos.comorbidades') return t.onePerLine
  return nome === 'latitude' || nome === 'longitude' ? t.decimal : ficha.noteOf(nome)
}

/** Fields whose label names a group of controls, not one. */
const isGroup = (ficha: Ficha, nome: FieldName) =>
  ['boolean', 'list-of', 'locais'].includes(ficha.campoOf(nome).kind)

const LONG: readonly FieldName[] = [
  'paciente_nome',
  'logradouro_residencia',
  'unidade_notificante.nome',
  'unidade_notificante.responsavel',
  'classificacao_final',
  'paciente_escolaridade',
  'paciente_ocupacao',
  'pais_infeccao',
  'dados_especificos.data_sinais_alarme',
  'dados_especificos.data_sinais_gravidade',
]

function classOf(ficha: Ficha, nome: FieldName): string {
  const { kind } = ficha.campoOf(nome)
  if (kind === 'boolean' && nome !== 'paciente_gestante') return 'field caso-field bool'
  if (kind === 'list-of' || kind === 'locais' || kind === 'texts') return 'field caso-field whole'
  if (ficha.isMunicipio(nome)) return 'caso-field long'
  return LONG.includes(nome) ? 'field caso-field long' : 'field caso-field'
}

interface FrameProps {
  ficha: Ficha
  id: string
  nome: FieldName
  problem: string | undefined
  note: string | undefined
  isRequired: boolean
  /** Below everything else. */
  action: ComponentChildren
  children: ComponentChildren
}

function Frame({ ficha, id, nome, problem, note, isRequired, action, children }: FrameProps) {
  const label = (
    <>
      {ficha.labelOf(nome, texts())}
      {isRequired && <span aria-hidden="true"> *</span>}
    </>
  )
  return (
    <div class={classOf(ficha, nome)}>
      {isGroup(ficha, nome) ? (
        <span class="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label for={id}>{label}</label>
      )}
      {children}
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
      {action}
    </div>
  )
}

interface KindProps {
  form: CaseForm
  nome: FieldName
  value: Typed
  control: Omit<ControlProps<never>, 'value' | 'onType'> & { onType(typed: Typed): void }
}

function Control({ form, nome, value, control }: KindProps) {
  const { ficha } = form
  const campo = ficha.campoOf(nome)
  const { id, describedBy, isInvalid, isRequired, onType, onLeave } = control
  const input = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    'aria-required': isRequired,
    onBlur: onLeave,
  }
  switch (campo.kind) {
    case 'boolean':
      return <YesNo {...control} value={value as string} />
    case 'one-of': {
      const tipo = form.values.value.tipo_agravo ?? null
      const options = ficha.optionsOf(nome, tipo, value as string)
      return (
        <Choice
          {...control}
          value={value as string}
          options={options.map((one) => ({
            value: one,
            label: ficha.wordOf(nome, one, texts()),
            code: ficha.paperCode(nome, one, tipo),
          }))}
        />
      )
    }
    case 'list-of':
      return (
        <Marks
          {...control}
          value={value as string[]}
          values={campo.values}
          wordOf={(one) => ficha.wordOf(nome, one, texts())}
        />
      )
    case 'locais':
      return <Locais {...control} value={value as Local[]} />
    case 'date':
      return (
        <DateInput
          {...input}
          value={value as string}
          today={form.today()}
          placeholder={texts().formulario.datePlaceholder}
          title={texts().formulario.dateKeys}
          onType={onType}
        />
      )
    case 'texts':
      return (
        <textarea
          {...input}
          class="input"
          rows={2}
          autocomplete="off"
          value={value as string}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )
    default:
      return (
        <input
          {...input}
          type="text"
          class="input"
          autocomplete="off"
          inputMode={campo.kind === 'integer' || campo.kind === 'code' ? 'numeric' : 'text'}
          value={value as string}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )
  }
}

/** Moves the focus to a field, or to the first control of its group. */
export function focusField(nome: FieldName): void {
  const found = document.getElementById(fieldId(nome))
  const control = found?.matches('input, select, textarea')
    ? found
    : found?.querySelector<HTMLElement>('input:checked, input, button')
  control?.focus()
  control?.scrollIntoView({ block: 'center' })
}
