import { VigiaError } from '../ts/src/index.ts'
import { CliError, type Context, EXIT, say } from './context.ts'
import { connect, type Global, type Session } from './session.ts'

/** A command: its flags and arguments, with a connection that was made for it. */
export type Handler<F, A extends unknown[]> = (
  session: Session,
  flags: F & Global,
  ...args: A
) => Promise<unknown>

/** Refusals become a line on stderr and an exit code; results other than 0 are returned. */
export function command<F, A extends unknown[] = []>(handler: Handler<F, A>) {
  return async function (this: Context, flags: F & Global, ...args: A): Promise<void> {
    const { io } = this
    let session: Session | undefined
    try {
      session = await connect(this, flags)
      const code = await handler(session, flags, ...args)
      this.process.exitCode = typeof code === 'number' ? code : EXIT.done
    } catch (error) {
      const reason = io.signal.aborted ? io.signal.reason : error
      const told = session ? toldOf(reason, session) : reason
      if (!(told instanceof CliError)) throw told
      if (told.message !== '') say(io, told.message)
      this.process.exitCode = told.exitCode
    }
  }
}

function toldOf(error: unknown, { t, url }: Session): unknown {
  if (!(error instanceof VigiaError)) return error
  if (error.code === 'UNREACHABLE') return new CliError(t.unreachable(url, error.message))
  if (error.code === 'UNTRUSTED') return new CliError(`${t.unreachable(url, error.message)}\n${t.caHint}`)
  if (error.code === 'UNAUTHORIZED') return new CliError(t.notLoggedIn, EXIT.notLoggedIn)
  const fields = error.fields.map(({ field, message }) => `  ${[field, message].filter(Boolean).join(': ')}`)
  return new CliError([error.message, ...fields].join('\n'))
}
