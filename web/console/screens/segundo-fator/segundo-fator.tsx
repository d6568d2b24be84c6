import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { api, loadSession, session, signOut } from '../../state/session.ts'
import { fatorTexts } from '../../state/texts/fator.ts'
import { texts } from '../../state/texts.ts'
import css from '../../styles/fator.screen.css'
import { adopt } from '../../ui/adopt.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Gate } from '../../ui/gate.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Copy, errorText } from '../../ui/states.tsx'

adopt(css)

type Setup = AnswerOf<'POST', '/api/v1/auth/mfa/enable'>

/** Required by a group of the account, and nothing else is open until it is on; or only offered. */
export default function SegundoFator() {
  const t = texts()
  const own = fatorTexts()
  const [setup, setSetup] = useState<Setup | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    setSetup(await api.post('/api/v1/auth/mfa/enable', {}, { withoutSession: true }))
  })
  const isRequired = session.value.kind !== 'open'
  return (
    <Gate title={t.screens.segundoFator} lead={isRequired ? own.lead : own.offer}>
      {setup === null ? (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <Button kind="primary" type="submit" aria-disabled={isSending}>
            {isSending ? own.starting : own.start}
          </Button>
        </form>
      ) : (
        <Enrolment setup={setup} />
      )}
      {isRequired ? (
        <div class="form">
          <Button kind="quiet" onClick={() => void signOut()}>
            {t.app.signOut}
          </Button>
        </div>
      ) : (
        <Later />
      )}
    </Gate>
  )
}

function Later() {
  const t = fatorTexts()
  const { form, isSending, error, submit } = useSending(async () => {
    const body = { fator_adiado: true }
    await api.put('/api/v1/usuarios/me/preferencias', { body }, { withoutSession: true })
    await loadSession()
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      <Button kind="quiet" type="submit" aria-disabled={isSending}>
        {t.later}
      </Button>
      <p class="note">{t.laterNote}</p>
    </form>
  )
}

/** Secret and backup codes, once, and the first code, which turns the second factor on. */
function Enrolment({ setup: { qr_code, secret, backup_codes } }: { setup: Setup }) {
  const t = fatorTexts()
  const [code, setCode] = useState('')
  const [isKept, setKept] = useState(false)
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (code.trim() === '' || !isKept) return focusFirstProblem(sending.form.current)
    await api.post('/api/v1/auth/mfa/verify', { body: { code: code.trim() } }, { withoutSession: true })
    await loadSession()
  })
  const { error } = sending
  const ofServer = error instanceof ApiError ? error.of('code') : undefined
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      <p>{t.app}</p>
      <img class="qr" src={qr_code} alt={t.qr} width={200} height={200} />
      <p class="note">{t.secret}</p>
      <p class="codes">
        <code>{secret}</code> <Copy text={secret} />
      </p>
      <h2>{t.backupTitle}</h2>
      <p class="note">{t.backup}</p>
      <ul class="codes">
        {backup_codes.map((one) => (
          <li key={one}>
            <code>{one}</code>
          </li>
        ))}
      </ul>
      <div class="row">
        <Copy text={backup_codes.join('\n')} />
        <Button icon="print" onClick={() => print()}>
          {t.print}
        </Button>
      </div>
      <Check label={t.kept} checked={isKept} onChange={setKept} />
      {isTried && !isKept && <p class="problem">{t.keptMissing}</p>}
      <div class="six">
        <Field
          label={t.code}
          name="mfa_code"
          autocomplete="one-time-code"
          inputMode="numeric"
          maxLength={8}
          value={code}
          onInput={setCode}
          problem={isTried && code.trim() === '' ? t.codeMissing : ofServer}
        />
      </div>
      <Button kind="primary" type="submit" aria-disabled={sending.isSending}>
        {t.confirm}
      </Button>
    </form>
  )
}
