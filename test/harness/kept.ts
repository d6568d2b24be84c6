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
