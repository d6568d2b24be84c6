import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertStrong, brokenRules, passwordProblems, strengthOf } from '../../../src/domain/senhas/rules.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import { cpuMs } from '../../harness/cpu.ts'

const rules = (senha: string) => brokenRules(senha, { refuseCommon: false })
const isCommon = (senha: string) => brokenRules(senha, { refuseCommon: true }).includes('common')

describe('the rules for a new password', () => {
  for (const [senha, broken] of [
    ['Senha#Boa1', []],
    ['Aa1#xxxx', []],
    ['Aa1#xxx', ['length']],
    ['', ['length', 'uppercase', 'lowercase', 'digit', 'special']],
    ['senha#boa1', ['uppercase']],
    ['SENHA#BOA1', ['lowercase']],
    ['Senha#Boa', ['digit']],
    ['SenhaBoa1', ['special']],
    ['Senha Boa1', ['special']],
    ['Senha\tBoa\u00a01', ['special']],
    ['        ', ['uppercase', 'lowercase', 'digit', 'special']],
    ['Senha_Boa1', []],
    ['Çããããã1!', []],
    ['ПарольПароль1!', []],
    ['Senha٣#boa', []],
    ['Senha1😀boa', []],
    ['密码密码密码密码1!', ['uppercase', 'lowercase']],
  ] as [string, string[]][])
    it(`find in “${senha}” ${broken.join(', ') || 'nothing wrong'}`, () => {
      assert.deepEqual(rules(senha), broken)
    })

  it('count characters, not bytes nor halves of them: 8 to 128', () => {
    assert.deepEqual(rules(`Aa1${'😀'.repeat(4)}`), ['length'])
    assert.deepEqual(rules(`Aa1${'😀'.repeat(5)}`), [])
    assert.deepEqual(rules(`Aa1${'😀'.repeat(125)}`), [])
    assert.deepEqual(rules(`Aa1${'😀'.repeat(126)}`), ['length'])
    assert.deepEqual(rules(`Aa1#${'x'.repeat(124)}`), [])
    assert.deepEqual(rules(`Aa1#${'x'.repeat(125)}`), ['length'])
  })

  it('see the same password however its accents are composed', () => {
    for (const senha of [
      'Ação#20',
      'Ação#202',
      'ÁÉÍÓÚ1!a',
      `Aa1#${'é'.repeat(124)}`,
      `Aa1#${'é'.repeat(125)}`,
    ])
      assert.deepEqual(rules(senha.normalize('NFD')), rules(senha.normalize('NFC')), senha)
    assert.deepEqual(rules('Ação#20'.normalize('NFD')), ['length'], 'nine code points, seven characters')
    assert.deepEqual(rules('éàçõA1bc'.normalize('NFD')), ['special'], 'an accent is no special character')
  })

  it('are answered as 400 or as one invalid field, with every rule that is broken', () => {
    const policy = { refuseCommon: false }
    assert.throws(
      () => assertStrong('abc', policy),
      (error) =>
        error instanceof AppError &&
        error.is('WEAK_PASSWORD') &&
        error.extras.rules.join() === 'length,uppercase,digit,special',
    )
    assert.doesNotThrow(() => assertStrong('Senha#Boa1', policy))
    const [problem, ...others] = passwordProblems('abc', policy, ['senha'])
    assert.deepEqual([problem?.path, problem?.code, others.length], [['senha'], 'WEAK_PASSWORD', 0])
    assert.deepEqual(passwordProblems('Senha#Boa1', policy, ['senha']), [])
  })
})

describe('the commonest passwords', () => {
  for (const senha of [
    'P@ssw0rd1!',
    'P@ssw0rd',
    '1P@ssw0rd!',
    '!Password1',
    'Passw0rd#2026',
    'Senha@123',
    'Senh@2026',
    '$enh@123!',
    'S3nh@!2024',
    'Mudar#2024',
    'Mud@r123',
    'Brasil@2026',
    'Br@sil2026',
    'Qwerty123!',
    'Abc@1234',
    'Abcd#1234',
    'Admin@123',
    '@Dmin2026!',
    '123@Dmin!',
    'Teste#123',
    'T3st3#123',
    'Welcome1!',
    'Saúde#2026',
    'Usuário@1'.normalize('NFD'),
    'Dengue@2026',
    'Flamengo#10',
    'S.e.n.h.a.1',
    'Verao2026!',
    'Verão@2026',
    'V3r@o#26!',
    '2026#Primavera',
    'Otoño#2025',
    'Winter2025!',
    'Janeiro@2025',
    'Março#2026',
    'Setembro.26',
    'Diciembre#24',
    'February1!',
    'Dez@202512',
    'Rio@2026',
    'Aa#20262026',
    '1999-Joao',
  ])
    it(`include ${senha}, which is refused in production and nowhere else`, () => {
      assert.ok(isCommon(senha))
      assert.ok(!rules(senha).includes('common'))
    })

  for (const senha of [
    'Senha#Boa1',
    'Xk9#mQ2!vT7$',
    'cavalo-Correto-7-grampo',
    'Meu gato come 3 peixes!',
    'Tr0ub4dor&3',
    'Segredo#2026',
    'Passarinho#Azul9',
    'Testemunha#42x',
    '1!aA2@bB3#cC4$dD5',
    'Ação#Ligeira8',
    'Veraneio#2026',
    'Marcos#Silva26',
    'Maio#Frio#Chuva1',
    'Kq7#2026xWz!',
    'xB#9182736$y',
  ])
    it(`do not include ${senha}`, () => {
      assert.deepEqual(brokenRules(senha, { refuseCommon: true }), [])
    })

  it('are looked for in time that grows with the length only', async () => {
    const spent = await cpuMs(() => {
      for (const unit of ['7', '3', '@4', '$5', 'a', '7373', '\u0301'])
        for (const end of ['', 'z', 'x!']) isCommon(unit.repeat(1000 / unit.length) + end)
    })
    assert.ok(spent < 5_000, `${spent} ms`)
  })
})

describe('the strength of a password', () => {
  for (const [senha, strength] of [
    ['', 0],
    ['abc', 0],
    ['Senha@123', 0],
    ['aaaaaaaaaaaaaaaaaaaa', 1],
    ['xkmqvtzr', 1],
    ['Xk9#mQ2!', 2],
    ['Xk9#mQ2!vT7$', 3],
    ['Xk9#mQ2!vT7$pL4%', 4],
  ] as [string, number][])
    it(`of “${senha}” is ${strength}`, () => {
      assert.equal(strengthOf(senha), strength)
    })

  it('never falls when a password grows by a new character', () => {
    const all = 'Xk9#mQ2!vT7$pL4%wZ8&nB3*yC6(hD1)'
    for (let i = 1; i <= all.length; i++)
      assert.ok(strengthOf(all.slice(0, i)) >= strengthOf(all.slice(0, i - 1)), all.slice(0, i))
  })

  it('is the same however accents are composed', () => {
    for (const senha of ['Ação#Ligeira8', 'ÉÀÇÕa1bc', 'Saúde#2026'])
      assert.equal(strengthOf(senha.normalize('NFD')), strengthOf(senha.normalize('NFC')), senha)
  })
})
