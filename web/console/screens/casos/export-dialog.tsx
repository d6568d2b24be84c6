import { useId, useState } from 'preact/hooks'
import type { QueryValue } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

const FORMATOS = ['csv', 'xlsx', 'json'] as const
type Formato = (typeof FORMATOS)[number]

interface ExportDialogProps {
  /** Parameters of the list. */
  filtros: Record<string, QueryValue>
  total: number | undefined
  what: string
  onClose: () => void
}

/** Asks for a file of the filter, follows its making and gives the link. */
export function ExportDialog({ filtros, total, what, onClose }: ExportDialogProps) {
  const t = texts()
  const id = useId()
  const [formato, setFormato] = useState<Formato>('csv')
  const [identificado, setIdentificado] = useState(false)
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const body = { formato, filtros, ...(identificado && { identificado }) }
    setJob((await api.post('/api/v1/agravos/casos/exportar', { body })).job_id)
  })
  return (
    <Dialog title={t.casos.exportTitle} onClose={onClose}>
      <p class="sub">
        {what}
        {total !== undefined && ` · ${t.casos.cases(total)}`}
      </p>
      {job !== null ? (
        <JobProgress
          id={job}
          label={t.casos.exportTitle}
          onClose={onClose}
          action={({ arquivo_url }) =>
            arquivo_url !== undefined && (
              <a class="button primary" href={new URL(arquivo_url).pathname} download>
                <Icon name="download" />
                {t.casos.download}
              </a>
            )
          }
          note={({ arquivo_url }) => (arquivo_url === undefined ? undefined : t.casos.downloadNote)}
        />
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <fieldset class="choices">
            <legend>{t.casos.format}</legend>
            {FORMATOS.map((one) => (
              <label key={one}>
                <input type="radio" name={id} checked={one === formato} onChange={() => setFormato(one)} />
                <span>
                  {t.casos.formats[one]}
                  <small>{t.casos.formatNotes[one]}</small>
                </span>
              </label>
            ))}
          </fieldset>
          {holds(['agravos.identificar']) && (
            <Check
              label={t.casos.identifiedExport}
              note={t.casos.identifiedNote}
              checked={identificado}
              onChange={setIdentificado}
            />
          )}
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {t.casos.export}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
