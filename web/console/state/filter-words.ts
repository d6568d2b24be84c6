import type { Texts } from '../texts/pt-BR.ts'
import { estadoNome } from './estados.ts'
import {
  CHIP_NAMES,
  type ChipName,
  type ClassificacaoDoFiltro,
  type Filters,
  PARAMETERS,
  type Parameter,
  type SimpleName,
} from './filter-address.ts'
import type { Periodo } from './periodo.ts'

/** The filter in words. */

/** Names of the places of a filter, as far as they are known yet. */
export interface PlaceNames {
  municipio?: string | undefined
  regiao?: string | undefined
  /** Part of the filter that no list of places has. */
  unknown?: 'municipio' | 'regiao' | undefined
}

/** Its place in words; null for the whole country. */
export function lugarOf(
  { municipio, regiao, uf }: Pick<Filters, 'municipio' | 'regiao' | 'uf'>,
  names: PlaceNames,
): { nome: string; uf: string | null } | null {
  if (municipio !== null) return { nome: names.municipio ?? municipio, uf: null }
  if (regiao !== null) return { nome: names.regiao ?? regiao, uf: null }
  return uf === null ? null : { nome: estadoNome(uf), uf }
}

export function periodoWords(periodo: Periodo, t: Texts['filtros']): string {
  switch (periodo.kind) {
    case 'ano':
      return t.inAno(periodo.ano)
    case 'temporada':
      return t.inTemporada(periodo.ano)
    case '12m':
      return t.in12m
    case 'sempre':
      return t.inSempre
    case 'datas':
      return t.inDatas(periodo.de, periodo.ate)
    case 'semanas':
      return t.inSemanas(periodo.de, periodo.ate)
  }
}

export function classificacaoWords(classificacao: ClassificacaoDoFiltro, t: Texts): string {
  if (classificacao === 'provavel' || classificacao === 'notificado' || classificacao === 'confirmado')
    return t.filtros[classificacao]
  return valorWords(classificacao, t)
}

/** Code of a vocabulary in words; by itself where the console has none for it. */
export const valorWords = (codigo: string, t: Texts): string =>
  (t.valores as Readonly<Record<string, string>>)[codigo] ?? codigo.replaceAll('_', ' ')

/** Value of a chip in words. */
export function chipWords(name: SimpleName, value: string, t: Texts): string {
  if (name === 'lugar') return t.filtros.lugarDesconhecido
  if (name === 'pendencia') return t.filtros.pendencias[value as keyof Texts['filtros']['pendencias']]
  const { values }: Parameter = PARAMETERS[name]
  return values === undefined ? value : valorWords(value, t)
}

/** The filter in a sentence: title, and everything that narrows it further. */
export function wordsOf(filters: Filters, t: Texts, names: PlaceNames): { title: string; parts: string[] } {
  const { agravo, base, classificacao } = filters
  const disease = agravo === null ? t.filtros.allAgravos : valorWords(agravo, t)
  const chips = CHIP_NAMES.flatMap((name) => {
    const value = filters[name]
    return value === null ? [] : [`${t.filtros.names[name as ChipName]}: ${chipWords(name, value, t)}`]
  })
  return {
    title: t.filtros.title(disease, lugarOf(filters, names), periodoWords(filters.periodo, t.filtros)),
    parts: [classificacaoWords(classificacao, t), t.filtros.countedBy[base], ...chips],
  }
}
