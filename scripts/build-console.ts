// Builds `web/console` to `web/dist`, only when a source, the lockfile or this script changed. `npm start`, `npm run dev` and `npm test`
// run it first; an image that is to be read-only runs `npm run build` once, after which a start writes nothing.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { isCurrent, stampOf } from './console-stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = 'web/console'
const DIST = join(root, 'web/dist')
const STAMP = 'stamp.json'
const EARLY = `${SOURCE}/early.ts`
const MAIN = `${SOURCE}/main.tsx`
/** Screen that most people start with: loaded together with the page. */
const START = `${SOURCE}/screens/painel/painel.tsx`
/** Formats that are compressed already. */
const PACKED = /\.(?:woff2|br|gz)$/
/** Better ones would take two seconds more and save a fifteenth. */
const BROTLI_QUALITY = 6

/** Into a folder of its own, which then takes the place of the old one: nobody sees half a build. */
async function build(): Promise<void> {
  const folder = `${DIST}-${process.pid}`
  await rm(folder, { recursive: true, force: true })
  const assets = join(folder, 'assets')
  await mkdir(assets, { recursive: true })
  const [{ build: bundle }, maps, { joinScripts }] = await Promise.all([
    import('esbuild'),
    import('./console-map.ts'),
    import('./console-join.ts'),
  ])
  const version = maps.mapVersion()
  const bundling = bundle({
    absWorkingDir: root,
    entryPoints: {
      console: MAIN,
      early: EARLY,
      styles: `${SOURCE}/styles/index.css`,
    },
    outdir: assets,
    define: { MAP_VERSION: JSON.stringify(version) },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    // Style sheets of single screens are text in their scripts (`ui/adopt.ts`).
    loader: { '.woff2': 'file', '.svg': 'file', '.screen.css': 'text' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    logLevel: 'error',
  })
  const [{ metafile }] = await Promise.all([bundling, provideMaps(assets, maps, version)])
  const outputs = Object.entries(metafile.outputs)
  const nameOf = (entryPoint: string, extension: string) =>
    basename(
      outputs.find(([file, { entryPoint: of }]) => of === entryPoint && file.endsWith(extension))?.[0] ?? '',
    )
  const named = await joinScripts(bundle, metafile, assets, [EARLY, MAIN, START])
  const preload = `    <link rel="modulepreload" href="/assets/${named(nameOf(START, '.js'))}">\n`
  const page = (await readFile(join(root, SOURCE, 'index.html'), 'utf8'))
    .replace(/^ *<script type="module" src/m, (script) => `${preload}${script}`)
    .replace('/early.ts', `/assets/${named(nameOf(EARLY, '.js'))}`)
    .replace('/main.tsx', `/assets/${named(nameOf(MAIN, '.js'))}`)
    .replace('/styles/index.css', `/assets/${nameOf(`${SOURCE}/styles/index.css`, '.css')}`)
  await writeFile(join(folder, 'index.html'), page)
  await compressAll(assets)
  const imported = Object.keys(metafile.inputs).filter((file) => !/(^|\/)node_modules\//.test(file))
  await writeFile(join(folder, STAMP), JSON.stringify(stampOf(imported.map(fromRoot))))
  await replaceDist(folder)
}

const fromRoot = (file: string) => relative(root, join(root, file))

/** Takes the maps of the last build over where they would be the same, compressed as they are. */
async function provideMaps(
  folder: string,
  { mapNames, writeMaps }: typeof import('./console-map.ts'),
  version: string,
): Promise<void> {
  const last = join(DIST, 'assets')
  const files = mapNames(version).flatMap((name) => [name, `${name}.br`, `${name}.gz`])
  if (!files.every((name) => existsSync(join(last, name)))) return writeMaps(folder, version)
  await Promise.all(files.map((name) => copyFile(join(last, name), join(folder, name))))
}

async function compressAll(folder: string): Promise<void> {
  const all = await readdir(folder)
  const names = all.filter((name) => !PACKED.test(name) && !all.includes(`${name}.br`))
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name))
      const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, { params }))
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

/** Where another build was faster, its result stays: both have the same content. */
async function replaceDist(folder: string): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  try {
    await rename(folder, DIST)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!isCurrent()) throw error
  }
}

try {
  if (!isCurrent()) {
    await mkdir(join(root, 'web'), { recursive: true })
    await build()
  }
} catch (error) {
  console.error(
    `The console could not be built from ${SOURCE}: ${error instanceof Error ? error.message : error}`,
  )
  console.error('Nothing was changed in web/dist. `npm run build` tries again.')
  process.exit(1)
}
