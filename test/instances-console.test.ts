import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PASSWORD, type Person, type TestApp, testApp } from './harness/app.ts'
import { browserOf, type Console, cookieHeader, cookieIn, OWN_PAGE, openConsole } from './harness/console.ts'
import { eventually } from './harness/eventually.ts'

/** The console on two instances of one database, which share nothing else. */
const here = await testApp()
after(() => here.close())
const there = await testApp({ database: here.database, dataKey: here.dataKey })
after(() => there.close())

const admin = await here.administrador()
const NEW_PASSWORD = 'Outra#Senha9'
const DAY = 86_400_000

const ask = (app: TestApp, value: string) =>
  app.anonymous.get('/usuarios/me', { headers: { ...OWN_PAGE, cookie: cookieHeader(value) } })
const currentOf = (browser: Console) => browser.value() as string

const ENDS: [what: string, act: (ana: Person, browser: Console) => Promise<{ status: number }>][] = [
  ['the way out', (_ana, browser) => browser.send('DELETE', '/auth/sessao')],
  ['a logout everywhere', (ana) => here.as(ana).post('/auth/logout', { everywhere: true })],
  ['deactivation', ({ id }) => here.as(admin).post(`/usuarios/${id}/desativar`)],
  ['a removed account', ({ id }) => here.as(admin).delete(`/usuarios/${id}`)],
  [
    'a password set by an administrator',
    ({ id }) => here.as(admin).post(`/usuarios/${id}/alterar-senha`, { nova_senha: NEW_PASSWORD }),
  ],
  [
    'a password changed in the console, for the old value',
    (_ana, browser) =>
      browser.send('POST', '/auth/change-password', {
        senha_atual: PASSWORD,
        senha_nova: NEW_PASSWORD,
        confirmar_senha: NEW_PASSWORD,
      }),
  ],
]

describe('a session of the console', () => {
  it('that was opened here is known there', async () => {
    const ana = await here.person()
    const value = currentOf(await openConsole(here, ana.email))
    assert.equal((await ask(there, value)).body.id, ana.id)
  })

  for (const [what, act] of ENDS)
    it(`ends here at once and there soon after ${what}`, async () => {
      const ana = await here.person()
      const browser = await openConsole(here, ana.email)
      const value = currentOf(browser)
      for (const app of [here, there]) assert.equal((await ask(app, value)).status, 200)
      const { status } = await act(ana, browser)
      assert.ok(status < 300, String(status))
      assert.equal((await ask(here, value)).status, 401, 'at once where it was done')
      await eventually(async () => assert.equal((await ask(there, value)).status, 401))
    })

  it('is renewed by whichever is asked first; the other one knows both values', async () => {
    const ana = await here.person()
    const old = currentOf(await openConsole(here, ana.email, { remember_me: true }))
    for (const app of [here, there]) {
      app.clock.advance(DAY + 1_000)
    }
    const renewed = cookieIn(await ask(here, old)) as string
    assert.ok(renewed)
    await eventually(async () => assert.equal(cookieIn(await ask(there, old)), renewed))
    assert.equal((await ask(there, renewed)).status, 200)
    for (const app of [here, there]) app.clock.advance(61_000)
    assert.deepEqual([(await ask(here, old)).status, (await ask(there, old)).status], [401, 401])
    assert.equal((await ask(there, renewed)).status, 200)
  })

  it('is renewed once when both are asked at the same time', async () => {
    const ana = await here.person()
    const old = currentOf(await openConsole(here, ana.email, { remember_me: true }))
    for (const app of [here, there]) app.clock.advance(DAY + 1_000)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ask(i % 2 === 0 ? here : there, old)),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    const told = new Set(answers.map(cookieIn).filter((value) => value !== undefined))
    assert.equal(told.size, 1)
    assert.equal((await browserOf(there, [...told][0] as string).send('GET', '/usuarios/me')).status, 200)
  })
})
