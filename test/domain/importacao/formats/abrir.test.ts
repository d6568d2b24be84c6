import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTabela } from '../../../../src/domain/importacao/formats/open.ts'
import {
  celula,
  criarDbc,
  criarDbf,
  criarXlsx,
  criarZip,
  fonteDe,
  ler,
  recusa,
  textoGerado,
} from './arquivos.ts'

const csv = 'A;B\n1;2\n'
const dbf = criarDbf(
  [
    ['A', 'C', 1],
    ['B', 'C', 1],
  ],
  [['1', '2']],
)
const dbc = criarDbc(dbf)
const xlsx = await criarXlsx({
  dados: `<row>${celula('A1', 'A')}${celula('B1', 'B')}</row><row>${celula('A2', '1')}${celula('B2', '2')}</row>`,
})

describe('the content decides the format', () => {
  for (const [formato, bytes] of [
    ['csv', Buffer.from(csv)],
    ['dbf', dbf],
    ['dbc', dbc],
    ['xlsx', xlsx],
  ] as const) {
    it(`${formato}, without and with the right hint`, async () => {
      for (const dica of [null, formato]) {
        const lido = await ler(bytes, dica)
        assert.deepEqual(
          [lido.formato, lido.aviso, lido.cabecalho, lido.valores],
          [formato, null, ['A', 'B'], [['1', '2']]],
        )
      }
    })

    it(`${formato}, with a warning if the hint says otherwise`, async () => {
      const dica = formato === 'csv' ? 'xlsx' : 'csv'
      const lido = await ler(bytes, dica)
      assert.equal(
        lido.aviso,
        `O arquivo foi enviado como ${dica.toUpperCase()}, mas o conteúdo é ${formato.toUpperCase()}: foi lido como ${formato.toUpperCase()}.`,
      )
      assert.deepEqual(lido.valores, [['1', '2']])
    })

    if (formato !== 'xlsx')
      it(`${formato}, alone in a ZIP`, async () => {
        const lido = await ler(
          await criarZip({
            [`dados/X.${formato.toUpperCase()}`]: bytes,
            'leia-me.txt': 'x',
            [`__MACOSX/._X.${formato}`]: 'y',
          }),
          formato,
        )
        assert.deepEqual([lido.formato, lido.aviso, lido.valores], [formato, null, [['1', '2']]])
      })
  }
})

describe('what is none of them is refused by its name:', () => {
  for (const [nome, bytes, mensagem] of [
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
    it(nome, async () => await recusa(bytes, mensagem))

  it('a ZIP with several tables, none, another ZIP, a sheet or a document', async () => {
    await recusa(await criarZip({ 'a.csv': csv, 'b.csv': csv }), /2 arquivos de dados \(a\.csv, b\.csv/)
    await recusa(await criarZip({ 'a.txt': csv }), /ZIP sem nenhum arquivo CSV, DBF ou DBC/)
    await recusa(await criarZip({ 'a.csv': await criarZip({ 'b.csv': csv }) }), /ZIP dentro de outro/)
    await recusa(await criarZip({ 'a.csv': '%PDF-1.7' }), /PDF/)
    await recusa(await criarZip({ 'a.csv': '' }), /vazio/)
    await recusa(await criarZip({ 'a.xlsx': xlsx }), /envie o XLSX sem compactar/)
    await recusa(await criarZip({ 'word/document.xml': '<a/>' }), /Word/)
    await recusa(await criarZip({ 'xl/workbook.bin': 'x' }), /xlsb/)
  })
})

describe('a hostile ZIP is refused:', () => {
  const zeros = () => textoGerado('A;B\n', () => '1;2\n'.repeat(16 * 1024), 2048, '')

  it('one that unfolds two hundredfold and more', async () => {
    await recusa(await criarZip({ 'bomba.csv': zeros() }), /se expande a um tamanho/)
  })

  it('one that says it unfolds to less than it does', async () => {
    const zip = await criarZip({ 'x.csv': 'A;B\n'.repeat(50_000) })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    zip.writeUInt32LE(1000, central + 24)
    await recusa(zip, /corrompido ou incompleto/)
  })

  it('one that was cut, at the end or before', async () => {
    const zip = await criarZip({ 'x.csv': csv.repeat(1000) })
    for (const ate of [zip.length - 1, zip.length >> 1, 10])
      await recusa(zip.subarray(0, ate), /corrompido ou incompleto/)
  })

  it('one with a byte changed in its data', async () => {
    const zip = await criarZip({ 'x.csv': csv }, { compress: false })
    zip[zip.indexOf('1;2')] = 0x39
    await recusa(zip, /corrompido ou incompleto/)
  })

  it('one whose index points outside of it', async () => {
    const zip = await criarZip({ 'x.csv': csv })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    for (const offset of [20, 42]) {
      const copia = Buffer.from(zip)
      copia.writeUInt32LE(0x7fffffff, central + offset)
      await recusa(copia, /corrompido ou incompleto/)
    }
  })

  it('one with a password', async () => {
    const zip = await criarZip({ 'x.csv': csv })
    const central = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    zip.writeUInt16LE(zip.readUInt16LE(central + 8) | 1, central + 8)
    await recusa(zip, /protegido por senha/)
  })

  it('one with thousands of files', async () => {
    const partes = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`${i}.txt`, '']))
    await recusa(await criarZip({ ...partes, 'x.csv': csv }), /arquivos demais/)
  })
})

describe('a failure of the storage', () => {
  it('is not blamed on the file', async () => {
    const zip = await criarZip({ 'x.csv': csv })
    const falha = new Error('disco')
    const fonte = fonteDe(zip)
    for (const bons of [1, 2, 3, 4]) {
      let lidos = 0
      const ruim = {
        ...fonte,
        readAt: async (offset: number, length: number) =>
          lidos++ < bons ? await fonte.readAt(offset, length) : Promise.reject(falha),
      }
      await assert.rejects(openTabela(ruim, null), falha)
    }
  })
})
