import { Worker } from 'node:worker_threads'
import type { ConvertedBlock, Converter, CreateConverter, RowBlock } from '../domain/importacao/convert.ts'
import type { ConversionInput } from './conversion-thread.ts'

/** The main thread reads the file and feeds the database; it keeps two busy, a third would idle. */
const THREADS = 2
/** Heap for one block and its garbage. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 }

/** Parallel conversion: rows are checked and encrypted in worker threads, in turn, beside the thread that reads them. */
export function conversionInThreads(parts: Pick<ConversionInput, 'dataKey' | 'municipios'>): CreateConverter {
  return (context): Converter => {
    const threads = Array.from({ length: THREADS }, () => startThread({ ...parts, context }))
    let turn = 0
    return {
      atOnce: THREADS,
      convert(block) {
        turn = (turn + 1) % THREADS
        return (threads[turn] as Thread).ask(block)
      },
      async end() {
        await Promise.all(threads.map((thread) => thread.end()))
      },
    }
  }
}

type Thread = ReturnType<typeof startThread>

/** Request-response over messages, first in, first out. */
function startThread(input: ConversionInput) {
  const worker = new Worker(new URL('./conversion-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: LIMITS,
  })
  const asked: PromiseWithResolvers<ConvertedBlock>[] = []
  let failure: Error | null = null
  const fail = (error: Error) => {
    failure = error
    for (const { reject } of asked.splice(0)) reject(error)
  }
  worker.on('message', (answer: ConvertedBlock) => asked.shift()?.resolve(withBuffers(answer)))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  return {
    ask(block: RowBlock): Promise<ConvertedBlock> {
      if (failure !== null) return Promise.reject(failure)
      const question = Promise.withResolvers<ConvertedBlock>()
      asked.push(question)
      worker.postMessage(block)
      return question.promise
    },
    end: () => worker.terminate(),
  }
}

/** Structured cloning turns a Buffer into a Uint8Array; this reverts it. */
function withBuffers(answer: ConvertedBlock): ConvertedBlock {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength)
  return { ...answer, casos: answer.casos.map(bufferOf), rejected: answer.rejected.map(bufferOf) }
}
