import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PASSWORD } from '../harness/app.ts'
import { commandLine } from '../harness/command-line.ts'
import { until } from '../harness/eventually.ts'
import { fromBase32, STEP, totp } from '../harness/totp.ts'

const { service, folder, caFile, vigia, done, json } = await commandLine()
const CREDENTIALS = join(folder, 'vigia', 'credenciais.json')
const { t } = service

/** To the middle of the next step: no code was used in it. */
function codeOf(secret: string): string {
  service.advance(STEP - (t.clock.now().getTime() % STEP) + STEP / 3)
  return totp(fromBase32(secret), t.clock.now().getTime())
}

describe('vigia login with a second factor', async () => {
  const person = await t.person()
  const { secret } = (await t.as(person).post('/auth/mfa/enable')).body
  const { status, text } = await t.as(person).post('/auth/mfa/verify', { code: codeOf(secret) })
  assert.equal(status, 200, text)
  const login = ['login', '--url', service.origin, '--ca', caFile, '--email', person.email]
  const input = `${PASSWORD}\n`

  it('is refused without it, or with a wrong one, and keeps nothing', async () => {
    for (const args of [[], ['--codigo', '000000']]) {
      const { code, stderr } = await vigia([...login, ...args], { input })
      assert.equal(code, 1)
      assert.doesNotMatch(stderr, /^ {4}at /m)
      assert.ok(!existsSync(CREDENTIALS))
    }
  })

  it('takes it from --codigo', async () => {
    await done([...login, '--codigo', codeOf(secret)], { input })
    assert.equal((await json(['quem-sou'])).email, person.email)
    await done(['logout'])
  })

  it('asks for it at a terminal, after the password', async () => {
    let told = ''
    const typed = (async function* () {
      yield input
      await until('the code is asked for', () => told.includes('Código do segundo fator: '))
      yield `${codeOf(secret)}\n`
    })()
    const { stderr } = await done(login, { input: typed, isTyped: true, onOutput: (text) => (told += text) })
    assert.doesNotMatch(stderr, new RegExp(PASSWORD))
    assert.equal((await json(['quem-sou'])).email, person.email)
  })
})
