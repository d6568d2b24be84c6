import type { Job } from '../../ts/src/index.ts'
import { confirm } from '../ask.ts'
import { EXIT, say, write } from '../context.ts'
import { download, openTarget } from '../download.ts'
import { follow } from '../follow.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printObject } from '../output.ts'
import { command } from '../run.ts'

const COLUMNS: Column<Job>[] = [
  ['job_id', ({ job_id }) => job_id],
  ['trabalho', ({ trabalho }) => trabalho],
  ['status', ({ status }) => status],
  ['progresso', ({ progress }) => `${progress} %`],
  ['criado_em', ({ created_at }) => created_at],
  ['mensagem', ({ message }) => message],
]

export const listar = command<Listing>((session, flags) => list(session, '/jobs', COLUMNS, flags))

export const ver = command<object, [string]>(async ({ io, vigia, given }, { json }, job_id) => {
  await printObject(io, await vigia.get('/jobs/{job_id}', { params: { job_id } }, given), { json })
})

/** With `--json`, every change in a line. */
export const acompanhar = command<object, [string]>(async (session, { json }, id) => {
  const { io, vigia, given } = session
  let job: Job | undefined
  if (!json) {
    job = await follow(session, id)
    say(io, job.message)
  } else
    for await (const change of vigia.job(id).acompanhar(given)) {
      job = change
      await write(io, `${JSON.stringify(change)}\n`)
    }
  return job?.status === 'completed' ? EXIT.done : EXIT.failed
})

const fileOf = (path: '/jobs/{job_id}/arquivo' | '/jobs/{job_id}/rejeitados') =>
  command<{ saida: string }, [string]>(async (session, { saida }, job_id) => {
    await using target = await openTarget(session, saida)
    await download(session, { path, job_id }, target)
  })
export const arquivo = fileOf('/jobs/{job_id}/arquivo')
export const rejeitados = fileOf('/jobs/{job_id}/rejeitados')

export const cancelar = command<{ simular: boolean; sim: boolean }, [string]>(
  async ({ io, t, vigia, given }, flags, job_id) => {
    const params = { job_id }
    if (flags.simular) {
      const job = await vigia.get('/jobs/{job_id}', { params }, given)
      say(io, t.would(t.cancel(job_id)))
      return printObject(io, job, flags)
    }
    await confirm(io, t.cancel(job_id), flags.sim, t)
    await printObject(io, await vigia.delete('/jobs/{job_id}', { params }, given), flags)
  },
)
