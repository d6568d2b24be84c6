import { ZONAS } from '../../../../src/domain/casos/enumeracoes.ts'
import {
  AMBIENTES,
  CLASSIFICACOES_DE_EPIZOOTIA,
  CRITERIOS_DE_EPIZOOTIA,
  ESPECIE_GRUPOS,
  RESULTADOS,
} from '../../../../src/domain/epizootias/campos.ts'
import { type Campo, type Detalhe, word } from '../../state/epizootias.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { readDate, writeDate } from '../../ui/date-text.ts'

/** Fields of an event: how they are typed, read, and said in words. */

/** The state follows the municipality, the precision the date. */
export type Name = Exclude<Campo, 'estado' | 'precisao_data'>

export type Kind =
  | 'line'
  | 'text'
  | 'date'
  | 'integer'
  | 'decimal'
  | 'year'
  | 'choice'
  | 'yes-no'
  | 'municipio'

interface FieldRule {
  kind: Kind
  options?: readonly string[]
  isRequired?: true
  maxLength?: number
}

export const FIELDS: Record<Name, FieldRule> = {
  numero: { kind: 'line', isRequired: true, maxLength: 40 },
  data_ocorrencia: { kind: 'date' },
  mes_ocorrencia: { kind: 'choice', options: Array.from({ length: 12 }, (_, i) => String(i + 1)) },
  ano_ocorrencia: { kind: 'year' },
  data_notificacao: { kind: 'date' },
  municipio: { kind: 'municipio', isRequired: true },
  localidade: { kind: 'line', maxLength: 120 },
  zona: { kind: 'choice', options: ZONAS },
  ambiente: { kind: 'choice', options: AMBIENTES },
  latitude: { kind: 'decimal' },
  longitude: { kind: 'decimal' },
  especie_grupo: { kind: 'choice', options: ESPECIE_GRUPOS, isRequired: true },
  especie: { kind: 'line', maxLength: 80 },
  animais_doentes: { kind: 'integer' },
  animais_mortos: { kind: 'integer' },
  suspeita: { kind: 'choice', isRequired: true },
  material_coletado: { kind: 'yes-no' },
  data_coleta: { kind: 'date' },
  laboratorio_resultado: { kind: 'choice', options: RESULTADOS },
  classificacao: { kind: 'choice', options: CLASSIFICACOES_DE_EPIZOOTIA, isRequired: true },
  criterio: { kind: 'choice', options: CRITERIOS_DE_EPIZOOTIA },
  data_encerramento: { kind: 'date' },
  observacao: { kind: 'text', maxLength: 1000 },
}
export const NAMES = Object.keys(FIELDS) as Name[]

type Section = keyof ReturnType<typeof epizootiasTexts>['detail']['sections']

export const SECTIONS: readonly (readonly [Section, readonly Name[]])[] = [
  ['ocorrencia', ['numero', 'data_ocorrencia', 'mes_ocorrencia', 'ano_ocorrencia', 'data_notificacao']],
  ['lugar', ['municipio', 'localidade', 'zona', 'ambiente', 'latitude', 'longitude']],
  ['animais', ['especie_grupo', 'especie', 'animais_doentes', 'animais_mortos']],
  ['laboratorio', ['suspeita', 'material_coletado', 'data_coleta', 'laboratorio_resultado']],
  ['encerramento', ['classificacao', 'criterio', 'data_encerramento', 'observacao']],
]

/** Everything as it is typed. */
export type Typed = Record<Name, string>

export const EMPTY: Typed = {
  ...(Object.fromEntries(NAMES.map((name) => [name, ''])) as Typed),
  classificacao: 'em_investigacao',
}

/** A stored event as one would have typed it. Month and year follow from a day. */
export function typedOf(epizootia: Detalhe): Typed {
  const text = (name: Name): string => {
    const value = name === 'municipio' ? epizootia.codigo_ibge : epizootia[name]
    if (value === null) return ''
    if (FIELDS[name].kind === 'date') return writeDate(String(value))
    if (FIELDS[name].kind === 'decimal') return String(value).replace('.', ',')
    return typeof value === 'boolean' ? (value ? 'sim' : 'nao') : String(value)
  }
  const typed = Object.fromEntries(NAMES.map((name) => [name, text(name)])) as Typed
  return typed.data_ocorrencia === '' ? typed : { ...typed, mes_ocorrencia: '', ano_ocorrencia: '' }
}

type Value = string | number | boolean | null
/** Text that is no value of its field. */
const WRONG = Symbol('wrong')

function read(name: Name, text: string, today: string): Value | typeof WRONG {
  const given = text.trim()
  if (given === '') return null
  switch (FIELDS[name].kind) {
    case 'date':
      return readDate(given, today) ?? WRONG
    case 'integer':
      return /^\d{1,6}$/.test(given) && Number(given) <= 100_000 ? Number(given) : WRONG
    case 'year':
      return /^\d{4}$/.test(given) ? Number(given) : WRONG
    case 'decimal':
      return /^-?\d{1,3}(?:[.,]\d{1,12})?$/.test(given) ? Number(given.replace(',', '.')) : WRONG
    case 'yes-no':
      return given === 'sim'
    default:
      return name === 'mes_ocorrencia' ? Number(given) : given
  }
}

export type Problems = Partial<Record<Name, string>>

/** Problems that need no service: what is missing, and what cannot be read. The rules between fields are the service's, which answers at the fields. */
export function problemsOf(typed: Typed, today: string): Problems {
  const t = epizootiasTexts().form
  const found: Problems = {}
  for (const name of NAMES) {
    const { kind, isRequired } = FIELDS[name]
    if (read(name, typed[name], today) === WRONG)
      found[name] = t[kind as 'date' | 'integer' | 'year' | 'decimal']
    else if (isRequired && typed[name].trim() === '') found[name] = t.required
  }
  if (typed.data_ocorrencia.trim() === '' && typed.ano_ocorrencia.trim() === '')
    found.data_ocorrencia = t.dayOrYear
  return found
}

/** The body of a request: of a change, only what differs. A day decides month and year, so that these are not sent with it. */
export function bodyOf(typed: Typed, before: Typed | null, today: string): Record<string, Value> {
  const hasDay = typed.data_ocorrencia.trim() !== ''
  const names = NAMES.filter(
    (name) =>
      !(hasDay && (name === 'mes_ocorrencia' || name === 'ano_ocorrencia')) &&
      (before === null ? typed[name].trim() !== '' : typed[name].trim() !== before[name].trim()),
  )
  return Object.fromEntries(names.map((name) => [name, read(name, typed[name], today) as Value]))
}

type Registered = Parameters<typeof word>[1]

/** A value of a record or of its history, in words; '' where there is none. */
export function valueText(name: string, value: unknown, registered: Registered): string {
  const t = epizootiasTexts()
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? t.yes : t.no
  const kind = FIELDS[name as Name]?.kind
  if (name === 'mes_ocorrencia') return t.form.months[Number(value) - 1] ?? String(value)
  if (kind === 'date') return t.day(String(value).slice(0, 10))
  if (kind === 'decimal') return t.decimal(Number(value))
  if (kind === 'integer') return t.number(Number(value))
  if (kind === 'choice' || name === 'precisao_data') return word(String(value), registered)
  return String(value)
}

/** Typed text in words, for two versions side by side. */
export function typedText(name: Name, text: string, today: string, registered: Registered): string {
  const value = read(name, text, today)
  return value === WRONG ? text : valueText(name, value, registered) || epizootiasTexts().unknown
}
