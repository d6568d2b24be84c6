import type { LugarDaTabela, NumerosDoLugar } from './tabelas.ts'

/** Public numbers of an instance. */
export interface Publico {
  minimo: number
  /** Suppression, outside of the thread that answers requests. */
  suppress(pais: LugarDaTabela, minimo: number): Promise<Map<string, NumerosDoLugar>>
  /** Snapshots that are being made, each once. */
  making: Map<string, Promise<void>>
}
