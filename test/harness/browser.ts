import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { HANG_MS } from './eventually.ts'

const CHROMIUM = '/usr/bin/chromium'

/** For `describe(…, { skip: noBrowser })`: false where there is a browser, else why the tests are left out. */
export const noBrowser = existsSync(CHROMIUM)
  ? false
  : `needs a browser at ${CHROMIUM} (apt-get install chromium)`

/** Headless and quiet: it asks nothing of the network by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    timeout: HANG_MS,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      // Nothing is drawn for anybody: a process fewer.
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
