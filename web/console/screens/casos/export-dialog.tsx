import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import type { QueryValue } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

const FORMATOS = ['csv', 'xlsx', 'json'] as const
type Formato = (typeof FORMATOS)[number]
const LOOK_MS = 1_000

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
        <ExportProgress job={job} onClose={onClose} />
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

function ExportProgress({ job, onClose }: { job: string; onClose: () => void }) {
  const t = texts()
  const { data, error } = useQuery({
    queryKey: ['jobs', job],
    queryFn: ({ signal }) => api.get('/api/v1/jobs/{job_id}', { params: { job_id: job } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'processing' ? LOOK_MS : false,
    staleTime: 0,
  })
  const isOver = data !== undefined && data.status !== 'processing'
  return (
    <div class="form">
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      {data !== undefined && (
        <>
          <p role="status">{data.message}</p>
          {!isOver && <progress max={100} value={data.progress} aria-label={t.casos.exportTitle} />}
        </>
      )}
      <div class="row">
        <Button onClick={onClose}>{t.app.close}</Button>
        {data?.arquivo_url !== undefined && (
          <a class="button primary" href={new URL(data.arquivo_url).pathname} download>
            <Icon name="download" />
            {t.casos.download}
          </a>
        )}
      </div>
      {isOver && data.arquivo_url !== undefined && <p class="note">{t.casos.downloadNote}</p>}
    </div>
  )
}
