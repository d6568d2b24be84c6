import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  columnOf,
  formatDate,
  formatNumber,
  isDateFormat,
} from '../../../../src/domain/importacao/formats/xlsx-values.ts'
import { assertRefused, cell, generatedText, makeXlsx, readTable, relation, sourceOf } from './files.ts'

const HEADER = `<row r="1">${cell('A1', 'A')}${cell('B1', 'B')}${cell('C1', 'C')}</row>`
const SHEET = '<worksheet><sheetData>'
const END = '</sheetData></worksheet>'
const STYLES = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy;@"/><numFmt numFmtId="171" formatCode="[Red]0.00&quot; dias&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="20"/></cellXfs></styleSheet>`

describe('an XLSX', () => {
  it('gives shared, inline and computed text, numbers, booleans and errors', async () => {
    const strings =
      '<sst><si><t>Nome</t></si><si><r><t>Jos</t></r><r><t xml:space="preserve">é </t></r><rPh><t>x</t></rPh></si><si/><si><t>duas_x000D_linhas &amp; mais</t></si></sst>'
    const data = `<row r="1"><c r="A1" t="s"><v>0</v></c>${cell('B1', 'B')}<c r="C1" t="str"><f>1+1</f><v>C</v></c></row>
      <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>10.0</v></c><c r="C2" t="b"><v>1</v></c></row>
      <row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>4018</v></c><c r="C3" t="e"><v>#N/A</v></c></row>
      <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="s"><v>999</v></c><c r="C4" t="b"><v>0</v></c></row>`
    const { header, values } = await readTable(await makeXlsx({ data, strings }))
    assert.deepEqual(header, ['Nome', 'B', 'C'])
    assert.deepEqual(values, [
      ['José', '10', 'true'],
      ['duas linhas & mais', '4018', '#N/A'],
      ['', '', 'false'],
    ])
  })

  it('gives dates by the style of the cell, in the 1900 and the 1904 system', async () => {
    const data = `${HEADER}<row r="2"><c r="A2" s="1"><v>45308</v></c><c r="B2" s="2"><v>45308.75</v></c><c r="C2" s="3"><v>45308</v></c></row>
      <row r="3"><c r="A3" s="4"><v>0.5</v></c><c r="B3" t="d"><v>2024-01-17T10:00:00</v></c><c r="C3"><v>45308</v></c></row>`
    const read = await readTable(await makeXlsx({ data, styles: STYLES }))
    assert.deepEqual(read.values, [
      ['2024-01-17', '2024-01-17', '45308'],
      ['0.5', '2024-01-17', '45308'],
    ])
    const workbook =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="x" r:id="rId1"/></sheets></workbook>'
    const in1904 = await readTable(
      await makeXlsx({
        data,
        styles: STYLES,
        workbook: workbook.replace('<workbook>', '<workbook xmlns:r="r">'),
      }),
    )
    assert.deepEqual(in1904.values[0], ['2028-01-18', '2028-01-18', '45308'])
  })

  it('puts cells where their letters say, and fills the row up to the header', async () => {
    const data = `${HEADER}<row r="5"><c r="C5"><v>3</v></c></row><row r="6"><c r="A6"><v>1</v></c></row><row><c><v>1</v></c><c><v>2</v></c><c/><c><v>4</v></c></row>`
    const { rows } = await readTable(await makeXlsx({ data }))
    assert.deepEqual(rows, [
      { line: 5, values: ['', '', '3'] },
      { line: 6, values: ['1', '', ''] },
      { line: 7, values: ['1', '2', '', '4'] },
    ])
  })

  it('skips empty rows, before the header too, and cells that are only formatted', async () => {
    const data = `<row r="1"/><row r="2"><c r="XFD2" s="1"/></row>${HEADER.replaceAll('1"', '3"')}<row r="4"><c r="A4" t="inlineStr"><is><t> </t></is></c></row><row r="9"><c r="A9"><v>1</v></c></row>`
    const { header, rows } = await readTable(await makeXlsx({ data }))
    assert.deepEqual(header, ['A', 'B', 'C'])
    assert.deepEqual(rows, [{ line: 9, values: ['1', '', ''] }])
  })

  it('is the first visible sheet, wherever its part is', async () => {
    const sheet = (text: string) =>
      `<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`
    const file = await makeXlsx({
      data: '',
      workbook:
        '<workbook xmlns:r="r"><sheets><sheet name="oculta" state="hidden" r:id="r1"/><sheet name="grafico" r:id="r2"/><sheet name="vista" r:id="r3"/><sheet name="outra" r:id="r1"/></sheets></workbook>',
      relations: `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'chartsheet', 'chartsheets/sheet1.xml')}${relation('r3', 'worksheet', '/xl/Folhas/vista.xml')}</Relationships>`,
      others: { 'xl/chartsheets/sheet1.xml': '<a/>', 'xl/folhas/vista.xml': sheet('CERTA') },
    })
    assert.deepEqual((await readTable(file)).header, ['CERTA'])
  })

  it('is the same wherever the file is cut', async () => {
    const rows = Array.from(
      { length: 500 },
      (_, i) => `<row><c><v>${i}</v></c>${cell('B1', `São ${i}`)}</row>`,
    )
    const bytes = await makeXlsx({ data: HEADER + rows.join('') })
    assert.deepEqual(await readTable(sourceOf(bytes, 7)), await readTable(bytes))
  })

  it('with a hundred thousand empty rows, the last near line a million, has only the others', async () => {
    const data = generatedText(
      `${SHEET}${HEADER}`,
      (i) => `<row r="${10 * i + 2}" spans="1:3"/>`,
      100_000,
      `<row><c><v>7</v></c></row>${END}`,
    )
    const { rows } = await readTable(await makeXlsx({ data }))
    assert.deepEqual(rows, [{ line: 999_993, values: ['7', '', ''] }])
  })
})

describe('a hostile XLSX is refused:', () => {
  it('a DOCTYPE, with entities or without, and unknown entities', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    await assertRefused(
      await makeXlsx({ data: HEADER, strings: `${bomb}<sst><si><t>&b;</t></si></sst>` }),
      /DOCTYPE/,
    )
    await assertRefused(await makeXlsx({ data: HEADER, styles: '<!DOCTYPE x><styleSheet/>' }), /DOCTYPE/)
    await assertRefused(await makeXlsx({ data: `<row>${cell('A1', '&xxe;')}</row>` }), /malformado/)
  })

  it('shared strings without end, many or one', async () => {
    const many = generatedText('<sst>', () => '<si/>'.repeat(1000), 4300, '</sst>')
    await assertRefused(await makeXlsx({ data: HEADER, strings: many }), /texto demais/)
    const long = generatedText('<sst><si><t>', () => 'x'.repeat(100_000), 30, '</t></si></sst>')
    await assertRefused(await makeXlsx({ data: HEADER, strings: long }), /malformado/)
  })

  it('a sheet that unfolds without end, and internal definitions that do', async () => {
    // Blanks are read faster than tags, and expand as far.
    const blanks = ' '.repeat(60_000)
    const huge = generatedText(`${SHEET}${HEADER}`, () => `<row>${blanks}</row>`, 1150, END)
    await assertRefused(await makeXlsx({ data: huge }), /se expande a um tamanho/)
    const styles = `<styleSheet>${`<a>${blanks}</a>`.repeat(290)}</styleSheet>`
    await assertRefused(await makeXlsx({ data: HEADER, styles }), /definições internas demais/)
  })

  it('a cell, a comment or a tag without end, and tags that only open', async () => {
    for (const [before, chunk] of [
      ['<row><c t="str"><v>', 'x'],
      ['<!--', 'x'],
      ['<row ', 'x'],
      ['<row r="', 'x'],
      ['', '<a>'],
    ] as const) {
      const data = generatedText(`${SHEET}${HEADER}${before}`, () => chunk.repeat(20_000), 125, '')
      await assertRefused(await makeXlsx({ data }), /malformado|passa de 1\.000\.000 caracteres/)
    }
  })

  it('rows beyond the limit, counted or only numbered so', async () => {
    const near = '<row r="9990000"/>'
    await assertRefused(
      await makeXlsx({ data: `${HEADER}${near}${'<row/>'.repeat(10_002)}` }),
      /mais de 10\.000\.000 linhas/,
    )
    for (const r of [10_000_002, 2 ** 31, 4e9, Number.MAX_SAFE_INTEGER])
      await assertRefused(
        await makeXlsx({ data: `${HEADER}<row r="${r}"><c><v>1</v></c></row>` }),
        /mais de 10\.000\.000 linhas/,
      )
  })

  it('a value beyond the columns, a row with too much text', async () => {
    await assertRefused(
      await makeXlsx({ data: `${HEADER}<row r="2"><c r="XFD2"><v>1</v></c></row>` }),
      /linha 2 da planilha passa de 1\.000 colunas/,
    )
    const strings = `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`
    const data = `${HEADER}<row r="2">${'<c t="s"><v>0</v></c>'.repeat(40)}</row>`
    await assertRefused(
      await makeXlsx({ data, strings }),
      /linha 2 da planilha passa de 1\.000\.000 caracteres/,
    )
  })

  it('no sheet, only hidden ones, an empty one, a broken one, a missing part', async () => {
    await assertRefused(await makeXlsx({ data: '' }), /primeira aba da planilha está vazia/)
    await assertRefused(
      await makeXlsx({ data: HEADER, workbook: '<workbook><sheets/></workbook>' }),
      /nenhuma aba visível/,
    )
    await assertRefused(
      await makeXlsx({ data: HEADER, relations: '<Relationships/>' }),
      /nenhuma aba visível/,
    )
    await assertRefused(await makeXlsx({ data: `${HEADER}<row>` }), /malformado/)
    await assertRefused(await makeXlsx({ data: HEADER, workbook: 'isto não é XML' }), /malformado/)
  })
})

describe('the value of a cell', () => {
  for (const [raw, text] of [
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
    it(`${raw} is written ${text}`, () => assert.equal(formatNumber(raw), text))

  for (const [id, code, data] of [
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
    it(`with the format ${code ?? id} is ${data ? 'a date' : 'no date'}`, () =>
      assert.equal(isDateFormat(id, code), data))

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
    it(`${serial} as a date is ${data}`, () => assert.equal(formatDate(serial, false), data))

  it('stands in the column of its letters', () => {
    assert.deepEqual(['A1', 'Z9', 'AA1', 'XFD1', '12'].map(columnOf), [0, 25, 26, 16383, null])
  })
})
