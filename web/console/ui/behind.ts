import type { Query } from '@tanstack/preact-query'
import { type Change, changes, type Theme } from '../state/aovivo.ts'
import { ufOfCode } from '../state/estados.ts'
import { cache } from '../state/session.ts'
import { afterPaint } from './in-turn.ts'

/** Themes that answers depend on, by the first part of their key or the first two. */
export const THEMES: Record<string, readonly Theme[]> = {
  painel: ['casos'],
  partes: ['casos', 'alertas'],
  casos: ['casos'],
  alertas: ['alertas'],
  importacoes: ['importacoes'],
  usuarios: ['usuarios'],
  'contas-de-servico list': ['usuarios'],
  'epizootias list': ['epizootias'],
  'epizootias mapa': ['epizootias'],
  'epizootias excluidas': ['epizootias'],
  'epizootias-importacoes list': ['epizootias-importacoes'],
  'series list': ['series'],
  'series-importacoes list': ['series'],
}

/** Lists that a change may follow for, after a while or not at all: only their number of rows says that it did. */
export const PERHAPS: Record<string, readonly Theme[]> = {
  'duplicidades list': ['casos'],
  'noticias list': ['avisos'],
  'boletins list': ['avisos'],
}

/** Lists that no event tells of: they are looked at again once a minute, and compared row by row. */
const UNTOLD: readonly string[] = ['grupos list', 'agendas', 'auditoria']
export function isUntold(query: Query): boolean {
  const [name, part] = query.queryKey.map(String)
  return (
    isShown(query) && !isOffered(query) && UNTOLD.some((one) => one === name || one === `${name} ${part}`)
  )
}

const isShown = (query: Query) =>
  query.isActive() && query.state.fetchStatus === 'idle' && query.state.status === 'success'

/** Parameters that an answer was asked with, where its key has them: those of the API, or a filter of the console. */
const askedOf = (queryKey: readonly unknown[]): Record<string, unknown> =>
  queryKey.slice(1, 3).find((part): part is Record<string, unknown> => isObject(part)) ?? {}

const isObject = (part: unknown) => typeof part === 'object' && part !== null && !Array.isArray(part)

const textAt = (asked: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => asked[name]).find((value) => typeof value === 'string' && value !== '')
  return (found as string | undefined) ?? null
}

function isOfAgravo({ agravo }: Change, asked: Record<string, unknown>): boolean {
  const named = textAt(asked, 'tipo_agravo', 'agravo')
  return agravo === null || named === null || agravo === named
}

/** Of a health region only the state is compared: which municipalities are in it, the page does not know. */
function isInPlace({ lugar }: Change, asked: Record<string, unknown>): boolean {
  if (lugar === null) return true
  const municipio = textAt(asked, 'municipio')
  if (municipio !== null && lugar.municipio !== null) return municipio === lugar.municipio
  const estado = textAt(asked, 'estado', 'uf')
  if (estado !== null) return estado === lugar.estado
  const part = municipio ?? textAt(asked, 'regiao_saude', 'regiao')
  return part === null || ufOfCode(part) === lugar.estado
}

/** Counts beside a list: of other filters, which it offers, or of its classes. */
const OFFERED: readonly unknown[] = ['all', 'total']
export const isOffered = ({ queryKey }: Query) => OFFERED.includes(queryKey[1])

/** Themes of an answer that is shown. */
export function themesOf(query: Query, of: Record<string, readonly Theme[]>): readonly Theme[] {
  if (!isShown(query) || isOffered(query)) return []
  const [name, part] = query.queryKey.map(String)
  return of[`${name} ${part}`] ?? of[`${name}`] ?? []
}

/** Changes behind an answer that is shown. */
export function changesBehind(query: Query, of = THEMES): Change[] {
  const { queryKey, state } = query
  const themes = themesOf(query, of)
  const asked = askedOf(queryKey)
  return [...changes.value.values()].filter(
    (change) =>
      change.at > state.dataUpdatedAt &&
      themes.includes(change.theme) &&
      isOfAgravo(change, asked) &&
      isInPlace(change, asked),
  )
}

export const isOutdated = (query: Query) => changesBehind(query).length > 0

/** Figures and drawings of the painel change by themselves; lists never move under the reader. */
const BY_THEMSELVES: readonly unknown[] = ['painel', 'partes']
export const isByItself = ({ queryKey: [name] }: Query) => BY_THEMSELVES.includes(name)

/** Calls after any number of changes of the kept answers: another filter makes dozens, in the frame that is to show what was chosen. */
export function watchAnswers(look: () => void): () => void {
  let cancel: (() => void) | null = null
  const leave = cache.getQueryCache().subscribe(() => {
    cancel ??= afterPaint(() => {
      cancel = null
      look()
    })
  })
  return () => {
    cancel?.()
    leave()
  }
}
