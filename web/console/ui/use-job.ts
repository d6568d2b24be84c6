import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { follow } from '../api/live.ts'
import type { AnswerOf } from '../api/rows.ts'
import { api } from '../state/session.ts'

export type Job = AnswerOf<'GET', '/api/v1/jobs/{job_id}'>

/** Milliseconds between questions where there is no stream. */
const POLL_MS = 1_500
const POLL_BESIDE_STREAM_MS = 20_000

/** A job, followed until it is over: by its stream, and by asking where that does not stand. `pauseAfter`: milliseconds to the next question about one that is over. */
export function useFollowedJob(id: string | null, pauseAfter: (job: Job) => number | false = () => false) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  const queryKey = ['jobs', id]
  const pauseOf = (job: Job) =>
    job.status !== 'processing' ? pauseAfter(job) : isLive ? POLL_BESIDE_STREAM_MS : POLL_MS
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/api/v1/jobs/{job_id}', { params: { job_id: id ?? '' } }, { signal }),
    enabled: id !== null,
    // Another job is not an older answer of this one.
    placeholderData: () => undefined,
    refetchInterval: ({ state }) => (state.data === undefined ? false : pauseOf(state.data)),
  })
  const isRunning = query.data?.status === 'processing'
  useEffect(() => {
    if (id === null || !isRunning) return
    return follow(`/api/v1/jobs/${encodeURIComponent(id)}/eventos`, {
      onChange: (job) => client.setQueryData(queryKey, job),
      onEnd: () => void client.invalidateQueries({ queryKey }),
      onLive: setLive,
    })
  }, [id, isRunning])
  return query
}
