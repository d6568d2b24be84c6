import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CellValue, FileColumn } from '../../../src/domain/arquivos/csv.ts'
import type { FileFormat } from '../../../src/domain/exportacao/content.ts'
import { FORMATS } from '../../../src/domain/exportacao/formats.ts'
import { toLatin1 } from '../../../src/domain/exportacao/sinan/latin1.ts'
import { readTable } from '../importacao/formats/files.ts'

/** Texts of the formats of SINAN, which are Latin-1. */

const WIDTH = 60
const colunas: FileColumn[] = [{ nome: 'NM_PACIENT', kind: 'text', width: WIDTH }]

async function fileOf({ encode }: FileFormat, ...textos: string[]): Promise<Buffer> {
  async function* blocks(): AsyncGenerator<CellValue[][]> {
    yield textos.map((texto) => [texto])
  }
  const content = { colunas, blocks: blocks(), total: textos.length, metadata: {} }
  const pieces: Buffer[] = []
  for await (const piece of encode(content)) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('A text in Latin-1', () => {
  it('keeps every letter and sign that has a place there', () => {
    const all = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code))
    const there = all.filter((_, code) => code < 0x80 || code >= 0xa0).join('')
    assert.equal(toLatin1(there), there)
  })

  it('has the base letter of one without a place, with whatever marks', () => {
    for (const [text, written] of [
      ['Łukasz Nguyễn Čapek', 'Lukasz Nguyen Capek'],
      ['Şükrü İnan, ılık', 'Sükrü Inan, ilik'],
      ['Đặng Ħamra Ŧor ŋ ĸ ə', 'Dang Hamra Tor n k e'],
      ['Œuvre œ ƒ ẞ', 'OEuvre oe f ß'],
      ['Joa\u0303o e\u0301 x\u030c', 'João é x'],
      ['Ǿ ǻ ȩ ﬁm Ⅳ １２', 'Ø a e fim IV 12'],
    ] as const)
      assert.equal(toLatin1(text), written, text)
  })

  it('has the plain sign of a typographic one', () => {
    assert.equal(toLatin1('‘d’água’ “alta” „baixa‟ ′'), `'d'água' "alta" "baixa" '`)
    assert.equal(toLatin1('a‐b‑c–d—e−f…'), 'a-b-c-d-e-f...')
    assert.equal(toLatin1('€ 5 ™ ‹x› • ⅓'), 'EUR 5 TM <x> · 1/3')
    assert.equal(toLatin1('a\u2009b\u2028c\u200dd\ufeffe'), 'a b cde')
  })

  it('has a question mark for what has neither', () => {
    assert.equal(toLatin1('日 😀 Ж \ud800'), '? ? ? ?')
  })

  it('has blanks instead of controls that Windows-1252 has signs for', () => {
    assert.equal(toLatin1('a\u0080b\u0092c'), 'a b c')
  })
})

describe('A file of SINAN', () => {
  const textos = ['João D’Água', 'Łucja “Zé” – Ção…', 'Ana € 日', 'linha\tum']

  for (const formato of ['dbf', 'dbc', 'csv_sinan'] as const)
    it(`as ${formato} has its texts in Latin-1`, async () => {
      const file = await fileOf(FORMATS[formato], ...textos)
      const { values } = await readTable(file, formato === 'csv_sinan' ? 'csv' : formato)
      const tab = formato === 'csv_sinan' ? '\t' : ' '
      assert.deepEqual(
        values.map(([value]) => value),
        [`João D'Água`, 'Lucja "Zé" - Ção...', 'Ana EUR ?', `linha${tab}um`],
      )
    })

  it('as csv_sinan has no byte order mark and a byte for every letter', async () => {
    const file = await fileOf(FORMATS.csv_sinan, 'Conceição')
    assert.deepEqual(file, Buffer.from('NM_PACIENT\r\nConceição\r\n', 'latin1'))
  })

  it('as csv_sinan has an apostrophe before what a spreadsheet would take for a formula, also once its signs are plain', async () => {
    const formulas = ['=1+1', '@soma', '-x', '＝1+1', '−soma', '⁺55', "'=já"]
    const file = await fileOf(FORMATS.csv_sinan, ...formulas, '-5', 'a=b', '‘x')
    const [, ...lines] = file.toString('latin1').trimEnd().split('\r\n')
    assert.deepEqual(lines, ["'=1+1", "'@soma", "'-x", "'=1+1", "'-soma", "'+55", "''=já", '-5', 'a=b', "'x"])
    const { values } = await readTable(file, 'csv')
    assert.deepEqual(
      values.map(([value]) => value),
      ['=1+1', '@soma', '-x', '=1+1', '-soma', '+55', "'=já", '-5', 'a=b', "'x"],
    )
  })

  it('as csv_sinan has cells in quotes that a plain quote or a separator asks for', async () => {
    const file = await fileOf(FORMATS.csv_sinan, '“alta”; baixa')
    assert.equal(file.toString('latin1'), 'NM_PACIENT\r\n"""alta""; baixa"\r\n')
  })
})
