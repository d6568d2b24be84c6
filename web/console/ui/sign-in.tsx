import { useState } from 'preact/hooks'
import { ApiError } from '../api/errors.ts'
import { signIn } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { useSecondsUntil } from './countdown.ts'
import { Check, Field } from './field.tsx'
import { focusFirstProblem, useSending } from './form.ts'
import { Notice } from './notice.tsx'
import { errorText } from './states.tsx'

type Step = 'password' | 'app' | 'backup'

/** E-mail and password, then the second factor in place. Used by the screen and over a screen whose session ended. */
export function SignIn({ email: known }: { email?: string }) {
  const [email, setEmail] = useState(known ?? '')
  const [senha, setSenha] = useState('')
  const [code, setCode] = useState('')
  const [remember, setRemember] = useState(false)
  const [step, setStep] = useState<Step>('password')
  const [isIncomplete, setIncomplete] = useState(false)
  const t = texts().entrar

  const sending = useSending(async () => {
    const missing = email.trim() === '' || senha === '' || (step !== 'password' && code.trim() === '')
    setIncomplete(missing)
    if (missing) return focusFirstProblem(sending.form.current)
    try {
      await signIn({
        username: email.trim(),
        password: senha,
        remember_me: remember,
        ...(step !== 'password' && { mfa_code: code.replaceAll(/\s/g, '') }),
      })
    } catch (error) {
      setCode('')
      if (!(error instanceof ApiError) || error.status !== 428) throw error
      setStep('app')
    }
  })
  const locked = sending.error instanceof ApiError ? sending.error.lockedUntil : null
  const toStep = (next: Step) => {
    sending.setError(null)
    setIncomplete(false)
    setCode('')
    setStep(next)
  }
  const requiredIf = (isEmpty: boolean) => (isIncomplete && isEmpty ? t.required : undefined)

  return (
    <form ref={sending.form} class="form" onSubmit={sending.submit} noValidate>
      {locked !== null ? (
        <LockNotice until={locked} />
      ) : (
        sending.error !== null && <Notice kind="error" text={errorText(sending.error)} />
      )}
      {step === 'password' ? (
        <>
          <Field
            label={t.email}
            type="email"
            name="username"
            autocomplete="username"
            value={email}
            onInput={setEmail}
            problem={requiredIf(email.trim() === '')}
            isFirst={known === undefined}
          />
          <PasswordField
            label={t.senha}
            autocomplete="current-password"
            value={senha}
            onInput={setSenha}
            problem={requiredIf(senha === '')}
          />
          <Check label={t.remember} note={t.rememberNote} checked={remember} onChange={setRemember} />
        </>
      ) : (
        <SecondFactor
          key={step}
          step={step}
          code={code}
          onInput={setCode}
          problem={requiredIf(code.trim() === '')}
        />
      )}
      <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
        {sending.isSending ? t.sending : step === 'password' ? t.submit : t.confirm}
      </Button>
      {step !== 'password' && (
        <div class="row">
          <Button kind="quiet" onClick={() => toStep(step === 'app' ? 'backup' : 'app')}>
            {step === 'app' ? t.useBackup : t.useApp}
          </Button>
          <Button kind="quiet" onClick={() => toStep('password')}>
            {t.back}
          </Button>
        </div>
      )}
    </form>
  )
}

interface SecondFactorProps {
  step: Step
  code: string
  onInput(code: string): void
  problem: string | undefined
}

export function SecondFactor({ step, code, onInput, problem }: SecondFactorProps) {
  const t = texts().entrar
  const isApp = step === 'app'
  return (
    <>
      <h2>{t.mfaTitle}</h2>
      <p class="sub">{isApp ? t.mfaLead : t.backupLead}</p>
      <div class={isApp ? 'six' : undefined}>
        <Field
          label={isApp ? t.mfaCode : t.backupCode}
          name="mfa_code"
          autocomplete="one-time-code"
          inputMode={isApp ? 'numeric' : 'text'}
          // A pasted code may come with blanks.
          maxLength={isApp ? 8 : 40}
          value={code}
          onInput={onInput}
          problem={problem}
          isFirst
        />
      </div>
    </>
  )
}

/** Counts down in minutes, in the last one in seconds. */
export function LockNotice({ until }: { until: Date }) {
  const t = texts().entrar
  const seconds = useSecondsUntil(until)
  if (seconds === 0) return <Notice kind="info" text={t.unlocked} />
  return <Notice kind="error" text={t.locked(remainingText(seconds))} />
}

export function remainingText(seconds: number): string {
  const t = texts().entrar
  return seconds > 60 ? t.minutes(Math.ceil(seconds / 60)) : t.seconds(seconds)
}

interface PasswordFieldProps {
  label: string
  autocomplete: 'current-password' | 'new-password'
  value: string
  onInput(value: string): void
  problem?: string | undefined
  /** Takes the focus when it appears. */
  isFirst?: boolean
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Field {...props} type={isShown ? 'text' : 'password'} />
      <Check label={texts().entrar.show} checked={isShown} onChange={setShown} />
    </>
  )
}
