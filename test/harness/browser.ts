import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { HANG_MS } from './eventually.ts'
import { closeWithWorker } from './kept.ts'

/** The shell without a desktop takes half the CPU of the whole browser. */
const PACKAGE = 'chromium-headless-shell'
const CHROMIUM = [`/usr/bin/${PACKAGE}`, '/usr/bin/chromium'].find((path) => existsSync(path))

/** For `describe(…, { skip: noBrowser })`: false where there is a browser, else why the tests are left out. */
export const noBrowser = CHROMIUM ? false : `no browser for the page tests (apt-get install ${PACKAGE})`

/** Installs the browser on a CI machine, which is new for each run and where leaving tests out would go unseen. */
export function ensureBrowser(): void {
  if (noBrowser === false || process.env.CI !== 'true') return
  console.log(`installing ${PACKAGE}`)
  for (const args of [['update'], ['install', '--yes', PACKAGE]]) {
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed`)
  }
}

/** The browser of this worker while it runs. A crashed one is replaced. */
let running: Promise<Browser> | undefined

/** The one browser of this worker: to start one and draw its first page takes as much CPU as a dozen visits. */
export async function workerBrowser(): Promise<Browser> {
  if (running === undefined) closeWithWorker(closeBrowser)
  running ??= launchBrowser()
  const present = await running
  if (present.isConnected()) return present
  running = launchBrowser()
  return running
}

async function closeBrowser(): Promise<void> {
  const browser = await running
  running = undefined
  await browser?.close()
}

/** Part of a browser that a test file needs. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

/** The browser of this worker as if it were the caller's own: `close` ends what was opened by it, and nothing else. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await workerBrowser()
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async (settings) => {
    const context = await browser.newContext(settings)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (settings) => (await newContext(settings)).newPage(),
    close: async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
  }
}

/** Headless and quiet: it asks nothing of the network by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM as string,
    timeout: HANG_MS,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      // Letters as on a desktop: pictures of either browser are the same.
      '--font-render-hinting=slight',
      // Nothing is drawn for anybody: a process fewer.
      '--in-process-gpu',
      // One process for all pages: without these every visit starts several.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
      '--disable-quic',
      // Each visit compiles the scripts and axe-core anew, and none lives as long as better code takes to be made.
      '--js-flags=--no-turbofan,--no-maglev',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface Tab {
  page: Page
  /** Ends the visit. */
  leave(): Promise<void>
}

const NOTED = ['request', 'pageerror', 'console'] as const

/**
 * Reuses tabs by the settings of their visitor: a new context takes over a second of CPU, a known one a third of that. A tab is
 * given back blank and alone, without cookies, storage, routes and listeners of its last visit.
 */
export function createTabs(
  browser: Pick<Browser, 'newContext'>,
): (settings: BrowserContextOptions) => Promise<Tab> {
  const free = new Map<string, Page[]>()
  return async (settings) => {
    const key = JSON.stringify(settings)
    const page = free.get(key)?.pop() ?? (await (await browser.newContext(settings)).newPage())
    page.setDefaultTimeout(HANG_MS)
    if (settings.viewport) await page.setViewportSize(settings.viewport)
    return {
      page,
      async leave() {
        for (const event of NOTED) page.removeAllListeners(event)
        for (const other of page.context().pages()) if (other !== page) await other.close()
        await page.unrouteAll()
        await page.evaluate('localStorage.clear(); sessionStorage.clear()')
        await page.context().clearCookies()
        await page.goto('about:blank')
        free.set(key, [...(free.get(key) ?? []), page])
      },
    }
  }
}
