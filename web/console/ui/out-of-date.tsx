import type { Query } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { type Change, changes, type Theme } from '../state/aovivo.ts'
import { ufOfCode } from '../state/estados.ts'
import { cache } from '../state/session.ts'
import { avisosTexts } from '../state/texts/avisos.ts'
import { Button } from './button.tsx'

/** Themes that answers depend on, by the first part of their key or the first two. */
const THEMES: Record<string, readonly Theme[]> = {
  painel: ['casos'],
  pendencias: ['casos'],
  bairros: ['casos'],
  casos: ['casos'],
  situacao: ['alertas'],
  alertas: ['alertas'],
  importacoes: ['importacoes'],
  usuarios: ['usuarios'],
  'epizootias list': ['epizootias'],
  'epizootias mapa': ['epizootias'],
}

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

/** Counts that an empty list offers instead of itself. */
const OFFERED: readonly unknown[] = ['all', 'total']

/** Changes behind an answer that is shown. */
function changesBehind(query: Query): Change[] {
  const { queryKey, state } = query
  if (!query.isActive() || state.fetchStatus !== 'idle' || state.status !== 'success') return []
  if (OFFERED.includes(queryKey[1])) return []
  const [name, part] = queryKey.map(String)
  const themes = THEMES[`${name} ${part}`] ?? THEMES[`${name}`] ?? []
  const asked = askedOf(queryKey)
  return [...changes.value.values()].filter(
    (change) =>
      change.at > state.dataUpdatedAt &&
      themes.includes(change.theme) &&
      isOfAgravo(change, asked) &&
      isInPlace(change, asked),
  )
}

const isOutdated = (query: Query) => changesBehind(query).length > 0

/** Places in words; null where one of the changes is about no place. */
function placesOf(behind: readonly Change[]): string[] | null {
  if (behind.some(({ lugar }) => lugar === null)) return null
  const names = behind.map(({ lugar }) => {
    const { estado, nome } = lugar as NonNullable<Change['lugar']>
    return nome === null ? estado : `${nome}, ${estado}`
  })
  return [...new Set(names)].sort((one, other) => one.localeCompare(other))
}

/** Figures and drawings of the painel change by themselves; lists never move under the reader. */
const BY_THEMSELVES: readonly unknown[] = ['painel', 'pendencias', 'bairros', 'situacao']
const isByItself = ({ queryKey: [name] }: Query) => BY_THEMSELVES.includes(name)
/** Between two readings of the same figures: an import tells of itself many times. */
const CALM_MS = 10_000

/** Milliseconds until figures that are out of date may be read again; null: none is, or nobody looks. */
function waitOf(queries: readonly Query[]): number | null {
  const outdated = queries.filter((query) => isByItself(query) && isOutdated(query))
  if (outdated.length === 0 || document.hidden) return null
  const readAt = Math.max(...outdated.map(({ state }) => state.dataUpdatedAt))
  return Math.max(0, readAt + CALM_MS - Date.now())
}

/**
 * Says that a list is out of date, instead of changing it under the reader. It lies over the page, so that nothing moves, and watches the
 * answers themselves: screens need not know of it.
 */
export function OutOfDate() {
  // Null: no list is out of date.
  const [places, setPlaces] = useState<string | null>(null)
  const told = changes.value
  useEffect(() => {
    const queries = cache.getQueryCache()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const all = queries.getAll()
      const behind = all.filter((query) => !isByItself(query)).flatMap(changesBehind)
      setPlaces(behind.length === 0 ? null : JSON.stringify(placesOf(behind)))
      const wait = waitOf(all)
      clearTimeout(timer)
      if (wait !== null) timer = setTimeout(refresh, wait, isByItself)
    }
    look()
    document.addEventListener('visibilitychange', look)
    const leave = queries.subscribe(look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      leave()
    }
  }, [told])
  const t = avisosTexts()
  return (
    <div class="out-of-date" role="status">
      {places !== null && (
        <p>
          {t.outOfDate(JSON.parse(places))}
          <Button kind="primary" icon="retry" onClick={() => refresh(() => true)}>
            {t.refresh}
          </Button>
        </p>
      )}
    </div>
  )
}

const refresh = (which: (query: Query) => boolean) =>
  void cache.refetchQueries({ predicate: (query) => which(query) && isOutdated(query) })
