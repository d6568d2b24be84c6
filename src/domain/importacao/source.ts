import type { App } from '../app.ts'
import { PIECE_BYTES, readArquivo, readPiece } from '../arquivos/arquivos.ts'
import type { FileSource } from './formats/table.ts'
import type { ImportParameters } from './importacoes.ts'

/** Decrypted pieces in the cache, for readers with random access (XLSX). */
const KEPT_PIECES = 8

/** A stored file as a source for readers; `position`: bytes read so far. Calls `proceed` at every piece. */
export function sourceOf(
  app: Pick<App, 'db' | 'cipher'>,
  id: string,
  { arquivo_tamanho: size, arquivo_texto: text }: Pick<ImportParameters, 'arquivo_tamanho' | 'arquivo_texto'>,
  proceed: () => void,
): FileSource & { position(): number } {
  const kept = new Map<number, Buffer>()
  let reached = 0

  async function piece(ordem: number): Promise<Buffer> {
    const known = kept.get(ordem)
    if (known !== undefined) return known
    proceed()
    const content = await readPiece(app, id, ordem)
    kept.set(ordem, content)
    if (kept.size > KEPT_PIECES) kept.delete(kept.keys().next().value as number)
    return content
  }

  return {
    size,
    ...(text && { text }),
    position: () => reached,
    async *stream() {
      reached = 0
      for await (const content of readArquivo(app, id)) {
        proceed()
        yield content
        reached += content.length
      }
    },
    async readAt(offset, length) {
      const parts: Buffer[] = []
      const end = Math.min(offset + length, size)
      for (let at = offset; at < end; ) {
        const ordem = Math.floor(at / PIECE_BYTES)
        const content = await piece(ordem)
        const part = content.subarray(at - ordem * PIECE_BYTES, end - ordem * PIECE_BYTES)
        if (part.length === 0) break
        parts.push(part)
        at += part.length
      }
      reached = Math.max(reached, end)
      return Buffer.concat(parts)
    },
  }
}
