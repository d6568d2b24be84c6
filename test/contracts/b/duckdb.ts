// Parquet as another program reads it.
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Rows of one statement over an exported file. */
export async function askParquet(file: Buffer, statement: (file: string) => string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vigia-parquet-'))
  const path = join(folder.path, 'casos.parquet')
  await writeFile(path, file)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(statement(`'${path}'`))
    return reader.getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
