import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTable } from '../../../../src/domain/importacao/formats/open.ts'
import {
  assertRefused,
  cell,
  generatedText,
  makeDbc,
  makeDbf,
  makeXlsx,
  makeZip,
  readTable,
  sourceOf,
} from './files.ts'

const csv = 'A;B\n1;2\n'
const dbf = makeDbf(
  [
    ['A', 'C', 1],
    ['B', 'C', 1],
  ],
  [['1', '2']],
)
const dbc = makeDbc(dbf)
const xlsx = await makeXlsx({
  data: `<row>${cell('A1', 'A')}${cell('B1', 'B')}</row><row>${cell('A2', '1')}${cell('B2', '2')}</row>`,
})

describe('the content decides the format', () => {
  for (const [formato, bytes] of [
    ['csv', Buffer.from(csv)],
    ['dbf', dbf],
    ['dbc', dbc],
    ['xlsx', xlsx],
  ] as const) {
    it(`${formato}, without and with the right hint`, async () => {
      for (const hint of [null, formato]) {
        const read = await readTable(bytes, hint)
        assert.deepEqual(
          [read.formato, read.warning, read.header, read.values],
          [formato, null, ['A', 'B'], [['1', '2']]],
        )
      }
    })

    it(`${formato}, with a warning if the hint says otherwise`, async () => {
      const hint = formato === 'csv' ? 'xlsx' : 'csv'
      const read = await readTable(bytes, hint)
      assert.equal(
        read.warning,
        `O arquivo foi enviado como ${hint.toUpperCase()}, mas o conteúdo é ${formato.toUpperCase()}: foi lido como ${formato.toUpperCase()}.`,
      )
      assert.deepEqual(read.values, [['1', '2']])
    })

    if (formato !== 'xlsx')
      it(`${formato}, alone in a ZIP`, async () => {
        const read = await readTable(
          await makeZip({
            [`dados/X.${formato.toUpperCase()}`]: bytes,
            'leia-me.txt': 'x',
            [`__MACOSX/._X.${formato}`]: 'y',
          }),
          formato,
        )
        assert.deepEqual([read.formato, read.warning, read.values], [formato, null, [['1', '2']]])
      })
  }
})

describe('what is none of them is refused by its name:', () => {
  for (const [name, bytes, message] of [
    ['gzip', gzipSync(csv), /GZIP.*São aceitos arquivos CSV, XLSX, DBF e DBC/],
    [
      'an old Excel book',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      /Excel antigo \(\.xls\) ou protegida por senha/,
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n…'), /PDF/],
    ['a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), /PNG/],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /JPEG/],
    ['a page', Buffer.from('\ufeff\n <!DOCTYPE html><html></html>'), /HTML/],
    ['a table that calls itself .xls', Buffer.from('<table border=1><tr><td>'), /HTML/],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), /XML/],
    ['JSON', Buffer.from('[{"a": 1}]'), /JSON/],
    ['an empty file', Buffer.alloc(0), /vazio/],
    ['blanks', Buffer.from('\ufeff \r\n\t\n'), /vazio/],
    [
      'noise',
      Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 0xff)),
      /binário/,
    ],
    ['an empty ZIP', Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'), /ZIP vazio/],
  ] as const)
    it(name, async () => await assertRefused(bytes, message))

  it('a ZIP with several tables, none, another ZIP, a sheet or a document', async () => {
    await assertRefused(await makeZip({ 'a.csv': csv, 'b.csv': csv }), /2 arquivos de dados \(a\.csv, b\.csv/)
    await assertRefused(await makeZip({ 'a.txt': csv }), /ZIP sem nenhum arquivo CSV, DBF ou DBC/)
    await assertRefused(await makeZip({ 'a.csv': await makeZip({ 'b.csv': csv }) }), /ZIP dentro de outro/)
    await assertRefused(await makeZip({ 'a.csv': '%PDF-1.7' }), /PDF/)
    await assertRefused(await makeZip({ 'a.csv': '' }), /vazio/)
    await assertRefused(await makeZip({ 'a.xlsx': xlsx }), /envie o XLSX sem compactar/)
    await assertRefused(await makeZip({ 'word/document.xml': '<a/>' }), /Word/)
    await assertRefused(await makeZip({ 'xl/workbook.bin': 'x' }), /xlsb/)
  })
})

describe('a hostile ZIP is refused:', () => {
  const zeros = () => generatedText('A;B\n', () => '1;2\n'.repeat(16 * 1024), 2048, '')

  it('one that unfolds two hundredfold and more', async () => {
    await assertRefused(await makeZip({ 'bomba.csv': zeros() }), /se expande a um tamanho/)
  })

  it('one that says it unfolds to less than it does', async () => {
    const zip = await makeZip({ 'x.csv': 'A;B\n'.repeat(50_000) })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    zip.writeUInt32LE(1000, central + 24)
    await assertRefused(zip, /corrompido ou incompleto/)
  })

  it('one that was cut, at the end or before', async () => {
    const zip = await makeZip({ 'x.csv': csv.repeat(1000) })
    for (const to of [zip.length - 1, zip.length >> 1, 10])
      await assertRefused(zip.subarray(0, to), /corrompido ou incompleto/)
  })

  it('one with a byte changed in its data', async () => {
    const zip = await makeZip({ 'x.csv': csv }, { compress: false })
    zip[zip.indexOf('1;2')] = 0x39
    await assertRefused(zip, /corrompido ou incompleto/)
  })

  it('one whose index points outside of it', async () => {
    const zip = await makeZip({ 'x.csv': csv })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    for (const offset of [20, 42]) {
      const copy = Buffer.from(zip)
      copy.writeUInt32LE(0x7fffffff, central + offset)
      await assertRefused(copy, /corrompido ou incompleto/)
    }
  })

  it('one with a password', async () => {
    const zip = await makeZip({ 'x.csv': csv })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    zip.writeUInt16LE(zip.readUInt16LE(central + 8) | 1, central + 8)
    await assertRefused(zip, /protegido por senha/)
  })

  it('one with thousands of files', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`${i}.txt`, '']))
    await assertRefused(await makeZip({ ...parts, 'x.csv': csv }), /arquivos demais/)
  })
})

describe('a failure of the storage', () => {
  it('is not blamed on the file', async () => {
    const zip = await makeZip({ 'x.csv': csv })
    const failure = new Error('disco')
    const source = sourceOf(zip)
    for (const bons of [1, 2, 3, 4]) {
      let read = 0
      const bad = {
        ...source,
        readAt: async (offset: number, length: number) =>
          read++ < bons ? await source.readAt(offset, length) : Promise.reject(failure),
      }
      await assert.rejects(openTable(bad, null), failure)
    }
  })
})
