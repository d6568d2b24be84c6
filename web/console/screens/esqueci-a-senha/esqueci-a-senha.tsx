import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { senhaTexts } from '../../state/texts/senha.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Gate } from '../../ui/gate.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

export default function EsqueciASenha() {
  const [email, setEmail] = useState('')
  const [isDone, setDone] = useState(false)
  const [isIncomplete, setIncomplete] = useState(false)
  const t = texts()
  const own = senhaTexts().esqueci
  const sending = useSending(async () => {
    setIncomplete(email.trim() === '')
    if (email.trim() === '') return focusFirstProblem(sending.form.current)
    const body = { email: email.trim() }
    await api.post('/api/v1/auth/forgot-password', { body }, { withoutSession: true })
    setDone(true)
  })
  const problem = sending.error instanceof ApiError ? sending.error.of('email') : undefined
  return (
    <Gate title={t.screens.esqueci} lead={isDone ? undefined : own.lead}>
      {isDone ? (
        <Notice kind="done" text={own.done} />
      ) : (
        <form ref={sending.form} class="form" onSubmit={sending.submit} noValidate>
          {sending.error !== null && problem === undefined && (
            <Notice kind="error" text={errorText(sending.error)} />
          )}
          <Field
            label={t.entrar.email}
            type="email"
            autocomplete="username"
            value={email}
            onInput={setEmail}
            problem={isIncomplete && email.trim() === '' ? t.entrar.required : problem}
          />
          <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
            {sending.isSending ? own.sending : own.submit}
          </Button>
        </form>
      )}
      <p>
        <a href={PATHS.entrar}>{own.back}</a>
      </p>
    </Gate>
  )
}
