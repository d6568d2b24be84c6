import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/errors.ts'
import { senhaTexts } from '../state/texts/senha.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { focusFirstProblem, useSending } from './form.ts'
import { Notice } from './notice.tsx'
import { PasswordRules } from './password-rules.tsx'
import { PasswordField } from './sign-in.tsx'
import { errorText } from './states.tsx'

interface NewPasswordFormProps {
  /** A link stands for the present password, which is not asked for then. */
  isForgotten?: boolean
  send(body: { senha_atual: string; senha_nova: string; confirmar_senha: string }): Promise<void>
  /** Below the button that sends. */
  children?: ComponentChildren
}

/** The present password, and the new one twice, with its rules ticked off. */
export function NewPasswordForm({ isForgotten = false, send, children }: NewPasswordFormProps) {
  const [atual, setAtual] = useState('')
  const [nova, setNova] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [isTried, setTried] = useState(false)
  const t = texts()
  const own = senhaTexts().trocar
  const isWrong = nova !== confirmation
  const sending = useSending(async () => {
    setTried(true)
    if ((atual === '' && !isForgotten) || nova === '' || isWrong)
      return focusFirstProblem(sending.form.current)
    await send({ senha_atual: atual, senha_nova: nova, confirmar_senha: confirmation })
  })
  const { error } = sending
  const required = (value: string) => (isTried && value === '' ? t.entrar.required : undefined)
  const ofServer = (field: string) => (error instanceof ApiError ? error.of(field) : undefined)
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && <Notice kind="error" text={refusalText(error)} />}
      {!isForgotten && (
        <PasswordField
          label={own.atual}
          autocomplete="current-password"
          value={atual}
          onInput={setAtual}
          problem={required(atual) ?? ofServer('senha_atual')}
        />
      )}
      <PasswordField
        label={own.nova}
        autocomplete="new-password"
        value={nova}
        onInput={setNova}
        problem={required(nova) ?? ofServer('senha_nova')}
        isFirst={isForgotten}
      />
      <PasswordRules senha={nova} />
      <PasswordField
        label={own.confirmar}
        autocomplete="new-password"
        value={confirmation}
        onInput={setConfirmation}
        problem={isTried && isWrong ? own.mismatch : ofServer('confirmar_senha')}
      />
      <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
        {sending.isSending ? own.sending : own.submit}
      </Button>
      {children}
    </form>
  )
}

/** With the rules that a weak password does not keep. */
function refusalText(error: unknown): string {
  const rules = error instanceof ApiError ? error.details.filter((detail) => typeof detail === 'string') : []
  return [errorText(error), ...rules].join('. ')
}
