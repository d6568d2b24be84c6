import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/sign-in.tsx'
import { Copy, errorText, Failure, Loading } from '../../ui/states.tsx'

type Setup = AnswerOf<'POST', '/api/v1/auth/mfa/enable'>

interface MfaDialogProps {
  onClose(): void
  onDone(): void
}

/** Asks for a secret when it opens; nothing is on before a code of it was accepted. */
export function EnableDialog({ onClose, onDone }: MfaDialogProps) {
  const own = contaTexts().mfa
  const [setup, setSetup] = useState<Setup | null>(null)
  const [error, setError] = useState<unknown>(null)
  const prepare = () => {
    setError(null)
    api.post('/api/v1/auth/mfa/enable', {}).then(setSetup, setError)
  }
  useEffect(prepare, [])
  return (
    <Dialog title={own.enable} kind="broad" onClose={onClose}>
      {error !== null ? (
        <Failure error={error} onRetry={prepare} />
      ) : setup === null ? (
        <Loading lines={5} />
      ) : (
        <Enrolment setup={setup} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  )
}

function Enrolment({ setup, onClose, onDone }: MfaDialogProps & { setup: Setup }) {
  const t = texts()
  const own = contaTexts().mfa
  const [code, setCode] = useState('')
  const [isKept, setKept] = useState(false)
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (!isKept || code.trim() === '') return focusFirstProblem(sending.form.current)
    await api.post('/api/v1/auth/mfa/verify', { body: { code: code.replaceAll(/\s/g, '') } })
    onDone()
  })
  const { error } = sending
  const refused = error instanceof ApiError ? error.of('code') : undefined
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && refused === undefined && <Notice kind="error" text={errorText(error)} />}
      <div class="enrol">
        <div>
          <h3>{own.scan}</h3>
          <img src={setup.qr_code} alt={own.qr} width={196} height={196} />
        </div>
        <div>
          <p>{own.orType}</p>
          <p>
            <code class="breaks">{setup.secret}</code> <Copy text={setup.secret} />
          </p>
        </div>
      </div>
      <Codes codes={setup.backup_codes} />
      <Check label={own.kept} checked={isKept} onChange={setKept} />
      {isTried && !isKept && (
        <p class="problem" role="alert">
          {own.keptMissing}
        </p>
      )}
      <div class="six">
        <Field
          label={own.code}
          value={code}
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={8}
          onInput={setCode}
          problem={isTried && code.trim() === '' ? own.codeMissing : refused}
        />
      </div>
      <div class="row">
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
          {own.confirm}
        </Button>
      </div>
    </form>
  )
}

/** Backup codes, which are shown only now. */
function Codes({ codes }: { codes: readonly string[] }) {
  const own = contaTexts().mfa
  return (
    <>
      <section>
        <h3>{own.codes}</h3>
        <p class="note">{own.codesNote}</p>
        <ul class="codes">
          {codes.map((one) => (
            <li key={one}>
              <code>{one}</code>
            </li>
          ))}
        </ul>
      </section>
      <div class="row start">
        <Copy text={codes.join('\n')} />
        <Button kind="quiet" icon="print" onClick={() => print()}>
          {own.print}
        </Button>
      </div>
    </>
  )
}

interface Proof {
  senha: string
  code: string
}

interface ProofFormProps {
  lead: string
  action: string
  isDanger?: boolean
  send(proof: Proof): Promise<void>
  onClose(): void
}

/** Password and a code: neither alone is enough. */
function ProofForm({ lead, action, isDanger = false, send, onClose }: ProofFormProps) {
  const t = texts()
  const own = contaTexts().mfa
  const [senha, setSenha] = useState('')
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (senha === '' || code.trim() === '') return focusFirstProblem(sending.form.current)
    await send({ senha, code: code.replaceAll(/\s/g, '') })
  })
  const { error } = sending
  const problemOf = (value: string, field: string) =>
    isTried && value === '' ? own.missing : error instanceof ApiError ? error.of(field) : undefined
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      <p>{lead}</p>
      <PasswordField
        label={own.senha}
        autocomplete="current-password"
        value={senha}
        onInput={setSenha}
        problem={problemOf(senha, 'senha')}
      />
      <Field
        label={own.anyCode}
        value={code}
        autocomplete="one-time-code"
        maxLength={40}
        onInput={setCode}
        problem={problemOf(code.trim(), 'code')}
      />
      <div class="row">
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button
          type="submit"
          kind="primary"
          {...(isDanger && { class: 'button danger' })}
          aria-disabled={sending.isSending}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}

export function DisableDialog({ onClose, onDone }: MfaDialogProps) {
  const own = contaTexts().mfa
  return (
    <Dialog title={own.disableTitle} onClose={onClose}>
      <ProofForm
        lead={own.disableNote}
        action={own.disable}
        isDanger
        onClose={onClose}
        send={async (body) => {
          await api.post('/api/v1/auth/mfa/disable', { body })
          onDone()
        }}
      />
    </Dialog>
  )
}

/** New backup codes in place of all there are; closed only by the word that they are kept. */
export function CodesDialog({ onClose, onDone }: MfaDialogProps) {
  const own = contaTexts().mfa
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes === null)
    return (
      <Dialog title={own.newCodes} onClose={onClose}>
        <ProofForm
          lead={own.newCodesNote}
          action={own.newCodes}
          onClose={onClose}
          send={async (body) => {
            setCodes((await api.post('/api/v1/auth/mfa/codigos', { body })).backup_codes)
          }}
        />
      </Dialog>
    )
  return (
    <Dialog title={own.newCodes}>
      <div class="form">
        <Codes codes={codes} />
        <div class="row">
          <Button kind="primary" onClick={onDone}>
            {own.keptCodes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
