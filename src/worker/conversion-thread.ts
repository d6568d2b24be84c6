import { parentPort, workerData } from 'node:worker_threads'
import { indexMunicipios, type Municipio } from '../brasil/municipios.ts'
import { createChaves } from '../domain/casos/sigilo.ts'
import { createCipher, createLineHash, type KeyMaterial } from '../domain/cipher.ts'
import { type RowBlock, type RowContext, rowConverter } from '../domain/importacao/convert.ts'

export interface ConversionInput {
  dataKey: KeyMaterial
  municipios: readonly Municipio[]
  context: RowContext
}

const { dataKey, municipios, context } = workerData as ConversionInput
const convert = rowConverter(
  {
    cipher: createCipher(dataKey),
    chaves: createChaves(dataKey),
    linhaHash: createLineHash(dataKey, 'linha'),
    municipios: indexMunicipios(municipios),
  },
  context,
)

parentPort?.on('message', (block: RowBlock) => {
  const answer = convert(block)
  const moved = [...answer.casos, ...answer.rejected].map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(answer, moved)
})
