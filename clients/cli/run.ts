import { type Context, EXIT, say } from './context.ts'
import { toldOf } from './faults.ts'
import { connect, type Global, type Session } from './session.ts'
import { TEXTS } from './texts.ts'

/** A command: its flags and arguments, with a connection that was made for it. */
export type Handler<F, A extends unknown[]> = (
  session: Session,
  flags: F & Global,
  ...args: A
) => Promise<unknown>

/** Refusals and faults become a line on stderr and an exit code; results other than 0 are returned. */
export function command<F, A extends unknown[] = []>(handler: Handler<F, A>) {
  return async function (this: Context, flags: F & Global, ...args: A): Promise<void> {
    const { io } = this
    let url = ''
    try {
      const session = await connect(this, flags)
      url = session.url
      const code = await handler(session, flags, ...args)
      this.process.exitCode = typeof code === 'number' ? code : EXIT.done
    } catch (error) {
      const reason = io.signal.aborted ? io.signal.reason : error
      const { message, exitCode } = toldOf(reason, url, TEXTS[flags.idioma])
      if (message !== '') say(io, message)
      this.process.exitCode = exitCode
    }
  }
}
