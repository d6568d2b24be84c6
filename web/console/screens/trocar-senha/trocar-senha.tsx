import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api, loadSession, signOut } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Gate } from '../../ui/gate.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { PasswordField } from '../../ui/sign-in.tsx'
import { errorText } from '../../ui/states.tsx'

/** A password that somebody else has set: nothing else is open until it is changed. */
export default function TrocarSenha() {
  const [atual, setAtual] = useState('')
  const [nova, setNova] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [isTried, setTried] = useState(false)
  const t = texts()
  const isWrong = nova !== confirmation
  const sending = useSending(async () => {
    setTried(true)
    if (atual === '' || nova === '' || isWrong) return focusFirstProblem(sending.form.current)
    const body = { senha_atual: atual, senha_nova: nova, confirmar_senha: confirmation }
    await api.post('/api/v1/auth/change-password', { body }, { withoutSession: true })
    await loadSession()
  })
  const { error } = sending
  const required = (value: string) => (isTried && value === '' ? t.entrar.required : undefined)
  const ofServer = (field: string) => (error instanceof ApiError ? error.of(field) : undefined)
  return (
    <Gate title={t.screens.trocarSenha} lead={t.trocar.lead}>
      <form ref={sending.form} class="form" onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={refusalText(error)} />}
        <PasswordField
          label={t.trocar.atual}
          autocomplete="current-password"
          value={atual}
          onInput={setAtual}
          problem={required(atual) ?? ofServer('senha_atual')}
        />
        <PasswordField
          label={t.trocar.nova}
          autocomplete="new-password"
          value={nova}
          onInput={setNova}
          problem={required(nova) ?? ofServer('senha_nova')}
        />
        <PasswordRules senha={nova} />
        <PasswordField
          label={t.trocar.confirmar}
          autocomplete="new-password"
          value={confirmation}
          onInput={setConfirmation}
          problem={isTried && isWrong ? t.trocar.mismatch : ofServer('confirmar_senha')}
        />
        <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
          {sending.isSending ? t.trocar.sending : t.trocar.submit}
        </Button>
        <Button kind="quiet" onClick={() => void signOut()}>
          {t.app.signOut}
        </Button>
      </form>
    </Gate>
  )
}

/** With the rules that a weak password does not keep. */
function refusalText(error: unknown): string {
  const rules = error instanceof ApiError ? error.details.filter((detail) => typeof detail === 'string') : []
  return [errorText(error), ...rules].join('. ')
}
