import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Compression, DictionarySize, implode, stream } from 'node-pkware'
import { explode } from '../../../../src/domain/importacao/formats/explode.ts'
import { assertRefused, makeDbc, makeDbf, readTable, sourceOf, type TestField } from './files.ts'

const FIELDS: TestField[] = [
  ['NOME', 'C', 12],
  ['IDADE', 'N', 4],
  ['PESO', 'F', 6],
  ['DT_NOTIFIC', 'D', 8],
  ['VIVO', 'L', 1],
]
const RECORDS = [
  ['José “Zé”', '4018', '70.5', '20240117', 'T'].map((v) => v.replace('“', '\x93').replace('”', '\x94')),
  ['Ana', '   9', '', '', '?'],
  ['', '****', '******', '**', 'F'],
  ['Bia', '', '', '00000000', ''],
]
const VALUES = [
  ['José “Zé”', '4018', '70.5', '20240117', 'T'],
  ['Ana', '9', '', '', ''],
  ['', '', '', '', 'F'],
  ['Bia', '', '', '', ''],
]
const header = FIELDS.map(([name]) => name)
/** A copy with a number of the header changed. */
function withNumber(dbf: Buffer, offset: number, value: number, bytes: 2 | 4): Buffer {
  const copy = Buffer.from(dbf)
  copy.writeUIntLE(value, offset, bytes)
  return copy
}

describe('a DBF', () => {
  const dbf = makeDbf(FIELDS, RECORDS)

  it('gives text, numbers, dates and logicals, blank where there is none, wherever it is cut', async () => {
    for (const chunk of [1, 7, 100, 100_000]) {
      const read = await readTable(sourceOf(dbf, chunk))
      assert.deepEqual([read.formato, read.header, read.values], ['dbf', header, VALUES])
    }
  })

  it('skips deleted records and still counts them', async () => {
    const { rows } = await readTable(makeDbf([['A', 'C', 1]], [['x'], ['*', 'y'], ['z']]))
    assert.deepEqual(rows, [
      { line: 2, values: ['x'] },
      { line: 4, values: ['z'] },
    ])
  })

  it('may lack the end of its descriptors and of its records, hold NUL, and have more after its end', async () => {
    assert.deepEqual(
      (await readTable(makeDbf(FIELDS, RECORDS, { terminator: false, end: false }))).values,
      VALUES,
    )
    assert.deepEqual((await readTable(makeDbf([['A', 'C', 5]], [['x\0\0']]))).values, [['x']])
    assert.deepEqual((await readTable(Buffer.concat([dbf, Buffer.alloc(5000, 'lixo')]))).values, VALUES)
  })

  it('may have text columns longer than 255, and no records', async () => {
    const long = makeDbf(
      [
        ['A', 'C', 44],
        ['B', 'C', 1],
      ],
      [],
    )
    long[32 + 17] = 1 // 44 + 256
    const line = Buffer.from(` ${'x'.repeat(300)}y`)
    const full = Buffer.concat([withNumber(withNumber(long, 10, 302, 2), 4, 1, 4).subarray(0, -1), line])
    assert.deepEqual((await readTable(full)).values, [['x'.repeat(300), 'y']])
    const empty = await readTable(makeDbf(FIELDS, []))
    assert.deepEqual([empty.header, empty.rows], [header, []])
  })

  it('that ends too early is refused with both numbers', async () => {
    await assertRefused(
      dbf.subarray(0, -40),
      /termina antes do fim: o cabeçalho anuncia 4 registros e há 2\b/,
    )
    await assertRefused(withNumber(dbf, 4, 1_000_000, 4), /anuncia 1\.000\.000 registros e há 4\b/)
  })

  it('whose header lies is refused', async () => {
    await assertRefused(withNumber(dbf, 10, 0, 2), /cada registro tem 0 bytes/)
    await assertRefused(withNumber(dbf, 8, 60_000, 2), /cabeçalho tem 60000 bytes/)
    await assertRefused(withNumber(dbf, 8, 20, 2), /cabeçalho tem 20 bytes/)
    await assertRefused(withNumber(dbf, 10, 9, 2), /colunas que somam 32 bytes em registros de 9 bytes/)
    await assertRefused(withNumber(dbf, 4, 0xffffffff, 4), /mais de 10\.000\.000 linhas/)
    await assertRefused(withNumber(dbf, 10, 31, 2), /colunas que somam/)
    await assertRefused(
      makeDbf(
        Array.from({ length: 1500 }, (_, i) => [`C${i}`, 'C', 1]),
        [],
      ),
      /1500 colunas/,
    )
  })

  it('whose records are not where they should be is refused', async () => {
    await assertRefused(withNumber(dbf, 8, dbf.readUInt16LE(8) - 1, 2), /registro 1 .* danificado/)
  })
})

describe('a DBC', () => {
  const many = Array.from({ length: 3000 }, (_, i) => [`Pessoa ${i % 97}`, String(i), '1.5', '20240117', 'T'])
  const dbf = makeDbf(FIELDS, many)

  for (const mode of ['binary', 'ascii'] as const)
    it(`imploded as ${mode} gives the records of its DBF, wherever it is cut`, async () => {
      const { values } = await readTable(dbf)
      for (const chunk of [1, 1000, 1_000_000]) {
        const read = await readTable(sourceOf(makeDbc(dbf, mode), chunk))
        assert.deepEqual([read.formato, read.header], ['dbc', header])
        assert.deepEqual(read.values, values)
      }
    })

  it('may lack the end of its descriptors, and be longer than what it holds', async () => {
    assert.equal((await readTable(makeDbc(makeDbf(FIELDS, many, { terminator: false })))).values.length, 3000)
    const small = await readTable(makeDbc(makeDbf([['A', 'C', 1]], [['x']])))
    assert.deepEqual([small.formato, small.values], ['dbc', [['x']]])
  })

  it('gives no more than its header announces', async () => {
    assert.equal((await readTable(withNumber(makeDbc(dbf), 4, 10, 4))).values.length, 10)
  })

  it('that is cut is refused with both numbers', async () => {
    const dbc = makeDbc(dbf)
    await assertRefused(dbc.subarray(0, dbc.length >> 1), /anuncia 3\.000 registros e há [12]\.\d\d\d\b/)
    await assertRefused(dbc.subarray(0, dbf.readUInt16LE(8) + 8), /não cabe em um arquivo de/)
  })

  it('that announces more than can be in it is refused before anything is unpacked', async () => {
    await assertRefused(
      withNumber(makeDbc(dbf), 4, 9_000_000, 4),
      /anuncia 9\.000\.000 registros de 32 bytes, o que não cabe/,
    )
  })

  it('whose stream is corrupt is refused', async () => {
    const dbc = makeDbc(dbf)
    const start = dbf.readUInt16LE(8) + 6
    // A copy from before the beginning of the data.
    const before = Buffer.from(dbc)
    before.fill(0xff, start, start + 2)
    await assertRefused(before, /dados compactados do arquivo DBC estão corrompidos/)
    const middle = Buffer.from(dbc)
    middle.fill(0x5a, start + 500, start + 900)
    await assertRefused(middle, /corrompidos|danificado|termina antes/)
  })
})

describe('explode', () => {
  const unpack = (bytes: Buffer, chunk: number) => buffer(explode(sourceOf(bytes, chunk).stream()))

  // Less than three bytes the implode of the tests does not write rightly.
  it('undoes implode, whatever was imploded and wherever it is cut', async () => {
    const data = fc.oneof(
      fc.uint8Array({ minLength: 3, maxLength: 600 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 3, max: 500 }))
        .map(([bytes, times]) => Buffer.concat(Array(times).fill(Buffer.from(bytes)))),
    )
    const mode = fc.constantFrom(Compression.Ascii, Compression.Binary)
    const dictionary = fc.constantFrom(DictionarySize.Small, DictionarySize.Medium, DictionarySize.Large)
    await fc.assert(
      fc.asyncProperty(
        data,
        mode,
        dictionary,
        fc.integer({ min: 1, max: 50 }),
        async (bytes, m, d, chunk) => {
          const original = Buffer.from(bytes)
          const imploded = await buffer(Readable.from([original]).pipe(stream.through(implode(m, d))))
          assert.deepEqual(await unpack(imploded, chunk), original)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('ends on any rubbish, either with bytes or with a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (garbage) => {
        await unpack(
          Buffer.concat([Buffer.from([garbage.length & 1, 4 + (garbage.length % 3)]), garbage]),
          64,
        ).catch((error) => assert.match(error.message, /corrompidos/))
      }),
      { numRuns: 500 },
    )
  })
})
