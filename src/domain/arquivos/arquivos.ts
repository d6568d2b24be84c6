import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import {
  completeArquivo,
  discardArquivo,
  findArquivo,
  findParte,
  insertArquivo,
  insertParte,
  markInUse,
} from './arquivos.sql.ts'

export { discardArquivo, forgetUnusedArquivos } from './arquivos.sql.ts'

/**
 * Files in the database, encrypted in pieces. Stored while they arrive, outside any transaction, so that a slow sender
 * holds no connection; a file is kept once a transaction refers to it (`useArquivo`), else the cleanup deletes it.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>

export const PIECE_BYTES = 256 * 1024
/** Enough to recognise a file type by its signature. */
const START_BYTES = 512

export interface Arquivo {
  id: string
  tamanho: number
  /** Not stored with the content: a digest would reveal whether it is a known file. */
  sha256: Buffer
  /** Its first bytes. */
  start: Buffer
}

export const contextOf = (id: string, ordem: number) => `arquivos/${id}/${ordem}`

/** Stores a file. One piece is on its way to the database while the next is made. */
export async function storeArquivo(
  { db, clock, cipher }: Needs,
  content: AsyncIterable<Buffer>,
): Promise<Arquivo> {
  const id = randomUUID()
  const hash = createHash('sha256')
  let tamanho = 0
  let ordem = 0
  let start: Buffer = Buffer.alloc(0)
  let storing: Promise<unknown> = Promise.resolve()
  await insertArquivo(db, id, clock.now())
  try {
    for await (const piece of inPieces(content)) {
      if (ordem === 0) start = Buffer.from(piece.subarray(0, START_BYTES))
      hash.update(piece)
      tamanho += piece.length
      const sealed = cipher.encrypt(piece, contextOf(id, ordem))
      await storing
      storing = insertParte(db, id, ordem, sealed)
      // Handled when awaited; the content may fail before.
      storing.catch(() => {})
      ordem += 1
    }
    await storing
    await completeArquivo(db, id, tamanho)
    return { id, tamanho, sha256: hash.digest(), start }
  } catch (error) {
    await storing.catch(() => {})
    await discardArquivo(db, id)
    throw error
  }
}

/** Keeps the file from the cleanup; to be called in the transaction that refers to it. */
export async function useArquivo(tx: Db, id: string): Promise<void> {
  if ((await markInUse(tx, id)) === 0) throw new AppError('NOT_FOUND')
}

/** Streams the whole file, or throws where a piece is missing. Prefetches one piece. */
export async function* readArquivo(
  { db, cipher }: Pick<App, 'db' | 'cipher'>,
  id: string,
): AsyncGenerator<Buffer> {
  const arquivo = await findArquivo(db, id)
  if (arquivo === null) throw new AppError('NOT_FOUND')
  const pieces = Math.ceil(arquivo.tamanho / PIECE_BYTES)
  const fetch = (ordem: number) => {
    const part = ordem < pieces ? findParte(db, id, ordem) : Promise.resolve(null)
    // Handled when awaited below; the reader may have left before.
    part.catch(() => {})
    return part
  }
  let next = fetch(0)
  for (let ordem = 0; ordem < pieces; ordem += 1) {
    const part = await next
    if (part === null) throw new Error('a piece of the file is missing')
    next = fetch(ordem + 1)
    yield cipher.decrypt(part.conteudo, contextOf(id, ordem))
  }
}

/** One piece; empty beyond the end. */
export async function readPiece(
  { db, cipher }: Pick<App, 'db' | 'cipher'>,
  id: string,
  ordem: number,
): Promise<Buffer> {
  const part = await findParte(db, id, ordem)
  return part === null ? Buffer.alloc(0) : cipher.decrypt(part.conteudo, contextOf(id, ordem))
}

/** Re-chunks a stream into pieces of PIECE_BYTES; the last may be shorter. */
async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    waiting.push(chunk)
    size += chunk.length
    while (size >= PIECE_BYTES) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, PIECE_BYTES)
      waiting = [all.subarray(PIECE_BYTES)]
      size = all.length - PIECE_BYTES
    }
  }
  if (size > 0) yield Buffer.concat(waiting)
}
