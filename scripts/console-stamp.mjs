// Tells whether `web/dist` was built from the present sources. Plain JavaScript for whatever Node the machine has: `install.mjs` asks
// before it starts a process that would find nothing to do.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const SOURCE = 'web/console'
const STAMP = new URL('web/dist/stamp.json', root)
/** Beside the sources of the console: packages, how it is built, and what its maps are made of (`MAP_INPUTS` of `console-map.ts`). */
const ALWAYS = [
  'package-lock.json',
  'scripts/build-console.ts',
  'scripts/console-join.ts',
  'scripts/console-map.ts',
  'scripts/console-stamp.mjs',
  'src/brasil/malha.ts',
  'src/brasil/tabelas/municipios.csv',
  'src/brasil/uf.ts',
  'src/charts/plane.ts',
]

const sources = () =>
  readdirSync(new URL(SOURCE, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|css|html|svg)$/.test(file))
    .map((file) => `${SOURCE}/${file.replaceAll('\\', '/')}`)

/**
 * The files that a build read, and the hash of their contents: a checkout changes every time of modification and no content.
 * @param {readonly string[]} imported
 * @returns {{ inputs: string[], hash: string }}
 */
export function stampOf(imported) {
  const inputs = [...new Set([...sources(), ...imported, ...ALWAYS])].sort()
  const hash = createHash('sha256')
  for (const file of inputs) {
    const path = fileURLToPath(new URL(file, root))
    hash.update(`${file}\0`).update(existsSync(path) ? readFileSync(path) : '\0')
  }
  return { inputs, hash: hash.digest('hex') }
}

/** @returns {boolean} */
export function isCurrent() {
  if (!existsSync(STAMP)) return false
  const { inputs, hash } = JSON.parse(readFileSync(STAMP, 'utf8'))
  const imported = inputs.filter((/** @type {string} */ file) => !file.startsWith(`${SOURCE}/`))
  return stampOf(imported).hash === hash
}
