import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normaliseCpf } from '../../src/brasil/cpf.ts'

/** The check digits as the Receita Federal describes them: weights 2, 3, … from the right, eleven minus the rest. */
function withCheckDigits(nine: string): string {
  let digits = nine
  for (let round = 0; round < 2; round++) {
    const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i + 2), 0)
    digits += String(sum % 11 < 2 ? 0 : 11 - (sum % 11))
  }
  return digits
}

const punctuated = (d: string) => `${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6, 9)}-${d.slice(9)}`
const nineDigits = fc.stringMatching(/^\d{9}$/).filter((nine) => !/^(\d)\1{10}$/.test(withCheckDigits(nine)))

describe('a CPF', () => {
  for (const [text, digits] of [
    ['52998224725', '52998224725'],
    ['529.982.247-25', '52998224725'],
    ['529982247-25', '52998224725'],
    ['529.982.24725', '52998224725'],
    ['11144477735', '11144477735'],
    ['123.456.789-09', '12345678909'],
    ['00000000191', '00000000191'],
    ['000.000.001-91', '00000000191'],
    ['01234567890', '01234567890'],
  ] as const)
    it(`is valid as ${text}`, () => {
      assert.equal(normaliseCpf(text), digits)
    })

  for (const text of [
    '',
    ' ',
    '52998224724',
    '52998224715',
    '529.982.247-24',
    '5299822472',
    '529982247255',
    ' 52998224725',
    '52998224725 ',
    '52998224725\n',
    '529 982 247 25',
    '529-982-247.25',
    '529..982.247-25',
    '5299822472a',
    '٥٢٩٩٨٢٢٤٧٢٥',
    '52998224725\0',
    '-52998224725',
    '1e10',
    '5'.repeat(100_000),
    ...Array.from('0123456789', (digit) => digit.repeat(11)),
    '111.111.111-11',
  ])
    it(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(normaliseCpf(text), null)
    })

  it('is any nine digits with their check digits, punctuated or not', () => {
    fc.assert(
      fc.property(nineDigits, (nine) => {
        const cpf = withCheckDigits(nine)
        assert.equal(normaliseCpf(cpf), cpf)
        assert.equal(normaliseCpf(punctuated(cpf)), cpf)
      }),
    )
  })

  it('is none with one check digit changed', () => {
    fc.assert(
      fc.property(
        nineDigits,
        fc.constantFrom(9, 10),
        fc.integer({ min: 1, max: 9 }),
        (nine, position, added) => {
          const digits = [...withCheckDigits(nine)]
          digits[position] = String((Number(digits[position]) + added) % 10)
          assert.equal(normaliseCpf(digits.join('')), null)
          assert.equal(normaliseCpf(punctuated(digits.join(''))), null)
        },
      ),
    )
  })

  it('is never something that throws', () => {
    fc.assert(fc.property(fc.string(), (text) => normaliseCpf(text) === null || /^[\d.-]+$/.test(text)))
  })
})
