import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  columnOf,
  formatData,
  formatNumero,
  isFormatoDeData,
} from '../../../../src/domain/importacao/formats/xlsx-values.ts'
import { celula, criarXlsx, fonteDe, ler, recusa, relacao, textoGerado } from './arquivos.ts'

const CABECALHO = `<row r="1">${celula('A1', 'A')}${celula('B1', 'B')}${celula('C1', 'C')}</row>`
const PLANILHA = '<worksheet><sheetData>'
const FIM = '</sheetData></worksheet>'
const ESTILOS = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy;@"/><numFmt numFmtId="171" formatCode="[Red]0.00&quot; dias&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="20"/></cellXfs></styleSheet>`

describe('an XLSX', () => {
  it('gives shared, inline and computed text, numbers, booleans and errors', async () => {
    const textos =
      '<sst><si><t>Nome</t></si><si><r><t>Jos</t></r><r><t xml:space="preserve">é </t></r><rPh><t>x</t></rPh></si><si/><si><t>duas_x000D_linhas &amp; mais</t></si></sst>'
    const dados = `<row r="1"><c r="A1" t="s"><v>0</v></c>${celula('B1', 'B')}<c r="C1" t="str"><f>1+1</f><v>C</v></c></row>
      <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>10.0</v></c><c r="C2" t="b"><v>1</v></c></row>
      <row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>4018</v></c><c r="C3" t="e"><v>#N/A</v></c></row>
      <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="s"><v>999</v></c><c r="C4" t="b"><v>0</v></c></row>`
    const { cabecalho, valores } = await ler(await criarXlsx({ dados, textos }))
    assert.deepEqual(cabecalho, ['Nome', 'B', 'C'])
    assert.deepEqual(valores, [
      ['José', '10', 'true'],
      ['duas linhas & mais', '4018', '#N/A'],
      ['', '', 'false'],
    ])
  })

  it('gives dates by the style of the cell, in the 1900 and the 1904 system', async () => {
    const dados = `${CABECALHO}<row r="2"><c r="A2" s="1"><v>45308</v></c><c r="B2" s="2"><v>45308.75</v></c><c r="C2" s="3"><v>45308</v></c></row>
      <row r="3"><c r="A3" s="4"><v>0.5</v></c><c r="B3" t="d"><v>2024-01-17T10:00:00</v></c><c r="C3"><v>45308</v></c></row>`
    const lido = await ler(await criarXlsx({ dados, estilos: ESTILOS }))
    assert.deepEqual(lido.valores, [
      ['2024-01-17', '2024-01-17', '45308'],
      ['0.5', '2024-01-17', '45308'],
    ])
    const livro =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="x" r:id="rId1"/></sheets></workbook>'
    const de1904 = await ler(
      await criarXlsx({
        dados,
        estilos: ESTILOS,
        livro: livro.replace('<workbook>', '<workbook xmlns:r="r">'),
      }),
    )
    assert.deepEqual(de1904.valores[0], ['2028-01-18', '2028-01-18', '45308'])
  })

  it('puts cells where their letters say, and fills the row up to the header', async () => {
    const dados = `${CABECALHO}<row r="5"><c r="C5"><v>3</v></c></row><row r="6"><c r="A6"><v>1</v></c></row><row><c><v>1</v></c><c><v>2</v></c><c/><c><v>4</v></c></row>`
    const { linhas } = await ler(await criarXlsx({ dados }))
    assert.deepEqual(linhas, [
      { linha: 5, valores: ['', '', '3'] },
      { linha: 6, valores: ['1', '', ''] },
      { linha: 7, valores: ['1', '2', '', '4'] },
    ])
  })

  it('skips empty rows, before the header too, and cells that are only formatted', async () => {
    const dados = `<row r="1"/><row r="2"><c r="XFD2" s="1"/></row>${CABECALHO.replaceAll('1"', '3"')}<row r="4"><c r="A4" t="inlineStr"><is><t> </t></is></c></row><row r="9"><c r="A9"><v>1</v></c></row>`
    const { cabecalho, linhas } = await ler(await criarXlsx({ dados }))
    assert.deepEqual(cabecalho, ['A', 'B', 'C'])
    assert.deepEqual(linhas, [{ linha: 9, valores: ['1', '', ''] }])
  })

  it('is the first visible sheet, wherever its part is', async () => {
    const folha = (texto: string) =>
      `<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>${texto}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`
    const arquivo = await criarXlsx({
      dados: '',
      livro:
        '<workbook xmlns:r="r"><sheets><sheet name="oculta" state="hidden" r:id="r1"/><sheet name="grafico" r:id="r2"/><sheet name="vista" r:id="r3"/><sheet name="outra" r:id="r1"/></sheets></workbook>',
      relacoes: `<Relationships>${relacao('r1', 'worksheet', 'worksheets/sheet1.xml')}${relacao('r2', 'chartsheet', 'chartsheets/sheet1.xml')}${relacao('r3', 'worksheet', '/xl/Folhas/vista.xml')}</Relationships>`,
      outras: { 'xl/chartsheets/sheet1.xml': '<a/>', 'xl/folhas/vista.xml': folha('CERTA') },
    })
    assert.deepEqual((await ler(arquivo)).cabecalho, ['CERTA'])
  })

  it('is the same wherever the file is cut', async () => {
    const linhas = Array.from(
      { length: 500 },
      (_, i) => `<row><c><v>${i}</v></c>${celula('B1', `São ${i}`)}</row>`,
    )
    const bytes = await criarXlsx({ dados: CABECALHO + linhas.join('') })
    assert.deepEqual(await ler(fonteDe(bytes, 7)), await ler(bytes))
  })

  it('with a million empty rows has only the others', async () => {
    const dados = textoGerado(
      `${PLANILHA}${CABECALHO}`,
      (i) => `<row r="${i + 2}" spans="1:3"/>`,
      1_000_000,
      `<row><c><v>7</v></c></row>${FIM}`,
    )
    const { linhas } = await ler(await criarXlsx({ dados }))
    assert.deepEqual(linhas, [{ linha: 1_000_002, valores: ['7', '', ''] }])
  })
})

describe('a hostile XLSX is refused:', () => {
  it('a DOCTYPE, with entities or without, and unknown entities', async () => {
    const bomba = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    await recusa(
      await criarXlsx({ dados: CABECALHO, textos: `${bomba}<sst><si><t>&b;</t></si></sst>` }),
      /DOCTYPE/,
    )
    await recusa(await criarXlsx({ dados: CABECALHO, estilos: '<!DOCTYPE x><styleSheet/>' }), /DOCTYPE/)
    await recusa(await criarXlsx({ dados: `<row>${celula('A1', '&xxe;')}</row>` }), /malformado/)
  })

  it('shared strings without end, many or one', async () => {
    const muitos = textoGerado('<sst>', () => '<si/>'.repeat(1000), 5000, '</sst>')
    await recusa(await criarXlsx({ dados: CABECALHO, textos: muitos }), /texto demais/)
    const longo = textoGerado('<sst><si><t>', () => 'x'.repeat(100_000), 300, '</t></si></sst>')
    await recusa(await criarXlsx({ dados: CABECALHO, textos: longo }), /malformado/)
  })

  it('a sheet that unfolds without end, and internal definitions that do', async () => {
    const enorme = textoGerado(`${PLANILHA}${CABECALHO}`, () => '<row spans="1:3"/>'.repeat(20_000), 250, FIM)
    await recusa(await criarXlsx({ dados: enorme }), /se expande a um tamanho/)
    const estilos = `<styleSheet>${'<a/>'.repeat(5_000_000)}</styleSheet>`
    await recusa(await criarXlsx({ dados: CABECALHO, estilos }), /definições internas demais/)
  })

  it('a cell, a comment or a tag without end, and tags that only open', async () => {
    for (const [antes, pedaco] of [
      ['<row><c t="str"><v>', 'x'],
      ['<!--', 'x'],
      ['<row ', 'x'],
      ['<row r="', 'x'],
      ['', '<a>'],
    ] as const) {
      const dados = textoGerado(`${PLANILHA}${CABECALHO}${antes}`, () => pedaco.repeat(20_000), 500, '')
      await recusa(await criarXlsx({ dados }), /malformado|passa de 1\.000\.000 caracteres/)
    }
  })

  it('rows beyond the limit, counted or only numbered so', async () => {
    const near = '<row r="9990000"/>'
    await recusa(
      await criarXlsx({ dados: `${CABECALHO}${near}${'<row/>'.repeat(10_002)}` }),
      /mais de 10\.000\.000 linhas/,
    )
    for (const r of [10_000_002, 2 ** 31, 4e9, Number.MAX_SAFE_INTEGER])
      await recusa(
        await criarXlsx({ dados: `${CABECALHO}<row r="${r}"><c><v>1</v></c></row>` }),
        /mais de 10\.000\.000 linhas/,
      )
  })

  it('a value beyond the columns, a row with too much text', async () => {
    await recusa(
      await criarXlsx({ dados: `${CABECALHO}<row r="2"><c r="XFD2"><v>1</v></c></row>` }),
      /linha 2 da planilha passa de 1\.000 colunas/,
    )
    const textos = `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`
    const dados = `${CABECALHO}<row r="2">${'<c t="s"><v>0</v></c>'.repeat(40)}</row>`
    await recusa(await criarXlsx({ dados, textos }), /linha 2 da planilha passa de 1\.000\.000 caracteres/)
  })

  it('no sheet, only hidden ones, an empty one, a broken one, a missing part', async () => {
    await recusa(await criarXlsx({ dados: '' }), /primeira aba da planilha está vazia/)
    await recusa(
      await criarXlsx({ dados: CABECALHO, livro: '<workbook><sheets/></workbook>' }),
      /nenhuma aba visível/,
    )
    await recusa(await criarXlsx({ dados: CABECALHO, relacoes: '<Relationships/>' }), /nenhuma aba visível/)
    await recusa(await criarXlsx({ dados: `${CABECALHO}<row>` }), /malformado/)
    await recusa(await criarXlsx({ dados: CABECALHO, livro: 'isto não é XML' }), /malformado/)
  })
})

describe('the value of a cell', () => {
  for (const [bruto, texto] of [
    ['10', '10'],
    ['10.0', '10'],
    ['1E3', '1000'],
    ['10.199999999999999', '10.2'],
    ['1.5E-7', '0.00000015'],
    ['123456789012345678', '123456789012345678'],
    ['1E22', '10000000000000000000000'],
    ['-0.5', '-0.5'],
    ['abc', 'abc'],
  ] as const)
    it(`${bruto} is written ${texto}`, () => assert.equal(formatNumero(bruto), texto))

  for (const [id, codigo, data] of [
    [14, undefined, true],
    [22, undefined, true],
    [20, undefined, false],
    [0, undefined, false],
    [164, 'dd/mm/yyyy', true],
    [164, '[$-416]d "de" mmmm "de" yyyy;@', true],
    [164, 'mmm', true],
    [164, 'hh:mm:ss', false],
    [164, '[h]:mm', false],
    [164, '0.00" dias"', false],
    [164, '[Red]#,##0', false],
    [164, '\\d0', false],
    [164, 'General', false],
  ] as const)
    it(`with the format ${codigo ?? id} is ${data ? 'a date' : 'no date'}`, () =>
      assert.equal(isFormatoDeData(id, codigo), data))

  for (const [serial, data] of [
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [45308.999, '2024-01-17'],
    [2958465, '9999-12-31'],
    [0.5, null],
    [-1, null],
    [3e6, null],
    [Number.NaN, null],
  ] as const)
    it(`${serial} as a date is ${data}`, () => assert.equal(formatData(serial, false), data))

  it('stands in the column of its letters', () => {
    assert.deepEqual(['A1', 'Z9', 'AA1', 'XFD1', '12'].map(columnOf), [0, 25, 26, 16383, null])
  })
})
