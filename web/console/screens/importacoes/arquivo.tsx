import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import { ApiError } from '../../api/errors.ts'
import { agravos, isConhecido } from '../../state/agravos.ts'
import { valorWords } from '../../state/filter-words.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { dropFile, MAX_BYTES, sendFile, type Upload, upload } from '../../state/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Drop } from '../../ui/drop.tsx'
import { Check } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText, RequestId } from '../../ui/states.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import { type Job, novaHref } from './job.ts'

/** First step: the file. It is sent as soon as it is chosen, only to be checked. `failed`: the check of an earlier one that failed. */
export function Arquivo({ failed }: { failed: Job | null }) {
  const t = importacoesTexts()
  const { route } = useLocation()
  const [agravo, setAgravo] = useState<TipoAgravo | null>(null)
  const [textos, setTextos] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const asksDisease = failed?.codigo === 'WITHOUT_DISEASE'
  const now = upload.value
  const isOfFailed = failed !== null && now?.jobId === failed.job_id
  const wasSending = useRef(false)
  useEffect(() => {
    // One that arrived before the step was opened does not keep another file from being chosen.
    if (wasSending.current && now?.state === 'done' && now.jobId !== null) route(novaHref(now.jobId))
    wasSending.current = now?.state === 'sending'
  }, [now])
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    setProblem(file.size === 0 ? t.file.empty : file.size > MAX_BYTES ? t.file.tooLarge : null)
    if (file.size === 0 || file.size > MAX_BYTES) return
    if (asksDisease && agravo === null) return setProblem(t.file.diseaseFirst)
    void sendFile(file, { agravo, textos })
  }
  const again = () => {
    if (asksDisease && agravo === null) return setProblem(t.file.diseaseFirst)
    if (now !== null) void sendFile(now.file, { agravo, textos })
  }
  return (
    <section class="card step">
      <StepHeading>{t.file.title}</StepHeading>
      {failed !== null && <Notice kind="error" text={refusalOf(failed)} />}
      {problem !== null && <Notice kind="error" text={problem} />}
      {now?.state === 'sending' ? (
        <Sending now={now} />
      ) : (
        <>
          {asksDisease && <DiseaseField value={agravo} onChange={setAgravo} />}
          {agravos().some((one) => !isConhecido(one)) && (
            <Check label={t.file.textos} note={t.file.textosNote} checked={textos} onChange={setTextos} />
          )}
          {now?.state === 'failed' && <FailedSending now={now} onRetry={again} />}
          {isOfFailed && (
            <div class="kept">
              <p>{t.file.kept(now.file.name)}</p>
              <Button kind="primary" icon="retry" sends onClick={again}>
                {t.file.again}
              </Button>
            </div>
          )}
          <Drop text={t.file.drop} formats={t.file.formats} onChoose={choose} />
          <p class="note">{t.file.note}</p>
        </>
      )}
    </section>
  )
}

/** Fault of the file, in the words of the service. */
function refusalOf(job: Job): string {
  const t = importacoesTexts()
  if (job.status === 'canceled') return t.file.canceled
  return job.codigo === 'WITHOUT_DISEASE' ? t.file.withoutDisease : t.file.refused(job.message)
}

function DiseaseField({
  value,
  onChange,
}: {
  value: TipoAgravo | null
  onChange(agravo: TipoAgravo | null): void
}) {
  const t = texts()
  const id = useId()
  return (
    <div class="field disease">
      <label for={id}>{importacoesTexts().file.disease}</label>
      <select
        id={id}
        class="input"
        value={value ?? ''}
        onChange={(event) => onChange((event.currentTarget.value || null) as TipoAgravo | null)}
      >
        <option value="">{importacoesTexts().file.chooseDisease}</option>
        {agravos().map((agravo) => (
          <option key={agravo} value={agravo}>
            {valorWords(agravo, t)}
          </option>
        ))}
      </select>
    </div>
  )
}

function Sending({ now }: { now: Upload }) {
  const t = importacoesTexts()
  const { file, sent } = now
  return (
    <div class="progress">
      <p class="stage">
        <b role="status">{t.file.sending(file.name)}</b>
        <span>{t.ofBytes(sent, file.size)}</span>
      </p>
      <progress class="bar-of" max={file.size} value={sent} aria-label={t.file.sending(file.name)} />
      <p class="note">{t.file.sendingNote}</p>
      <div>
        <Button icon="close" onClick={dropFile}>
          {t.file.stop}
        </Button>
      </div>
    </div>
  )
}

/** The file is still here: nothing has to be chosen again. */
function FailedSending({ now, onRetry }: { now: Upload; onRetry: () => void }) {
  const t = importacoesTexts()
  return (
    <div class="kept">
      <Notice kind="error" text={t.file.failed(now.file.name, errorText(now.error))} />
      {now.error instanceof ApiError && <RequestId of={now.error} />}
      <div class="row start">
        <Button kind="primary" icon="retry" sends onClick={onRetry}>
          {t.file.again}
        </Button>
        <Button onClick={dropFile}>{t.file.forget}</Button>
      </div>
    </div>
  )
}
