import { type Job, VigiaError } from '../ts/src/index.ts'
import { say } from './context.ts'
import { progressBar } from './output.ts'
import type { Session } from './session.ts'

/** Follows a job with a bar. An interrupt or a lost service leaves it to the service, and says how to come back. */
export async function follow({ io, t, vigia, given }: Session, id: string): Promise<Job> {
  const bar = progressBar(io)
  let last: Job | undefined
  try {
    for await (const job of vigia.job(id).acompanhar(given)) {
      last = job
      bar.draw(t.working, job.progress)
    }
  } catch (error) {
    bar.end()
    if (io.signal.aborted || (error instanceof VigiaError && error.status === 0)) say(io, t.goesOn(id))
    throw error
  }
  bar.end()
  return last as Job
}
