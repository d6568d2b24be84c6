import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canReach, findHome, type OsUser } from './owner.ts'
import { errorCode } from './process.ts'

// The folder of the cluster, `<dataDir>/postgres`, or what this name links to. It appears whole or not at all:
// `postgres.new-…` is the same thing, folder or link, while it is being made.

const run = promisify(execFile)
const UNFINISHED = 'postgres.new-'

/** Not the service's own environment, which holds secrets and may hold settings of another PostgreSQL. */
export const serverEnvironment = { LC_ALL: 'C' }
export const SUPERUSER = 'vigia'
export const PORT = 5432

export async function findCluster(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'postgres')
  if (!(await unlessMissing(lstat(path)))) return null
  const cluster = await unlessMissing(realpath(path))
  if (cluster && (await unlessMissing(stat(join(cluster, 'PG_VERSION'))))) return cluster
  // Beginning again with an empty database could pass for the loss of all data, or hide it.
  throw new Error(`${path} exists and holds no database: restore it, or remove it to begin with an empty one`)
}

export interface NewCluster {
  dataDir: string
  programs: string
  user: OsUser | null
  durable: boolean
  report: (message: string) => void
}

export async function createCluster(options: NewCluster): Promise<string> {
  const { dataDir, user } = options
  await removeUnfinished(dataDir)
  const id = randomBytes(6).toString('hex')
  const unfinished = join(dataDir, `${UNFINISHED}${id}`)
  const isReachable = await canReach(user, unfinished)
  const folder = user && !isReachable ? join(await findHome(user), id) : unfinished
  if (folder !== unfinished) {
    options.report(`PostgreSQL's user cannot reach ${dataDir}: the database is kept in ${folder}`)
    await symlink(folder, unfinished)
  }
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  await initialise(folder, options)
  await rename(unfinished, join(dataDir, 'postgres'))
  return realpath(join(dataDir, 'postgres'))
}

async function initialise(folder: string, { programs, user, durable }: NewCluster): Promise<void> {
  const options = [
    ['--pgdata', folder],
    ['--username', SUPERUSER],
    // Only the folder of the socket protects it: whoever can open the socket is trusted.
    ['--auth-local', 'trust', '--auth-host', 'reject'],
    // PostgreSQL's own locale: the same order and the same upper case on every machine, whatever it has installed.
    ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ['--data-checksums', '--no-instructions'],
    durable ? [] : ['--no-sync'],
  ]
  const where = { ...user, cwd: programs, env: serverEnvironment }
  await run(join(programs, 'initdb'), options.flat(), where).catch(({ message, stderr }) => {
    throw new Error(`The database cannot be made: ${initdbReason(stderr ?? '') ?? message}`)
  })
}

/** The line of its complaints that says why. */
export function initdbReason(stderr: string): string | null {
  return /^.*\b(?:FATAL|PANIC|error): +(.+)$/m.exec(stderr)?.[1] ?? null
}

async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const path of names.filter((name) => name.startsWith(UNFINISHED)).map((name) => join(dataDir, name))) {
    const target = await unlessMissing(realpath(path))
    if (target) await rm(target, { recursive: true, force: true, maxRetries: 10 })
    await rm(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

export interface SocketDir {
  path: string
  /** Made for this run, to be removed after it. */
  temporary: boolean
}

/** The cluster's own folder is private to its owner. The path of a socket has a limit that a data folder may exceed. */
export async function findSocketDir(cluster: string, user: OsUser | null): Promise<SocketDir> {
  if (fitsSocket(cluster)) return { path: cluster, temporary: false }
  for (const parent of [await realpath(tmpdir()), '/tmp']) {
    const path = join(parent, 'vigia-XXXXXX')
    if (!fitsSocket(path) || !(await canReach(user, path))) continue
    const folder = await mkdtemp(join(parent, 'vigia-'))
    if (user) await chown(folder, user.uid, user.gid)
    return { path: folder, temporary: true }
  }
  throw new Error(`The path ${cluster} is too long for a socket, and so is the one of the temporary folder`)
}

function fitsSocket(folder: string): boolean {
  const limit = process.platform === 'darwin' ? 103 : 107
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= limit
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
