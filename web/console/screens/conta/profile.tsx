import { useId, useState } from 'preact/hooks'
import { ESTADOS_IBGE } from '../../../../src/brasil/uf.ts'
import { ApiError } from '../../api/errors.ts'
import { api, cache, loadSession } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Photo } from '../../ui/photo/photo.tsx'
import { errorText } from '../../ui/states.tsx'
import { CONTA, type Perfil } from './conta-data.ts'

const FIELDS = ['nome', 'email', 'telefone', 'cargo', 'departamento', 'cidade', 'estado'] as const
type Name = (typeof FIELDS)[number]
type Form = Record<Name, string>
const LENGTHS: Record<Name, number> = {
  ...{ nome: 200, email: 254, telefone: 15, cargo: 100, departamento: 100, cidade: 100, estado: 2 },
}

const formOf = (perfil: Perfil): Form =>
  Object.fromEntries(FIELDS.map((name) => [name, perfil[name] ?? ''])) as Form

/** Only what was changed is sent; an emptied field is taken away. */
function changesOf(before: Form, now: Form): Record<string, string | null> {
  const changed = FIELDS.filter((name) => now[name].trim() !== before[name])
  return Object.fromEntries(changed.map((name) => [name, now[name].trim() || null]))
}

export function ProfileCard({ perfil }: { perfil: Perfil }) {
  const own = contaTexts().profile
  const before = formOf(perfil)
  const [form, setForm] = useState(before)
  const [isTried, setTried] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const sending = useSending(async () => {
    setTried(true)
    setDone(null)
    if (form.nome.trim() === '' || form.email.trim() === '') return focusFirstProblem(sending.form.current)
    const body = changesOf(before, form)
    if (Object.keys(body).length === 0) return setDone(own.nothing)
    const params = { id: perfil.id }
    const { requer_acao } = await api.put('/api/v1/usuarios/{id}', { params, body })
    // Until it is confirmed the present address counts.
    if (requer_acao.email_verificacao) setForm((last) => ({ ...last, email: before.email }))
    setDone(requer_acao.email_verificacao ? own.confirmEmail : own.saved)
    void cache.invalidateQueries({ queryKey: CONTA })
    void loadSession()
  })
  const { error } = sending
  const problemOf = (name: Name) => {
    const isRequired = name === 'nome' || name === 'email'
    if (isTried && isRequired && form[name].trim() === '') return own.required
    return error instanceof ApiError ? error.of(name) : undefined
  }
  const field = (name: Exclude<Name, 'estado'>, note?: string) => (
    <Field
      key={name}
      label={own[name]}
      name={name}
      type={name === 'email' ? 'email' : 'text'}
      maxLength={LENGTHS[name]}
      value={form[name]}
      onInput={(value) => setForm((last) => ({ ...last, [name]: value }))}
      problem={problemOf(name)}
      note={note}
    />
  )
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      <Photo
        usuario={perfil}
        alt={contaTexts().photo.alt}
        onSent={() => cache.invalidateQueries({ queryKey: CONTA })}
      />
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        {done !== null && <Notice kind="done" text={done} />}
        {field('nome')}
        {field('email', own.emailNote)}
        {field('telefone', own.telefoneNote)}
        <div class="two">
          {field('cargo')}
          {field('departamento')}
          {field('cidade')}
          <Estado value={form.estado} onChange={(estado) => setForm((last) => ({ ...last, estado }))} />
        </div>
        <Places perfil={perfil} />
        <div>
          <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
            {sending.isSending ? own.saving : own.save}
          </Button>
        </div>
      </form>
    </section>
  )
}

function Estado({ value, onChange }: { value: string; onChange(uf: string): void }) {
  const own = contaTexts().profile
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{own.estado}</label>
      <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{own.noEstado}</option>
        {ESTADOS_IBGE.map(({ uf, nome }) => (
          <option key={uf} value={uf}>
            {nome}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Set by others: shown, not changed. */
function Places({ perfil: { grupos = [], territorios } }: { perfil: Perfil }) {
  const own = contaTexts().profile
  return (
    <dl class="facts">
      <div>
        <dt>{own.territorios}</dt>
        <dd>{territorios.length === 0 ? own.everywhere : territorios.map(({ nome }) => nome).join(', ')}</dd>
      </div>
      {grupos.length > 0 && (
        <div>
          <dt>{own.grupos}</dt>
          <dd>{grupos.map(({ nome }) => nome).join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}
