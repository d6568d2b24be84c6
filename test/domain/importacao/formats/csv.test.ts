import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvLine } from '../../../../src/domain/arquivos/csv.ts'
import type { TextCheck } from '../../../../src/domain/importacao/formats/encoding.ts'
import { openTable } from '../../../../src/domain/importacao/formats/open.ts'
import { type FileSource, LIMITS } from '../../../../src/domain/importacao/formats/table.ts'
import { assertRefused, count, readTable, repeatedSource, sourceOf } from './files.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('a CSV', () => {
  for (const [name, text] of [
    ['semicolons', 'A;B;C\n1;2;3\n'],
    ['commas', 'A,B,C\n1,2,3\n'],
    ['tabs', 'A\tB\tC\n1\t2\t3\n'],
    ['CRLF', 'A;B;C\r\n1;2;3\r\n'],
    ['lone CR', 'A;B;C\r1;2;3\r'],
    ['no line end at the end', 'A;B;C\n1;2;3'],
    ['empty lines anywhere', '\n\r\nA;B;C\n\n   \n1;2;3\n\n\n'],
    ['blanks around the values', 'A ; B;\tC\n 1;2 ;3  \n'],
    ['a DOS end-of-file mark', 'A;B;C\n1;2;3\n\x1a'],
    ['quoted values', '"A";"B";"C"\n"1";"2";"3"\n'],
    ['blanks around the quotes', 'A;B;C\n1; "2" ;3\n'],
    ['each line wrapped in quotes', '"A;B;C"\n"1;2;3"\n'],
    ['only the data lines wrapped', 'A;B;C\n"1;2;3"\n'],
    ['a byte order mark', '\ufeffA;B;C\n1;2;3\n'],
    ['the delimiter of another kind inside a quoted name', '"A";"B";"C"\n1;2;3\n'],
  ] as const)
    it(`is read with ${name}`, async () => {
      const { formato, header, values } = await readTable(text)
      assert.deepEqual(
        { formato, header, values },
        { formato: 'csv', header: ['A', 'B', 'C'], values: [['1', '2', '3']] },
      )
    })

  it('takes the delimiter that gives most columns, not counting what is quoted', async () => {
    const { header } = await readTable('"A,B,C,D";E;"F,G"\n1;2;3\n')
    assert.deepEqual(header, ['A,B,C,D', 'E', 'F,G'])
  })

  it('may have a single column', async () => {
    const { header, values } = await readTable('NOME\nAna\n"Rio; Branco"\n')
    assert.deepEqual({ header, values }, { header: ['NOME'], values: [['Ana'], ['Rio; Branco']] })
  })

  it('keeps delimiters, doubled quotes and line breaks of quoted values', async () => {
    const { values } = await readTable('A;B\n"x;y";"diz ""oi"""\n"duas\r\nlinhas";""\n')
    assert.deepEqual(values, [
      ['x;y', 'diz "oi"'],
      ['duas\nlinhas', ''],
    ])
  })

  it('loses the apostrophe that our own files have before what looks like a formula, and no other', async () => {
    const texts = [
      '=abc',
      '+x',
      '-1a',
      '@x',
      '＝abc',
      '＋x',
      '－1',
      '＠x',
      '\tx',
      '\nx',
      "'=x",
      "'＝x",
      "''-x",
    ]
    const others = ["'abc", "''", "d'água", "'", '-5', '1']
    const lines = [...texts, ...others].map((text) => csvLine([text, 'x']))
    const { values } = await readTable(`A;B\n${lines.join('')}`)
    assert.deepEqual(
      values.map(([text]) => text),
      [...texts, ...others],
    )
    for (const line of lines.slice(0, texts.length)) assert.match(line, /^"?'/)
    for (const line of lines.slice(texts.length)) assert.match(line, /^('abc|''|d'|'|-5|1)/)
  })

  it('undoes the quotes of a wrapped line, and those inside it', async () => {
    const { header, values } = await readTable('"A,B,C"\n"1,""x, y"",3"\n"4,""disse """"oi"""""",6"\n')
    assert.deepEqual(
      { header, values },
      {
        header: ['A', 'B', 'C'],
        values: [
          ['1', 'x, y', '3'],
          ['4', 'disse "oi"', '6'],
        ],
      },
    )
  })

  it('takes quotes inside an unquoted value as they are', async () => {
    const { values } = await readTable('A;B;C\n1;BAR "DO ZE" 12;3\n1;"BAR" DO ZE;3\n1;2";3\n')
    assert.deepEqual(values, [
      ['1', 'BAR "DO ZE" 12', '3'],
      ['1', '"BAR" DO ZE', '3'],
      ['1', '2"', '3'],
    ])
  })

  it('loses nothing after a quote that is never closed', async () => {
    const { values } = await readTable('A;B\n1;"aberta\n2;x\n3;"fechada"\n4;"outra\n5;y\n')
    assert.deepEqual(values, [
      ['1', '"aberta'],
      ['2', 'x'],
      ['3', 'fechada'],
      ['4', '"outra'],
      ['5', 'y'],
    ])
  })

  it('passes on rows with too few and too many values, and empty columns at the end', async () => {
    const { values } = await readTable('A;B;C\n1\n1;2;3;4\n1;;\n;;\n1;2;3;;\n1;2')
    assert.deepEqual(values, [
      ['1'],
      ['1', '2', '3', '4'],
      ['1', '', ''],
      ['', '', ''],
      ['1', '2', '3', '', ''],
      ['1', '2'],
    ])
  })

  it('numbers a row by the line on which it begins', async () => {
    const { rows } = await readTable('\nA;B\n1;2\n\n"a\nb\r\nc";4\n5;6\n')
    assert.deepEqual(
      rows.map(({ line }) => line),
      [3, 5, 8],
    )
  })
})

describe('the encoding of a CSV', () => {
  const text = 'NOME;RUA\nJosé;São João\n'
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['Latin-1', latin1(text)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ] as const)
    it(`is recognised as ${name}, wherever the pieces are cut`, async () => {
      for (const chunk of [1, 3, 1000]) {
        const { header, values } = await readTable(sourceOf(bytes, chunk))
        assert.deepEqual({ header, values }, { header: ['NOME', 'RUA'], values: [['José', 'São João']] })
      }
    })

  it('is Windows-1252 as soon as one byte, however late, is not UTF-8', async () => {
    const { values } = await readTable(
      sourceOf(
        Buffer.concat([latin1(`A;B\n${'x;y\n'.repeat(50_000)}`), Buffer.from([0x93, 0xe9, 0x94, 0x80])]),
      ),
    )
    assert.deepEqual(values.at(-1), ['“é”€'])
  })

  it('is taken from an earlier scan of the whole file where there is one', async () => {
    let read = 0
    const scanned = (check: TextCheck): FileSource => {
      const source = sourceOf(Buffer.from(text), 1)
      return {
        ...source,
        text: check,
        async *stream() {
          for await (const chunk of source.stream()) {
            read += chunk.length
            yield chunk
          }
        },
      }
    }
    const { values } = await readTable(scanned({ utf8: false, nul: null }))
    assert.deepEqual(values, [['JosÃ©', 'SÃ£o JoÃ£o']])
    // The header and a little more, then the whole once.
    assert.ok(read < 2 * Buffer.byteLength(text))
    await assertRefused(scanned({ utf8: true, nul: 7 }), /bytes nulos na posição 7/)
  })

  it('stays UTF-8 in a file cut in the middle of its last letter', async () => {
    const { values } = await readTable(Buffer.from('A;B\né;ção').subarray(0, -2))
    assert.equal(values[0]?.[0], 'é')
    assert.equal((await readTable(latin1('A;B\n1;caf\xe9'))).values[0]?.[1], 'café')
  })
})

describe('a CSV cut into pieces', () => {
  const raw = fc.string({
    unit: fc.constantFrom('a', 'é', '€', ';', ';', ',', '"', '"', '\n', '\n', '\r', ' ', '\t'),
    maxLength: 80,
  })

  it('gives the same rows wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(raw, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (body, chunk, utf8) => {
        const bytes = Buffer.from(`A;B;C\n${body}`, utf8 ? 'utf8' : 'latin1')
        const whole = await readTable(sourceOf(bytes, bytes.length))
        assert.deepEqual(await readTable(sourceOf(bytes, chunk)), whole)
      }),
      { numRuns: 500 },
    )
  })

  it('gives back every value that was written with its quotes doubled', async () => {
    const value = raw.map((text) => text.replace(/\r\n?/g, '\n').trim())
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value, value)),
        fc.integer({ min: 1, max: 9 }),
        async (rows, chunk) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
          const text = ['A;B;C', ...rows.map((line) => line.map(quoted).join(';'))].join('\r\n')
          assert.deepEqual((await readTable(sourceOf(text, chunk))).values, rows)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a well-formed CSV', () => {
  it('is read as csv-parse reads it, whatever the delimiter, the line end and the fields quoted', async () => {
    const value = fc
      .string({ unit: fc.constantFrom('a', 'é', '€', ';', ',', '\t', '"', '\n', ' ', '1'), maxLength: 12 })
      .map((text) => text.trim())
    const field = fc.record({ value, isQuoted: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(';', ',', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 64 }),
        async (delimiter, lineEnd, rows, chunk) => {
          const cell = ({ value, isQuoted }: { value: string; isQuoted: boolean }) =>
            isQuoted || /[;,\t"\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
          const lines = [['A', 'B', 'C'], ...rows.map((row) => row.map(cell))]
          const text = lines.map((cells) => cells.join(delimiter) + lineEnd).join('')
          const expected = parse(text, { delimiter, record_delimiter: lineEnd })
          const { header, values } = await readTable(sourceOf(text, chunk))
          assert.deepEqual([header, ...values], expected)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a hostile CSV is refused:', () => {
  it('a NUL byte, and where it is', async () => {
    await assertRefused(`A;B\n${'1;2\n'.repeat(5000)}1;\0\n`, /bytes nulos na posição 20006/)
    await assertRefused(Buffer.from('\ufeffA;B\n1;\0\n', 'utf16le'), /bytes nulos/)
  })

  it('a line of a gigabyte, as header or later', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'a')
    await assertRefused(repeatedSource('', megabyte, 1024), /linha 1 passa de 1\.000\.000 caracteres/)
    await assertRefused(repeatedSource('A;B\n1;2\n', megabyte, 1024), /linha 3 passa de/)
    await assertRefused(repeatedSource('A;B\n"1\n2";', megabyte, 64), /linha 2 passa de/)
  })

  it('a gigabyte without a line end after an open quote', async () => {
    await assertRefused(repeatedSource('A;B\n1;"', Buffer.alloc(1024 * 1024, 'a'), 1024), /linha 2 passa de/)
  })

  it('20,000 columns, in the header or in a row', async () => {
    await assertRefused(Array(20_000).fill('A').join(';'), /linha 1 tem 20\.000 colunas; o máximo é 1\.000/)
    await assertRefused(`A;B\n1;2\n${';'.repeat(19_999)}\n`, /linha 3 tem 20\.000 colunas/)
    await assertRefused(`A;B\n1;2\n"x"${';'.repeat(500_000)}\n`, /linha 3 tem 500\.001 colunas/)
  })

  it('more rows than the limit', async () => {
    await assertRefused(
      repeatedSource('A\n', Buffer.from('1\n'.repeat(100_000)), LIMITS.rows / 100_000 + 1),
      /mais de 10\.000\.000 linhas/,
    )
  })

  it('more lines of text than the limit, within few records', async () => {
    const record = `"${'\n'.repeat(900_000)}";1\n`
    await assertRefused(
      repeatedSource('A;B\n', Buffer.from(record), LIMITS.lines / 900_000 + 1),
      /mais de 10\.000\.000 linhas/,
    )
  })

  it('empty lines in place of rows or of a header; behind a row they are passed over, up to the limit', async () => {
    const empty = Buffer.alloc(100_000, '\n')
    const read: number[] = []
    for (const beginning of ['', 'A;B\n']) {
      const source = repeatedSource(beginning, empty, 50)
      const stream = () => counted(source.stream(), read)
      await assertRefused({ ...source, text: { utf8: true, nul: null }, stream }, /está vazio nas primeiras/)
      assert.ok(read.splice(0).length <= 3, 'the rest is not read')
    }
    const { rows } = await readTable(
      repeatedSource('A;B\n1;2\n', Buffer.from(`${'\n'.repeat(50_000)}3;4\n`), 2),
    )
    assert.deepEqual(
      rows.map(({ line }) => line),
      [2, 50_003, 100_004],
    )
    await assertRefused(
      repeatedSource('A;B\n1;2\n', empty, LIMITS.rows / 100_000 + 1),
      /mais de 10\.000\.000 linhas/,
    )
  })

  it('nothing but blanks', async () => {
    await assertRefused(repeatedSource(' ', Buffer.alloc(5000, '\n'), 10), /vazio/)
  })
})

describe('an open quote', () => {
  it('takes no line with it, even if nothing closes it in millions of characters', async () => {
    const { table } = await openTable(
      repeatedSource('A;B\n1;"x\n', Buffer.from('2;y\n'.repeat(50_000)), 20),
      null,
    )
    assert.equal(await count(table), 1_000_001)
  })
})

async function* counted(pieces: AsyncIterable<Buffer>, read: number[]): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    read.push(piece.length)
    yield piece
  }
}
