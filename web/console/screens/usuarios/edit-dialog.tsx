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
import type { Usuario } from './usuario-texts.ts'

const OPTIONAL = ['cargo', 'departamento', 'instituicao', 'telefone', 'cidade'] as const
type Name = 'nome' | 'email' | (typeof OPTIONAL)[number] | 'estado'

interface EditDialogProps {
  conta: Usuario
  onDone(): void
  onClose(): void
}

/** Sends only the fields that changed. */
export function EditDialog({ conta, onDone, onClose }: EditDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [isTried, setTried] = useState(false)
  const [values, setValues] = useState<Record<Name, string>>({
    nome: conta.nome,
    email: conta.email,
    cargo: conta.cargo ?? '',
    departamento: conta.departamento ?? '',
    instituicao: conta.instituicao ?? '',
    telefone: conta.telefone ?? '',
    cidade: conta.cidade ?? '',
    estado: conta.estado ?? '',
  })
  const sending = useSending(async () => {
    setTried(true)
    if (values.nome.trim() === '' || values.email.trim() === '')
      return focusFirstProblem(sending.form.current)
    const changed = (Object.keys(values) as Name[]).flatMap((name) => {
      const value = values[name].trim()
      return value === (conta[name] ?? '') ? [] : [[name, value === '' ? null : value]]
    })
    if (changed.length > 0)
      await api.put('/api/v1/usuarios/{id}', { params: { id: conta.id }, body: Object.fromEntries(changed) })
    onDone()
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
  )
}
