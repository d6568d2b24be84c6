import { Worker } from 'node:worker_threads'
import type { Conversor, Convertidas, CreateConversor, Pacote } from '../domain/importacao/convert.ts'
import type { ConversionInput } from './conversion-thread.ts'

/** One more reads the file and feeds the database; a third would only wait for those. */
const THREADS = 2
/** What a block needs, and room to collect it. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 }

/** Rows are checked and sealed in threads beside the one that reads them. */
export function conversionInThreads(parts: Pick<ConversionInput, 'dataKey' | 'municipios'>): CreateConversor {
  return (leitura): Conversor => {
    const threads = Array.from({ length: THREADS }, () => startThread({ ...parts, leitura }))
    let turn = 0
    return {
      atOnce: THREADS,
      convert(pacote) {
        turn = (turn + 1) % THREADS
        return (threads[turn] as Thread).ask(pacote)
      },
      async end() {
        await Promise.all(threads.map((thread) => thread.end()))
      },
    }
  }
}

type Thread = ReturnType<typeof startThread>

/** Answers come in the order of the questions. */
function startThread(input: ConversionInput) {
  const worker = new Worker(new URL('./conversion-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: LIMITS,
  })
  const asked: PromiseWithResolvers<Convertidas>[] = []
  let failure: Error | null = null
  const fail = (error: Error) => {
    failure = error
    for (const { reject } of asked.splice(0)) reject(error)
  }
  worker.on('message', (answer: Convertidas) => asked.shift()?.resolve(withBuffers(answer)))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  return {
    ask(pacote: Pacote): Promise<Convertidas> {
      if (failure !== null) return Promise.reject(failure)
      const question = Promise.withResolvers<Convertidas>()
      asked.push(question)
      worker.postMessage(pacote)
      return question.promise
    },
    end: () => worker.terminate(),
  }
}

/** What travels arrives as plain bytes. */
function withBuffers(answer: Convertidas): Convertidas {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength)
  return { ...answer, casos: answer.casos.map(bufferOf), rejeitadas: answer.rejeitadas.map(bufferOf) }
}
