import type { App } from '../app.ts'
import { type Arquivo, storeArquivo } from '../arquivos/arquivos.ts'
import { type TextCheck, TextChecker } from './formats/encoding.ts'

/** A stored file to be imported. */
export interface ImportFile extends Arquivo {
  /** File name given by the sender. */
  name: string
  text: TextCheck
}

/**
 * Stores an upload and validates it as UTF-8 in the same pass: the encoding depends on every byte, and the import would
 * otherwise read and decrypt the whole file twice.
 */
export async function storeImportFile(
  app: Pick<App, 'db' | 'clock' | 'cipher'>,
  content: AsyncIterable<Buffer>,
  name: string,
): Promise<ImportFile> {
  const checker = new TextChecker()
  const arquivo = await storeArquivo(app, checked(content, checker))
  return { ...arquivo, name, text: checker.end() }
}

async function* checked(content: AsyncIterable<Buffer>, checker: TextChecker): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    checker.push(chunk)
    yield chunk
  }
}
