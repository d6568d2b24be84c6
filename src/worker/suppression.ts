import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LugarDaTabela, NumerosDoLugar } from '../domain/publico/tabelas.ts'

const THREAD = new URL('./suppression-thread.ts', import.meta.url)

/** Suppresses in a thread of its own: tables of the whole country take seconds, in which nothing else would be answered. */
export async function suppressInThread(
  pais: LugarDaTabela,
  minimo: number,
): Promise<Map<string, NumerosDoLugar>> {
  const thread = new Worker(THREAD, { workerData: { pais, minimo } })
  try {
    const [numeros] = await once(thread, 'message')
    return numeros
  } finally {
    await thread.terminate()
  }
}
