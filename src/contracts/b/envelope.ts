import type { Page } from '../../filter.ts'
import { DateTime, Nullable } from '../../http/schemas.ts'
import { type TSchema, Type } from '../../http/type.ts'

/** Spec 2.10. The array's name differs from list to list. */
export function ListOf<const N extends string, T extends TSchema>(name: N, item: T, title: string) {
  const items = { [name]: Type.Array(item) } as Record<N, ReturnType<typeof Type.Array<T>>>
  return Type.Object(
    {
      total: Type.Integer(),
      page: Type.Integer(),
      size: Type.Integer(),
      pages: Type.Integer(),
      ...items,
      links: Links,
      meta: Type.Object({ timestamp: DateTime }),
    },
    { title },
  )
}

const Link = Nullable(Type.String())
const Links = Type.Object({ first: Link, prev: Link, next: Link, last: Link }, { title: 'Links' })

/** Everything of the envelope but the array. `url` is the path and query as the client sent them; null: no link leads there. */
export function envelope({ total, page, size }: Page<unknown>, url: string | null, now: Date) {
  const pages = Math.ceil(total / size)
  return {
    total,
    page,
    size,
    pages,
    links: url === null ? NO_LINKS : linksOf(url, page, pages),
    meta: { timestamp: now.toISOString() },
  }
}

const NO_LINKS = { first: null, prev: null, next: null, last: null }

function linksOf(url: string, page: number, pages: number) {
  const [path = '', query = ''] = url.split('?')
  const params = new URLSearchParams(query)
  const at = (target: number) => {
    params.set('page', String(target))
    return `${path}?${params}`
  }
  return {
    first: pages > 0 ? at(1) : null,
    prev: page > 1 && pages > 0 ? at(Math.min(page - 1, pages)) : null,
    next: page < pages ? at(page + 1) : null,
    last: pages > 0 ? at(pages) : null,
  }
}
