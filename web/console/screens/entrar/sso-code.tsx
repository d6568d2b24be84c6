import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { api, loadSession } from '../../state/session.ts'
import { tell } from '../../state/tabs.ts'
import { ssoTexts } from '../../state/texts/sso.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { LockNotice, SecondFactor } from '../../ui/sign-in.tsx'
import { errorText } from '../../ui/states.tsx'

/** The second factor after the provider's word: the attempt is in a cookie of the browser, this is the code alone. */
export function SsoCode({ nome }: { nome: string }) {
  const [step, setStep] = useState<'app' | 'backup'>('app')
  const [code, setCode] = useState('')
  const [isIncomplete, setIncomplete] = useState(false)
  const t = texts().entrar
  const own = ssoTexts()
  const sending = useSending(async () => {
    const isEmpty = code.trim() === ''
    setIncomplete(isEmpty)
    if (isEmpty) return focusFirstProblem(sending.form.current)
    try {
      const body = { mfa_code: code.replaceAll(/\s/g, '') }
      await api.send('POST', '/api/v1/auth/oidc/segundo-fator', { body }, { withoutSession: true })
    } finally {
      setCode('')
    }
    await loadSession()
    tell('entrou')
  })
  const other = step === 'app' ? 'backup' : 'app'
  const locked = sending.error instanceof ApiError ? sending.error.lockedUntil : null
  return (
    <form ref={sending.form} class="form" onSubmit={sending.submit} noValidate>
      {locked !== null ? (
        <LockNotice until={locked} />
      ) : (
        sending.error !== null && <Notice kind="error" text={errorText(sending.error)} />
      )}
      <p>{own.codeLead(nome)}</p>
      <SecondFactor
        key={step}
        step={step}
        code={code}
        onInput={setCode}
        problem={isIncomplete && code.trim() === '' ? t.required : undefined}
      />
      <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
        {sending.isSending ? t.sending : t.confirm}
      </Button>
      <div class="row">
        <Button
          kind="quiet"
          onClick={() => {
            sending.setError(null)
            setIncomplete(false)
            setCode('')
            setStep(other)
          }}
        >
          {step === 'app' ? t.useBackup : t.useApp}
        </Button>
        <a class="button quiet" href={PATHS.entrar}>
          {own.restart}
        </a>
      </div>
    </form>
  )
}
