import { useId, useRef, useState } from 'preact/hooks'
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
import { useVersions } from '../../ui/versions.tsx'
import { CONTA, type Conta, contaQuery, readConta } from './conta-data.ts'

const FIELDS = [
  'nome',
  'email',
  'telefone',
  'cargo',
  'departamento',
  'instituicao',
  'cidade',
  'estado',
] as const
type Name = (typeof FIELDS)[number]
type Form = Record<Name, string>
const LENGTHS: Record<Name, number> = {
  ...{
    nome: 200,
    email: 254,
    telefone: 15,
    cargo: 100,
    departamento: 100,
    instituicao: 200,
    cidade: 100,
    estado: 2,
  },
}

const formOf = (conta: Conta): Form =>
  Object.fromEntries(FIELDS.map((name) => [name, conta[name] ?? ''])) as Form

const trimmed = (form: Form) => Object.fromEntries(FIELDS.map((name) => [name, form[name].trim()])) as Form

/** An emptied field is taken away. */
const bodyOf = (changed: Partial<Form>) =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value || null]))

export function ProfileCard({ conta }: { conta: Conta }) {
  const own = contaTexts().profile
  const [form, setForm] = useState(() => formOf(conta))
  const [isTried, setTried] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const sending = useSending(async () => {
    setTried(true)
    setDone(null)
    if (form.nome.trim() === '' || form.email.trim() === '') return focusFirstProblem(sending.form.current)
    outcome.current = own.nothing
    await save(trimmed(form))
  })
  const outcome = useRef('')
  const { save, conflict, rebase } = useVersions<Conta, Form>({
    opened: conta,
    read: readConta,
    about: ({ id, updated_at }) => ({ recurso: 'usuario', id, em: updated_at }),
    formOf,
    put: async (changed, ifMatch) => {
      const asked = { params: { id: conta.id }, body: bodyOf(changed) }
      const { requer_acao } = await api.put('/api/v1/usuarios/{id}', asked, { ifMatch })
      outcome.current = requer_acao.email_verificacao ? own.confirmEmail : own.saved
    },
    words: (name, value) => ({ label: own[name], value: String(value) }),
    onMerged: setForm,
    onError: sending.setError,
    onDone: async () => {
      await cache.invalidateQueries({ queryKey: CONTA })
      const now = cache.getQueryData(contaQuery().queryKey) ?? conta
      rebase(now)
      // A new address counts once it is confirmed; until then this is the present one.
      setForm(formOf(now))
      setDone(outcome.current)
      void loadSession()
    },
  })
  const { error } = sending
  const problemOf = (name: Name) => {
    const isRequired = name === 'nome' || name === 'email'
    if (isTried && isRequired && form[name].trim() === '') return own.required
    return error instanceof ApiError ? error.of(name) : undefined
  }
  const pending = conta.situacao?.email_pendente
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
        usuario={{ id: conta.id, avatar_url: conta.avatar_url ?? null }}
        alt={contaTexts().photo.alt}
        onSent={() => cache.invalidateQueries({ queryKey: CONTA })}
      />
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        {done !== null && <Notice kind="done" text={done} />}
        {field('nome')}
        {field('email', pending ? own.emailPending(pending) : own.emailNote)}
        {field('telefone', own.telefoneNote)}
        {field('instituicao')}
        <div class="two">
          {field('cargo')}
          {field('departamento')}
          {field('cidade')}
          <Estado value={form.estado} onChange={(estado) => setForm((last) => ({ ...last, estado }))} />
        </div>
        <Places conta={conta} />
        <div>
          <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
            {sending.isSending ? own.saving : own.save}
          </Button>
        </div>
      </form>
      {conflict}
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
function Places({ conta: { grupos = [], territorios = [] } }: { conta: Conta }) {
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
