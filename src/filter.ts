/** Filter tree and list query: the common language of the query parser, the features and the SQL builder. */

export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like'] as const
export type Operator = (typeof OPERATORS)[number]

export type FieldType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime'
export type FieldValue = string | number | boolean

/** The operators that make sense for a type; `like` means "contains". */
export const OPERATORS_OF: Record<FieldType, readonly Operator[]> = {
  text: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like'],
  integer: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  boolean: ['eq', 'ne', 'in'],
  date: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  datetime: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
}

export type Filter =
  | { kind: 'and' | 'or'; of: Filter[] }
  | { kind: 'test'; field: string; op: Exclude<Operator, 'in'>; value: FieldValue }
  | { kind: 'test'; field: string; op: 'in'; value: FieldValue[] }
  /** Free text over the fields that the feature names for it. */
  | { kind: 'search'; text: string }

export type FilterTest = Extract<Filter, { kind: 'test' }>

/** Values of a test: those of `in`, or the one. */
export const valuesOf = ({ value }: FilterTest): FieldValue[] => (Array.isArray(value) ? value : [value])

export interface FilterField {
  type: FieldType
  /** Operator of a plain `field=value`: equality unless stated. */
  plain?: Operator
  /** Fewer operators than the type has. */
  operators?: readonly Operator[]
  /** The only values there are, compared without regard to case. */
  values?: readonly string[]
  /** Form of a value, where its type does not say it. */
  form?: { pattern: RegExp; name: string }
  /** The field that means the same and is to be preferred. */
  synonymOf?: string
}

export function operatorsOf({ type, operators }: FilterField): readonly Operator[] {
  return operators ?? OPERATORS_OF[type]
}

/** Fields and orders that the list of one resource allows; owned by the feature, obeyed by parser, documentation and SQL. */
export interface ListRules {
  fields: Record<string, FilterField>
  /** Fields of an open family, by the beginning of their names; which of them exist, only the domain knows. */
  family?: { prefix: string; field: FilterField }
  sortable: readonly string[]
  defaultSort: { field: string; order: 'asc' | 'desc' }
}

/** Rule of a field by its name. */
export function fieldOf(
  { fields, family }: Pick<ListRules, 'fields' | 'family'>,
  name: string,
): FilterField | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  return family !== undefined && name.startsWith(family.prefix) ? family.field : undefined
}

export interface ListQuery {
  page: number
  size: number
  sort: string
  order: 'asc' | 'desc'
  /** Further keys, for rows that are equal in the first. */
  thenBy?: { field: string; order: 'asc' | 'desc' }[]
  filter: Filter
}

export interface Page<T> {
  total: number
  page: number
  size: number
  items: T[]
}
