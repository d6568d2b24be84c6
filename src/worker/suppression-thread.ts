import { parentPort, workerData } from 'node:worker_threads'
import { type LugarDaTabela, suppress } from '../domain/publico/tabelas.ts'

const { pais, minimo } = workerData as { pais: LugarDaTabela; minimo: number }
parentPort?.postMessage(suppress(pais, minimo))
