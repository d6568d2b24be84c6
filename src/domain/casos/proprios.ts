import { DADOS_KEYS, FIELD_NAMES, type FieldName } from './campos.ts'

/**
 * Fields that a disease defines for itself, as further keys of the flat case. The prefix tells where a value is stored: beside the
 * standard ones in `dados`, or encrypted in `sigilo`. Outside the service both are members of `dados_especificos`.
 */
export const ABERTO = 'dados_especificos.'
export const SIGILOSO = 'dados_sigilosos.'

/** Keys of standard fields in `dados`. */
export const STANDARD_KEYS: ReadonlySet<string> = new Set(DADOS_KEYS.map(([, chave]) => chave))

const STANDARD: ReadonlySet<string> = new Set(FIELD_NAMES)

export const isSigiloso = (nome: string): boolean => nome.startsWith(SIGILOSO)
export const isProprio = (nome: string): boolean =>
  isSigiloso(nome) || (nome.startsWith(ABERTO) && !STANDARD.has(nome))

/** Names of the own fields that a case, or a change of one, has; for the use of code that knows a case by its names. */
export function propriosOf(campos: object): FieldName[] {
  const found: string[] = []
  for (const nome in campos) if (isProprio(nome)) found.push(nome)
  return found as FieldName[]
}

/** Version of the definition that wrote a case last; beside its fields, and none of them. */
export interface Versionado {
  definicao_versao?: number
}

export const versaoOf = (campos: object): number => (campos as Versionado).definicao_versao ?? 1

/** Name in requests and answers. */
export const publicName = (nome: string): string =>
  isSigiloso(nome) ? `${ABERTO}${nome.slice(SIGILOSO.length)}` : nome

/** Name inside the service of a field that a case, or a change of one, has, by its name in answers. */
export function flatIn(campos: object, nome: string): string {
  const sealed = nome.startsWith(ABERTO) ? `${SIGILOSO}${nome.slice(ABERTO.length)}` : nome
  return Object.hasOwn(campos, sealed) ? sealed : nome
}
