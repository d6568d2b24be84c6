import type { App } from '../domain/app.ts'
import { type Arquivo, discardArquivo, storeArquivo } from '../domain/arquivos/arquivos.ts'

/** Storage of uploaded files: into the database, encrypted, while they arrive. */
export const intoDatabase = {
  store: (content: AsyncIterable<Buffer>, app: App) => storeArquivo(app, content),
  discard: async ({ id }: Arquivo, { db }: App) => {
    await discardArquivo(db, id)
  },
  digest: ({ sha256 }: Arquivo) => sha256.toString('hex'),
}
