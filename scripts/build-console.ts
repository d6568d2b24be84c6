// Builds `web/console` to `web/dist`, only when a source, the lockfile or this script changed. `npm start`, `npm run dev` and `npm test`
// run it first; an image that is to be read-only runs `npm run build` once, after which a start writes nothing.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCurrent, stampOf } from './console-stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = 'web/console'
const DIST = join(root, 'web/dist')
const STAMP = 'stamp.json'
const EARLY = `${SOURCE}/early.ts`
const MAIN = `${SOURCE}/main.tsx`
/** Screen that most people start with: loaded together with the page. */
const START = `${SOURCE}/screens/painel/painel.tsx`

/** Into a folder of its own, which then takes the place of the old one: nobody sees half a build. */
async function build(): Promise<void> {
  const folder = `${DIST}-${process.pid}`
  rmSync(folder, { recursive: true, force: true })
  const assets = join(folder, 'assets')
  mkdirSync(assets, { recursive: true })
  const [{ build: bundle }, maps, { joinScripts }] = await Promise.all([
    import('esbuild'),
    import('./console-map.ts'),
    import('./console-join.ts'),
  ])
  const version = maps.mapVersion()
  const { GOGC = '' } = process.env
  // For the bundler, which starts here and lives for a second: collecting its garbage takes a third of its time and saves 20 MB.
  process.env.GOGC = 'off'
  const bundling = bundle({
    absWorkingDir: root,
    entryPoints: {
      console: MAIN,
      early: EARLY,
      styles: `${SOURCE}/styles/index.css`,
    },
    outdir: assets,
    write: false,
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
  process.env.GOGC = GOGC
  const [{ metafile, outputFiles }, mapFiles] = await Promise.all([
    bundling,
    provideMaps(assets, maps, version),
  ])
  const isScript = ({ path }: { path: string }) => path.endsWith('.js')
  const scripts = new Map(outputFiles.filter(isScript).map(({ path, text }) => [basename(path), text]))
  const { joined, named } = await joinScripts(bundle, metafile, scripts, [EARLY, MAIN, START])
  const others = outputFiles.filter((file) => !isScript(file))
  for (const [name, content] of [...joined, ...mapFiles]) writeFileSync(join(assets, name), content)
  for (const { path, contents } of others) writeFileSync(join(assets, basename(path)), contents)
  const outputs = Object.entries(metafile.outputs)
  const nameOf = (entryPoint: string, extension: string) =>
    basename(
      outputs.find(([file, { entryPoint: of }]) => of === entryPoint && file.endsWith(extension))?.[0] ?? '',
    )
  const preload = `    <link rel="modulepreload" href="/assets/${named(nameOf(START, '.js'))}">\n`
  const page = readFileSync(join(root, SOURCE, 'index.html'), 'utf8')
    .replace(/^ *<script type="module" src/m, (script) => `${preload}${script}`)
    .replace('/early.ts', `/assets/${named(nameOf(EARLY, '.js'))}`)
    .replace('/main.tsx', `/assets/${named(nameOf(MAIN, '.js'))}`)
    .replace('/styles/index.css', `/assets/${nameOf(`${SOURCE}/styles/index.css`, '.css')}`)
  writeFileSync(join(folder, 'index.html'), page)
  const imported = Object.keys(metafile.inputs).filter((file) => !/(^|\/)node_modules\//.test(file))
  writeFileSync(join(folder, STAMP), JSON.stringify(stampOf(imported.map(fromRoot))))
  replaceDist(folder)
}

const fromRoot = (file: string) => relative(root, join(root, file))

/** Takes the maps of the last build over where they would be the same; else answers them. */
async function provideMaps(
  folder: string,
  { mapNames, mapFiles }: typeof import('./console-map.ts'),
  version: string,
): Promise<[string, string][]> {
  const last = join(DIST, 'assets')
  const files = mapNames(version)
  if (!files.every((name) => existsSync(join(last, name)))) return mapFiles(version)
  for (const name of files) copyFileSync(join(last, name), join(folder, name))
  return []
}

/** Replacement of the last build; where another build was faster, its result stays: both have the same content. */
function replaceDist(folder: string): void {
  rmSync(DIST, { recursive: true, force: true })
  try {
    renameSync(folder, DIST)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (!isCurrent()) throw error
  }
}

try {
  if (!isCurrent()) {
    await build()
  }
} catch (error) {
  console.error(
    `The console could not be built from ${SOURCE}: ${error instanceof Error ? error.message : error}`,
  )
  console.error('Nothing was changed in web/dist. `npm run build` tries again.')
  process.exit(1)
}
