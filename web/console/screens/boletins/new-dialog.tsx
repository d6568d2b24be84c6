import { useEffect, useState } from 'preact/hooks'
import { api, cache } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { boletimHref } from './boletim-texts.ts'
import { NEW_SUBJECT, PlaceFields, subjectBody } from './place-fields.tsx'

const MAX_TITULO = 200

/** Asks for a bulletin of the last ended week, follows its making and leads to it. */
export function NewDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = boletinsTexts()
  const [subject, setSubject] = useState(NEW_SUBJECT)
  const [titulo, setTitulo] = useState('')
  const [publico, setPublico] = useState(false)
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const texto = titulo.trim() === '' ? {} : { texto: { titulo: titulo.trim() } }
    const body = { ...subjectBody(subject), publico, ...texto }
    setJob((await api.post('/api/v1/agravos/boletins', { body })).job_id)
  })
  return (
    <Dialog title={own.new} onClose={onClose}>
      {job !== null ? (
        <JobProgress id={job} label={own.new} onClose={onClose} action={(done) => <Made job={done} />} />
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Refusal error={error} />}
          <PlaceFields subject={subject} onChange={setSubject} />
          <Field label={own.titulo} value={titulo} maxLength={MAX_TITULO} onInput={setTitulo} />
          <Check label={own.publish} note={own.publishNote} checked={publico} onChange={setPublico} />
          <p class="note">{own.weekNote}</p>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.make}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Leads to the bulletin; the list is asked for again, once. */
function Made({ job: { status, result } }: { job: { status: string; result?: unknown } }) {
  const { boletim_id = null } = (result ?? {}) as { boletim_id?: number | null }
  const isMade = status === 'completed' && boletim_id !== null
  useEffect(() => {
    if (isMade) void cache.invalidateQueries({ queryKey: ['boletins', 'list'] })
  }, [isMade])
  if (!isMade) return null
  return (
    <a class="button primary" href={boletimHref(boletim_id)}>
      {boletinsTexts().open}
    </a>
  )
}
