import { TIPOS_AGRAVO } from '../../../src/domain/casos/enumeracoes.ts'

/**
 * Diseases of this installation. Without signals, since addresses are read before the page has any: names reach the screens with the
 * texts (`state/texts.ts`), which change with them.
 */

/** Diseases that every installation has: their forms, words and classes come with the console. */
export const isConhecido = (codigo: string): boolean => TIPOS_AGRAVO.includes(codigo)

let ativos: readonly string[] | null = TIPOS_AGRAVO

/** Codes of the diseases that take cases, the known first. */
export const agravos = (): readonly string[] => ativos ?? TIPOS_AGRAVO

/** Null: not known yet, so that every code may be one. */
export function setAgravos(codigos: readonly string[] | null): void {
  ativos = codigos
}

/** Codes of diseases, fields and values. */
export const CODIGO = /^[a-z][a-z0-9_]{0,59}$/

export const isAgravo = (codigo: string): boolean => ativos?.includes(codigo) ?? CODIGO.test(codigo)
