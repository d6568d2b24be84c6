import type { GroupEncoder, ParquetTable, RowGroup } from '../domain/exportacao/parquet-groups.ts'
import { startThread } from './asked-thread.ts'

const THREAD = new URL('./parquet-thread.ts', import.meta.url)
/** Heap for a row group, one of its columns as values, and what the writer keeps of the groups before. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 12 }

/** Encodes Parquet in a thread of its own, beside the thread that reads the database and makes rows. */
export function encodingInThread(table: ParquetTable): GroupEncoder {
  const thread = startThread<RowGroup | null, Uint8Array>(THREAD, table, LIMITS)
  return {
    write: (group) =>
      thread.ask(
        group,
        group.columns.map(({ positions }) => positions.buffer as ArrayBuffer),
      ),
    finish: () => thread.ask(null),
    async end() {
      await thread.end()
    },
  }
}
