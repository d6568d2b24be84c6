import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, startOf } from './process.ts'

// One service for one data folder: the file `vigia.pid` holds the pid of the owner and when that process began.
// A holder that is dead, or whose pid is another process by now, does not count.

export class DataDirInUse extends Error {
  constructor(dataDir: string, pid: number) {
    super(`The data folder ${dataDir} is in use by another running instance (process ${pid}). Stop it first.`)
    this.name = 'DataDirInUse'
  }
}

export interface Lock {
  release(): void
}

export function lockDataDir(dataDir: string): Lock {
  const path = lockFile(dataDir)
  const claim = `${path}.${randomUUID()}`
  const text = `${process.pid}\n${startOf(process.pid) ?? ''}\n`
  writeFileSync(claim, text, { flag: 'wx' })
  try {
    claimFile(path, claim)
  } finally {
    rmSync(claim, { force: true })
  }
  return {
    release() {
      if (read(path) === text) rmSync(path, { force: true })
    },
  }
}

export function isLocked(dataDir: string): boolean {
  const text = read(lockFile(dataDir))
  return text !== null && livingHolder(text) !== null
}

/** A hard link appears whole or not at all, and only where there is no file yet. */
function claimFile(path: string, claim: string): void {
  try {
    linkSync(claim, path)
    return
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  const found = read(path)
  if (found !== null) {
    const holder = livingHolder(found)
    if (holder !== null) throw new DataDirInUse(dirname(path), holder)
    removeDeadFile(path, claim, found)
  }
  claimFile(path, claim)
}

/** Two processes may find the same dead file; the slower one must not remove what the faster one put in its place. */
function removeDeadFile(path: string, claim: string, dead: string): void {
  const turn = `${path}.takeover`
  claimFile(turn, claim)
  if (read(path) === dead) rmSync(path, { force: true })
  rmSync(turn, { force: true })
}

function livingHolder(text: string): number | null {
  const [pid, start] = text.split('\n')
  return Number(pid) > 0 && startOf(Number(pid)) === start ? Number(pid) : null
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'vigia.pid')
}
