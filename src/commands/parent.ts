const LOOK_MS = 1_000

/**
 * Sends this process a SIGTERM when the one that began it is gone. npm killed outright passes no signal on, and a
 * service left behind would keep the data folder from the next start.
 */
export function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS).unref()
}
