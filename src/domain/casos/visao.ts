import { isDeepStrictEqual } from 'node:util'
import type { Cipher } from '../cipher.ts'
import type { Sigilo } from './campos.ts'
import type { CasoRow, CasoWithSigilo } from './casos.sql.ts'
import type { HistoricoRow } from './historico.sql.ts'
import { unsealHistory } from './historico.ts'
import { unseal } from './sigilo.ts'

/**
 * The one place that decides what a reader sees of a patient. `sigilo` is null for everybody, administrators too, unless
 * the read was asked for by right and is in the audit; then the initials give way to the name.
 */
export interface VisaoDoCaso extends CasoRow {
  /** Initials, or the name in an identified read. */
  nome: string | null
  sigilo: Sigilo | null
}

export function concealed(caso: CasoRow): VisaoDoCaso {
  return { ...caso, nome: caso.paciente_iniciais, sigilo: null }
}

export function identified(cipher: Cipher, row: CasoWithSigilo): VisaoDoCaso {
  const sigilo = unseal(cipher, row)
  return { ...row, nome: sigilo.paciente_nome, sigilo }
}

export interface Acontecimento {
  data: Date
  acao: string
  usuario: { id: number; nome: string } | null
  alteracoes: { campo: string; anterior: unknown; novo: unknown }[]
  /** What else there is to tell: the reason of a deletion, the attachment that came. */
  outros: Record<string, unknown>
}

/** A field kept secret is named with null values; the patient's name, with its initials. */
export function concealedHistory(row: HistoricoRow): Acontecimento {
  return toAcontecimento(row, {})
}

/** Without fields that were sent with the value they had: only readers who do not see it are told that they changed. */
export function identifiedHistory(cipher: Cipher, row: HistoricoRow): Acontecimento {
  const secret = unsealHistory(cipher, row)
  const same = Object.keys(secret).filter((nome) => isSame(secret[nome]))
  const told = toAcontecimento(row, secret)
  return { ...told, alteracoes: told.alteracoes.filter(({ campo }) => !same.includes(campo)) }
}

const isSame = (values: unknown) => Array.isArray(values) && isDeepStrictEqual(values[0], values[1])

function toAcontecimento(row: HistoricoRow, secret: Record<string, unknown>): Acontecimento {
  const { paciente_iniciais, ...fields } = row.alteracoes
  const shown = {
    ...fields,
    ...(fields.paciente_nome === null && { paciente_nome: paciente_iniciais }),
    ...secret,
  }
  const alteracoes: Acontecimento['alteracoes'] = []
  const outros: Record<string, unknown> = {}
  for (const [campo, value] of Object.entries(shown)) {
    if (Array.isArray(value)) alteracoes.push({ campo, anterior: value[0], novo: value[1] })
    else if (value === null || value === undefined) alteracoes.push({ campo, anterior: null, novo: null })
    else outros[campo] = value
  }
  const { data, acao, usuario_id, usuario_nome } = row
  const usuario = usuario_nome === null ? null : { id: usuario_id ?? 0, nome: usuario_nome }
  return { data, acao, usuario, alteracoes, outros }
}
