import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Upload, UploadForm } from '../state/file-upload.ts'
import { envioTexts } from '../state/texts/envio.ts'
import { MAX_BYTES } from '../state/upload.ts'
import { Button } from './button.tsx'
import { Drop } from './drop.tsx'
import type { ImportTarget } from './import-target.ts'
import { Notice } from './notice.tsx'
import { errorText } from './states.tsx'
import { StepHeading } from './steps.tsx'
import type { Job } from './use-job.ts'

interface ImportFileProps {
  target: ImportTarget
  /** Check of an earlier file that failed. */
  failed: Job | null
  form: UploadForm
  formats: string
  note: string
  /** Problem of the fields beside the file, which keeps it from being sent. */
  problemOf?: () => string | null
  /** Fields of what the file does not say. */
  children?: ComponentChildren
}

/** First step: the file. It is sent as soon as it is chosen, only to be checked. */
export function ImportFile(props: ImportFileProps) {
  const { target, failed, form, formats, note, problemOf, children } = props
  const t = envioTexts()
  const { route } = useLocation()
  const [problem, setProblem] = useState<string | null>(null)
  const now = target.upload.current.value
  const wasSending = useRef(false)
  useEffect(() => {
    // One that arrived before the step was opened does not keep another file from being chosen.
    if (wasSending.current && now?.state === 'done' && now.jobId !== null)
      route(target.importarHref(now.form, now.jobId))
    wasSending.current = now?.state === 'sending'
  }, [now])
  const send = (file: File | undefined) => {
    if (file === undefined) return
    const told =
      file.size === 0 ? t.file.empty : file.size > MAX_BYTES ? t.file.tooLarge : (problemOf?.() ?? null)
    setProblem(told)
    if (told === null) void target.upload.check(file, form)
  }
  const isKept =
    now?.state === 'failed' || (now?.state === 'done' && failed !== null && now.jobId === failed.job_id)
  return (
    <section class="card step">
      <StepHeading>{t.file.title}</StepHeading>
      {failed !== null && (
        <Notice
          kind="error"
          text={failed.status === 'canceled' ? t.file.canceled : t.file.refused(failed.message)}
        />
      )}
      {problem !== null && <Notice kind="error" text={problem} />}
      {now?.state === 'sending' ? (
        <Sending now={now} onStop={target.upload.drop} />
      ) : (
        <>
          {children}
          {isKept && now.state === 'failed' && (
            <Notice kind="error" text={t.file.failed(now.file.name, errorText(now.error))} />
          )}
          {isKept && (
            <div class="kept">
              <p>{t.file.kept(now.file.name)}</p>
              <Button kind="primary" icon="retry" sends onClick={() => send(now.file)}>
                {t.file.again}
              </Button>
            </div>
          )}
          <Drop text={t.file.drop} formats={formats} onChoose={send} />
          <p class="note">{note}</p>
        </>
      )}
    </section>
  )
}

function Sending({ now: { file, sent }, onStop }: { now: Upload; onStop(): void }) {
  const t = envioTexts()
  return (
    <div class="progress">
      <p class="stage">
        <b role="status">{t.file.sending(file.name)}</b>
        <span>{t.ofBytes(sent, file.size)}</span>
      </p>
      <progress class="bar-of" max={file.size} value={sent} aria-label={t.file.sending(file.name)} />
      <p class="note">{t.file.sendingNote}</p>
      <div>
        <Button icon="close" onClick={onStop}>
          {t.file.stop}
        </Button>
      </div>
    </div>
  )
}
