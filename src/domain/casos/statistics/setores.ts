import { AppError, type Problem, problem } from '../../../errors/catalogue.ts'
import type { Filter, FilterTest } from '../../../filter.ts'
import { monthOf, TERRITORIO } from '../counters/scope.ts'

/**
 * Disclosure control of postal sectors, which come from a secret field: they are shown only as sums of one fixed table whose
 * numbers are rounded down to a step of five (`countSetores`). A filter selects rows of that table and never splits one, so that
 * the difference of two answers discloses no more than the table.
 */

const DIMENSIONS = new Set(['tipo_agravo', 'agravo_codigo', 'estado', 'municipio', TERRITORIO])
const FROM = new Set(['data_inicio', 'data_notificacao_inicio', 'data_notificacao[gte]'])
const TO = new Set(['data_fim', 'data_notificacao_fim', 'data_notificacao[lte]'])

/** Widens limits to whole months. Refuses filters that would split a row of the table, by name. */
export function bySetor(filter: Filter): Filter {
  const problems: Problem[] = []
  const coarse = coarsen(filter, (field) =>
    problems.push(problem('query', [field], 'INCONSISTENT', { field: 'nivel' })),
  )
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return coarse
}

function coarsen(filter: Filter, refuse: (field: string) => unknown): Filter {
  if (filter.kind === 'test') return coarsenTest(filter, refuse)
  if (filter.kind !== 'search') return { ...filter, of: filter.of.map((part) => coarsen(part, refuse)) }
  refuse('search')
  return filter
}

function coarsenTest(test: FilterTest, refuse: (field: string) => unknown): Filter {
  const { field, op } = test
  const asked = field === 'data_notificacao' ? `${field}[${op}]` : field
  if (DIMENSIONS.has(asked)) return test
  if (op !== 'in' && FROM.has(asked)) return { ...test, value: monthOf(String(test.value)).from }
  if (op !== 'in' && TO.has(asked)) return { ...test, value: monthOf(String(test.value)).to }
  refuse(field)
  return test
}
