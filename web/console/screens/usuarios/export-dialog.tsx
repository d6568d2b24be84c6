import { useId, useState } from 'preact/hooks'
import type { QueryValue } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
  what: string
  onClose(): void
}

/** Asks for a file of the accounts of the filter, follows its making and gives the link. */
export function ExportDialog({ filtros, what, onClose }: ExportDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const id = useId()
  const [formato, setFormato] = useState<Formato>('csv')
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    setJob((await api.post('/api/v1/usuarios/exportar', { body: { formato, filtros } })).job_id)
  })
  return (
    <Dialog title={own.exportTitle} onClose={onClose}>
      <p class="sub">{what}</p>
      {job !== null ? (
        <JobProgress
          id={job}
          label={own.exportTitle}
          onClose={onClose}
          action={({ arquivo_url }) =>
            arquivo_url !== undefined && (
              <a class="button primary" href={new URL(arquivo_url).pathname} download>
                <Icon name="download" />
                {t.casos.download}
              </a>
            )
          }
        />
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <fieldset class="choices">
            <legend>{t.casos.format}</legend>
            {FORMATOS.map((one) => (
              <label key={one}>
                <input type="radio" name={id} checked={one === formato} onChange={() => setFormato(one)} />
                <span>{t.casos.formats[one]}</span>
              </label>
            ))}
          </fieldset>
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
