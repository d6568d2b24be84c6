// Joins the scripts that a page load needs together. The bundler makes a file for each set of screens that share code, twenty of them for
// the first screen; a browser has six connections, so that with 150 ms a request they take four rounds instead of one.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { build, Metafile, Plugin } from 'esbuild'

/** Where a file of the bundler is now: in its entry, whose exports it is found under by this prefix. */
interface Part {
  entry: string
  prefix: string
}

/** Namespaces of files that are in memory only: what an entry holds, its parts, and where the parts of others are. */
const [ENTRY, PART, ELSEWHERE] = ['entry', 'part', 'elsewhere']
const ADDRESS = '/assets/'

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

/** Scripts by their names. */
export type Scripts = ReadonlyMap<string, string>

/** Static imports as the bundler writes them: `import{a as b}from"/assets/x.js";`, or without names for their effects alone. */
const IMPORTS = /import(?:\{([^}]*)\}from)?"\/assets\/([\w-]+\.js)";/g

/** Names of a statement: as they are exported, and as they are called where they are imported. */
const namesIn = (names = '') =>
  names.split(',').flatMap((one): [string, string][] => {
    const [name = '', local = name] = one.split(' as ')
    return name === '' ? [] : [[name, local]]
  })

/**
 * Each of these entries with all that it imports in one file; a part that two of them need is in the first. Other files import from these.
 * Answers all scripts, and how each is named now: with the hash of all of them, since a part that moves changes what others import, under the
 * names that the bundler gave them. The bundler joins the entries; in the others, some 250 files, nothing but the imports is another.
 */
export async function joinScripts(
  bundle: typeof build,
  metafile: Metafile,
  scripts: Scripts,
  entryPoints: readonly string[],
): Promise<{ joined: Scripts; named: (name: string) => string }> {
  const parts = new Map<string, Part>()
  for (const entryPoint of entryPoints) {
    const names = scriptsOf(metafile, entryPoint)
    const [entry] = names as [string]
    // Screens are asked for by the names that they have themselves.
    for (const name of names)
      if (!parts.has(name)) parts.set(name, { entry, prefix: name === entry ? '' : `p${parts.size}_` })
  }
  const entries = new Set([...parts.values()].map(({ entry }) => entry))
  const entryOf = (name: string) => parts.get(name)?.entry
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([file, { exports }]) => [basename(file), exports]),
  )
  /** Names of a part that files beyond its entry import. */
  const wantedOf = new Map([...parts.keys()].map((name) => [name, new Set<string>()]))
  for (const [name, text] of scripts)
    for (const [, names = '', from = ''] of text.matchAll(IMPORTS))
      if (entryOf(from) !== entryOf(name)) for (const [one] of namesIn(names)) wantedOf.get(from)?.add(one)
  const { outputFiles } = await bundle({
    entryPoints: Object.fromEntries([...entries].map((name) => [name.replace(/\.js$/, ''), name])),
    plugins: [joining()],
    outdir: '/',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  })
  const made = new Map(
    [
      ...[...scripts]
        .filter(([name]) => !parts.has(name))
        .map(([name, text]) => [name, redirected(text)] as const),
      ...outputFiles.map(({ path, text }) => [basename(path), text] as const),
    ].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  const version = createHash('sha256')
    .update(JSON.stringify([...made]))
    .digest('hex')
    .slice(0, 8)
  const named = (name: string) => name.replace(/\.js$/, `-${version}.js`)
  const joined = new Map(
    Array.from(made, ([name, text]) => [
      named(name),
      text.replace(/\/assets\/([\w-]+\.js)(?=["'`])/g, (address, wanted: string) => {
        if (!made.has(wanted)) throw new Error(`${name} asks for ${wanted}, which is in another file`)
        return named(address)
      }),
    ]),
  )
  return { joined, named }

  /** Imports of parts from where they are now, one statement for each entry. Their effects are there with the page. */
  function redirected(text: string): string {
    const wanted = new Map<string, string[]>()
    const rest = text.replace(IMPORTS, (statement, names: string | undefined, from: string) => {
      const part = parts.get(from)
      if (part === undefined) return statement
      for (const [name, local] of namesIn(names))
        wanted.set(part.entry, [...(wanted.get(part.entry) ?? []), `${part.prefix}${name} as ${local}`])
      return ''
    })
    const statements = Array.from(
      wanted,
      ([entry, names]) => `import{${names.join(',')}}from"${ADDRESS}${entry}";`,
    )
    return statements.join('') + rest
  }

  /** A part of an entry: itself with all that it exports, the others with what is wanted elsewhere. */
  function exporting(name: string, prefix: string): string {
    const exported = prefix === '' ? exportsOf.get(name) : wantedOf.get(name)
    const names = Array.from(exported ?? [], (one) => `${one} as ${prefix}${one}`)
    return names.length === 0 ? `import './${name}'` : `export { ${names.join(', ')} } from './${name}'`
  }

  /** Resolves what the entries import: parts of the same entry are read, those of others come from where they are now. */
  function joining(): Plugin {
    return {
      name: 'join',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /./ }, ({ path, kind, namespace, importer }) => {
          const name = basename(path)
          if (kind === 'entry-point') return { path: name, namespace: ENTRY }
          const isOwn = entryOf(name) === entryOf(basename(importer))
          if (kind === 'dynamic-import' || namespace === ELSEWHERE || !parts.has(name))
            return { path, external: true }
          return isOwn
            ? { path: name, namespace: PART }
            : { path: name, namespace: ELSEWHERE, sideEffects: false }
        })
        onLoad({ filter: /./, namespace: ENTRY }, ({ path: entry }) => ({
          contents: Array.from(parts)
            .filter(([, part]) => part.entry === entry)
            .map(([name, { prefix }]) => exporting(name, prefix))
            .join('\n'),
        }))
        onLoad({ filter: /./, namespace: PART }, ({ path: name }) => ({ contents: scripts.get(name) ?? '' }))
        onLoad({ filter: /./, namespace: ELSEWHERE }, ({ path: name }) => {
          const { entry, prefix } = parts.get(name) as Part
          const names = Array.from(wantedOf.get(name) ?? [], (one) => `${prefix}${one} as ${one}`)
          return { contents: `export { ${names.join(', ')} } from '${ADDRESS}${entry}'` }
        })
      },
    }
  }
}
