import { keyOf } from '../../../brasil/nome.ts'
import { ESTADOS_IBGE, UFS } from '../../../brasil/uf.ts'
import { InvalidFile } from '../../importacao/formats/table.ts'
import { ANY_YEAR, readDate } from '../../importacao/layouts/values.ts'
import { keyOfMunicipio, keyOfRegiao } from '../lugares.ts'
import { type Periodo, readPeriod } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { LinhaRecusada, type Reference } from './arquivo.ts'

/** Cells of a file: numbers, places, periods. */

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?$/
const MISSING = new Set(['', 'na', 'nan', 'n/a', 'null', '...', '..', '-9999', '-9999.0', '-9999,0'])

const isDigit = (code: number) => code >= 48 && code <= 57

/** Numbers of one column, all with the same decimal sign. */
export class ColunaNumerica {
  readonly #titulo: string
  #sign: '.' | ',' | null = null

  constructor(titulo: string) {
    this.#titulo = titulo
  }

  /** Null: no value. */
  read(text: string): number | null {
    // None of them begins with a digit, as nearly all numbers do.
    if (!isDigit(text.charCodeAt(0)) && MISSING.has(text.toLowerCase())) return null
    if (!NUMBER.test(text)) throw new LinhaRecusada(`${this.#titulo}: "${text.slice(0, 40)}" não é um número`)
    const comma = text.includes(',')
    if (comma || text.includes('.')) this.#decide(comma ? ',' : '.')
    return Number(comma ? text.replace(',', '.') : text)
  }

  #decide(sign: '.' | ','): void {
    if (this.#sign !== null && this.#sign !== sign)
      throw new InvalidFile(
        `A coluna ${this.#titulo} tem números com vírgula e com ponto: não se sabe qual separa os decimais.`,
      )
    this.#sign = sign
  }
}

/** Value of a series from a cell: its category, or its number. */
export function readValue(serie: Serie, coluna: ColunaNumerica, text: string): number | null {
  if (serie.tipo_valor !== 'categoria') return coluna.read(text)
  if (MISSING.has(text.toLowerCase())) return null
  const key = keyOf(text)
  const found = serie.categorias.find(({ codigo, rotulo }) => keyOf(codigo) === key || keyOf(rotulo) === key)
  if (found === undefined) throw new LinhaRecusada(`${serie.codigo}: categoria desconhecida`)
  return found.ordem
}

/** Key of a municipality by code or name; names shared by several states need theirs. */
export function readMunicipio({ municipios }: Reference, text: string, estado: string | null): string | null {
  const [, code] = /^(\d{6,7})(?:\s|$)/.exec(text) ?? []
  if (code !== undefined) {
    const found = municipios.byCodigo(Number(code))
    return found && keyOfMunicipio(found)
  }
  const named = municipios.named(text).filter(({ uf }) => estado === null || uf === estado)
  const [only] = named
  return only === undefined || named.length > 1 ? null : keyOfMunicipio(only)
}

/** UF by its letters, its code or its name. */
export function readEstado(text: string): string | null {
  const upper = text.toUpperCase()
  if ((UFS as readonly string[]).includes(upper)) return upper
  const key = keyOf(text)
  const found = ESTADOS_IBGE.find(({ codigo, nome }) => String(codigo) === text || keyOf(nome) === key)
  return found?.uf ?? null
}

export function readRegiao({ territorios }: Reference, text: string): string | null {
  const found = /^\d{5}$/.test(text) ? territorios.regiaoByCodigo(Number(text)) : null
  return found && keyOfRegiao(found.codigo)
}

/** A period as files write it. */
export function readPeriodo(periodo: Periodo, text: string): number | null {
  if (periodo !== 'dia') return readPeriod(periodo, text.trim())
  const date = readDate(text, ANY_YEAR)
  return date === null ? null : readPeriod('dia', date)
}

const MESES = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

/** `Jan`, `Janeiro`, `Jan/2025`: month from 0 and the year where it is there. */
export function readMes(text: string): { mes: number; ano: number | null } | null {
  const [, nome = '', ano] = /^([A-Za-zçÇ]{3,9})(?:[\s/-]+(\d{4}))?$/.exec(text.trim()) ?? []
  const mes = MESES.indexOf(keyOf(nome.slice(0, 3)))
  return mes < 0 ? null : { mes, ano: ano === undefined ? null : Number(ano) }
}
