import { codigoDaSemana } from '../../../brasil/epi-week.ts'
import type { Municipios } from '../../../brasil/municipios.ts'
import type { Classes, Hierarchy, Level } from '../../../statistics/k-anonymity.ts'
import { FAIXAS_ETARIAS, QUASE_IDENTIFICADORES, type QuaseIdentificador } from '../../casos/enumeracoes.ts'
import type { QuaseRow } from '../../casos/reading/quase.ts'

/** Quasi-identifiers of a research extract and the levels that each can be given at, the finest first. */

/** Text of a value at a level; null leaves the column empty. */
export interface NivelDeExtrato {
  nome: string
  show(value: string): string | null
}

const OMITIDO: NivelDeExtrato = { nome: 'omitido', show: () => null }
const asIs = (nome: string): NivelDeExtrato => ({ nome, show: (value) => value || null })
const known = (nome: string, show: (value: string) => string): NivelDeExtrato => ({
  nome,
  show: (value) => (value === '' ? null : show(value)),
})

const FIRST_YEARS = [0, 1, 5, 10, 15, 20, 40, 60, 80]
const faixaOf = (anos: number): string =>
  FAIXAS_ETARIAS[FIRST_YEARS.findLastIndex((first) => anos >= first)] as string
const twentyOf = (anos: number): string => {
  const first = Math.min(80, Math.floor(anos / 20) * 20)
  return first === 80 ? '80+' : `${first}-${first + 19}`
}
const trimestreOf = (dia: string): string => `${dia.slice(0, 4)}-T${Math.ceil(Number(dia.slice(5, 7)) / 3)}`

export function niveisOf(municipios: Municipios): Record<QuaseIdentificador, readonly NivelDeExtrato[]> {
  // Where the municipality is unknown, the value is the state.
  const municipioOf = (value: string) => municipios.byCodigo(Number(value))
  return {
    inicio: [
      asIs('dia'),
      known('semana', codigoDaSemana),
      known('mes', (dia) => dia.slice(0, 7)),
      known('trimestre', trimestreOf),
    ],
    lugar: [
      asIs('municipio'),
      known('regiao_saude', (value) =>
        String(municipioOf(value)?.regiao?.codigo ?? municipioOf(value)?.uf ?? value),
      ),
      known('estado', (value) => municipioOf(value)?.uf ?? value),
      { nome: 'pais', show: () => 'BR' },
    ],
    idade: [
      asIs('anos'),
      known('faixa', (anos) => faixaOf(Number(anos))),
      known('vinte_anos', (anos) => twentyOf(Number(anos))),
    ],
    sexo: [asIs('sexo'), OMITIDO],
    raca: [asIs('raca'), OMITIDO],
  }
}

/** Rows of a set of cases as classes, with the levels that were asked for; others are given at none. */
export interface Generalisation {
  classes: Classes
  /** Texts of the numbered values of each quasi-identifier. */
  values: readonly (readonly string[])[]
  hierarchies: Hierarchy[]
  niveis: readonly (readonly NivelDeExtrato[])[]
}

export async function generalise(
  blocks: AsyncIterable<QuaseRow[]>,
  municipios: Municipios,
  asked: readonly QuaseIdentificador[],
): Promise<Generalisation> {
  const all = niveisOf(municipios)
  const niveis = QUASE_IDENTIFICADORES.map((nome) => (asked.includes(nome) ? all[nome] : [OMITIDO]))
  const dictionaries = QUASE_IDENTIFICADORES.map(() => new Map<string, number>())
  const columns: Int32Array[][] = QUASE_IDENTIFICADORES.map(() => [])
  const counts: Int32Array[] = []
  for await (const block of blocks) {
    QUASE_IDENTIFICADORES.forEach((nome, a) => {
      const dictionary = dictionaries[a] as Map<string, number>
      columns[a]?.push(Int32Array.from(block, (row) => numberOf(dictionary, row[nome])))
    })
    counts.push(Int32Array.from(block, ({ total }) => total))
  }
  const values = dictionaries.map((dictionary) => [...dictionary.keys()])
  return {
    classes: { values: columns.map(joined), counts: joined(counts) },
    values,
    hierarchies: niveis.map((levels, a) => levels.map(({ show }) => toLevel((values[a] ?? []).map(show)))),
    niveis,
  }
}

/** Blocks of numbers as one: kept outside of the heap of objects, which a million cases would fill. */
function joined(blocks: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const block of blocks) {
    whole.set(block, at)
    at += block.length
  }
  return whole
}

function numberOf<V>(dictionary: Map<V, number>, value: V): number {
  const found = dictionary.get(value)
  if (found !== undefined) return found
  dictionary.set(value, dictionary.size)
  return dictionary.size - 1
}

/** Groups of values by the text that each is shown as. */
export function toLevel(shown: readonly (string | null)[]): Level {
  const groups = new Map<string | null, number>()
  const groupOf = Int32Array.from(shown, (text) => numberOf(groups, text))
  return { groupOf, groups: Math.max(1, groups.size) }
}
