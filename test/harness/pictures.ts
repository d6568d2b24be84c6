import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Stored pictures of the console, of one version of the browser: another draws letters and edges otherwise. */
const FOLDER = fileURLToPath(new URL('../console/pictures/', import.meta.url))
const VERSION = join(FOLDER, 'browser.txt')
/** `VIGIA_PICTURES=update npm test -- 'test/console/*.test.ts'` stores what is seen instead of comparing it. */
const IS_UPDATE = process.env.VIGIA_PICTURES === 'update'
const MOST_DIFFERENT = 0.001
const TRIES = 20
const PAUSE_MS = 500

const storedVersion = (): string => {
  try {
    return readFileSync(VERSION, 'utf8').trim()
  } catch {
    return ''
  }
}

/** A palette makes a file a third as large, and no pixel differ. */
const packed = (picture: Buffer) =>
  sharp(picture).png({ palette: true, colours: 256, dither: 0, compressionLevel: 9 }).toBuffer()

/** Compares what is seen with the stored picture; where the browser is another version, says so and compares nothing. */
export async function comparePicture(page: Page, name: string): Promise<void> {
  const version = page.context().browser()?.version() ?? ''
  if (!IS_UPDATE && version !== storedVersion()) {
    console.warn(`pictures are of browser ${storedVersion()}, not of ${version}: ${name} is not compared`)
    return
  }
  const file = join(FOLDER, `${name}.png`)
  const seen = () => page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
  if (IS_UPDATE) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, await packed(await settled(seen)))
    writeFileSync(VERSION, `${version}\n`)
    return
  }
  const stored = await pixelsOf(readFileSync(file))
  let share = 1
  // A page on a busy machine may still be settling.
  for (let left = TRIES; left > 0 && share > MOST_DIFFERENT; left--) {
    if (left < TRIES) await sleep(PAUSE_MS)
    share = differenceOf(stored, await pixelsOf(await seen()))
  }
  if (share <= MOST_DIFFERENT) return
  const folder = process.env.VIGIA_SCREENSHOTS
  if (folder !== undefined) writeFileSync(join(folder, `${name}.png`), await seen())
  assert.fail(`${name}: ${(100 * share).toFixed(2)} % of the pixels differ from the stored picture`)
}

/** The picture once it stays the same: one of a page that still moves would fail every later run. */
async function settled(seen: () => Promise<Buffer>): Promise<Buffer> {
  let last = await seen()
  for (let left = TRIES; left > 0; left--) {
    await sleep(PAUSE_MS)
    const next = await seen()
    if (next.equals(last)) break
    last = next
  }
  return last
}

interface Pixels {
  data: Buffer
  width: number
  height: number
}

/** Four bytes a pixel. Decoding in JavaScript would take three times the CPU. */
async function pixelsOf(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Share of the pixels that differ; all of them where the measures do. */
function differenceOf(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  const different = pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold: 0.1 })
  return different / (one.width * one.height)
}
