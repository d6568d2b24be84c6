// Joins the scripts that a page load needs together. The bundler makes a file for each set of screens that share code, twenty of them for
// the first screen; a browser has six connections, so that with 150 ms a request they take four rounds instead of one.
import { createHash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { build, Metafile, Plugin } from 'esbuild'

/** Where a file of the bundler is now: in its entry, whose exports it is found under by this prefix. */
interface Part {
  entry: string
  prefix: string
}

/** Namespaces of the files that are made up: what an entry holds, and where the parts of others are. */
const [ENTRY, ELSEWHERE] = ['entry', 'elsewhere']

/** A file and all that it imports at once, by name. */
export function scriptsOf({ outputs }: Metafile, entryPoint: string): string[] {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') add(path)
  }
  for (const [file, { entryPoint: of }] of Object.entries(outputs))
    if (of === entryPoint && file.endsWith('.js')) add(file)
  return [...found].map((file) => basename(file))
}

/**
 * Each of these entries with all that it imports in one file; a part that two of them need is in the first. Other files import from these.
 * Answers how every script is named now: with the hash of all of them, since a part that moves changes what others import, under the names
 * that the bundler gave them.
 */
export async function joinScripts(
  bundle: typeof build,
  metafile: Metafile,
  folder: string,
  entryPoints: readonly string[],
): Promise<(name: string) => string> {
  const parts = new Map<string, Part>()
  for (const entryPoint of entryPoints) {
    const names = scriptsOf(metafile, entryPoint)
    const [entry] = names as [string]
    // Screens are asked for by the names that they have themselves.
    for (const name of names)
      if (!parts.has(name)) parts.set(name, { entry, prefix: name === entry ? '' : `p${parts.size}_` })
  }
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([file, { exports }]) => [basename(file), exports]),
  )
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const kept = scripts.filter((name) => (parts.get(name)?.entry ?? name) === name)
  const { outputFiles } = await bundle({
    entryPoints: Object.fromEntries(kept.map((name) => [name.replace(/\.js$/, ''), `${ENTRY}:${name}`])),
    plugins: [joining()],
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  })
  const made = outputFiles
    .map(({ path, text }) => [basename(path), text] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const version = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 8)
  const named = (name: string) => name.replace(/\.js$/, `-${version}.js`)
  await Promise.all(scripts.map((name) => rm(join(folder, name))))
  for (const [name, text] of made)
    await writeFile(join(folder, named(name)), text.replace(/\/assets\/[\w-]+\.js(?=["'`])/g, named))
  return named

  function exporting(name: string, prefix = parts.get(name)?.prefix ?? ''): string {
    const names = (exportsOf.get(name) ?? []).map((one) => `${one} as ${prefix}${one}`)
    return names.length === 0 ? `import './${name}'` : `export { ${names.join(', ')} } from './${name}'`
  }

  function contentsOf(name: string): string {
    const own = scripts.filter((one) => parts.get(one)?.entry === name)
    return own.length === 0 ? exporting(name, '') : own.map((one) => exporting(one)).join('\n')
  }

  /** Resolves what files import: those of the same entry are read, parts of others come from where they are now. */
  function joining(): Plugin {
    const address = '/assets/'
    const entryOf = (name: string) => parts.get(name)?.entry ?? name
    return {
      name: 'join',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path }) => ({
          path: path.slice(ENTRY.length + 1),
          namespace: ENTRY,
        }))
        onResolve({ filter: /^(?:\.|\/assets)\// }, ({ path, kind, namespace, importer }) => {
          const name = basename(path)
          const isOwn = entryOf(name) === entryOf(basename(importer))
          if (kind === 'dynamic-import' || namespace === ELSEWHERE || (!isOwn && !parts.has(name)))
            return { path, external: true }
          return isOwn
            ? { path: join(folder, name) }
            : { path: name, namespace: ELSEWHERE, sideEffects: false }
        })
        onLoad({ filter: /./, namespace: ENTRY }, ({ path: name }) => ({
          contents: contentsOf(name),
          resolveDir: folder,
        }))
        onLoad({ filter: /./, namespace: ELSEWHERE }, ({ path: name }) => {
          const { entry, prefix } = parts.get(name) as Part
          const names = (exportsOf.get(name) ?? []).map((one) => `${prefix}${one} as ${one}`)
          return { contents: `export { ${names.join(', ')} } from '${address}${entry}'`, resolveDir: folder }
        })
      },
    }
  }
}
