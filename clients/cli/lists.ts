import type { Listas } from '../ts/src/index.ts'
import { say } from './context.ts'
import { type Filtering, filtersOf } from './filters.ts'
import { type Column, printList } from './output.ts'
import type { Global, Session } from './session.ts'

export interface Listing extends Filtering {
  limite: number
  tudo: boolean
}

/** One page of a list, or with `--tudo` all of them, each printed before the next is asked for. */
export async function list<P extends keyof Listas>(
  { io, t, vigia, given }: Session,
  path: P,
  columns: Column<Listas[P]>[],
  flags: Listing & Global,
  further: Record<string, unknown> = {},
): Promise<void> {
  const query = { ...filtersOf(flags, t), ...further }
  if (!flags.tudo) {
    const call = { method: 'GET', path, query: { size: flags.limite, ...query } } as const
    const page = (await (await vigia.response(call, given)).json()) as { total: number }
    const items = (Object.values(page).find(Array.isArray) ?? []) as Listas[P][]
    await printList(io, items, columns, { json: flags.json, head: true })
    if (page.total > items.length && !flags.json) say(io, t.more(items.length, page.total))
    return
  }
  const pages = vigia.paginas as (
    path: string,
    asked: object,
    options: object,
  ) => AsyncGenerator<Listas[P][], void>
  let head = true
  for await (const items of pages(path, { query }, given)) {
    await printList(io, items, columns, { json: flags.json, head })
    head = false
  }
}
