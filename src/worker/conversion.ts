import type { ConvertedBlock, Converter, CreateConverter, RowBlock } from '../domain/importacao/convert.ts'
import { type AskedThread, startThread } from './asked-thread.ts'
import type { ConversionInput } from './conversion-thread.ts'

/** The main thread reads the file and feeds the database; it keeps two busy, a third would idle. */
const THREADS = 2
const THREAD = new URL('./conversion-thread.ts', import.meta.url)
/** Heap for one block and its garbage. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 }

/** Parallel conversion: rows are checked and encrypted in worker threads, in turn, beside the thread that reads them. */
export function conversionInThreads(parts: Pick<ConversionInput, 'dataKey' | 'municipios'>): CreateConverter {
  return (context): Converter => {
    const input: ConversionInput = { ...parts, context }
    const threads = Array.from({ length: THREADS }, () =>
      startThread<RowBlock, ConvertedBlock>(THREAD, input, LIMITS),
    )
    let turn = 0
    return {
      atOnce: THREADS,
      async convert(block) {
        turn = (turn + 1) % THREADS
        return withBuffers(await (threads[turn] as Thread).ask(block))
      },
      async end() {
        await Promise.all(threads.map((thread) => thread.end()))
      },
    }
  }
}

type Thread = AskedThread<RowBlock, ConvertedBlock>

/** Structured cloning turns a Buffer into a Uint8Array; this reverts it. */
function withBuffers(answer: ConvertedBlock): ConvertedBlock {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength)
  return { ...answer, casos: answer.casos.map(bufferOf), rejected: answer.rejected.map(bufferOf) }
}
