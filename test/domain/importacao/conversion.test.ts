import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { createCipher, createKeyedHash, createLineHash } from '../../../src/domain/cipher.ts'
import { type Convertidas, createConversor } from '../../../src/domain/importacao/convert.ts'
import { conversionInThreads } from '../../../src/worker/conversion.ts'

describe('Rows converted in threads', () => {
  const dataKey = randomBytes(32)
  const leitura = {
    jobId: 'job_1',
    cabecalho: [
      'tipo_agravo',
      'numero_notificacao',
      'data_notificacao',
      'paciente_nome',
      'municipio_residencia',
      'estado_residencia',
    ],
    today: '2026-11-15',
    tipoAgravo: null,
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
    linhas: some.map(({ linha }) => linha),
    valores: some.map(({ valores }) => JSON.stringify(valores)),
  })

  /** All but what is sealed, which is another each time. */
  const openOf = ({ casos, rejeitadas, ...numbers }: Convertidas) => ({
    ...numbers,
    casos: linesOf(casos).map((line) => line.replace(/\\\\x[0-9a-f]{40,}/g, 'sealed')),
    rejeitadas: linesOf(rejeitadas).map((line) => line.replace(/\\\\x[0-9a-f]{40,}/g, 'sealed')),
  })
  const linesOf = (pieces: Buffer[]) => Buffer.concat(pieces).toString().split('\n')

  it('are what they are here, block by block', async () => {
    const municipios = await loadMunicipios()
    const app = {
      cipher: createCipher(dataKey),
      cepKey: createKeyedHash(dataKey, 'cep'),
      linhaHash: createLineHash(dataKey, 'linha'),
      municipios,
    }
    const here = createConversor(app, leitura)
    const threads = conversionInThreads({ dataKey, municipios: municipios.all })(leitura)
    try {
      const blocks = [rows.slice(0, 7), rows.slice(7, 30), rows.slice(30), []]
      const there = await Promise.all(blocks.map((block) => threads.convert(packed(block))))
      for (const [i, block] of blocks.entries())
        assert.deepEqual(openOf(there[i] as Convertidas), openOf(await here.convert(packed(block))))
      assert.deepEqual([there[0]?.validas, there[0]?.erros], [5, 2])
    } finally {
      await threads.end()
    }
  })

  it('are refused when their thread has ended', async () => {
    const { all } = await loadMunicipios()
    const threads = conversionInThreads({ dataKey, municipios: all })(leitura)
    const refused = assert.rejects(threads.convert(packed(rows)), /the thread ended/)
    await threads.end()
    await refused
    await assert.rejects(threads.convert(packed(rows)), /the thread ended/)
  })
})
