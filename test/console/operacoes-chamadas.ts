import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

/** Operations of the API as the source of the console calls them, found by the functions that send. */

const root = fileURLToPath(new URL('../../web/console/', import.meta.url))

/** What sends, with its method; the address is the first argument, that of `api.send` the second. */
const SENDERS: [RegExp, string][] = [
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method): [RegExp, string][] => [
    [new RegExp(String.raw`\bapi\.${method.toLowerCase()}\(\s*`, 'g'), method],
    [new RegExp(String.raw`\bapi\.send\(\s*"${method}",\s*`, 'g'), method],
  ]),
  [/(?<!\.)\b(?:tagged|follow|fetch|askEarly\(urlOf|askEarly|new EventSource)\(\s*/g, 'GET'],
  [/(?<!\.)\b(?:createUpload|sendAgain|sendForm)\(\s*/g, 'POST'],
]
/** These send to the address that they are given. */
const GIVEN = [
  ...['api/client.ts', 'api/early.ts', 'api/feed.ts', 'api/live.ts', 'api/upload.ts'],
  ...['state/blob.ts', 'state/file-upload.ts', 'state/send-form.ts', 'state/tagged.ts'],
]
/** Members of answers that are addresses of the service, with what they lead to. */
const LED_TO: [RegExp, string][] = [
  [/\bnew URL\((?:job\.)?arquivo_url\)/, '/api/v1/jobs/{job_id}/arquivo'],
  [/\bownAddress\(usuario\.avatar_url\)/, '/api/v1/usuarios/{id}/foto'],
]
const ADDRESS = String.raw`(?:"[^"\n]*"|\x60[^\x60]*\x60)`

interface Constant {
  at: number
  literal: string
}

interface Source {
  file: string
  code: string
  constants: Map<string, Constant[]>
}

function sourceOf(file: string): Source {
  const { code } = transformSync(readFileSync(join(root, file), 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
  })
  const declared = new RegExp(String.raw`\bconst (\w+) = (\{\s*path: )?(${ADDRESS})`, 'g')
  const found = Array.from(code.matchAll(declared), ({ 1: name, 2: member, 3: literal, index: at }) => ({
    name: member === undefined ? (name as string) : `${name}.path`,
    at,
    literal: literal as string,
  }))
  return { file, code, constants: Map.groupBy(found, ({ name }) => name) }
}

type LiteralOf = (name: string, at: number) => string | undefined

/** The literal that a name stands for at a place in a file: the last one of that name before it, else that of another file. */
function literalsIn({ constants }: Source, shared: Source['constants']): LiteralOf {
  return (name, at) => {
    const own = constants.get(name)?.findLast((one) => one.at < at)
    return (own ?? shared.get(name)?.[0])?.literal
  }
}

/** Addresses that a literal may be: `{}` for what is filled in, one for each side of a choice. */
function addressesOf(literal: string, literalOf: (name: string) => string | undefined): string[] {
  const [all, before, inner = ''] = /^(.*?)\$\{(.*?)\}(?!\})/s.exec(literal) ?? []
  if (all === undefined)
    return [
      literal
        .slice(1, -1)
        .replace(/\?.*$/s, '')
        .replace(/\{\w*\}/g, '{}'),
    ]
  const [, one, other] = /\? "([^"]*)" : "([^"]*)"$/.exec(inner) ?? []
  const values = one === undefined ? [literalOf(inner)?.slice(1, -1) ?? '{}'] : [one, other as string]
  return values.flatMap((value) => addressesOf(`${before}${value}${literal.slice(all.length)}`, literalOf))
}

/** An operation without the names of its parameters. */
export const operationOf = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

interface Found {
  /** Files by the operation that they call. */
  calls: Map<string, Set<string>>
  /** Calls whose address stands nowhere in the source. */
  unknown: string[]
}

export function callsOfConsole(): Found {
  const sources = globSync('**/*.{ts,tsx}', { cwd: root }).map(sourceOf)
  const shared = new Map(sources.flatMap(({ constants }) => [...constants]))
  const found: Found = { calls: new Map(), unknown: [] }
  const sent = new Set<string>()
  for (const source of sources) addSent(found, source, literalsIn(source, shared), sent)
  for (const source of sources) addOpened(found, source, literalsIn(source, shared), sent)
  return found
}

function add({ calls }: Found, file: string, method: string, addresses: readonly string[]): void {
  for (const address of addresses) {
    const operation = operationOf(method, address)
    calls.set(operation, (calls.get(operation) ?? new Set()).add(file))
  }
}

function addSent(found: Found, { file, code }: Source, literalOf: LiteralOf, sent: Set<string>): void {
  for (const [sender, method] of SENDERS)
    for (const { 0: call, index } of code.matchAll(sender)) {
      const rest = code.slice(index + call.length)
      const [name = ''] = /^[\w.]+/.exec(rest) ?? []
      const literal = new RegExp(`^${ADDRESS}`).exec(rest)?.[0] ?? literalOf(name, index)
      if (literal === undefined) {
        if (!GIVEN.includes(file)) found.unknown.push(`${file}: ${call}${rest.slice(0, 30)}`)
        continue
      }
      sent.add(literal)
      const addresses = addressesOf(literal, (inner) => literalOf(inner, index))
      add(
        found,
        file,
        method,
        addresses.filter((address) => address.startsWith('/api/')),
      )
    }
}

/** What nothing sends to is opened by the browser: a link, a picture, a stream. */
function addOpened(found: Found, { file, code }: Source, literalOf: LiteralOf, sent: Set<string>): void {
  for (const { 0: literal, index } of code.matchAll(new RegExp(ADDRESS, 'g')))
    if (/^.\/api\//.test(literal) && !sent.has(literal))
      add(
        found,
        file,
        'GET',
        addressesOf(literal, (inner) => literalOf(inner, index)),
      )
  for (const [read, path] of LED_TO) if (read.test(code)) add(found, file, 'GET', [path])
}
