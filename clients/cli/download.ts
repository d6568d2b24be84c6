import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { VigiaError } from '../ts/src/index.ts'
import { CliError, say, write } from './context.ts'
import { reasonOf } from './faults.ts'
import type { Session } from './session.ts'

/** Place for a download, opened before the work is asked for. What is not whole when it is disposed of is removed. */
export interface Target extends AsyncDisposable {
  readonly name: string
  fill(content: Readable): Promise<void>
}

/** `-` is the output. A file is written beside its name and gets it once it is whole, readable by its owner alone. */
export async function openTarget(session: Session, to: string): Promise<Target> {
  const { io, t, given } = session
  if (to === '-')
    return { name: to, fill: (content) => toOutput(session, content), [Symbol.asyncDispose]: async () => {} }
  const refused = (error: unknown) => new CliError(t.unwritable(to, reasonOf(error, t)))
  const place = await placeOf(to).catch((error) => {
    throw refused(error)
  })
  return {
    name: to,
    async fill(content) {
      try {
        await place.file.writeFile(content, given)
        await place.keep()
      } catch (error) {
        throw io.signal.aborted || error instanceof VigiaError ? error : refused(error)
      }
      say(io, t.written(to))
    },
    [Symbol.asyncDispose]: place.drop,
  }
}

async function toOutput({ io }: Session, content: Readable): Promise<void> {
  for await (const piece of content) await write(io, piece)
}

interface Place {
  file: FileHandle
  keep(): Promise<void>
  drop(): Promise<void>
}

async function placeOf(to: string): Promise<Place> {
  const known = await stat(to).catch(() => null)
  // A device or a pipe has no name to give away.
  if (known !== null && !known.isFile()) {
    const file = await open(to, 'w')
    return { file, keep: () => file.close(), drop: () => file.close() }
  }
  const whole = known === null ? to : await realpath(to)
  const partial = `${whole}.${randomUUID().slice(0, 8)}.parcial`
  const file = await open(partial, 'wx', 0o600)
  return {
    file,
    async keep() {
      // A disk that is full may say so no earlier.
      await file.sync()
      await file.close()
      await rename(partial, whole)
    },
    async drop() {
      await file.close()
      await rm(partial, { force: true })
    },
  }
}

export type JobFile = { path: '/jobs/{job_id}/arquivo' | '/jobs/{job_id}/rejeitados'; job_id: string }

/** A file of a job. Passes through piece by piece, whatever its size. */
export async function download(
  { vigia, given }: Session,
  { path, job_id }: JobFile,
  to: Target,
): Promise<void> {
  const { body } = await vigia.response({ method: 'GET', path, params: { job_id } }, given)
  await to.fill(Readable.fromWeb(body as never))
}
