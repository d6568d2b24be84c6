import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chavesOf, type Identidade, textsOfChaves } from '../../../../src/domain/casos/duplicidades/chaves.ts'
import {
  compareNascimentos,
  faixaOf,
  likenessOf,
  PESOS,
  plainBairro,
  pontuar,
} from '../../../../src/domain/casos/duplicidades/escore.ts'
import { raridade } from '../../../../src/domain/casos/duplicidades/frequencia.ts'
import { createPalavras } from '../../../../src/domain/casos/duplicidades/nome.ts'
import { createLineHash } from '../../../../src/domain/cipher.ts'

const palavrasOf = createPalavras()
const person = (nome: string, rest: Partial<Identidade> = {}): Identidade => ({
  palavras: palavrasOf(nome),
  nascimento: '1990-05-20',
  sexo: 'F',
  municipio: 2_611_606,
  ...rest,
  bairro: plainBairro(rest.bairro ?? 'Boa Vista'),
})

const COUNTS = new Map([
  ['MARIA', 6_000],
  ['SILVA', 16_000],
  ['SANTOS', 10_000],
])
const frequencias = { casos: 100_000, of: (palavra: string) => COUNTS.get(palavra) ?? 10 }
const escore = (one: Identidade, other: Identidade, dias = 3) => pontuar(one, other, dias, frequencias)

describe('the keys of a case', () => {
  const hash = createLineHash(Buffer.alloc(32, 7), 'duplicidade')

  it('join a name with a date or a place, eight at most', () => {
    assert.deepEqual(textsOfChaves('dengue', person('Maria Silva Santos')), [
      'dengue|1|MR|SMT|1990',
      'dengue|2|1990-05-20|M',
      'dengue|3|1990-05-20|2611606',
      'dengue|4|1990|05|20|SMT',
      'dengue|7|MR|SMT|05|20',
      'dengue|5|MR|SMT|2611606',
      'dengue|5|MR|SV|2611606',
      'dengue|6|M|SV|SMT|2611606',
    ])
  })

  it('are fewer where the birth date, the place or a third word is missing, and none without a name', () => {
    const count = (one: Identidade) => textsOfChaves('dengue', one).length
    assert.equal(count(person('Maria Silva')), 6)
    assert.equal(count(person('Maria')), 6)
    assert.equal(count(person('Maria Silva Santos', { nascimento: null })), 3)
    assert.equal(count(person('Maria Silva Santos', { municipio: null })), 4)
    assert.equal(count(person('Ignorado')), 0)
  })

  it('are shared by a day and a month that were swapped, and by another spelling', () => {
    const keys = new Set(chavesOf(hash, 'dengue', person('Luiz Souza', { nascimento: '1990-05-06' })))
    const swapped = chavesOf(hash, 'dengue', person('Ana Sousa', { nascimento: '1990-06-05' }))
    assert.ok(swapped.some((key) => keys.has(key)))
    const spelt = chavesOf(hash, 'dengue', person('Luis Sousa', { nascimento: null }))
    assert.ok(spelt.some((key) => keys.has(key)))
  })

  for (const [what, one, other] of [
    ['a surname left out', person('Rita Lobato Silva', { nascimento: null }), person('Rita Lobato')],
    [
      'a misspelt first name',
      person('Manuela Lobato Lima'),
      person('Maluela Lobato Lima', { nascimento: null }),
    ],
    [
      'a mistaken year',
      person('Rita Lobato', { municipio: null }),
      person('Rita Lobato', { nascimento: '1991-05-20' }),
    ],
  ] as const)
    it(`are shared in spite of ${what}`, () => {
      const keys = new Set(textsOfChaves('dengue', one))
      assert.ok(textsOfChaves('dengue', other).some((key) => keys.has(key)))
    })

  it('differ between diseases, and are decimal numbers of 64 bits that tell nothing', () => {
    const keys = chavesOf(hash, 'dengue', person('Maria Silva Santos'))
    const zika = new Set(chavesOf(hash, 'zika', person('Maria Silva Santos')))
    for (const key of keys) {
      assert.ok(!zika.has(key))
      assert.match(key, /^-?\d{1,19}$/)
    }
  })
})

describe('the likeness of two words', () => {
  const [ana, luis, luiz, leo, a, silva, silveira, souza, sousa] = palavrasOf(
    'Ana Luis Luiz Leo A Silva Silveira Souza Sousa',
  ) as [never, never, never, never, never, never, never, never, never]
  for (const [one, other, expected] of [
    [ana, ana, 'igual'],
    [ana, a, 'parecida'],
    [luis, luiz, 'parecida'],
    [luis, leo, null],
    [souza, sousa, 'parecida'],
    [silva, silveira, 'parecida'],
    [silva, souza, null],
    [a, silva, null],
  ] as const)
    it(`of ${JSON.stringify(one)} and ${JSON.stringify(other)} is ${expected}`, () => {
      assert.equal(likenessOf(one, other), expected)
      assert.equal(likenessOf(other, one), expected)
    })
})

describe('two birth dates', () => {
  for (const [one, other, expected] of [
    ['1990-05-20', '1990-05-20', 'igual'],
    ['1990-05-06', '1990-06-05', 'trocado'],
    ['1990-05-20', '1991-05-20', 'duas_partes'],
    ['1990-05-20', '1990-07-21', 'uma_parte'],
    ['1990-05-20', '1991-07-21', 'outro'],
    ['1990-05-20', null, 'desconhecido'],
  ] as const)
    it(`${one} and ${other} are ${expected}`, () => {
      assert.equal(compareNascimentos(one, other), expected)
      assert.equal(compareNascimentos(other, one), expected)
    })
})

describe('the rarity of a word', () => {
  it('falls by one bit where twice as many cases have it', () => {
    const of = (total: number) => raridade({ casos: 1_000_000, of: () => total }, { texto: 'XEREZADE' })
    assert.ok(Math.abs(of(5_000) - of(10_000) - 1) < 0.001)
  })

  it('comes from the census while there are no cases', () => {
    const none = { casos: 0, of: () => 0 }
    assert.ok(raridade(none, { texto: 'SILVA' }) < 3)
    assert.ok(raridade(none, { texto: 'XEREZADE' }) > 11)
  })

  it('is never below zero', () => assert.equal(raridade({ casos: 1, of: () => 9_999 }, { texto: 'ANA' }), 0))
})

describe('the score of two cases', () => {
  it('is the same both ways', () => {
    const [one, other] = [person('Maria Silva Santos'), person('Maria Santos', { nascimento: null })]
    assert.deepEqual(escore(one, other), escore(other, one))
  })

  for (const [what, one, other, faixa] of [
    [
      'one person, written twice',
      person('Maria da Silva Santos'),
      person('MARIA SILVA SANTOS'),
      'quase_certa',
    ],
    ['another spelling', person('Thiago Souza Pacheco'), person('Tiago Sousa Pacheco'), 'quase_certa'],
    ['a middle name left out', person('Rita Pacheco Lobato'), person('Rita Lobato'), 'quase_certa'],
    [
      'a swapped date',
      person('Rita Pacheco', { nascimento: '1990-05-06' }),
      person('Rita Pacheco', { nascimento: '1990-06-05' }),
      'quase_certa',
    ],
    [
      'no birth date, rare names',
      person('Rita Pacheco Lobato', { nascimento: null }),
      person('Rita Pacheco Lobato'),
      'quase_certa',
    ],
    ['twins of one home', person('Rita Pacheco Lobato'), person('Vera Pacheco Lobato'), 'possivel'],
    ['twins with common names', person('Rita Silva Santos'), person('Vera Silva Santos'), null],
    [
      'namesakes of other ages',
      person('Maria Silva Santos'),
      person('Maria Silva Santos', { nascimento: '1961-11-03', bairro: 'Pina' }),
      null,
    ],
    ['strangers', person('Rita Pacheco'), person('Joana Lobato', { nascimento: '1961-11-03' }), null],
  ] as const)
    it(`puts ${what} into ${faixa}`, () => {
      assert.equal(faixaOf(escore(one, other).escore), faixa, JSON.stringify(escore(one, other)))
    })

  it('of another first name never leaves the lowest band, however rare the others are', () => {
    const [one, other] = [person('Rita Uchoa Zamith Quadros Lobo'), person('Vera Uchoa Zamith Quadros Lobo')]
    assert.deepEqual([escore(one, other).escore, faixaOf(escore(one, other).escore)], [5.9, 'possivel'])
  })

  it('falls with another sex, another place and more days', () => {
    const base = escore(person('Rita Lobato'), person('Rita Lobato')).escore
    const { escore: sexo } = escore(person('Rita Lobato'), person('Rita Lobato', { sexo: 'M' }))
    assert.ok(Math.abs(base - sexo - 5.9) < 0.11)
    const { escore: longe } = escore(person('Rita Lobato'), person('Rita Lobato', { municipio: 1_200_401 }))
    assert.ok(Math.abs(base - longe - 9.5) < 0.11)
    const { escore: tarde } = escore(person('Rita Lobato'), person('Rita Lobato'), 40)
    assert.ok(Math.abs(base - tarde - 3) < 0.11)
  })

  it('takes less of an equal district that most towns have', () => {
    const of = (bairro: string) =>
      escore(person('Rita Lobato', { bairro }), person('Rita Lobato', { bairro }))
    assert.ok(Math.abs(of('Boa Vista').escore - of('Centro').escore - 2.5) < 0.11)
    assert.equal(of('centro').escore, of('Área Rural').escore)
    assert.equal(of('Centro').sinais.bairro, 'igual')
  })

  it('tells levels and no value of either case', () => {
    const { sinais } = escore(person('Rita Pacheco Lobato'), person('Ritta Lobato', { sexo: 'I' }))
    assert.deepEqual(sinais, {
      nome: '1 de 3 palavras iguais, 1 parecida',
      primeiro_nome: 'parecido',
      nascimento: 'igual',
      sexo: 'desconhecido',
      municipio: 'igual',
      bairro: 'igual',
      dias: 3,
    })
    assert.doesNotMatch(JSON.stringify(sinais), /rita|pacheco|lobato|1990|boa vista/i)
  })

  it('has the weights in one table with a version', () => assert.equal(PESOS.versao, 2))
})

describe('the bands', () => {
  for (const [points, faixa] of [
    [30, 'quase_certa'],
    [12, 'quase_certa'],
    [11.9, 'provavel'],
    [6, 'provavel'],
    [5.9, 'possivel'],
    [0, 'possivel'],
    [-0.1, null],
  ] as const)
    it(`${points} is ${faixa}`, () => assert.equal(faixaOf(points), faixa))
})
