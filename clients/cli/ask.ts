import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CliError, EXIT, type Io } from './context.ts'
import type { Texts } from './texts.ts'

/** Asks on stderr; what is typed is shown unless it is hidden. Without a terminal, the next line of the input. */
export async function ask(io: Io, question: string, t: Texts, { hidden = false } = {}): Promise<string> {
  const isTerminal = io.stdin.isTTY === true
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = hidden || !isTerminal ? nowhere : io.stderr
  const lines = createInterface({ input: io.stdin, output, terminal: isTerminal })
  const closed = once(lines, 'close').then(() => null)
  // In raw mode the terminal sends no signal for Ctrl-C: the line reader tells of it.
  lines.once('SIGINT', () => lines.close())
  // Asked once the terminal no longer shows or takes what is typed by itself.
  io.stderr.write(question)
  try {
    const answer = await Promise.race([lines.question('', { signal: io.signal }), closed])
    if (answer === null) throw new CliError(t.nothingGiven, isTerminal ? EXIT.interrupted : EXIT.failed)
    return answer.trim()
  } finally {
    lines.close()
    io.stderr.write('\n')
  }
}

/** For acts that cannot be taken back: `--sim`, or a yes at the terminal. */
export async function confirm(io: Io, what: string, sim: boolean, t: Texts): Promise<void> {
  if (sim) return
  if (!io.stdin.isTTY) throw new CliError(`${what}. ${t.confirmBySim}`, EXIT.usage)
  if (!t.yes.test(await ask(io, t.confirm(what), t))) throw new CliError(t.notConfirmed)
}
