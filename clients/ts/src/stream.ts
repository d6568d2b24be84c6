import type { Job } from './gerado.ts'

/** Data of server-sent events, one after the other. */
export async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + decoder.decode(part.value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const lines = block.split('\n').filter((line) => line.startsWith('data: '))
        if (lines.length > 0) yield lines.map((line) => line.slice('data: '.length)).join('\n')
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const isOver = ({ status }: Job) => status !== 'processing'
const FIRST_LOOK_MS = 250
const MAX_LOOK_MS = 5_000

/**
 * Every change of a job until its end: from its stream while that holds, then by asking, less and less often. A broken stream, or
 * none at all, ends like one that was closed: the questions find out why.
 */
export async function* followJob(
  stream: ReadableStream<Uint8Array> | null,
  read: () => Promise<Job>,
  pause: (ms: number) => Promise<void>,
): AsyncGenerator<Job, void> {
  const events = stream && dataOf(stream)
  const next = async () => (await events?.next().catch(() => null))?.value ?? null
  for (let data = await next(); data !== null; data = await next()) {
    const job = JSON.parse(data) as Job
    yield job
    if (isOver(job)) return
  }
  for (let last = '', wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, MAX_LOOK_MS)) {
    const job = await read()
    if (JSON.stringify(job) !== last) yield job
    if (isOver(job)) return
    last = JSON.stringify(job)
    await pause(wait)
  }
}
