import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../system/folder.ts'
import { type Config, StartupError } from './config.ts'

const DATA_KEY_BYTES = 32

/** In the data folder. */
export const DATA_KEY_FILE = join('keys', 'data.key')
const MASTER_KEY_FILE = join('keys', 'master.key')

export interface MasterKeySource {
  value: string
  /** In the data folder, not given by MASTER_KEY. */
  kept: boolean
  /** Made just now. */
  generated: boolean
}

/** DATA_KEY as given, else the one kept in the data folder; null when there is none. */
export async function findDataKey({
  dataKey,
  dataDir,
}: Pick<Config, 'dataKey' | 'dataDir'>): Promise<Buffer | null> {
  if (dataKey !== null) return dataKey
  const text = await readSecret(join(dataDir, DATA_KEY_FILE))
  return text === null ? null : toDataKey(text)
}

export async function makeDataKey({ dataDir }: Pick<Config, 'dataDir'>): Promise<Buffer> {
  const make = () => randomBytes(DATA_KEY_BYTES).toString('base64')
  return toDataKey((await keep(dataDir, DATA_KEY_FILE, make)).value)
}

function toDataKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== DATA_KEY_BYTES)
    throw new StartupError(`${DATA_KEY_FILE} does not hold a key of ${DATA_KEY_BYTES} bytes`)
  return key
}

/** MASTER_KEY as given, else one kept in the data folder. */
export async function loadMasterKey({
  masterKey,
  dataDir,
}: Pick<Config, 'masterKey' | 'dataDir'>): Promise<MasterKeySource> {
  if (masterKey !== null) return { value: masterKey, kept: false, generated: false }
  const key = await keep(dataDir, MASTER_KEY_FILE, () => randomBytes(32).toString('base64url'))
  return { ...key, kept: true }
}

/** Null where there is none. */
async function readSecret(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

async function keep(dataDir: string, name: string, make: () => string) {
  const file = join(dataDir, name)
  const kept = await readSecret(file)
  if (kept !== null) return { value: kept, generated: false }
  await makeFolder(dirname(file), 0o700)
  const generated = await nameSecret(file, make())
  return { value: await readFile(file, 'utf8'), generated }
}

/** Written whole, then named: nobody reads half a secret. Of two instances that start at the same moment one names its own (true). */
async function nameSecret(file: string, secret: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, secret, { flag: 'wx', mode: 0o600, flush: true })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft)
  }
}
