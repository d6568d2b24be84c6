import type { CommandContext, StricliProcess } from '@stricli/core'

/** Streams, environment and end signal of a run. */
export interface Io {
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (mode: boolean) => unknown }
  env: Record<string, string | undefined>
  /** Aborted with one of the reasons below. */
  signal: AbortSignal
}

export interface Context extends CommandContext {
  process: StricliProcess
  io: Io
}

/** Spec of the command line: what each exit code means to a script. */
export const EXIT = { done: 0, failed: 1, usage: 2, notLoggedIn: 3, partly: 4, interrupted: 130 } as const

/** A refusal of the command itself, in one line. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export const INTERRUPTED = new CliError('', EXIT.interrupted)
export const CLOSED_PIPE = new CliError('', EXIT.done)

/** A reader that has enough is none; a full disk is a fault. */
export const faultOfOutput = (error: NodeJS.ErrnoException): Error =>
  /^(EPIPE|ECONNRESET|ERR_STREAM_\w+)$/.test(error.code ?? '') ? CLOSED_PIPE : error

/** Waits where the reader is slower than the service. */
export async function write({ stdout, signal }: Io, text: string | Uint8Array): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(faultOfOutput(error)) : resolve()))
  })
}

export const say = ({ stderr }: Io, text: string): void => {
  stderr.write(`${text}\n`)
}
