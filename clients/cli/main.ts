import { runVigia } from './app.ts'
import { faultOfOutput, INTERRUPTED } from './context.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stop.abort(INTERRUPTED))
process.stdout.on('error', (error) => stop.abort(faultOfOutput(error)))
process.stderr.on('error', () => {})

const { stdout, stderr, stdin, env } = process
const code = await runVigia(process.argv.slice(2), { stdout, stderr, stdin, env, signal: stop.signal })
// Connections that are kept alive would keep the process, too.
process.exit(code)
