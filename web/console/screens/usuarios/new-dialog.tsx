import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api, cache, holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { GroupChoices } from './group-choices.tsx'
import { allGrupos } from './grupos.ts'
import { generatePassword } from './password.ts'
import { Secret } from './secret.tsx'
import { usuarioHref } from './usuario-texts.ts'

/**
 * Makes an account. The person chooses the password by the link of an invitation, or has a generated one, which is shown once and has to
 * be changed at the first login.
 */
export function NewDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = usuariosTexts()
  const [nome, setNome] = useState('')
  const [email, setEmail] = useState('')
  const [cargo, setCargo] = useState('')
  const [chosen, setChosen] = useState(new Set<number>())
  const [isTried, setTried] = useState(false)
  const [isInvited, setInvited] = useState(true)
  // The same for every attempt: one whose answer was lost is found again, not made twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [generated] = useState(generatePassword)
  const [made, setMade] = useState<{ id: number; nome: string; email: string; senha: string | null } | null>(
    null,
  )
  const mayGroup = holds(['usuarios.gerenciar_grupos', 'grupos.listar'])
  const { data: grupos = [] } = useQuery({ ...allGrupos(), enabled: mayGroup })
  const sending = useSending(async () => {
    setTried(true)
    if (nome.trim() === '' || email.trim() === '') return focusFirstProblem(sending.form.current)
    const senha = isInvited ? null : generated
    const body = {
      nome: nome.trim(),
      email: email.trim(),
      ...(senha === null ? { convidar: true } : { senha, forcar_troca: true }),
      ...(cargo.trim() !== '' && { cargo: cargo.trim() }),
      ...(chosen.size > 0 && { grupos_ids: [...chosen] }),
    }
    const { id } = await api.post('/api/v1/usuarios', { body }, { idempotencyKey })
    setMade({ id, nome: body.nome, email: body.email, senha })
    void cache.invalidateQueries({ queryKey: ['usuarios', 'list'] })
  })
  const { error } = sending
  const problem = (name: string, value: string) =>
    isTried && value.trim() === '' ? own.required : error instanceof ApiError ? error.of(name) : undefined
  if (made !== null)
    return (
      // A password is gone with its dialog: only the word that it was kept ends it.
      <Dialog title={own.createdTitle} {...(made.senha === null && { onClose })}>
        <Notice kind="done" text={made.senha === null ? own.invited(made.email) : own.created(made.nome)} />
        {made.senha !== null && <Secret senha={made.senha} />}
        <div class="row">
          {made.senha === null && (
            <a class="button plain" href={usuarioHref(made.id)}>
              {own.open}
            </a>
          )}
          <Button kind="primary" onClick={onClose}>
            {made.senha === null ? own.done : own.passwordKept}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={own.createTitle} onClose={onClose}>
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <Field
          label={own.fields.nome}
          value={nome}
          maxLength={200}
          onInput={setNome}
          problem={problem('nome', nome)}
          isFirst
        />
        <Field
          label={own.fields.email}
          type="email"
          autocomplete="off"
          value={email}
          onInput={setEmail}
          problem={problem('email', email)}
        />
        <Field label={own.fields.cargo} value={cargo} maxLength={100} onInput={setCargo} />
        <fieldset class="choices">
          <legend>{own.how}</legend>
          {[
            { value: true, label: own.byInvitation, note: own.byInvitationNote },
            { value: false, label: own.byPassword, note: own.byPasswordNote },
          ].map(({ value, label, note }) => (
            <label key={label}>
              <input
                type="radio"
                name="entrada"
                checked={isInvited === value}
                onChange={() => setInvited(value)}
              />
              <span>
                {label}
                <small>{note}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {mayGroup && (
          <fieldset class="module">
            <legend>{own.groups}</legend>
            <GroupChoices grupos={grupos} chosen={chosen} onChange={setChosen} />
          </fieldset>
        )}
        <p class="note">{own.territoryDefault}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
