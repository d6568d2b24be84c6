import type { Campo, Campos, FieldName } from '../../../../src/domain/casos/campos.ts'
import type { RegrasDosAgravos } from '../../../../src/domain/casos/regras.ts'
import type { Problem } from '../../../../src/errors/catalogue.ts'
import type { Texts } from '../../state/text-types.ts'

/**
 * A form: its fields in sections, and all that is asked about a field. The known diseases have one that the console brings
 * (`conhecida.ts`), with the fields that a version added to it, others one that is made of their definition (`definida.ts`). Own fields
 * go by the names they are sent under.
 */
export interface Ficha {
  /** Disease of a definition; null: the form of the known ones, without additions. */
  codigo: string | null
  sections: readonly Section[]
  fields: readonly FieldName[]
  campoOf(nome: FieldName): Campo
  labelOf(nome: FieldName, t: Texts): string
  wordOf(nome: FieldName, value: string, t: Texts): string
  noteOf(nome: FieldName): string | undefined
  /** Choices of a field: those of the disease, and the one that is there. */
  optionsOf(nome: FieldName, tipo: string | null, chosen: string): readonly string[]
  /** Code of the paper form: shown before the word, and typed. */
  paperCode(nome: FieldName, value: string, tipo: string | null): string | null
  /** True where a field is seen; one that is not counts as empty. */
  applies(nome: FieldName, values: Values): boolean
  isRequired(nome: FieldName, values: Values): boolean
  isMunicipio(nome: FieldName): boolean
  isSecret(nome: FieldName): boolean
  /** True for fields of the definition: hidden ones keep what is stored. */
  isOwn(nome: FieldName): boolean
  /** Problems of own fields that their values alone do not show. */
  check(values: Values, today: string): Problem[]
  regras: RegrasDosAgravos
}

export type Values = Partial<Campos>

export interface Section {
  id: string
  /** Heading of a definition; absent: one of the console's. */
  title?: string
  groups: readonly Group[]
}

interface Group {
  /** Absent: without a heading of its own. */
  id?: GroupId
  fields: FieldName[]
}

export type GroupId = 'notificante' | 'sintomas' | 'alarme' | 'gravidade' | 'local_infeccao'

export const fieldsOf = ({ groups }: Section) => groups.flatMap(({ fields }) => fields)
