import { isCalendarDate } from '../../../brasil/calendar.ts'
import {
  type Condicao,
  LIMITES,
  MODOS,
  type ModoDeCondicao,
  OPERADORES,
  type ValorDeCondicao,
} from './definicao.ts'
import { at, type JsonObject, type LeitorDeJson, type Path, shown } from './leitor.ts'
import type { CampoConhecido, Valores } from './nomes.ts'

/** Conditions and date orders of a field, as JSON. */

/** Fields that stand earlier; `broken`: there, but with problems of its own, which are told already. */
export interface Anteriores {
  named(nome: string): CampoConhecido | null
  broken(nome: string): boolean
}

const ORDERED: readonly string[] = ['inteiro', 'numero', 'data']
const WITHOUT_VALUE: readonly string[] = ['presente', 'ausente'] satisfies Condicao['op'][]
const EQUALITY = ['eq', 'ne', 'in', 'presente', 'ausente'] as const

function operatorsOf({ tipo }: Valores): readonly Condicao['op'][] {
  if (tipo === 'locais') return ['presente', 'ausente']
  return ORDERED.includes(tipo) ? OPERADORES : EQUALITY
}

/** Code of a municipality with its check digit: the smallest and the largest. */
const IBGE = { integer: true, least: 1_100_015, most: 5_300_108 } as const

export function readCondicoes(
  leitor: LeitorDeJson,
  campo: JsonObject,
  key: 'mostrar_quando' | 'obrigatorio_quando',
  path: Path,
  anteriores: Anteriores,
): { condicoes: Condicao[] | undefined; modo: ModoDeCondicao } {
  const given = at(campo, key)
  const modo = at(campo, `${key}_modo`)
  const condicoes =
    given === undefined
      ? undefined
      : leitor.list(given, [...path, key], { least: 1, most: LIMITES.condicoes }, (item, place) =>
          readCondicao(leitor, item, place, anteriores),
        )
  return {
    condicoes,
    modo:
      (modo === undefined ? null : leitor.oneOf(modo, [...path, `${key}_modo`], MODOS)) ?? ('todos' as const),
  }
}

function readCondicao(
  leitor: LeitorDeJson,
  item: unknown,
  path: Path,
  anteriores: Anteriores,
): Condicao | null {
  const condicao = leitor.object(item, path, ['campo', 'op', 'valor'])
  const nome = nameOf(leitor, at(condicao, 'campo'), [...path, 'campo'])
  const op = leitor.oneOf(at(condicao, 'op'), [...path, 'op'], OPERADORES)
  if (nome === null || op === null) return null
  const campo = anteriores.named(nome)
  if (campo === null) {
    if (!anteriores.broken(nome)) leitor.refuse([...path, 'campo'], 'UNKNOWN', { ids: [shown(nome)] })
    return null
  }
  const operators = operatorsOf(campo.valores)
  if (!operators.includes(op)) {
    leitor.notAmong([...path, 'op'], operators)
    return null
  }
  const given = at(condicao, 'valor')
  if (WITHOUT_VALUE.includes(op)) {
    if (given !== undefined)
      leitor.refuse([...path, 'valor'], 'UNKNOWN_FIELD', { allowed: ['campo', 'op'].join(', ') })
    return { campo: nome, op }
  }
  const valor = readValores(leitor, given, [...path, 'valor'], campo.valores, op)
  return valor === null ? null : { campo: nome, op, valor }
}

function nameOf(leitor: LeitorDeJson, value: unknown, path: Path): string | null {
  return leitor.text(value, path, { max: LIMITES.nome })
}

function readValores(leitor: LeitorDeJson, given: unknown, path: Path, valores: Valores, op: Condicao['op']) {
  if (op !== 'in') return readValor(leitor, given, path, valores)
  if (given === undefined) leitor.refuse(path, 'REQUIRED', {})
  if (given === undefined) return null
  const seen = new Set<string>()
  return leitor.list(given, path, { least: 1, most: LIMITES.opcoes }, (item, place) => {
    const valor = readValor(leitor, item, place, valores)
    return valor !== null && leitor.first(String(valor), place, seen) ? valor : null
  })
}

/** A value that a field of this kind can hold. */
function readValor(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  valores: Valores,
): ValorDeCondicao | null {
  if (value === undefined || value === null) {
    leitor.refuse(path, 'REQUIRED', {})
    return null
  }
  switch (valores.tipo) {
    case 'bool':
      if (typeof value === 'boolean') return value
      leitor.refuse(path, 'INVALID_TYPE', { expected: 'boolean' })
      return null
    case 'opcao':
    case 'opcoes':
      return readCodigo(leitor, value, path, valores.codigos)
    case 'inteiro':
    case 'numero':
      return leitor.number(value, path, {
        integer: valores.tipo === 'inteiro',
        least: -LIMITES.numero,
        most: LIMITES.numero,
      })
    case 'data':
      if (typeof value !== 'string') leitor.refuse(path, 'INVALID_TYPE', { expected: 'string' })
      else if (!isCalendarDate(value)) leitor.refuse(path, 'INVALID_FORMAT', { expected: 'date' })
      else return value
      return null
    case 'municipio':
      return leitor.number(value, path, IBGE)
    default:
      return leitor.text(value, path, { max: LIMITES.texto })
  }
}

/** One of the codes of a field. */
export function readCodigo(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  codigos: ReadonlySet<string>,
): string | null {
  if (typeof value !== 'string') leitor.refuse(path, 'INVALID_TYPE', { expected: 'string' })
  else if (!codigos.has(value)) leitor.notAmong(path, codigos)
  else return value
  return null
}

/** Name of a date field, for the order of two dates. */
export function readDateField(
  leitor: LeitorDeJson,
  value: unknown,
  path: Path,
  anteriores: Anteriores,
): string | undefined {
  if (value === undefined) return undefined
  const nome = nameOf(leitor, value, path)
  if (nome === null) return undefined
  const campo = anteriores.named(nome)
  if (campo === null) {
    if (!anteriores.broken(nome)) leitor.refuse(path, 'UNKNOWN', { ids: [shown(nome)] })
    return undefined
  }
  if (campo.valores.tipo !== 'data') leitor.refuse(path, 'INVALID_TYPE', { expected: 'data' })
  return nome
}
