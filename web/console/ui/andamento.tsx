import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import { api } from '../state/session.ts'
import { envioTexts } from '../state/texts/envio.ts'
import { Button } from './button.tsx'
import { Refusal } from './refusal.tsx'
import type { Job } from './use-job.ts'

/** Percent that a job must have come while one looks, before its end is foretold. */
const ENOUGH = 4
/** Seconds of looking before a speed is told. */
const LONG_ENOUGH = 1

/** Present work of a job, in the language of the console: a stream speaks that of the browser. */
export function stageOf({ codigo, message }: Job, own: Record<string, string> = {}): string {
  const stages: Record<string, string> = { ...envioTexts().stages, ...own }
  return (codigo !== null && stages[codigo]) || message
}

interface Pace {
  line: number | null
  linesPerSecond: number | null
  /** Seconds until its end. */
  remaining: number | null
}

/** Speed of a job, from what it did since one looks: an earlier wait in the queue does not count. Lines are those that are read; storing them has none. */
function usePace(job: Job): Pace {
  const { progress, codigo, linhas_lidas: line = null } = job
  const first = useRef({ at: Date.now(), progress, line })
  // The queue is behind it: the looking begins anew.
  if (codigo === 'WAITING') first.current = { at: Date.now(), progress, line }
  const elapsed = (Date.now() - first.current.at) / 1000
  const [done, lines] = [progress - first.current.progress, (line ?? 0) - (first.current.line ?? 0)]
  const isReading = codigo === 'READING' && line !== null && line > 0
  return {
    line: isReading ? line : null,
    linesPerSecond: isReading && lines > 0 && elapsed >= LONG_ENOUGH ? Math.round(lines / elapsed) : null,
    remaining: done >= ENOUGH ? (elapsed * (100 - progress)) / done : null,
  }
}

interface AndamentoProps {
  job: Job
  note: string
  /** Words for its stages, where they are not those of cases. */
  stages?: Record<string, string>
}

/** A job under way: how far, until when, and the way out. It goes on when its screen is left. */
export function Andamento({ job, note, stages }: AndamentoProps) {
  const t = envioTexts()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.delete('/api/v1/jobs/{job_id}', { params: { job_id: job.job_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const pace = usePace(job)
  const isCanceling = job.codigo === 'CANCELING' || cancel.isPending || cancel.isSuccess
  return (
    <div class="progress">
      <p class="stage">
        <b role="status">{isCanceling ? t.stages.CANCELING : stageOf(job, stages)}</b>
        <span>{t.percent(job.progress)}</span>
      </p>
      <progress class="bar-of" max={100} value={job.progress} aria-label={stageOf(job, stages)} />
      <p class="note">
        {[
          pace.line !== null && t.lineRead(pace.line),
          pace.linesPerSecond !== null && t.linesPerSecond(pace.linesPerSecond),
          pace.remaining !== null && t.remaining(pace.remaining),
          note,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {cancel.isError && <Refusal error={cancel.error} />}
      {!isCanceling && (
        <div>
          <Button icon="close" sends onClick={() => cancel.mutate()}>
            {t.cancelJob[job.trabalho]}
          </Button>
        </div>
      )}
    </div>
  )
}
