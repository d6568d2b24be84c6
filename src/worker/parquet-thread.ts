import { parentPort, workerData } from 'node:worker_threads'
import { groupEncoding, type ParquetTable, type RowGroup } from '../domain/exportacao/parquet-groups.ts'

const encode = groupEncoding(workerData as ParquetTable)

parentPort?.on('message', (group: RowGroup | null) => {
  const bytes = encode(group)
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
