import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from '../src/commands/commands.ts'
import { readConfig } from '../src/config/config.ts'
import { describedContracts } from '../src/contracts/service.routes.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = globSync(['*.md', 'docs/*.md'], { cwd: root })
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Files and folders that a text names: anything that begins with a folder of ours, and files of the root in backquotes. */
function pathsIn(text: string): string[] {
  const folders =
    /(?<![\w./$-])(?:\.ci|bench|clients|deploy|docs|faults|fuzz|migrations|scripts|src|test|web)\/[\w./-]*/g
  const files = /`([\w-]+\.(?:json|md|mjs|sql|ts))`/g
  return [
    ...(text.match(folders) ?? []).map((path) => path.replace(/\.$/, '')),
    ...[...text.matchAll(files)].map(([, path]) => path as string),
  ]
}

describe('The documents', () => {
  it('are all there', () => {
    for (const file of [
      'README.md',
      'CONTRIBUTING.md',
      'docs/interface.md',
      'docs/tour.md',
      'docs/map.md',
      'docs/decisions.md',
    ])
      assert.ok(documents.includes(file), file)
  })

  for (const file of documents) {
    it(`${file} names only files that exist`, () => {
      const missing = pathsIn(read(file)).filter((path) => !existsSync(join(root, path)))
      assert.deepEqual(missing, [])
    })

    it(`${file} links only to what exists`, () => {
      const targets = [...read(file).matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => target as string)
      const missing = targets.filter(
        (target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(file), target)),
      )
      assert.deepEqual(missing, [])
    })

    it(`${file} names only commands that exist`, () => {
      const commands = [...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)]
      const unknown = commands
        .map(([, name, short]) => (name ?? short) as string)
        .filter((name) => !(name in scripts))
      assert.deepEqual(unknown, [])
      const operators = [...read(file).matchAll(/\bnpm run vigia -- ([\w:-]+)/g)].map(
        ([, name]) => name as string,
      )
      assert.deepEqual(
        operators.filter((name) => !(name in COMMANDS)),
        [],
      )
    })
  }

  it('show commands of the operator with arguments that they take', async () => {
    const examples = documents.flatMap((file) => [
      ...[...read(file).matchAll(/\bnpm run vigia -- ([\w:-]+ [^`\n]+)`/g)].map(([, line]) => line as string),
      ...[...read(file).matchAll(/^\| `([\w:-]+ [^`]+)` \|/gm)]
        .map(([, line]) => line as string)
        .filter((line) => (line.split(' ', 1)[0] as string) in COMMANDS),
    ])
    assert.ok(examples.length >= 4, String(examples))
    for (const example of examples) {
      const [name, ...args] = example.split(' ') as [string, ...string[]]
      const command = await COMMANDS[name]?.()
      assert.doesNotThrow(() => command?.prepare(args), example)
    }
  })

  it('README.md lists the environment variables that the service reads, and no other', () => {
    const variables = new Set<string>()
    readConfig(
      new Proxy({} as NodeJS.ProcessEnv, {
        get(_target, name) {
          variables.add(String(name))
          return undefined
        },
      }),
    )
    // The first cell of a row, with one name or several: | `HOST`, `PORT` | … |
    const rows = read('README.md').match(/^\| *`[A-Z][A-Z0-9_]*`(?:, *`[A-Z][A-Z0-9_]*`)* *\|/gm) ?? []
    const listed = rows.flatMap((row) => row.match(/[A-Z][A-Z0-9_]*/g) ?? [])
    assert.deepEqual(listed.toSorted(), [...variables].sort())
  })
})

describe('What code cites', () => {
  const sources = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root })
  const headings = new Set(
    [...read('docs/interface.md').matchAll(/^#+ (\d+(?:\.\d+)?) /gm)].map(([, n]) => n),
  )

  /** `spec: '4.1, 4.4'` of a route; "spec 7.3 and 7.2", "spec (4.1 to 4.7, 5)", "spec part 8" of a comment. */
  function sectionsIn(text: string): string[] {
    const rows = [...text.matchAll(/\bspec: '([^']+)'/g)]
    const comments = [...text.matchAll(/\bspec (?:part )?\(?((?:\d+(?:\.\d+)?(?:, | and | to )?)+)/gi)]
    return [...rows, ...comments].flatMap(([, list]) => (list as string).match(/\d+(?:\.\d+)?/g) ?? [])
  }

  it('of the interface is a section of docs/interface.md', () => {
    const cited = sources.flatMap((file) => sectionsIn(read(file)).map((section) => `${file}: ${section}`))
    assert.ok(cited.length > 120)
    // Routes that tests make up have the section 0.
    const missing = cited.filter((one) => !headings.has(one.split(': ')[1]) && !/^test\/.*: 0$/.test(one))
    assert.deepEqual(missing, [])
  })

  it('of the decisions is a number of docs/decisions.md', () => {
    const numbers = [...read('docs/decisions.md').matchAll(/^- \*\*(D-\d+)\*\*/gm)].map(
      ([, number]) => number as string,
    )
    assert.ok(numbers.length > 100)
    assert.equal(new Set(numbers).size, numbers.length, 'a number stands for one decision')
    const missing = [...sources, ...documents].flatMap((file) =>
      [...new Set(read(file).match(/\bD-\d+\b/g))]
        .filter((number) => !numbers.includes(number))
        .map((number) => `${file}: ${number}`),
    )
    assert.deepEqual(missing, [])
  })

  it('docs/interface.md names every route', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    const text = read('docs/interface.md')
    const missing = rows
      .filter(({ method }) => method !== 'PATCH')
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
      .filter((route) => !['`', '?', ' '].some((end) => text.includes(`\`${route}${end}`)))
    assert.deepEqual([...new Set(missing)], [])
  })
})

/** True for a range that holds the newest version of Node 20; knows as much of that language as our packages use. */
function acceptsNode20(range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .replaceAll(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((comparator) => {
        const [, sign, major] = /^([<>=^~]*)v?(\d+|\*|$)/.exec(comparator) ?? []
        if (major === undefined) throw new Error(`no range of versions: ${range}`)
        if (major === '*' || major === '') return true
        if (sign === '>=') return Number(major) <= 20
        if (sign === '<') return Number(major) > 20
        return Number(major) === 20
      }),
  )
}

describe('The repository', () => {
  const files = globSync('**/*', {
    cwd: root,
    exclude: ['node_modules', '.git', 'data', 'coverage'],
    withFileTypes: true,
  })
    .concat(globSync(['.npmrc', '.gitignore', '.ci/*'], { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

  /** What only one machine knows. Put together here, so that this file does not hold them itself. */
  const FOREIGN: Record<string, RegExp> = {
    'the host of a package registry': new RegExp(
      [
        ['registry', 'npmjs'],
        ['registry', 'yarnpkg'],
        ['npm', 'pkg'],
        ['npm', 'jsr'],
      ]
        .map((name) => name.join('\\.'))
        .join('|'),
      'i',
    ),
    'an address of a registry or of a proxy for one': /https?:\/\/[^/\s"']*(?:registry|artifactory|nexus)/i,
    'a home folder': new RegExp(`(?<![\\w.])/(?:${['home', 'Users'].join('|')})/[a-z]`),
    'a working folder': new RegExp(`(?<![\\w.])${['', 'work', ''].join('/')}[a-z]`),
  }

  it('is found', () => {
    assert.ok(files.length > 50)
    assert.ok(files.includes(join(root, 'package-lock.json')))
  })

  it('installs on Node 20 without a warning about the version', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string } }>
    }
    const refusing = Object.entries(packages)
      .map(([name, { engines }]) => `${name || 'vigia'}: ${engines?.node ?? '*'}`)
      .filter((line) => !acceptsNode20(line.slice(line.indexOf(': ') + 2)))
    assert.deepEqual(refusing, [])
  })

  for (const [what, pattern] of Object.entries(FOREIGN))
    it(`does not name ${what}`, () => {
      assert.deepEqual(
        files.filter((file) => pattern.test(readFileSync(file, 'utf8'))),
        [],
      )
    })
})
