// Parquet as another program reads it.
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const READER = fileURLToPath(new URL('duckdb-reader.ts', import.meta.url))
const MOST_BYTES = 64 * 1024 * 1024

type Row = Record<string, unknown>

/** Rows of one statement over an exported file. DuckDB has threads of its own: in a process of its own it keeps no worker alive. */
export async function askParquet(file: Buffer, statement: (file: string) => string): Promise<Row[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vigia-parquet-'))
  const path = join(folder.path, 'casos.parquet')
  await writeFile(path, file)
  const { stdout } = await promisify(execFile)(process.execPath, [READER, statement(`'${path}'`)], {
    maxBuffer: MOST_BYTES,
  })
  return JSON.parse(stdout)
}
