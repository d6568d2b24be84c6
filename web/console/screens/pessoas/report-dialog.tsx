import { useEffect, useState } from 'preact/hooks'
import { urlOf } from '../../api/url.ts'
import { askBlob } from '../../state/blob.ts'
import { pessoasTexts } from '../../state/texts/pessoas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { MAX_MOTIVO } from './search-form.tsx'

/** Cases that one report takes. */
export const MOST_CASOS = 20

interface ReportDialogProps {
  casos: readonly number[]
  /** Of the search that found them. */
  motivo: string
  onClose(): void
}

/** All that is held of a person, as a file: an address of its own would keep the reason in the history of the browser. */
export function ReportDialog({ casos, motivo: given, onClose }: ReportDialogProps) {
  const t = pessoasTexts()
  const [motivo, setMotivo] = useState(given)
  const [isTried, setTried] = useState(false)
  const [file, setFile] = useState<string | null>(null)
  useEffect(() => {
    if (file !== null) return () => URL.revokeObjectURL(file)
  }, [file])
  const isMissing = motivo.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (isMissing) return focusFirstProblem(form.current)
    const query = { casos: casos.join(','), motivo: motivo.trim(), formato: 'html' }
    setFile(URL.createObjectURL(await askBlob(urlOf('/api/v1/agravos/pessoas/relatorio', { query }))))
  })
  return (
    <Dialog title={t.report.title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit} noValidate>
        {error !== null && <Refusal error={error} />}
        {file === null ? (
          <>
            <p>{t.report.effect(casos.length)}</p>
            <p>{t.report.recorded}</p>
            <Field
              label={t.motive}
              note={t.motiveNote}
              value={motivo}
              maxLength={MAX_MOTIVO}
              autocomplete="off"
              onInput={setMotivo}
              problem={isTried && isMissing ? t.required : undefined}
            />
          </>
        ) : (
          <Notice kind="done" text={t.report.done} />
        )}
        <div class="row">
          <Button onClick={onClose}>{file === null ? texts().app.cancel : texts().app.close}</Button>
          {file === null ? (
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {isSending ? t.report.making : t.report.make}
            </Button>
          ) : (
            <a class="button primary" href={file} download={t.report.file}>
              {t.report.download}
            </a>
          )}
        </div>
      </form>
    </Dialog>
  )
}
