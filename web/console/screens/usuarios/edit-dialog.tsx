import { useState } from 'preact/hooks'
import { UFS } from '../../../../src/brasil/uf.ts'
import { ApiError } from '../../api/errors.ts'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { errorText } from '../../ui/states.tsx'
import { useConta } from './use-conta.ts'
import type { Usuario, UsuarioAberto } from './usuario-texts.ts'

const OPTIONAL = ['cargo', 'departamento', 'instituicao', 'telefone', 'cidade'] as const
const NAMES = ['nome', 'email', ...OPTIONAL, 'estado'] as const
type Name = (typeof NAMES)[number]
type Values = Record<Name, string>

const valuesOf = (conta: Usuario) =>
  Object.fromEntries(NAMES.map((name) => [name, conta[name] ?? ''])) as Values
const trimmed = (values: Values) =>
  Object.fromEntries(NAMES.map((name) => [name, values[name].trim()])) as Values

interface EditDialogProps {
  conta: UsuarioAberto
  onDone(): void
  onClose(): void
}

/** Sends only the fields that changed. */
export function EditDialog({ conta, onDone, onClose }: EditDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [isTried, setTried] = useState(false)
  const [values, setValues] = useState(() => valuesOf(conta))
  const sending = useSending(async () => {
    setTried(true)
    if (values.nome.trim() === '' || values.email.trim() === '')
      return focusFirstProblem(sending.form.current)
    await save(trimmed(values))
  })
  const { save, conflict } = useConta<Values>({
    conta,
    formOf: valuesOf,
    put: (changed, asked, options) => {
      const body = Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value || null]))
      return api.put('/api/v1/usuarios/{id}', { ...asked, body }, options)
    },
    words: (name, value) => ({ label: own.fields[name], value: String(value) }),
    onMerged: setValues,
    onError: sending.setError,
    onDone,
  })
  const { error } = sending
  const field = (name: Name) => ({
    label: own.fields[name],
    value: values[name],
    onInput: (value: string) => setValues({ ...values, [name]: value }),
    problem: error instanceof ApiError ? error.of(name) : undefined,
  })
  const required = (name: 'nome' | 'email') =>
    isTried && values[name].trim() === '' ? { problem: own.required } : {}
  return (
    <>
      <Dialog title={own.edit} onClose={onClose}>
        <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <Field {...field('nome')} {...required('nome')} maxLength={200} isFirst />
          <Field
            {...field('email')}
            {...required('email')}
            type="email"
            note={own.emailNote}
            autocomplete="off"
          />
          {OPTIONAL.map((name) => (
            <Field key={name} {...field(name)} {...(name === 'telefone' && { note: own.phoneNote })} />
          ))}
          <SelectField
            label={own.fields.estado}
            value={values.estado}
            options={[{ value: '', label: own.noState }, ...UFS.map((uf) => ({ value: uf, label: uf }))]}
            onChange={(estado) => setValues({ ...values, estado })}
          />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}
