import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../src/', import.meta.url))
const files = new Map(
  globSync('**/*.ts', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

/** The parts of the service, from the outside in, and what each may know. Leaves know nothing. */
const MAY_IMPORT: Record<string, string[]> = {
  main: ['cli'],
  cli: ['commands', 'config', 'system'],
  commands: [
    'app',
    'contracts',
    'demo',
    'domain',
    'http',
    'db',
    'errors',
    'brasil',
    'caller',
    'filter',
    'config',
    'mail',
    'system',
  ],
  app: ['contracts', 'domain', 'http', 'db', 'errors', 'brasil', 'config', 'outbound', 'system', 'worker'],
  contracts: ['domain', 'http', 'errors', 'brasil', 'caller', 'filter'],
  domain: [
    'db',
    'errors',
    'brasil',
    'caller',
    'charts',
    'config',
    'filter',
    'outbound',
    'statistics',
    'system',
  ],
  demo: ['domain', 'brasil', 'caller'],
  worker: ['domain', 'db', 'errors', 'brasil'],
  mail: ['domain', 'system'],
  outbound: ['system'],
  http: ['errors', 'brasil', 'caller', 'filter', 'system'],
  db: ['errors', 'config', 'filter', 'system'],
  config: ['system'],
  caller: ['brasil'],
  system: ['errors'],
  brasil: [],
  charts: [],
  errors: [],
  filter: [],
  statistics: [],
}
/** Seeding takes one lock; a file for that statement alone would hide it. */
const SQL_ELSEWHERE = ['domain/seed.ts']

/** Names the types of what the features make, and is named by all of them: the one exception from layers. */
const NAMES_ALL_FEATURES = ['domain/app.ts']

/** The addresses of the console, which its screens and the server read alike: the one import from outside of src. */
const OUTSIDE = '../web/console/paths.ts'
const READS_OUTSIDE = 'http/console.ts'

const partOf = (file: string) => file.split('/')[0]?.replace(/\.ts$/, '') as string

/** The first folder inside a part: `domain/casos/bulk/bulk.ts` belongs to `domain/casos`. */
const featureOf = (file: string) => file.split('/').slice(0, 2).join('/')

/** Types too: what a file knows is what it depends on. */
function importsOf(file: string): string[] {
  const statements = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*'(\.[^']+)'|\bimport\s*\(?\s*'(\.[^']+)'/g
  const imports = [...(files.get(file) as string).matchAll(statements)].map(([, from, bare]) =>
    normalize(join(dirname(file), (from ?? bare) as string)),
  )
  return file === READS_OUTSIDE ? imports.filter((imported) => imported !== OUTSIDE) : imports
}

const filesWhere = (test: (file: string, text: string) => boolean) =>
  [...files].filter(([file, text]) => test(file, text)).map(([file]) => file)

describe('The source', () => {
  it('imports only from the outside in', () => {
    const wrong = [...files.keys()].flatMap((file) => {
      const part = partOf(file)
      assert.ok(MAY_IMPORT[part], `say what ${part} may import`)
      return importsOf(file)
        .filter((imported) => partOf(imported) !== part && !MAY_IMPORT[part]?.includes(partOf(imported)))
        .map((imported) => `${file} → ${imported}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('imports files that exist, inside src', () => {
    const missing = [...files.keys()].flatMap((file) =>
      importsOf(file).filter((imported) => !files.has(imported)),
    )
    assert.deepEqual(missing, [])
  })

  it('has no import cycles, those of types included', () => {
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file) || path.includes(file)) return
      for (const imported of importsOf(file)) visit(imported, [...path, file])
      done.add(file)
    }
    for (const file of files.keys()) visit(file, [])
    assert.deepEqual(cycles, [])
  })

  it('has no import cycles between the folders of the domain', () => {
    const folders = new Map<string, Set<string>>()
    for (const file of files.keys()) {
      if (!file.startsWith('domain/') || NAMES_ALL_FEATURES.includes(file)) continue
      const imported = importsOf(file).filter((one) => one.startsWith('domain/'))
      const others = imported.filter((one) => !NAMES_ALL_FEATURES.includes(one)).map(featureOf)
      const known = folders.get(featureOf(file)) ?? new Set()
      folders.set(featureOf(file), new Set([...known, ...others]))
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(folders.get(from) ?? [])].some((next) => {
        if (next === from || seen.has(next)) return false
        seen.add(next)
        return next === to || reaches(next, to, seen)
      })
    assert.deepEqual([...folders.keys()].filter((folder) => reaches(folder, folder)).toSorted(), [])
  })

  it('has no type name twice in the domain', () => {
    const declared = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm
    const names = [...files]
      .filter(([file]) => file.startsWith('domain/'))
      .flatMap(([, text]) => Array.from(text.matchAll(declared), ([, name]) => name as string))
    const doubled = new Set(names.filter((name, i) => names.indexOf(name) !== i))
    assert.deepEqual([...doubled].toSorted(), [])
  })

  it('keeps the two descriptions apart', () => {
    const wrong = ['a', 'b'].flatMap((name) =>
      filesWhere((file) => file.startsWith(`contracts/${name}/`)).flatMap((file) =>
        importsOf(file)
          .filter((imported) => imported.startsWith(`contracts/${name === 'a' ? 'b' : 'a'}/`))
          .map((imported) => `${file} → ${imported}`),
      ),
    )
    assert.deepEqual(wrong, [])
  })

  it('mounts the formal description in one place, so that retiring it is deleting its folder', () => {
    const importers = filesWhere(
      (file) =>
        !file.startsWith('contracts/a/') &&
        importsOf(file).some((imported) => imported.startsWith('contracts/a/')),
    )
    assert.deepEqual(importers, ['contracts/descriptions.ts'])
  })

  it('does not name the two descriptions below the contracts', () => {
    const below = /^(http|domain|db|errors)\//
    const named = /\b[a-z]\w*[a-z][AB]\b|\b[Dd]escriptions? [AB]\b|\b[AB]'s\b|\b[AB]-style\b/
    assert.deepEqual(
      filesWhere((file, text) => below.test(file) && named.test(text)),
      [],
    )
  })

  it('has its SQL in *.sql.ts and in db/', () => {
    const elsewhere = filesWhere(
      (file, text) => /\bsql`/.test(text) && !file.endsWith('.sql.ts') && !file.startsWith('db/'),
    )
    assert.deepEqual(elsewhere, SQL_ELSEWHERE)
    const seed = files.get('domain/seed.ts') as string
    assert.deepEqual(seed.match(/\bsql`[^`]*`/g), ['sql`select pg_advisory_xact_lock(8443003)`'])
  })

  it('calls the functions of another feature, never its SQL', () => {
    const values = /import (?!type\b)[^'"`;]*?from\s*'(\.[^']+\.sql\.ts)'/g
    const wrong = filesWhere((file) => /^(domain|contracts)\//.test(file)).flatMap((file) =>
      [...(files.get(file) as string).matchAll(values)]
        .map(([, from]) => normalize(join(dirname(file), from as string)))
        .filter((imported) => featureOf(imported) !== featureOf(file) && !SQL_ELSEWHERE.includes(file))
        .map((imported) => `${file} → ${imported}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('reads the environment in one place', () => {
    assert.deepEqual(
      filesWhere((_file, text) => /process\.env\b/.test(text)),
      ['cli.ts', 'main.ts'],
    )
  })

  it('has no file over 400 lines', () => {
    assert.deepEqual(
      filesWhere((_file, text) => text.split('\n').length > 401),
      [],
    )
  })
})

describe('The clients', () => {
  const folder = fileURLToPath(new URL('../clients/', import.meta.url))
  const sources = globSync('**/*.{ts,mjs}', { cwd: folder, exclude: ['ts/dist/**', '**/node_modules/**'] })
  const imported = (file: string) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:from|import\()\s*'([^']+)'/g)].map(
      ([, name]) => name as string,
    )

  it('know nothing of the service but its interface, and the typed one needs no package', () => {
    const allowed = (file: string, name: string) => {
      if (name.startsWith('.')) return !normalize(join(dirname(file), name)).startsWith('..')
      return name.startsWith('node:') || (file.startsWith('cli/') && name === '@stricli/core')
    }
    const wrong = sources.flatMap((file) =>
      imported(file)
        .filter((name) => !allowed(file, name))
        .map((name) => `${file} → ${name}`),
    )
    assert.ok(sources.length > 15)
    assert.deepEqual(wrong, [])
  })

  it('have no file over 400 lines but the generated one', () => {
    const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').length
    assert.deepEqual(
      sources.filter((file) => linesOf(file) > 401),
      ['ts/src/gerado.ts'],
    )
  })

  it('are written by hand in at most 520 lines for the typed one (D-797)', () => {
    const byHand = sources.filter((file) => file.startsWith('ts/src/') && !file.endsWith('/gerado.ts'))
    const lines = byHand.flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    assert.ok(byHand.length > 3)
    assert.ok(lines.length <= 520, `${lines.length} lines`)
  })
})

describe('The tests', () => {
  it('have no file over 500 lines', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url))
    const linesOf = (file: string) => readFileSync(join(tests, file), 'utf8').split('\n').length
    assert.deepEqual(
      globSync('**/*.ts', { cwd: tests }).filter((file) => linesOf(file) > 501),
      [],
    )
  })
})
