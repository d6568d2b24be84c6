/** Closers of what the files of a worker share. */
const closers: (() => Promise<unknown>)[] = []

/** For what is opened once in a worker and used by all of its files: closed when it has no further file. */
export function closeWithWorker(close: () => Promise<unknown>): void {
  closers.push(close)
}

/** By the worker, behind its last file. The last that was opened is closed first. */
export async function closeKept(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
}

/** Releases of what a file holds although it is over: its module is never unloaded. */
const releases: (() => void)[] = []

/** For what only the present file uses. */
export function releaseAfterFile(release: () => void): void {
  releases.push(release)
}

/** By the worker, between two files. */
export function releaseFile(): void {
  for (const release of releases.splice(0)) release()
}
