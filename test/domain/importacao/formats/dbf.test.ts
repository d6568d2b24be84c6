import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Compression, DictionarySize, implode, stream } from 'node-pkware'
import { explode } from '../../../../src/domain/importacao/formats/explode.ts'
import { type Campo, criarDbc, criarDbf, fonteDe, ler, recusa } from './arquivos.ts'

const CAMPOS: Campo[] = [
  ['NOME', 'C', 12],
  ['IDADE', 'N', 4],
  ['PESO', 'F', 6],
  ['DT_NOTIFIC', 'D', 8],
  ['VIVO', 'L', 1],
]
const REGISTROS = [
  ['José “Zé”', '4018', '70.5', '20240117', 'T'].map((v) => v.replace('“', '\x93').replace('”', '\x94')),
  ['Ana', '   9', '', '', '?'],
  ['', '****', '******', '**', 'F'],
  ['Bia', '', '', '00000000', ''],
]
const VALORES = [
  ['José “Zé”', '4018', '70.5', '20240117', 'T'],
  ['Ana', '9', '', '', ''],
  ['', '', '', '', 'F'],
  ['Bia', '', '', '', ''],
]
const cabecalho = CAMPOS.map(([nome]) => nome)
/** A copy with a number of the header changed. */
function comNumero(dbf: Buffer, offset: number, valor: number, bytes: 2 | 4): Buffer {
  const copia = Buffer.from(dbf)
  copia.writeUIntLE(valor, offset, bytes)
  return copia
}

describe('a DBF', () => {
  const dbf = criarDbf(CAMPOS, REGISTROS)

  it('gives text, numbers, dates and logicals, blank where there is none, wherever it is cut', async () => {
    for (const pedaco of [1, 7, 100, 100_000]) {
      const lido = await ler(fonteDe(dbf, pedaco))
      assert.deepEqual([lido.formato, lido.cabecalho, lido.valores], ['dbf', cabecalho, VALORES])
    }
  })

  it('skips deleted records and still counts them', async () => {
    const { linhas } = await ler(criarDbf([['A', 'C', 1]], [['x'], ['*', 'y'], ['z']]))
    assert.deepEqual(linhas, [
      { linha: 2, valores: ['x'] },
      { linha: 4, valores: ['z'] },
    ])
  })

  it('may lack the end of its descriptors and of its records, hold NUL, and have more after its end', async () => {
    assert.deepEqual(
      (await ler(criarDbf(CAMPOS, REGISTROS, { terminador: false, fim: false }))).valores,
      VALORES,
    )
    assert.deepEqual((await ler(criarDbf([['A', 'C', 5]], [['x\0\0']]))).valores, [['x']])
    assert.deepEqual((await ler(Buffer.concat([dbf, Buffer.alloc(5000, 'lixo')]))).valores, VALORES)
  })

  it('may have text columns longer than 255, and no records', async () => {
    const longo = criarDbf(
      [
        ['A', 'C', 44],
        ['B', 'C', 1],
      ],
      [],
    )
    longo[32 + 17] = 1 // 44 + 256
    const linha = Buffer.from(` ${'x'.repeat(300)}y`)
    const cheio = Buffer.concat([comNumero(comNumero(longo, 10, 302, 2), 4, 1, 4).subarray(0, -1), linha])
    assert.deepEqual((await ler(cheio)).valores, [['x'.repeat(300), 'y']])
    const vazio = await ler(criarDbf(CAMPOS, []))
    assert.deepEqual([vazio.cabecalho, vazio.linhas], [cabecalho, []])
  })

  it('that ends too early is refused with both numbers', async () => {
    await recusa(dbf.subarray(0, -40), /termina antes do fim: o cabeçalho anuncia 4 registros e há 2\b/)
    await recusa(comNumero(dbf, 4, 1_000_000, 4), /anuncia 1\.000\.000 registros e há 4\b/)
  })

  it('whose header lies is refused', async () => {
    await recusa(comNumero(dbf, 10, 0, 2), /cada registro tem 0 bytes/)
    await recusa(comNumero(dbf, 8, 60_000, 2), /cabeçalho tem 60000 bytes/)
    await recusa(comNumero(dbf, 8, 20, 2), /cabeçalho tem 20 bytes/)
    await recusa(comNumero(dbf, 10, 9, 2), /colunas que somam 32 bytes em registros de 9 bytes/)
    await recusa(comNumero(dbf, 4, 0xffffffff, 4), /mais de 10\.000\.000 linhas/)
    await recusa(comNumero(dbf, 10, 31, 2), /colunas que somam/)
    await recusa(
      criarDbf(
        Array.from({ length: 1500 }, (_, i) => [`C${i}`, 'C', 1]),
        [],
      ),
      /1500 colunas/,
    )
  })

  it('whose records are not where they should be is refused', async () => {
    await recusa(comNumero(dbf, 8, dbf.readUInt16LE(8) - 1, 2), /registro 1 .* danificado/)
  })
})

describe('a DBC', () => {
  const muitos = Array.from({ length: 3000 }, (_, i) => [
    `Pessoa ${i % 97}`,
    String(i),
    '1.5',
    '20240117',
    'T',
  ])
  const dbf = criarDbf(CAMPOS, muitos)

  for (const modo of ['binary', 'ascii'] as const)
    it(`imploded as ${modo} gives the records of its DBF, wherever it is cut`, async () => {
      const { valores } = await ler(dbf)
      for (const pedaco of [1, 1000, 1_000_000]) {
        const lido = await ler(fonteDe(criarDbc(dbf, modo), pedaco))
        assert.deepEqual([lido.formato, lido.cabecalho], ['dbc', cabecalho])
        assert.deepEqual(lido.valores, valores)
      }
    })

  it('may lack the end of its descriptors, and be longer than what it holds', async () => {
    assert.equal((await ler(criarDbc(criarDbf(CAMPOS, muitos, { terminador: false })))).valores.length, 3000)
    const pequeno = await ler(criarDbc(criarDbf([['A', 'C', 1]], [['x']])))
    assert.deepEqual([pequeno.formato, pequeno.valores], ['dbc', [['x']]])
  })

  it('gives no more than its header announces', async () => {
    assert.equal((await ler(comNumero(criarDbc(dbf), 4, 10, 4))).valores.length, 10)
  })

  it('that is cut is refused with both numbers', async () => {
    const dbc = criarDbc(dbf)
    await recusa(dbc.subarray(0, dbc.length >> 1), /anuncia 3\.000 registros e há [12]\.\d\d\d\b/)
    await recusa(dbc.subarray(0, dbf.readUInt16LE(8) + 8), /não cabe em um arquivo de/)
  })

  it('that announces more than can be in it is refused before anything is unpacked', async () => {
    await recusa(
      comNumero(criarDbc(dbf), 4, 9_000_000, 4),
      /anuncia 9\.000\.000 registros de 32 bytes, o que não cabe/,
    )
  })

  it('whose stream is corrupt is refused', async () => {
    const dbc = criarDbc(dbf)
    const inicio = dbf.readUInt16LE(8) + 6
    // A copy from before the beginning of the data.
    const antes = Buffer.from(dbc)
    antes.fill(0xff, inicio, inicio + 2)
    await recusa(antes, /dados compactados do arquivo DBC estão corrompidos/)
    const meio = Buffer.from(dbc)
    meio.fill(0x5a, inicio + 500, inicio + 900)
    await recusa(meio, /corrompidos|danificado|termina antes/)
  })
})

describe('explode', () => {
  const unpack = (bytes: Buffer, pedaco: number) => buffer(explode(fonteDe(bytes, pedaco).stream()))

  // Less than three bytes the implode of the tests does not write rightly.
  it('undoes implode, whatever was imploded and wherever it is cut', async () => {
    const dados = fc.oneof(
      fc.uint8Array({ minLength: 3, maxLength: 600 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 3, max: 500 }))
        .map(([bytes, vezes]) => Buffer.concat(Array(vezes).fill(Buffer.from(bytes)))),
    )
    const modo = fc.constantFrom(Compression.Ascii, Compression.Binary)
    const dicionario = fc.constantFrom(DictionarySize.Small, DictionarySize.Medium, DictionarySize.Large)
    await fc.assert(
      fc.asyncProperty(
        dados,
        modo,
        dicionario,
        fc.integer({ min: 1, max: 50 }),
        async (bytes, m, d, pedaco) => {
          const original = Buffer.from(bytes)
          const imploded = await buffer(Readable.from([original]).pipe(stream.through(implode(m, d))))
          assert.deepEqual(await unpack(imploded, pedaco), original)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('ends on any rubbish, either with bytes or with a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (lixo) => {
        await unpack(Buffer.concat([Buffer.from([lixo.length & 1, 4 + (lixo.length % 3)]), lixo]), 64).catch(
          (erro) => assert.match(erro.message, /corrompidos/),
        )
      }),
      { numRuns: 500 },
    )
  })
})
