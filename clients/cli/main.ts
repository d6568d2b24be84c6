import { runVigia } from './app.ts'
import { CLOSED_PIPE, INTERRUPTED } from './context.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(INTERRUPTED))
// A reader such as `head` has enough: nothing failed.
process.stdout.on('error', () => stop.abort(CLOSED_PIPE))
process.stderr.on('error', () => {})

const { stdout, stderr, stdin, env } = process
const code = await runVigia(process.argv.slice(2), { stdout, stderr, stdin, env, signal: stop.signal })
// Connections that are kept alive would keep the process, too.
process.exit(code)
