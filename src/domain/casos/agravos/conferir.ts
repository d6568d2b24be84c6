import { isCalendarDate } from '../../../brasil/calendar.ts'
import type { ProblemCode, ProblemParams } from '../../../errors/catalogue.ts'
import { CAMPOS } from '../campos.ts'
import { type CondicaoCompilada, compileCondicao, isAbsent, type ValueOf } from './condicoes.ts'
import { type CampoProprio, type Definicao, isProprio } from './definicao.ts'
import { isLongerThan } from './leitor.ts'
import { type CampoConhecido, type CamposConhecidos, conhecidosOf, flatName, sentName } from './nomes.ts'

/** Checks of the fields that a disease has of its own, compiled once for a version of its definition. */

export type RecusaDeValor = {
  [C in ProblemCode]: { code: C; params: ProblemParams[C] }
}[ProblemCode]

/** Checks the shape of a JSON value; null, which every field takes, passes. */
type Check = (value: unknown) => RecusaDeValor | null

export interface ProprioCompilado {
  nome: string
  /** Name inside the service: `dados_especificos.nome`, or `dados_sigilosos.nome` of an encrypted one. */
  flat: string
  /** Name in requests and answers, `dados_especificos.nome`. */
  enviado: string
  campo: CampoProprio
  check: Check
}

/** In the order of the definition, retired ones among them: these take nothing but null. */
export function compileProprios(definicao: Definicao): ProprioCompilado[] {
  return definicao.campos.filter(isProprio).map((campo) => ({
    nome: campo.nome,
    flat: flatName(campo),
    enviado: sentName(campo.nome),
    campo,
    check: butNull(campo.ativo ? checkOf(campo) : retired),
  }))
}

const refusal = <C extends ProblemCode>(code: C, params: ProblemParams[C]) =>
  ({ code, params }) as RecusaDeValor
const typed = (expected: string) => refusal('INVALID_TYPE', { expected })

const retired: Check = () => refusal('NOT_EDITABLE', {})
const butNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

function checkOf(campo: CampoProprio): Check {
  switch (campo.tipo) {
    case 'bool':
      return (value) => (typeof value === 'boolean' ? null : typed('boolean'))
    case 'opcao':
      return choiceOf(campo)
    case 'opcoes':
      return choicesOf(campo)
    case 'inteiro':
    case 'numero':
      return numberOf(campo)
    case 'data':
      return (value) => {
        if (typeof value !== 'string') return typed('string')
        return isCalendarDate(value) ? null : refusal('INVALID_FORMAT', { expected: 'date' })
      }
    case 'texto':
      return textOf(campo.max as number)
    case 'municipio':
      return municipioOf
  }
}

function choiceOf({ opcoes }: CampoProprio): Check {
  const active = opcoes.filter(({ ativo }) => ativo).map(({ codigo }) => codigo)
  const codigos = new Set<unknown>(active)
  const allowed = active.join(', ')
  return (value) => {
    if (typeof value !== 'string') return typed('string')
    return codigos.has(value) ? null : refusal('INVALID_VALUE', { allowed })
  }
}

function choicesOf(campo: CampoProprio): Check {
  const choice = choiceOf(campo)
  const most = campo.opcoes.length
  return (value) => {
    if (!Array.isArray(value)) return typed('array')
    // More than there are options repeats one or has an unknown one: the first of them tells.
    for (const item of value.slice(0, most + 1)) {
      const wrong = choice(item)
      if (wrong !== null) return wrong
    }
    return new Set(value).size === value.length ? null : refusal('REPEATED', {})
  }
}

function numberOf({ tipo, minimo, maximo, casas }: CampoProprio): Check {
  const [least, most] = [minimo as number, maximo as number]
  const isOfKind = tipo === 'inteiro' ? Number.isInteger : Number.isFinite
  const expected = tipo === 'inteiro' ? 'integer' : 'number'
  const decimals = tipo === 'inteiro' ? 0 : (casas as number)
  const format = decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`
  return (value) => {
    if (typeof value !== 'number' || !isOfKind(value)) return typed(expected)
    if (value < least) return refusal('TOO_SMALL', { limit: least })
    if (value > most) return refusal('TOO_LARGE', { limit: most })
    return decimalsOf(value) > decimals ? refusal('INVALID_FORMAT', { expected: format }) : null
  }
}

/** Decimals that a number is written with. */
export function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0
  const [digits = '', exponent = '0'] = String(value).split('e')
  const fraction = digits.split('.')[1] ?? ''
  return Math.max(0, fraction.length - Number(exponent))
}

/** Text that PostgreSQL can store: no NUL, no half of a surrogate pair. */
const textOf =
  (max: number): Check =>
  (value) => {
    if (typeof value !== 'string') return typed('string')
    if (isLongerThan(value, max)) return refusal('TOO_LONG', { limit: max })
    if (value.includes('\0') || !value.isWellFormed()) return refusal('INVALID_FORMAT', { expected: 'text' })
    return null
  }

/** A code, or a name inside a state; which one it is, the table of municipalities tells. */
const municipioText = textOf(CAMPOS.municipio_residencia.max)
const municipioOf: Check = (value) => {
  if (typeof value === 'number') return Number.isInteger(value) ? null : typed('string')
  return municipioText(value)
}

/** True for fields that a request sends; all of them where a case is created. Takes names inside the service. */
export type Touched = (campo: string) => boolean
/** Tells a problem of a field of the definition's own, by its `nome`. */
export type RefuseValue = <C extends ProblemCode>(nome: string, code: C, params: ProblemParams[C]) => void

interface Regra {
  nome: string
  flat: string
  mostrar: CondicaoCompilada | null
  obrigatorio: boolean
  quando: CondicaoCompilada | null
  depois: CampoConhecido | null
  antes: CampoConhecido | null
}

function regrasOf(definicao: Definicao): Regra[] {
  const conhecidos = conhecidosOf(definicao)
  return definicao.campos
    .filter(isProprio)
    .filter(({ ativo }) => ativo)
    .map((campo) => regraOf(campo, conhecidos))
}

function regraOf(campo: CampoProprio, conhecidos: CamposConhecidos): Regra {
  const { mostrar_quando, mostrar_quando_modo, obrigatorio_quando, obrigatorio_quando_modo } = campo
  const named = (nome: string | undefined) => (nome === undefined ? null : conhecidos.named(nome))
  return {
    nome: campo.nome,
    flat: flatName(campo),
    mostrar: compileCondicao(mostrar_quando, mostrar_quando_modo, conhecidos),
    obrigatorio: campo.obrigatorio,
    quando: compileCondicao(obrigatorio_quando, obrigatorio_quando_modo, conhecidos),
    depois: named(campo.depois_de),
    antes: named(campo.antes_de),
  }
}

/**
 * Rules between the fields of a case after a change. A field is blamed where it is sent itself, or where a field that its rule looks
 * at is; a value that another change hides stays (`escondidos` tells it).
 */
export function compileCondicoes(
  definicao: Definicao,
): (read: ValueOf, touched: Touched, refuse: RefuseValue) => void {
  const checks = regrasOf(definicao)
    .filter(
      ({ mostrar, obrigatorio, quando, depois, antes }) =>
        mostrar || obrigatorio || quando || depois || antes,
    )
    .map(compileRegra)
  return (read, touched, refuse) => {
    for (const check of checks) check(read, touched, refuse)
  }
}

function compileRegra({ nome, flat, mostrar, obrigatorio, quando, depois, antes }: Regra) {
  const looksAt = [...new Set([flat, ...(mostrar?.campos ?? []), ...(quando?.campos ?? [])])]
  const mustHave = (read: ValueOf) => obrigatorio || (quando?.holds(read) ?? false)
  return (read: ValueOf, touched: Touched, refuse: RefuseValue): void => {
    const value = read(flat)
    const absent = isAbsent(value)
    if (mostrar !== null && !mostrar.holds(read)) {
      if (!absent && touched(flat)) refuse(nome, 'INCONSISTENT', { field: mostrar.failing(read) })
      return
    }
    if (absent) {
      if (looksAt.some(touched) && mustHave(read)) refuse(nome, 'REQUIRED', {})
      return
    }
    if (depois !== null && isBefore(value, read(depois.flat)) && (touched(flat) || touched(depois.flat)))
      refuse(nome, 'BEFORE', { field: depois.enviado })
    if (antes !== null && isBefore(read(antes.flat), value) && (touched(flat) || touched(antes.flat)))
      refuse(nome, 'AFTER', { field: antes.enviado })
  }
}

const isBefore = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string' && one < other

/** Names of own fields that have a value and are not shown by the form: their condition does not hold. */
export function escondidos(definicao: Definicao): (read: ValueOf) => string[] {
  const hideable = regrasOf(definicao).flatMap(({ nome, flat, mostrar }) =>
    mostrar === null ? [] : [{ nome, flat, mostrar }],
  )
  return (read) =>
    hideable
      .filter(({ flat, mostrar }) => !isAbsent(read(flat)) && !mostrar.holds(read))
      .map(({ nome }) => nome)
}
