import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, StartupError } from './config.ts'

const KEY_BYTES = 32

/** DATA_KEY as given, else the one kept in the data folder, made at the first start. */
export async function loadDataKey({
  dataKey,
  dataDir,
}: Pick<Config, 'dataKey' | 'dataDir'>): Promise<Buffer> {
  if (dataKey !== null) return dataKey
  const file = join(dataDir, 'keys', 'data.key')
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
  // Exclusive: of two instances that start at the same moment, one writes and both read the same key.
  await writeFile(file, randomBytes(KEY_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 }).catch(
    (error) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== KEY_BYTES) throw new StartupError(`${file} does not hold a key of ${KEY_BYTES} bytes`)
  return key
}
