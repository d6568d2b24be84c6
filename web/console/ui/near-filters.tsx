import { useQueries } from '@tanstack/preact-query'
import { listaTexts } from '../state/texts/lista.ts'
import { texts } from '../state/texts.ts'
import { Empty } from './states.tsx'

/** Another filter, and how many rows it has. */
export interface Near {
  /** Of the cache. Its second part says that it is no list (`out-of-date.tsx`). */
  key: readonly [string, 'total', ...unknown[]]
  text: string
  href: string
  ask(signal: AbortSignal): Promise<{ total: number }>
}

/** Filters beside one that has no rows: those that have some, the one with the fewest first, for it changes least. */
export function NearFilters({ near, say }: { near: readonly Near[]; say(total: number): string }) {
  const found = useQueries({
    queries: near.map(({ key, ask }) => ({
      queryKey: key,
      queryFn: ({ signal }: { signal: AbortSignal }) => ask(signal),
    })),
  })
  const some = near
    .map(({ text, href }, at) => ({ text, href, total: found[at]?.data?.total ?? 0 }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => one.total - other.total)
  return (
    <ul class="wider">
      {some.map(({ text, href, total }) => (
        <li key={text}>
          <a href={href}>{text}</a> {say(total)}
        </li>
      ))}
    </ul>
  )
}

/** A filter that is on, in words, and the members of the filter that it is made of. */
export interface FilterPart<F> {
  of: readonly (keyof F)[]
  name: string
  value: string
}

/** Active filters, in the order of the bar. */
export const partsOf = <F,>(
  ...all: readonly (Omit<FilterPart<F>, 'value'> & { value: string | null | undefined })[]
): FilterPart<F>[] => all.filter((part): part is FilterPart<F> => Boolean(part.value))

export const partWords = ({ name, value }: Pick<FilterPart<never>, 'name' | 'value'>) => `${name}: ${value}`

/** The filter in words, on paper, where its bar is not seen. */
export function PaperFilter({ words }: { words: readonly string[] }) {
  return words.length === 0 ? null : <p class="paper" data-filter={words.join(' · ')} />
}

/** A page behind the last one, as an old address may have it. */
export function NoSuchPage({ page, href }: { page: number; href: string }) {
  const t = texts().casos
  return (
    <Empty text={t.noSuchPage(page)}>
      <a class="button plain" href={href}>
        {t.firstPage}
      </a>
    </Empty>
  )
}

interface EmptyByFilterProps<F> {
  text: string
  /** First part of the keys of the list. */
  name: string
  filters: F
  none: F
  parts: readonly FilterPart<F>[]
  ask(filters: F, signal: AbortSignal): Promise<{ total: number }>
  hrefOf(filters: F): string
}

/** No rows because of the filter: what it says, which of its parts to leave out to see some, and the way out of all of it. */
export function EmptyByFilter<F>({ text, name, filters, none, parts, ask, hrefOf }: EmptyByFilterProps<F>) {
  const own = listaTexts()
  const others = parts.map(({ of, name }) => ({
    text: own.without(name),
    filters: { ...filters, ...Object.fromEntries(of.map((one) => [one, none[one]])) } as F,
  }))
  const near = [...others, ...(parts.length > 1 ? [{ text: own.withoutAny, filters: none }] : [])]
  return (
    <Empty text={text}>
      <p class="filter-words">{parts.map(partWords).join(' · ')}</p>
      <NearFilters
        near={near.map(({ text, filters }) => ({
          key: [name, 'total', filters],
          text,
          href: hrefOf(filters),
          ask: (signal) => ask(filters, signal),
        }))}
        say={own.number}
      />
      <a class="button plain" href={hrefOf(none)}>
        {texts().filtros.clear}
      </a>
    </Empty>
  )
}
