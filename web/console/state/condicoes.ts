import type { Condicao, ValorDeCondicao } from '../../../src/domain/casos/agravos/definicao.ts'
import type { CondicaoDoFormulario } from '../../../src/domain/casos/agravos/formulario.ts'

/** Conditions of a form, with the meaning that the service gives them: nothing fails every operator but `ne` and `ausente`. */
export function holdsIn(
  { modo, condicoes }: CondicaoDoFormulario,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const test = (one: Condicao) => isMet(one, values[one.campo])
  return modo === 'algum' ? condicoes.some(test) : condicoes.every(test)
}

function isMet({ op, valor }: Condicao, value: unknown): boolean {
  const isAbsent = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  if (op === 'ausente') return isAbsent
  if (op === 'ne') return isAbsent || !isOrHas(value, valor)
  if (isAbsent) return false
  switch (op) {
    case 'presente':
      return true
    case 'eq':
      return isOrHas(value, valor)
    case 'in':
      return (valor as ValorDeCondicao[]).some((one) => isOrHas(value, one))
    default:
      return typeof value === typeof valor && compare(op, value as ValorDeCondicao, valor as ValorDeCondicao)
  }
}

/** A list has a value where it is one of its items. */
const isOrHas = (value: unknown, expected: unknown) =>
  Array.isArray(value) ? value.includes(expected) : value === expected

function compare(op: Condicao['op'], value: ValorDeCondicao, limit: ValorDeCondicao): boolean {
  if (op === 'gt') return value > limit
  if (op === 'gte') return value >= limit
  return op === 'lt' ? value < limit : value <= limit
}
