import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, StartupError } from './config.ts'

const DATA_KEY_BYTES = 32

/** DATA_KEY as given, else the one kept in the data folder, made at the first start. */
export async function loadDataKey({
  dataKey,
  dataDir,
}: Pick<Config, 'dataKey' | 'dataDir'>): Promise<Buffer> {
  if (dataKey !== null) return dataKey
  const { value } = await keep(dataDir, 'data.key', () => randomBytes(DATA_KEY_BYTES).toString('base64'))
  const key = Buffer.from(value, 'base64')
  if (key.length !== DATA_KEY_BYTES)
    throw new StartupError(`data.key does not hold a key of ${DATA_KEY_BYTES} bytes`)
  return key
}

/** MASTER_KEY as given, else one kept in the data folder; `generated` when it was made just now, to be shown once. */
export async function loadMasterKey({
  masterKey,
  dataDir,
}: Pick<Config, 'masterKey' | 'dataDir'>): Promise<{ value: string; generated: boolean }> {
  if (masterKey !== null) return { value: masterKey, generated: false }
  return keep(dataDir, 'master.key', () => randomBytes(32).toString('base64url'))
}

async function keep(dataDir: string, name: string, make: () => string) {
  const dir = join(dataDir, 'keys')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // Exclusive: of two instances that start at the same moment, one writes and both read the same secret.
  const generated = await writeFile(join(dir, name), make(), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  return { value: await readFile(join(dir, name), 'utf8'), generated }
}
