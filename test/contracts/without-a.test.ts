import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/**
 * Retires description A in a copy of the tree: its folder, and in `contracts/descriptions.ts` its import and its entry. What is
 * left compiles and answers the tests of B, on the same test server.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const DESCRIPTIONS = 'src/contracts/descriptions.ts'
const TESTS_OF_B = ['grupos', 'me', 'security-metrics', 'usuarios-alterar', 'usuarios-criar'].map(
  (name) => `test/contracts/b/${name}.test.ts`,
)

const DETAIL_TEST = `
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { testApp } from '../harness/app.ts'
const t = await testApp()
after(() => t.close())
const admin = await t.administrador()
it('answers the shared detail in the words of B', async () => {
  const { status, body } = await t.as(admin).get('/usuarios/1')
  assert.deepEqual([status, body.id], [200, 1])
  assert.equal((await t.as(admin).get('/usuarios/x')).body.error.code, 'VALIDATION_ERROR')
})
it('serves nothing of A', async () => {
  assert.equal((await t.as(admin).get('/usuarios/logado')).status, 422)
  assert.equal((await t.as(admin).get('/usuarios/')).body.page, 1)
})
it('describes no password grant, which is of A', () => {
  assert.deepEqual(Object.keys(t.document.components.securitySchemes), ['bearer'])
  assert.deepEqual(t.document.security, [{ bearer: [] }])
})
`

let copy: string

before(async () => {
  copy = await mkdtemp(join(tmpdir(), 'vigia-without-a-'))
  for (const part of ['src', 'test', 'web', 'migrations', 'package.json'])
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (source) => source !== join(root, 'src/contracts/a'),
    })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await writeFile(join(copy, 'test/contracts/detail.test.ts'), DETAIL_TEST)
  const tsconfig = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ ...tsconfig, include: ['src'] }))
})
after(() => rm(copy, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  // Without them it is a run of its own, that neither reports to this one nor notes what it saw.
  const { NODE_TEST_CONTEXT: _context, VIGIA_TEST_LEDGER: _ledger, ...inherited } = process.env
  // The copy is at another path in every run: what is compiled of it is no use to the next.
  const env = { ...inherited, NODE_DISABLE_COMPILE_CACHE: '1' }
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, output }
}

describe('without description A', () => {
  it('nothing is left to delete but one import and one entry', async () => {
    const file = join(copy, DESCRIPTIONS)
    const before = await readFile(file, 'utf8')
    const without = before.replace(/^import .* from '\.\/a\/.*\n/m, '').replace('contractA, ', '')
    assert.doesNotMatch(without, /contractA|\/a\//)
    await writeFile(file, without)
    const { code, output } = await run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded')
    assert.equal(code, 0, output)
  })

  it('B answers its tests', async () => {
    const { code, output } = await run(
      '--test',
      // One process, which loads the modules once.
      '--test-isolation=none',
      'test/contracts/detail.test.ts',
      ...TESTS_OF_B,
    )
    assert.equal(code, 0, output)
  })
})
