import { isDeepStrictEqual } from 'node:util'
import type { Cipher } from '../cipher.ts'
import {
  type Campos,
  type CampoValue,
  FIELD_NAMES,
  type FieldName,
  isSecret,
  type OpenField,
} from './campos.ts'
import { isProprio, propriosOf } from './proprios.ts'

/** History of a case: per change the fields with old and new value. Rewinding it from today gives any earlier state. */

export type ValueChanges = Record<string, [antes: unknown, depois: unknown]>

export interface DescribedChange {
  /** Open fields with their values; secret fields by name only. */
  alteracoes: Record<string, [unknown, unknown] | null>
  sigilo: ValueChanges
}

/** Fields that differ; `always`: fields that count as changed in any case. */
export function changedFields(before: Campos, after: Campos, always: readonly FieldName[] = []): FieldName[] {
  const proprios = new Set([...propriosOf(before), ...propriosOf(after)])
  return [...FIELD_NAMES, ...proprios].filter(
    (nome) => always.includes(nome) || !isDeepStrictEqual(before[nome] ?? null, after[nome] ?? null),
  )
}

export function describeChange(
  before: Campos,
  after: Campos,
  alterados: readonly FieldName[],
  iniciais: [string | null, string | null],
): DescribedChange {
  const change: DescribedChange = { alteracoes: {}, sigilo: {} }
  for (const nome of alterados) {
    const values: [CampoValue, CampoValue] = [before[nome] ?? null, after[nome] ?? null]
    if (isSecret(nome)) {
      change.alteracoes[nome] = null
      change.sigilo[nome] = values
    } else change.alteracoes[nome] = values
  }
  if (iniciais[0] !== iniciais[1]) change.alteracoes.paciente_iniciais = iniciais
  return change
}

export const NOTHING_SECRET = null

export const contextOf = (casoId: number, versao: number) => `casos_historico/${casoId}/${versao}`

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

/** Reverts changes, newest first. */
export function rewind<T extends Record<string, unknown>>(fields: T, changes: Record<string, unknown>[]): T {
  const state: Record<string, unknown> = { ...fields }
  for (const alteracoes of changes)
    for (const [nome, values] of Object.entries(alteracoes))
      if (Array.isArray(values) && (Object.hasOwn(state, nome) || isProprio(nome))) state[nome] = values[0]
  return state as T
}

export type OpenCampos = Pick<Campos, OpenField>
