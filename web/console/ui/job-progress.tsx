import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '../api/rows.ts'
import { api } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Refusal } from './refusal.tsx'

type Job = AnswerOf<'GET', '/api/v1/jobs/{job_id}'>
const LOOK_MS = 1_000

interface JobProgressProps {
  id: string
  /** Name of what is made. */
  label: string
  onClose(): void
  /** Drawn beside the button that closes, of a job that is over. */
  action(job: Job): ComponentChildren
  note?(job: Job): string | undefined
}

/** Follows a job that a dialog has begun, and leads to what it made. */
export function JobProgress({ id, label, onClose, action, note }: JobProgressProps) {
  const { data, error } = useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => api.get('/api/v1/jobs/{job_id}', { params: { job_id: id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'processing' ? LOOK_MS : false,
    staleTime: 0,
  })
  const isOver = data !== undefined && data.status !== 'processing'
  const told = isOver ? note?.(data) : undefined
  return (
    <div class="form">
      {error !== null && <Refusal error={error} />}
      {data !== undefined && (
        <>
          <p role="status">{data.message}</p>
          {!isOver && <progress max={100} value={data.progress} aria-label={label} />}
        </>
      )}
      <div class="row">
        <Button onClick={onClose}>{texts().app.close}</Button>
        {isOver && action(data)}
      </div>
      {told !== undefined && <p class="note">{told}</p>}
    </div>
  )
}
