import { parentPort, workerData } from 'node:worker_threads'
import { indexMunicipios, type Municipio } from '../brasil/municipios.ts'
import { createCipher, createKeyedHash, createLineHash } from '../domain/cipher.ts'
import { type Leitura, type Pacote, rowConverter } from '../domain/importacao/convert.ts'

export interface ConversionInput {
  dataKey: Uint8Array
  municipios: readonly Municipio[]
  leitura: Leitura
}

const { dataKey, municipios, leitura } = workerData as ConversionInput
const key = Buffer.from(dataKey)
const convert = rowConverter(
  {
    cipher: createCipher(key),
    cepKey: createKeyedHash(key, 'cep'),
    linhaHash: createLineHash(key, 'linha'),
    municipios: indexMunicipios(municipios),
  },
  leitura,
)

parentPort?.on('message', (pacote: Pacote) => {
  const answer = convert(pacote)
  const moved = [...answer.casos, ...answer.rejeitadas].map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(answer, moved)
})
