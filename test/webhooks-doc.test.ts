import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { TIPOS_DE_EVENTO } from '../src/domain/eventos/catalogue.ts'
import { EXAMPLES } from '../web/console/screens/webhooks/example-code.ts'
import { type Delivery, receiver, webhooksApp } from './contracts/b/webhooks-app.ts'

/** The examples of docs/webhooks.md and of the console do what they say, on deliveries as they are made. */

const { t, newCaso, newWebhook, deliver } = await webhooksApp()
const dir = await mkdtemp(join(tmpdir(), 'vigia-doc-'))
after(async () => {
  await rm(dir, { recursive: true })
  await t.close()
})

const text = await readFile(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
function block(language: string): string {
  const found = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language)
  assert.equal(found.length, 1, language)
  return found[0]?.[2] as string
}

const them = await receiver()
const { id, secret } = await newWebhook({ url: them.url })
await newCaso()
await deliver()
const { body: changed } = await t.as(await t.administrador()).post(`/webhooks/${id}/segredo`)
await newCaso()
await deliver()
const [plain, during] = them.deliveries as [Delivery, Delivery]

interface Attempt {
  secret: string
  body: string
  headers: Record<string, string>
  now: number
}
const attempt = ({ text: body, headers }: Delivery, key: string): Attempt => ({
  secret: key,
  body,
  headers: headers as Record<string, string>,
  now: Date.now(),
})
const good = attempt(plain, secret)
const without = (name: string) => ({
  ...good,
  headers: Object.fromEntries(Object.entries(good.headers).filter(([one]) => one !== name)),
})
const changedHeader = (name: string, value: string) => ({
  ...good,
  headers: { ...good.headers, [name]: value },
})

const CASES: [what: string, attempt: Attempt, hex: boolean, standard: boolean][] = [
  ['a delivery', good, true, true],
  ['a delivery after the secret was changed, under the new one', attempt(during, changed.secret), true, true],
  ['a delivery after the secret was changed, under the old one', attempt(during, secret), true, true],
  ['another secret', attempt(plain, changed.secret), false, false],
  ['another body', { ...good, body: good.body.replace('dengue', 'zika') }, false, false],
  ['an old copy', { ...good, now: good.now + 301_000 }, true, false],
  ['another id', changedHeader('webhook-id', 'evt_x'), true, false],
  ['no time', without('webhook-timestamp'), true, false],
  ['a time that is none', changedHeader('webhook-timestamp', 'x'), true, false],
  ['no standard signature', without('webhook-signature'), true, false],
  ['no hex signature', without('x-webhook-signature'), false, true],
  ['a signature beyond ASCII', changedHeader('x-webhook-signature', 'é'.repeat(64)), false, true],
]

describe('The TypeScript of docs/webhooks.md', async () => {
  const file = join(dir, 'verify.ts')
  await writeFile(file, block('ts'))
  const { verifyHex, verifyStandard } = await import(pathToFileURL(file).href)
  for (const [what, { secret: key, body, headers, now }, hex, standard] of CASES)
    it(`judges ${what}`, () => {
      assert.equal(verifyHex(key, Buffer.from(body), headers), hex)
      assert.equal(verifyStandard(key, Buffer.from(body), headers, now), standard)
    })
})

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

describe('The Python of docs/webhooks.md', { skip: !hasPython && 'needs python3, 3.9 or later' }, () => {
  it('judges them in the same way', () => {
    const driver = `
import json, sys
for one in json.load(sys.stdin):
    body = one["body"].encode()
    print(verify_hex(one["secret"], body, one["headers"]),
          verify_standard(one["secret"], body, one["headers"], one["now"] / 1000))`
    const { stdout, stderr } = spawnSync('python3', ['-c', block('python') + driver], {
      input: JSON.stringify(CASES.map(([, one]) => one)),
      encoding: 'utf8',
    })
    const judged = stdout.trim().split('\n')
    assert.equal(judged.length, CASES.length, stderr)
    for (const [i, [what, , hex, standard]] of CASES.entries())
      assert.equal(judged[i]?.toLowerCase(), `${hex} ${standard}`, what)
  })
})

/** Judges all cases by a program that reads them as JSON and prints true or false for each. */
function judgedBy(program: string, args: string[]): string[] {
  const input = JSON.stringify(CASES.map(([, one]) => one))
  const { stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  const judged = stdout.trim().toLowerCase().split('\n')
  assert.equal(judged.length, CASES.length, stderr)
  return judged
}
const STANDARD = CASES.map(([, , , standard]) => String(standard))

describe('The examples of the console', () => {
  it('judge them in Node', async () => {
    const file = join(dir, 'verify.mjs')
    await writeFile(file, EXAMPLES.Node)
    const { verify } = await import(pathToFileURL(file).href)
    for (const [what, { secret: key, body, headers, now }, , standard] of CASES)
      assert.equal(verify(key, Buffer.from(body), headers, now), standard, what)
  })

  it('judge them in Python', { skip: !hasPython && 'needs python3, 3.9 or later' }, () => {
    const driver = `
import json, sys
for one in json.load(sys.stdin):
    print(verify(one["secret"], one["body"].encode(), one["headers"], one["now"] / 1000))`
    assert.deepEqual(judgedBy('python3', ['-c', EXAMPLES.Python + driver]), STANDARD)
  })

  const hasPhp = spawnSync('php', ['--version']).status === 0
  it('judge them in PHP', { skip: !hasPhp && 'needs php' }, () => {
    const driver = `
foreach (json_decode(stream_get_contents(STDIN), true) as $one) {
    $judged = verify($one['secret'], $one['body'], $one['headers'], intdiv($one['now'], 1000));
    echo $judged ? 'true' : 'false', "\\n";
}`
    assert.deepEqual(judgedBy('php', ['-r', EXAMPLES.PHP.replace('<?php', '') + driver]), STANDARD)
  })
})

describe('The rest of docs/webhooks.md', () => {
  it('names every event there is, and no other', () => {
    const named = text.matchAll(
      /`((?:agravo|tipo_agravo|alerta|importacao|serie|epizootia|usuario)\.[a-z_]+)`/g,
    )
    assert.deepEqual([...new Set([...named].map(([, nome]) => nome))].toSorted(), TIPOS_DE_EVENTO.toSorted())
  })
})
