import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useSending } from './form.ts'
import { Icon } from './icon.tsx'
import { JobProgress } from './job-progress.tsx'
import { Refusal } from './refusal.tsx'

const FORMATOS = ['csv', 'xlsx', 'json'] as const
export type Formato = (typeof FORMATOS)[number]

interface TableExportProps {
  title: string
  /** The rows that it is of. */
  what: string
  note?: string
  /** Further choices. */
  children?: ComponentChildren
  start(formato: Formato): Promise<{ job_id: string }>
  onClose(): void
}

/** Asks for a file of the rows of a list, follows its making and gives the link. */
export function TableExport({ title, what, note, children, start, onClose }: TableExportProps) {
  const t = texts()
  const id = useId()
  const [formato, setFormato] = useState<Formato>('csv')
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    setJob((await start(formato)).job_id)
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="sub">{what}</p>
      {job !== null ? (
        <JobProgress
          id={job}
          label={title}
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
          {error !== null && <Refusal error={error} />}
          <fieldset class="choices">
            <legend>{t.casos.format}</legend>
            {FORMATOS.map((one) => (
              <label key={one}>
                <input type="radio" name={id} checked={one === formato} onChange={() => setFormato(one)} />
                <span>{t.casos.formats[one]}</span>
              </label>
            ))}
          </fieldset>
          {children}
          {note !== undefined && <p class="note">{note}</p>}
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
