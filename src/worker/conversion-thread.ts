import { parentPort, workerData } from 'node:worker_threads'
import { indexMunicipios, type Municipio } from '../brasil/municipios.ts'
import { createChaves } from '../domain/casos/sigilo.ts'
import { createCipher, createLineHash } from '../domain/cipher.ts'
import { type RowBlock, type RowContext, rowConverter } from '../domain/importacao/convert.ts'

export interface ConversionInput {
  dataKey: Uint8Array
  municipios: readonly Municipio[]
  context: RowContext
}

const { dataKey, municipios, context } = workerData as ConversionInput
const key = Buffer.from(dataKey)
const convert = rowConverter(
  {
    cipher: createCipher(key),
    chaves: createChaves(key),
    linhaHash: createLineHash(key, 'linha'),
    municipios: indexMunicipios(municipios),
  },
  context,
)

parentPort?.on('message', (block: RowBlock) => {
  const answer = convert(block)
  const moved = [...answer.casos, ...answer.rejected].map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(answer, moved)
})
