import type { Problem } from '../errors/catalogue.ts'
import {
  type FieldType,
  type FilterField,
  type ListQuery,
  type ListRules,
  OPERATORS_OF,
  type Operator,
  operatorsOf,
} from '../filter.ts'
import { type LiveValues, liveNameOf } from '../system/live-list.ts'
import { parseFilters } from './filters.ts'
import { LIVE } from './live.ts'
import { OneOf } from './schemas.ts'
import { type TSchema, Type } from './type.ts'
import type { Validate } from './validation.ts'

export const DEFAULT_SIZE = 50
export const MAX_SIZE = 100
export const MAX_PAGE = 1_000_000_000

/** Paging and sorting parameters of every list: spec 4.8. */
export function listParameters({ sortable, defaultSort }: Pick<ListRules, 'sortable' | 'defaultSort'>) {
  return Type.Object({
    page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'Página, a partir de 1' }),
    size: Type.Integer({
      minimum: 1,
      maximum: MAX_SIZE,
      default: DEFAULT_SIZE,
      description: 'Itens por página',
    }),
    sort: OneOf(sortable, { default: defaultSort.field, description: 'Campo de ordenação' }),
    order: Type.Optional(
      OneOf(['asc', 'desc'], { description: 'Sentido da ordenação; `asc` quando `sort` é dado' }),
    ),
  })
}

/** For the OpenAPI document: paging plus the filters. */
export function listSchema(rules: ListRules): TSchema {
  const filters = (filterSchema(rules) as unknown as { properties: Record<string, TSchema> }).properties
  const { field, order } = rules.defaultSort
  // Without a default: a page that fills it in would ask for `sort` alone, which means `asc`.
  const sort = OneOf(rules.sortable, {
    description: `Campo de ordenação; sem ele, \`${field}\` em ordem \`${order}\``,
  })
  return Type.Partial(Type.Object({ ...listParameters(rules).properties, sort, ...filters }))
}

/** One optional parameter for each filter field: a plain value, or its operators. */
export function filterSchema(rules: ListRules): TSchema {
  const filters = Object.entries(rules.fields).map(([name, field]) => [
    name,
    Type.Optional(fieldSchema(field)),
  ])
  const search = Type.String({
    description:
      'Texto livre, ou JSON de filtros aninhados: `{"and":[{"campo":"valor"},{"campo":{"op":"valor"}}]}`',
  })
  return Type.Partial(Type.Object({ search, ...Object.fromEntries(filters) }))
}

function fieldSchema(field: FilterField): TSchema {
  const { type, values, synonymOf } = field
  const plain = {
    ...PARAMETER_SCHEMAS[type],
    ...(values && { enum: [...values], [LIVE]: liveNameOf(values) }),
  }
  const operators = operatorsOf(field)
  const some = operators.length < OPERATORS_OF[type].length ? `_${operators.join('_')}` : ''
  return Type.Unsafe({
    ...(operators.length === 1
      ? plain
      : { anyOf: [plain, operatorsSchema(type, operators, `Operadores_${type}${some}`)] }),
    ...(operators.length > 1 && values === undefined && { title: `Filtro_${type}${some}` }),
    ...(synonymOf
      ? { deprecated: true, description: `Use \`${synonymOf}\`` }
      : { description: filterDescription(operators) }),
  })
}

/** For people: pages that show the document do not look into the schema of a parameter. */
function filterDescription(operators: readonly Operator[]): string {
  if (operators.length === 1) return 'Filtro'
  return `Filtro; operadores: ${operators.map((operator) => `\`${operator}\``).join(', ')}`
}

/** `idade[gte]=60`: an object of operators, in the style that OpenAPI calls `deepObject`. */
function operatorsSchema(type: FieldType, operators: readonly Operator[], title: string): TSchema {
  const schemaOf = (operator: Operator) => (operator === 'in' ? LIST_SCHEMA : PARAMETER_SCHEMAS[type])
  return Type.Unsafe({
    type: 'object',
    properties: Object.fromEntries(operators.map((operator) => [operator, schemaOf(operator)])),
    additionalProperties: false,
    title,
  })
}

const LIST_SCHEMA = { type: 'string', description: 'Valores entre vírgulas' }
const PARAMETER_SCHEMAS = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
} as const

/** The query string of a list → what was asked, or every problem with it; `others` are parameters of the route beside its list. */
export function parseList(
  raw: Record<string, unknown>,
  rules: ListRules,
  validate: Validate,
  { others, live }: { others: readonly string[]; live: LiveValues | null },
): { list: ListQuery; problems: Problem[] } {
  const { page, size, sort, order } = raw
  const paging = { page, size, sort, order } as Partial<ListQuery>
  const problems = validate(paging, 'query')
  const { filter, problems: filterProblems } = parseFilters(raw, rules, others, live)
  const list = {
    page: paging.page as number,
    size: paging.size as number,
    sort: paging.sort as string,
    order: paging.order ?? (sort === undefined ? rules.defaultSort.order : 'asc'),
    filter,
  }
  return { list, problems: [...problems, ...filterProblems] }
}
