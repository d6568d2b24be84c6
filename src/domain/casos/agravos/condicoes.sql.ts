import { identifier, join, type Sql, sql } from '../../../db/sql.ts'
import { CAMPOS, type ColumnField, columnOf, type FieldName, leafOf } from '../campos.ts'
import type { CampoProprio, Condicao, ModoDeCondicao, ValorDeCondicao } from './definicao.ts'
import { type CamposConhecidos, flatName } from './nomes.ts'

/** Conditions of a definition over stored cases `c`, as `condicoes.ts` has them over a case in memory; never null. */

/** Value of a field that is not sealed, by its name inside the service; null, and an empty list, are null. */
function storedValue(flat: string): Sql {
  const isColumn = Object.hasOwn(CAMPOS, flat) && CAMPOS[flat as FieldName].place === 'column'
  const value = isColumn
    ? sql`to_jsonb(${identifier(`c.${columnOf(flat as ColumnField)}`)})`
    : sql`(c.dados -> ${leafOf(flat)}::text)::jsonb`
  return sql`nullif(nullif(${value}, 'null'::jsonb), '[]'::jsonb)`
}

/** Cases that a required field is asked of, and those that have it. */
export function perguntadoOf(campo: CampoProprio, conhecidos: CamposConhecidos): { asked: Sql; filled: Sql } {
  const isShown = condicaoOf(campo.mostrar_quando, campo.mostrar_quando_modo, conhecidos)
  const isRequired = campo.obrigatorio
    ? sql`true`
    : condicaoOf(campo.obrigatorio_quando, campo.obrigatorio_quando_modo, conhecidos)
  return {
    asked: sql`(${isShown} and ${isRequired})`,
    filled: sql`(${storedValue(flatName(campo))} is not null)`,
  }
}

/** Without conditions: holds. */
function condicaoOf(
  condicoes: readonly Condicao[] | undefined,
  modo: ModoDeCondicao,
  conhecidos: CamposConhecidos,
): Sql {
  if (condicoes === undefined || condicoes.length === 0) return sql`true`
  return sql`(${join(
    condicoes.map((condicao) => testOf(condicao, conhecidos)),
    modo === 'todos' ? ' and ' : ' or ',
  )})`
}

const ORDERS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

function testOf({ campo, op, valor }: Condicao, conhecidos: CamposConhecidos): Sql {
  const value = storedValue(conhecidos.named(campo)?.flat ?? campo)
  const json = (one: unknown) => sql`${JSON.stringify(one)}::jsonb`
  const isOrHas = (one: ValorDeCondicao) =>
    sql`coalesce(${value} = ${json(one)} or jsonb_typeof(${value}) = 'array' and ${value} @> ${json(one)}, false)`
  switch (op) {
    case 'presente':
      return sql`${value} is not null`
    case 'ausente':
      return sql`${value} is null`
    case 'eq':
      return isOrHas(valor as ValorDeCondicao)
    case 'ne':
      return sql`not ${isOrHas(valor as ValorDeCondicao)}`
    case 'in':
      return sql`(${join([sql`false`, ...(valor as ValorDeCondicao[]).map(isOrHas)], ' or ')})`
    default:
      return sql`coalesce(jsonb_typeof(${value}) = ${typeof valor}::text and ${value} ${ORDERS[op]} ${json(valor)}, false)`
  }
}
