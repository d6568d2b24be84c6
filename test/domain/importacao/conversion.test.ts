import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { CONHECIDAS } from '../../../src/domain/casos/agravos/registro.ts'
import { createChaves } from '../../../src/domain/casos/sigilo.ts'
import { createCipher, createLineHash } from '../../../src/domain/cipher.ts'
import { type ConvertedBlock, createConverter } from '../../../src/domain/importacao/convert.ts'
import { conversionInThreads } from '../../../src/worker/conversion.ts'

describe('Rows converted in threads', () => {
  const dataKey = randomBytes(32)
  const context = {
    jobId: 'job_1',
    header: [
      'tipo_agravo',
      'numero_notificacao',
      'data_notificacao',
      'paciente_nome',
      'municipio_residencia',
      'estado_residencia',
    ],
    today: '2026-11-15',
    tipoAgravo: null,
    definicoes: {
      todos: CONHECIDAS.todos.map(({ definicao, versao, ativo }) => ({ definicao, versao, ativo })),
      vocabulario: CONHECIDAS.vocabulario,
    },
    territorio: null,
    groups: true,
  }
  const rows = Array.from({ length: 50 }, (_, i) => ({
    linha: i + 2,
    // Every fifth has a day that is none.
    valores: [
      'dengue',
      `n${i}`,
      i % 5 === 0 ? '2024-02-30' : '2024-02-29',
      'Ana Luíza “Só”',
      '2611606',
      'PE',
    ],
  }))

  const packed = (some: typeof rows) => ({
    lines: some.map(({ linha }) => linha),
    rows: some.map(({ valores }) => JSON.stringify(valores)),
  })

  /** All but what is sealed, which is another each time. */
  const openOf = ({ casos, rejected, ...numbers }: ConvertedBlock) => ({
    ...numbers,
    casos: linesOf(casos).map((line) => line.replace(/\\\\x[0-9a-f]{40,}/g, 'sealed')),
    rejected: linesOf(rejected).map((line) => line.replace(/\\\\x[0-9a-f]{40,}/g, 'sealed')),
  })
  const linesOf = (pieces: Buffer[]) => Buffer.concat(pieces).toString().split('\n')

  it('are what they are here, block by block', async () => {
    const municipios = await loadMunicipios()
    const app = {
      cipher: createCipher(dataKey),
      chaves: createChaves(dataKey),
      linhaHash: createLineHash(dataKey, 'linha'),
      municipios,
    }
    const here = createConverter(app, context)
    const threads = conversionInThreads({ dataKey, municipios: municipios.all })(context)
    try {
      const blocks = [rows.slice(0, 7), rows.slice(7, 30), rows.slice(30), []]
      const there = await Promise.all(blocks.map((block) => threads.convert(packed(block))))
      for (const [i, block] of blocks.entries())
        assert.deepEqual(openOf(there[i] as ConvertedBlock), openOf(await here.convert(packed(block))))
      assert.deepEqual([there[0]?.valid, there[0]?.errors], [5, 2])
    } finally {
      await threads.end()
    }
  })

  it('are rejected there, too, where they are outside of the importer’s territory', async () => {
    const { all } = await loadMunicipios()
    const territorio = {
      lugares: ['municipio:2609600'],
      ufs: new Set<string>(),
      regioes: new Set<number>(),
      municipios: new Set([2_609_600]),
    }
    const threads = conversionInThreads({ dataKey, municipios: all })({ ...context, territorio })
    const [out, inside] = [rows[1], rows[2]] as [(typeof rows)[0], (typeof rows)[0]]
    const olinda = { ...inside, valores: inside.valores.with(4, '2609600') }
    try {
      const { valid, errors, rejected } = await threads.convert(packed([out, olinda]))
      assert.deepEqual([valid, errors], [1, 1])
      assert.match(linesOf(rejected)[0] as string, /^3\tt\tn1\tFora do seu território\t/)
    } finally {
      await threads.end()
    }
  })

  it('are refused when their thread has ended', async () => {
    const { all } = await loadMunicipios()
    const threads = conversionInThreads({ dataKey, municipios: all })(context)
    const refused = assert.rejects(threads.convert(packed(rows)), /the thread ended/)
    await threads.end()
    await refused
    await assert.rejects(threads.convert(packed(rows)), /the thread ended/)
  })
})
