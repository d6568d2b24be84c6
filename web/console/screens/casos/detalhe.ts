import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import type { TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import type { AlteracaoDoCaso } from '../../../../src/domain/casos/view.ts'
import { valueIn } from '../../state/caso-campos.ts'
import type { Texts } from '../../state/text-types.ts'

/** A case by itself, as far as the screen names its members; fields are read by their path. */
export interface Detalhe {
  id: number
  tipo_agravo: TipoAgravo
  numero_notificacao: string
  data_notificacao: string
  semana_epidemiologica: string
  endereco: { municipio_residencia: string | null; estado_residencia: string | null }
  status: 'em_investigacao' | 'encerrado'
  origem: { importacao_id: number; linha: number | null } | null
  versao: number
  historico: Acontecido[]
  anexos?: Anexo[]
}

interface Pessoa {
  id: number
  nome: string
}

export interface Acontecido {
  data: string
  acao: string
  usuario: Pessoa | null
  detalhes: { alteracoes?: AlteracaoDoCaso[]; motivo?: string }
}

export interface Anexo {
  id: number
  nome: string
  tipo: keyof Texts['caso']['attachmentTypes']
  formato: string
  tamanho: number
  descricao: string | null
  enviado_por: Pessoa | null
  uploaded_at: string
}

/** Dates of a case in the order in which they happened. */
export const TIMELINE = [
  'data_inicio_sintomas',
  'data_notificacao',
  'data_internacao',
  'data_investigacao',
  'data_obito',
  'data_encerramento',
] as const satisfies readonly FieldName[]

export interface Step {
  nome: (typeof TIMELINE)[number]
  day: string
  /** Days since the one before; null for the first. */
  days: number | null
}

export function timelineOf(caso: object): Step[] {
  const known = TIMELINE.flatMap((nome) => {
    const value = valueIn(caso, nome)
    return value === null ? [] : [{ nome, day: String(value).slice(0, 10) }]
  }).toSorted((one, other) => one.day.localeCompare(other.day))
  return known.map((step, at) => {
    const before = known[at - 1]
    return { ...step, days: before === undefined ? null : daysBetween(before.day, step.day) }
  })
}

export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
