import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { PATHS } from '../../web/console/paths.ts'
import { enUS } from '../../web/console/texts/en-US.ts'
import { esES } from '../../web/console/texts/es-ES.ts'
import { ptBR } from '../../web/console/texts/pt-BR.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = new Map(
  globSync('web/console/**/*.{ts,tsx}', { cwd: root }).map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
)

interface Import {
  from: string
  isType: boolean
}

function importsOf(file: string): Import[] {
  const statements =
    /(?:^|\n)(?:import|export)\s+(type\s)?[^'"`;]*?from\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/g
  return [...(files.get(file) as string).matchAll(statements)].map(([, type, from, lazy]) => ({
    from: normalize(join(dirname(file), (from ?? lazy) as string)),
    isType: type !== undefined,
  }))
}

/** From the outside in. What is not in a folder (entry, rows, addresses) stands above all of them. */
const MAY_IMPORT: Record<string, string[]> = {
  screens: ['ui', 'charts', 'map', 'state', 'api', 'styles'],
  ui: ['state', 'api', 'styles'],
  charts: ['ui', 'state'],
  map: ['ui', 'state'],
  state: ['api', 'texts'],
  api: [],
  texts: [],
}
const partOf = (file: string) => /^web\/console\/(\w+)\//.exec(file)?.[1]
/** Modules of the server that hold values and import nothing but each other: no module of Node, no package but that of ticks. */
const LEAVES = [
  'src/brasil/calendar.ts',
  'src/brasil/epi-week.ts',
  'src/brasil/uf.ts',
  'src/caller/permissions.ts',
  'src/caller/planos.ts',
  'src/charts/outlines.ts',
  'src/charts/paths.ts',
  'src/charts/plane.ts',
  'src/charts/scales.ts',
  'src/domain/casos/campos.ts',
  'src/domain/casos/duplicidades/situacao.ts',
  'src/domain/casos/enumeracoes.ts',
  'src/domain/casos/input.ts',
  'src/domain/casos/qualidade/regras.ts',
  'src/domain/casos/regras-conhecidas.ts',
  'src/domain/casos/regras.ts',
  'src/domain/casos/rotulos/en-US.ts',
  'src/domain/casos/rotulos/es-ES.ts',
  'src/domain/casos/rotulos/pt-BR.ts',
  'src/domain/casos/rotulos/valores-en-US.ts',
  'src/domain/casos/rotulos/valores-es-ES.ts',
  'src/domain/casos/rotulos/valores-pt-BR.ts',
  'src/domain/epizootias/campos.ts',
  'src/domain/series/periodos.ts',
  'src/domain/series/serie.ts',
  'src/errors/catalogue.ts',
  'src/statistics/summary.ts',
]
/** Imported by leaves alone. */
const BEHIND = ['src/domain/casos/municipio.ts', 'src/domain/casos/proprios.ts', 'src/system/live-list.ts']

describe('The source of the console', () => {
  it('imports from the outside in, and no screen another', () => {
    const wrong = [...files.keys()].flatMap((file) => {
      const part = partOf(file)
      if (part === undefined) return []
      return importsOf(file)
        .filter(({ from }) => from.startsWith('web/console/'))
        .filter(({ from }) => {
          const target = partOf(from)
          if (target === undefined) return from !== 'web/console/paths.ts'
          if (target === part) return part === 'screens' && dirname(from) !== dirname(file)
          return !MAY_IMPORT[part]?.includes(target)
        })
        .map(({ from }) => `${file} → ${from}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('takes types from the server, and values of pure leaves only', () => {
    const values = [...files.keys()].flatMap((file) =>
      importsOf(file).filter(({ from, isType }) => !from.startsWith('web/console/') && !isType),
    )
    assert.deepEqual([...new Set(values.map(({ from }) => from))].toSorted(), LEAVES)
    for (const leaf of LEAVES) {
      const imported = readFileSync(join(root, leaf), 'utf8').matchAll(/^import (?!type)[^']*'([^']+)'/gm)
      const others = Array.from(imported, ([, from]) => normalize(join(dirname(leaf), from as string)))
      assert.deepEqual(
        others.filter(
          (from) => !LEAVES.includes(from) && !BEHIND.includes(from) && !from.endsWith('/d3-array'),
        ),
        [],
        `${leaf} is a leaf`,
      )
    }
  })

  it('has its addresses in one place', () => {
    const paths = new RegExp(`'(?:${Object.values(PATHS).join('|')})['/?]`)
    const elsewhere = [...files].filter(([file, text]) => file !== 'web/console/paths.ts' && paths.test(text))
    assert.deepEqual(
      elsewhere.map(([file]) => file),
      [],
    )
  })

  it('has the keys of rows in every list with pages', () => {
    const lists = [...files].filter(([, text]) => /<Table\s/.test(text) && text.includes('<Pager'))
    assert.ok(lists.length > 15, 'lists are found')
    assert.deepEqual(
      lists.filter(([, text]) => !/\b(?:keys|current)=\{/.test(text)).map(([file]) => file),
      // Inside of a screen that is no list.
      ['web/console/screens/series/revisions-card.tsx'],
    )
  })

  it('leads back from a page that is none in every list with pages', () => {
    const lists = [...files].filter(([, text]) => text.includes('<Pager'))
    assert.ok(lists.length > 15, 'lists are found')
    assert.deepEqual(
      lists
        .filter(([, text]) => !text.includes('<NoSuchPage'))
        .map(([file]) => file)
        .toSorted(),
      // Its page is in no address.
      ['web/console/screens/series/revisions-card.tsx'],
    )
  })

  it('makes formatters of numbers and dates in one place, where they are kept', () => {
    const makers = [...files].filter(([, text]) =>
      /toLocale\w*String\(|new Intl\.(?:Number|DateTime)/.test(text),
    )
    assert.deepEqual(
      makers.map(([file]) => file),
      ['web/console/texts/formats.ts'],
    )
  })

  it('has no file over 400 lines', () => {
    assert.deepEqual(
      [...files].filter(([, text]) => text.split('\n').length > 401).map(([file]) => file),
      [],
    )
  })

  it('writes no HTML from script, and stores nothing but preferences', () => {
    const unsafe = /innerHTML|outerHTML|dangerouslySetInnerHTML|document\.write|\beval\(/
    const storage = /localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\./
    const where = (pattern: RegExp) =>
      [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file)
    assert.deepEqual(where(unsafe), [])
    // The first requests are sent in the language that is kept there.
    assert.deepEqual(where(storage), ['web/console/state/preferences.ts', 'web/console/api/early.ts'])
  })
})

/** Keys with a signature: the parts that a text takes. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (typeof value === 'function') return [`${prefix}(${value.length})`]
  if (typeof value !== 'object' || value === null) return [prefix]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${prefix}/${key}`))
}

/** Literals among the children and spoken attributes of elements; names of keys and symbols are no texts. */
function literalsOf(file: string): string[] {
  const { code } = transformSync(files.get(file) as string, {
    loader: 'tsx',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
  })
  const spoken = /(?:children|"aria-label"|title|placeholder|alt|label|lead|text|note): "((?:[^"\\]|\\.)*)"/g
  const lists = /children: \[([\s\S]*?)\]/g
  const single = Array.from(code.matchAll(spoken), ([, text]) => text as string)
  const listed = Array.from(code.matchAll(lists), ([, items]) =>
    Array.from(
      (items as string).matchAll(/^\s*"((?:[^"\\]|\\.)*)",?$(?!\n\s*\{)/gm),
      ([, text]) => text as string,
    ),
  ).flat()
  return [...single, ...listed].filter((text) => /\p{L}{2}/u.test(text))
}

describe('The texts of the console', () => {
  it('have the same keys in three languages', () => {
    const keys = keysOf(ptBR).toSorted()
    assert.ok(keys.length > 100)
    for (const texts of [enUS, esES]) assert.deepEqual(keysOf(texts).toSorted(), keys)
  })

  it('have the same keys where they come with a screen', async () => {
    const screens = globSync('*.ts', { cwd: join(root, 'web/console/texts/pt-BR') })
    assert.ok(screens.length > 5)
    const textsOf = (language: string, file: string) => import(`../../web/console/texts/${language}/${file}`)
    for (const file of screens) {
      const keys = keysOf(await textsOf('pt-BR', file)).toSorted()
      for (const language of ['en-US', 'es-ES'])
        assert.deepEqual(keysOf(await textsOf(language, file)).toSorted(), keys, `${language}/${file}`)
    }
  })

  it('are the only texts that are seen', () => {
    const screens = [...files.keys()].filter((file) => file.endsWith('.tsx'))
    const found = screens.flatMap((file) => literalsOf(file).map((text) => `${file}: ${text}`))
    assert.deepEqual(found, ['web/console/ui/shell.tsx: Ctrl K'])
  })
})
