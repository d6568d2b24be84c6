import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jaroWinkler } from '../../../../src/domain/casos/duplicidades/jaro-winkler.ts'
import { createPalavras, fon, lastIndexOf, wordsOf } from '../../../../src/domain/casos/duplicidades/nome.ts'

describe('the words of a name', () => {
  for (const [nome, words] of [
    ['Maria da Silva Santos', 'MARIA SILVA SANTOS'],
    ['  maria   DA silva ', 'MARIA SILVA'],
    ['Conceição Araújo', 'CONCEICAO ARAUJO'],
    ['joão'.normalize('NFD'), 'JOAO'],
    ["Luísa D'Ávila", 'LUISA D AVILA'],
    ['Ana-Clara Souza', 'ANA CLARA SOUZA'],
    ['José 2', 'JOSE'],
    ['Pedro Lima Filho', 'PEDRO LIMA FILHO'],
    ['da', 'DA'],
    ['Иван Петров', 'ИВАН ПЕТРОВ'],
    ['', ''],
    ['???', ''],
    ['IGNORADO', ''],
    ['Não informado', ''],
    ['Paciente sem nome', ''],
    ['Nome da Silva', 'NOME SILVA'],
  ] as const)
    it(`of ${JSON.stringify(nome)} are ${words}`, () => assert.equal(wordsOf(nome).join(' '), words))

  it('are never more than twelve', () => assert.equal(wordsOf('Ana '.repeat(100)).length, 12))
})

describe('the surname', () => {
  const last = (nome: string) => wordsOf(nome)[lastIndexOf(wordsOf(nome).map((texto) => ({ texto })))]
  for (const [nome, surname] of [
    ['Ana Lima', 'LIMA'],
    ['Ana Lima Neto', 'LIMA'],
    ['Ana Lima Junior Filho', 'LIMA'],
    ['Ana', 'ANA'],
    ['Junior', 'JUNIOR'],
    ['Ana Filho', 'ANA'],
  ] as const)
    it(`of ${nome} is ${surname}`, () => assert.equal(last(nome), surname))
})

describe('the sound of a word', () => {
  for (const [one, other] of [
    ['SOUZA', 'SOUSA'],
    ['LUIZ', 'LUIS'],
    ['PHELIPE', 'FELIPE'],
    ['THIAGO', 'TIAGO'],
    ['WALTER', 'VALTER'],
    ['YARA', 'IARA'],
    ['GUILHERME', 'GUILIERME'],
    ['XAVIER', 'CHAVIER'],
    ['SHIRLEY', 'CHIRLEI'],
    ['QUEIROZ', 'KEIROS'],
    ['CECILIA', 'SESILIA'],
    ['CATIA', 'KATIA'],
    ['GEOVANA', 'JIOVANA'],
    ['HELENA', 'ELENA'],
    ['ANNA', 'ANA'],
    ['MARCELLO', 'MARCELO'],
    ['MATTOS', 'MATOS'],
    ['REZENDE', 'RESENDE'],
    ['CONCEICAO', 'CONSEISAO'],
    ['BERNARDES', 'BERNARDE'],
    ['VICENTE', 'VISCENTE'],
    ['ANDRADE', 'AMDRADE'],
    ['EDUARDO', 'EDUARDU'],
    ['JORGE', 'JORJE'],
  ] as const)
    it(`is one for ${one} and ${other}`, () => assert.equal(fon(one), fon(other)))

  for (const [one, other] of [
    ['MARIA', 'MARTA'],
    ['JOSE', 'JOAO'],
    ['PEDRO', 'PAULO'],
    ['ANA', 'EVA'],
    ['GOMES', 'JOMES'],
  ] as const)
    it(`is not one for ${one} and ${other}`, () => assert.notEqual(fon(one), fon(other)))

  it('is never empty', () => {
    for (const word of ['A', 'H', 'S', 'L', 'O', 'HH', 'SS', 'Ж']) assert.notEqual(fon(word), '', word)
  })

  it('is computed once for each word', () => {
    const palavras = createPalavras()
    const [first] = palavras('Ana Lima')
    const [again] = palavras('Ana Souza')
    assert.equal(first, again)
  })
})

describe('the similarity of Jaro and Winkler', () => {
  for (const [one, other, expected] of [
    ['MARTHA', 'MARHTA', 0.961],
    ['DWAYNE', 'DUANE', 0.84],
    ['DIXON', 'DICKSONX', 0.813],
    ['JELLYFISH', 'SMELLYFISH', 0.896],
    ['ANA', 'ANA', 1],
    ['ANA', 'XYZ', 0],
    ['A', 'B', 0],
  ] as const)
    it(`of ${one} and ${other} is ${expected}`, () => {
      assert.ok(Math.abs(jaroWinkler(one, other) - expected) < 0.0006, String(jaroWinkler(one, other)))
      assert.equal(jaroWinkler(one, other), jaroWinkler(other, one))
    })
})
