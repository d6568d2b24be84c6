import { isDeepStrictEqual } from 'node:util'
import type { Cipher } from '../cipher.ts'
import type { Sigilo } from './campos.ts'
import type { CasoRow, CasoWithSigilo } from './casos.sql.ts'
import type { HistoricoRow } from './historico.sql.ts'
import { unsealHistory } from './historico.ts'
import { publicName } from './proprios.ts'
import { unseal } from './sigilo.ts'

/**
 * Access rule of patient data, in one place: `sigilo` is null for everybody, administrators too, except in an identified read,
 * which is audited; there the name takes the place of the initials.
 */
export interface CasoView extends CasoRow {
  /** Initials, or the name in an identified read. */
  nome: string | null
  sigilo: Sigilo | null
}

export function concealed(caso: CasoRow): CasoView {
  return { ...caso, nome: caso.paciente_iniciais, sigilo: null }
}

export function identified(cipher: Cipher, row: CasoWithSigilo): CasoView {
  const sigilo = unseal(cipher, row)
  return { ...row, nome: sigilo.paciente_nome, sigilo }
}

export interface AlteracaoDoCaso {
  campo: string
  anterior: unknown
  novo: unknown
  /** Words of the definition for the field and, of a field with options, for its values. */
  rotulo?: string
  rotulo_anterior?: string | null
  rotulo_novo?: string | null
}

export interface HistoryEntry {
  data: Date
  acao: string
  usuario: { id: number; nome: string } | null
  alteracoes: AlteracaoDoCaso[]
  /** Further details: the reason of a deletion, the attachment that was added. */
  outros: Record<string, unknown>
}

/** Shows secret fields with null values, the patient's name by its initials. */
export function concealedHistory(row: HistoricoRow): HistoryEntry {
  return toHistoryEntry(row, {})
}

/** Leaves out secret fields that were sent with their old value: only concealed views list those as changed. */
export function identifiedHistory(cipher: Cipher, row: HistoricoRow): HistoryEntry {
  const secret = unsealHistory(cipher, row)
  const same = Object.keys(secret)
    .filter((nome) => isSame(secret[nome]))
    .map(publicName)
  const entry = toHistoryEntry(row, secret)
  return { ...entry, alteracoes: entry.alteracoes.filter(({ campo }) => !same.includes(campo)) }
}

const isSame = (values: unknown) => Array.isArray(values) && isDeepStrictEqual(values[0], values[1])

function toHistoryEntry(row: HistoricoRow, secret: Record<string, unknown>): HistoryEntry {
  const { paciente_iniciais, ...fields } = row.alteracoes
  const shown = {
    ...fields,
    ...(fields.paciente_nome === null && { paciente_nome: paciente_iniciais }),
    ...secret,
  }
  const alteracoes: HistoryEntry['alteracoes'] = []
  const outros: Record<string, unknown> = {}
  for (const [nome, value] of Object.entries(shown)) {
    const campo = publicName(nome)
    if (Array.isArray(value)) alteracoes.push({ campo, anterior: value[0], novo: value[1] })
    else if (value === null || value === undefined) alteracoes.push({ campo, anterior: null, novo: null })
    else outros[campo] = value
  }
  const { data, acao, usuario_id, usuario_nome } = row
  const usuario = usuario_nome === null ? null : { id: usuario_id ?? 0, nome: usuario_nome }
  return { data, acao, usuario, alteracoes, outros }
}
