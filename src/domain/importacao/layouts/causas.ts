import type { Problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import type { FieldName } from '../../casos/campos.ts'

/** Causes of errors and warnings, without any value of a row: rows with the same cause are one group, whose number is bounded. */
export interface Causa {
  /** Code of a field problem, or one of the import's own. */
  codigo: string
  campo: FieldName | null
  /** Column as the file names it. */
  coluna: string | null
  /** Rule in words. */
  regra: string
}

export interface GrupoDeCausa extends Causa {
  quantidade: number
  /** The first lines, `MAX_LINHAS` at most. */
  linhas: number[]
}

const MAX_LINHAS = 10
/** More groups than any honest file has; the rest is one group. */
const MAX_GRUPOS = 300
const REST: Causa = { codigo: 'OTHERS', campo: null, coluna: null, regra: 'Outras causas' }

/** Cause of a broken rule between fields, or of a value that a field does not take. */
export function causaOf(problem: Problem, coluna: string | null, outcome = ''): Causa {
  const campo = problem.path.join('.') as FieldName
  const regra = `${problemText(problem, DEFAULT_LANGUAGE)}${outcome}`
  return { codigo: problem.code, campo, coluna, regra }
}

export const MISALIGNED: Causa = {
  codigo: 'MISALIGNED_ROW',
  campo: null,
  coluna: null,
  regra: 'Linha com mais valores do que o cabeçalho tem colunas',
}
export const SHORT = {
  codigo: 'SHORT_ROW',
  regra: 'Linha com menos valores do que o cabeçalho tem colunas: as últimas ficam vazias',
}
export const REPEATED_ROW: Causa = {
  codigo: 'REPEATED_ROW',
  campo: 'numero_notificacao',
  coluna: null,
  regra: 'Repetido no arquivo; vale a última linha',
}
export const MERGED_ROW: Causa = {
  codigo: 'MERGED_ROW',
  campo: 'numero_notificacao',
  coluna: null,
  regra: 'Notificação de um caso fundido com outro, do qual a linha difere',
}
export const fileCause = (coluna: string | null, regra: string): Causa => ({
  codigo: 'FILE',
  campo: null,
  coluna,
  regra,
})

/** Groups by cause. Small, since it is stored with every checkpoint. */
export class CauseTally {
  readonly #groups = new Map<string, GrupoDeCausa>()

  constructor(groups: readonly GrupoDeCausa[] = []) {
    this.merge(groups)
  }

  add(causa: Causa, linha: number | null): void {
    this.#count(causa, 1, linha === null ? [] : [linha])
  }

  merge(groups: readonly GrupoDeCausa[]): void {
    for (const { quantidade, linhas, ...causa } of groups) this.#count(causa, quantidade, linhas)
  }

  /** The most frequent first. */
  list(): GrupoDeCausa[] {
    return [...this.#groups.values()].sort((a, b) => b.quantidade - a.quantidade)
  }

  #count(causa: Causa, quantidade: number, linhas: readonly number[]): void {
    const group = this.#groupOf(causa)
    group.quantidade += quantidade
    for (const linha of linhas) addFirst(group.linhas, linha)
  }

  #groupOf(causa: Causa): GrupoDeCausa {
    const key = keyOf(causa)
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    if (this.#groups.size >= MAX_GRUPOS && causa.codigo !== REST.codigo) return this.#groupOf(REST)
    const { codigo, campo, coluna, regra } = causa
    const group = { codigo, campo, coluna, regra, quantidade: 0, linhas: [] }
    this.#groups.set(key, group)
    return group
  }
}

/** Keeps the first lines in their order: those that only a comparison finds come last, and may be before others in the file. */
function addFirst(linhas: number[], linha: number): void {
  if (linhas.length === MAX_LINHAS && linha > (linhas.at(-1) as number)) return
  if (linhas.includes(linha)) return
  linhas.push(linha)
  linhas.sort((a, b) => a - b)
  linhas.length = Math.min(linhas.length, MAX_LINHAS)
}

const keyOf = ({ codigo, campo, coluna, regra }: Causa) => `${codigo}\n${campo}\n${coluna}\n${regra}`
