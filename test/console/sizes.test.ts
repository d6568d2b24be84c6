import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const ASSETS = join(DIST, 'assets')
/** Bar 1: script of any further screen, compressed. */
const MOST_KB = 20

/** Bar 1: script and style until the painel is usable. */
const PAGE_KB = { script: 78, style: 12 }
const SCREENS = [
  ...['casos', 'caso', 'excluidos', 'novo', 'editar', 'importacoes', 'nova'],
  ...['webhooks', 'webhook', 'conta', 'noticias', 'noticia', 'auditoria', 'sistema', 'ajuda'],
  ...['agravos', 'agravo'],
  ...['redefinir-senha', 'verificar-email', 'nao-fui-eu'],
]

const scripts = new Map(
  readdirSync(ASSETS)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(ASSETS, name), 'utf8')]),
)
const imported = (name: string, statement: RegExp) =>
  Array.from((scripts.get(name) as string).matchAll(statement), ([, file]) => file as string)

/** A script and all that it imports at once. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const one of imported(name, /(?:from|import)"\/assets\/([^"]+\.js)"/g)) withImports(one, found)
  return found
}

const kilobytes = (names: string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name)), { level: 9 }).length, 0) /
  1_024

describe('The scripts of the console', () => {
  it(`are at most ${PAGE_KB.script} KB with the page, its style at most ${PAGE_KB.style} KB`, () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const named = (extension: string) =>
      Array.from(
        page.matchAll(new RegExp(`/assets/([^"]+\\.${extension})"`, 'g')),
        ([, name]) => name as string,
      )
    assert.ok(kilobytes(named('js')) <= PAGE_KB.script, `${kilobytes(named('js'))} KB of script`)
    assert.ok(kilobytes(named('css')) <= PAGE_KB.style, `${kilobytes(named('css'))} KB of style`)
  })

  it(`are at most ${MOST_KB} KB for a screen beyond those that come with the page`, () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const preloaded = new Set(
      Array.from(page.matchAll(/\/assets\/([^"]+\.js)"/g), ([, name]) => name as string),
    )
    const screens = [...preloaded].flatMap((name) => imported(name, /import\("\/assets\/([^"]+\.js)"\)/g))
    const sizes = [...new Set(screens)]
      .filter((name) => !/^(?:en-US|es-ES)-/.test(name))
      .map((name) => [name, kilobytes([...withImports(name)].filter((one) => !preloaded.has(one)))] as const)
    for (const screen of SCREENS)
      assert.ok(
        sizes.some(([name]) => name.startsWith(`${screen}-`)),
        `${screen} is loaded by itself`,
      )
    assert.deepEqual(
      sizes.filter(([, size]) => size > MOST_KB),
      [],
    )
  })
})
