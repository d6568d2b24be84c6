import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPasswords } from '../../../src/domain/sessoes/passwords.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import { cpuMs } from '../../harness/cpu.ts'

const passwords = createPasswords()
const verify = (senha: string, hash: string | null) => passwords.turn(null, (check) => check(senha, hash))

describe('passwords', () => {
  it('are kept as argon2id with at least 19 MiB and two passes, never twice the same', async () => {
    const [one, two] = await Promise.all([
      passwords.hash('Senha#Boa1', null),
      passwords.hash('Senha#Boa1', null),
    ])
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.notEqual(one, two)
  })

  it('match only themselves, to the last of 128 characters', async () => {
    const long = `${'ã'.repeat(127)}1`
    const hash = await passwords.hash(long, null)
    assert.equal(await verify(long, hash), true)
    assert.equal(await verify(`${'ã'.repeat(127)}2`, hash), false)
    assert.equal(await verify(long.slice(0, -1), hash), false)
  })

  it('match however the keyboard composed their accents', async () => {
    const hash = await passwords.hash('Ação#2026'.normalize('NFC'), null)
    assert.equal(await verify('Ação#2026'.normalize('NFD'), hash), true)
  })

  it('take as long for an account that does not exist, and never match', async () => {
    const hash = await passwords.hash('Senha#Boa1', null)
    const fastest = async (stored: string | null) => {
      const times = []
      for (let i = 0; i < 5; i++)
        times.push(await cpuMs(async () => assert.equal(await verify('Errada#Senha1', stored), false)))
      return Math.min(...times)
    }
    const [existing, missing] = [await fastest(hash), await fastest(null)]
    // A hash was computed, so that the time of an answer does not show whether the account exists.
    assert.ok(missing > existing / 3, `${existing} ms, ${missing} ms`)
    assert.equal(await verify('a password that nobody has', null), false)
  })

  it('are refused as "not now" when too many wait, and work again afterwards', async () => {
    const busy = createPasswords({ concurrent: 1, waiting: 2 })
    const hash = await busy.hash('Senha#Boa1', null)
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => busy.turn(null, (check) => check('Senha#Boa1', hash))),
    )
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    assert.equal(refused.length, 3)
    for (const { reason } of refused) assert.ok(reason instanceof AppError && reason.is('UNAVAILABLE'))
    assert.equal(await busy.turn(null, (check) => check('Senha#Boa1', hash)), true)
  })

  it('are compared in turns by source: 400 that wait from one do not delay another', async () => {
    const busy = createPasswords({ concurrent: 1, cost: { memoryCost: 1024, timeCost: 1, parallelism: 1 } })
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const compare = (endereco_ip: string) =>
      busy.turn({ endereco_ip }, async (check) => {
        await check('Errada#Senha1', null)
        order.push(endereco_ip)
      })
    const all = [busy.turn({ endereco_ip: '198.51.100.1' }, () => held.promise)]
    all.push(...Array.from({ length: 400 }, () => compare('198.51.100.1')))
    const hashed = busy
      .hash('Senha#Boa1', { endereco_ip: '198.51.100.3' })
      .then(() => void order.push('hashed'))
    const others = ['2001:db8::1', '198.51.100.2', '2001:db8::2'].map(compare)
    held.resolve()
    await Promise.all([hashed, ...others])
    assert.deepEqual(order.slice(0, 6), [
      '198.51.100.1',
      'hashed',
      '2001:db8::1',
      '198.51.100.2',
      '198.51.100.1',
      '2001:db8::2',
    ])
    await Promise.all(all)
  })
})
