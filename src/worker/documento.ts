import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DocumentoPedido } from '../domain/boletins/documentos.ts'

const THREAD = new URL('./documento-thread.ts', import.meta.url)

/** Draws a bulletin in a thread of its own, which ends with it: nothing else waits, and its memory is released. */
export async function renderInThread(pedido: DocumentoPedido): Promise<Uint8Array> {
  const thread = new Worker(THREAD, { workerData: pedido })
  try {
    const [content] = await once(thread, 'message')
    return content
  } finally {
    await thread.terminate()
  }
}
