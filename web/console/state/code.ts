import { offline } from './connection.ts'

/**
 * Code of a later part. After an upgrade it may be gone: the page is then loaded again, once, at the same address. The mark of that is in
 * the history entry, which the next step leaves behind. Without a connection nothing is gone, and a page that is loaded again is lost.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (failure) {
    if (history.state?.reloaded || offline.value !== null || !navigator.onLine) throw failure
    history.replaceState({ reloaded: true }, '')
    location.reload()
    return new Promise(() => undefined)
  }
}
