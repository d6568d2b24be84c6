import type { Condicao, ModoDeCondicao, ValorDeCondicao } from './definicao.ts'
import type { CampoConhecido, CamposConhecidos } from './nomes.ts'

/** Conditions compiled to closures: names are resolved and operators chosen once, not at each case. */

/** Value of a field by its name inside the service. */
export type ValueOf = (campo: string) => unknown

export interface CondicaoCompilada {
  /** Fields that the conditions look at, by their names inside the service. */
  campos: readonly string[]
  holds(read: ValueOf): boolean
  /** Name, as sent, of the field whose condition fails; of the first one where all of several do. */
  failing(read: ValueOf): string
}

interface Teste {
  campo: CampoConhecido
  holds(read: ValueOf): boolean
}

export function compileCondicao(
  condicoes: readonly Condicao[] | undefined,
  modo: ModoDeCondicao,
  conhecidos: CamposConhecidos,
): CondicaoCompilada | null {
  if (condicoes === undefined || condicoes.length === 0) return null
  const testes = condicoes.map((condicao) => compileTeste(condicao, conhecidos))
  return {
    campos: testes.map(({ campo }) => campo.flat),
    holds:
      modo === 'todos'
        ? (read) => testes.every((teste) => teste.holds(read))
        : (read) => testes.some((teste) => teste.holds(read)),
    failing: (read) => (testes.find((teste) => !teste.holds(read)) ?? (testes[0] as Teste)).campo.enviado,
  }
}

function compileTeste({ campo: nome, op, valor }: Condicao, conhecidos: CamposConhecidos): Teste {
  const campo = conhecidos.named(nome)
  if (campo === null) throw new Error(`a condition on ${nome}, which the definition does not have`)
  const { flat } = campo
  const test = compileOperador(op, valor)
  return { campo, holds: (read) => test(read(flat)) }
}

/** An empty list is no value, as where it is stored. */
export const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** A list has a value where it is one of its items. */
const isOrHas = (value: unknown, expected: ValorDeCondicao) =>
  Array.isArray(value) ? value.includes(expected) : value === expected

/** Null fails every operator but `ne` and `ausente`. */
function compileOperador(op: Condicao['op'], valor: Condicao['valor']): (value: unknown) => boolean {
  const one = valor as ValorDeCondicao
  const ordered = (compare: (value: ValorDeCondicao) => boolean) => (value: unknown) =>
    typeof value === typeof one && compare(value as ValorDeCondicao)
  switch (op) {
    case 'eq':
      return (value) => !isAbsent(value) && isOrHas(value, one)
    case 'ne':
      return (value) => isAbsent(value) || !isOrHas(value, one)
    case 'in': {
      const values = new Set<unknown>(valor as ValorDeCondicao[])
      return (value) => (Array.isArray(value) ? value.some((item) => values.has(item)) : values.has(value))
    }
    case 'gt':
      return ordered((value) => value > one)
    case 'gte':
      return ordered((value) => value >= one)
    case 'lt':
      return ordered((value) => value < one)
    case 'lte':
      return ordered((value) => value <= one)
    case 'presente':
      return (value) => !isAbsent(value)
    case 'ausente':
      return isAbsent
  }
}
