import { readFileSync } from 'node:fs'
import { TIPOS_AGRAVO } from '../enumeracoes.ts'
import type { Definicao } from './definicao.ts'

/** Definitions of the diseases that every installation has; written out in full, so that a start need not read them with their rules. */
export const CONHECIDOS: readonly Definicao[] = TIPOS_AGRAVO.map((codigo) =>
  JSON.parse(readFileSync(new URL(`./conhecidos/${codigo}.json`, import.meta.url), 'utf8')),
)
