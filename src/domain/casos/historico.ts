import { isDeepStrictEqual } from 'node:util'
import type { Cipher } from '../cipher.ts'
import { type CampoAberto, type Campos, isSigiloso, NOMES, type NomeDeCampo, type Valor } from './campos.ts'

/** The history of a case: which field, its old and its new value. Read backwards from today, it gives any earlier state. */

export type Alteracoes = Record<string, [antes: unknown, depois: unknown]>

export interface Mudanca {
  /** Of the open fields; a field kept secret is named here, without its values. */
  alteracoes: Record<string, [unknown, unknown] | null>
  sigilo: Alteracoes
}

/** `always`: those that count as changed whatever they hold. */
export function changedFields(
  before: Campos,
  after: Campos,
  always: readonly NomeDeCampo[] = [],
): NomeDeCampo[] {
  return NOMES.filter((nome) => always.includes(nome) || !isDeepStrictEqual(before[nome], after[nome]))
}

export function describeChange(
  before: Campos,
  after: Campos,
  alterados: readonly NomeDeCampo[],
  iniciais: [string | null, string | null],
): Mudanca {
  const mudanca: Mudanca = { alteracoes: {}, sigilo: {} }
  for (const nome of alterados) {
    const values: [Valor, Valor] = [before[nome], after[nome]]
    if (isSigiloso(nome)) {
      mudanca.alteracoes[nome] = null
      mudanca.sigilo[nome] = values
    } else mudanca.alteracoes[nome] = values
  }
  if (iniciais[0] !== iniciais[1]) mudanca.alteracoes.paciente_iniciais = iniciais
  return mudanca
}

export const NOTHING_SECRET = null

const contextOf = (casoId: number, versao: number) => `casos_historico/${casoId}/${versao}`

export function sealHistory(
  cipher: Cipher,
  casoId: number,
  versao: number,
  secret: Record<string, unknown>,
): Buffer | null {
  if (Object.keys(secret).length === 0) return NOTHING_SECRET
  return cipher.encrypt(Buffer.from(JSON.stringify(secret)), contextOf(casoId, versao))
}

export function unsealHistory(
  cipher: Cipher,
  row: { caso_id: number; versao: number; sigilo: Buffer | null },
): Record<string, unknown> {
  if (row.sigilo === null) return {}
  return JSON.parse(cipher.decrypt(row.sigilo, contextOf(row.caso_id, row.versao)).toString('utf8'))
}

/** Takes back the changes, the newest first. */
export function rewind<T extends Record<string, unknown>>(fields: T, changes: Record<string, unknown>[]): T {
  const state: Record<string, unknown> = { ...fields }
  for (const alteracoes of changes)
    for (const [nome, values] of Object.entries(alteracoes))
      if (Array.isArray(values) && Object.hasOwn(state, nome)) state[nome] = values[0]
  return state as T
}

export type CamposAbertos = Pick<Campos, CampoAberto>
