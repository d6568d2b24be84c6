import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

/** Asks for a verification of the whole chain, follows it, and tells what it found. */
export function VerifyDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = auditoriaTexts()
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    setJob((await api.post('/api/v1/auditoria/verificar', {})).job_id)
  })
  return (
    <Dialog title={own.verify} onClose={onClose}>
      {job !== null ? (
        <JobProgress id={job} label={own.verify} onClose={onClose} action={() => null} note={wordsOf} />
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <p>{own.verifyLead}</p>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.verify}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

interface Found {
  integra: boolean
  registros?: number
  ate?: string | null
  registro?: number
}

function wordsOf({ status, result }: { status: string; result?: unknown }): string | undefined {
  if (status !== 'completed') return undefined
  const own = auditoriaTexts()
  const { integra, registros = 0, ate = null, registro = 0 } = result as Found
  return integra ? own.intact(registros, ate === null ? null : new Date(ate)) : own.broken(registro)
}
