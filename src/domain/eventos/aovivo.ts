import { type Caller, holds } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { Known } from '../sessoes/callers.ts'
import { isInReach } from './alcance.ts'
import { EVENTOS, type TipoDeEvento } from './catalogue.ts'
import { findFeedEnd, type OrderedEvento } from './eventos.sql.ts'
import { type EventoDoFeed, type FeedQuery, pageOfEventos, toEventoDoFeed } from './eventos.ts'
import { passesFilter } from './filtro.ts'

/**
 * The feed as it grows, for one session: the events of `readEventos`, each once and in order, judged by the rights and the places
 * that the account has at that moment.
 */

/** An event with its position in the feed. */
export interface PlacedEvento extends EventoDoFeed {
  ordem: number
}

export type Novidade =
  /** First of all, and after a pause: the position up to here, whatever was shown of it. */
  | { kind: 'posicao'; cursor: number; isFirst: boolean }
  | { kind: 'evento'; evento: PlacedEvento }
  /** The account has a new notification. */
  | { kind: 'notificacao' }

export interface AoVivoQuery {
  /** Position to continue behind; null: from now on. */
  after: number | null
  filter: FeedQuery['filter']
  /** Duration of a stream. */
  lastsMs: number
}

type Needs = Pick<App, 'db' | 'clock' | 'municipios' | 'callers' | 'fimDoFeed'>

/** Also how soon a session that ran out is seen: nothing tells of that. */
const PAUSE_MS = 15_000
/** Of a stream that is far behind. */
const PAGE = 100

/** Start of a stream; refuses a position that the feed has not reached, as of a database that was restored. */
export async function startOf({ db }: Pick<App, 'db'>, after: number | null): Promise<number> {
  const end = await findFeedEnd(db)
  if (after !== null && after > end)
    throw invalid('query', ['cursor'], 'INVALID_FORMAT', { expected: 'cursor' })
  return after ?? end
}

export async function* followEventos(
  app: Needs,
  caller: Caller,
  { after, filter, lastsMs }: AoVivoQuery & { after: number },
  closed: AbortSignal,
): AsyncGenerator<Novidade> {
  const { fimDoFeed, callers, clock } = app
  const seguidor = fimDoFeed.follow(caller.id)
  const leave = () => seguidor.leave()
  closed.addEventListener('abort', leave)
  const until = performance.now() + lastsMs
  const isOver = () => closed.aborted || fimDoFeed.isClosed() || performance.now() >= until
  try {
    let position = after
    yield { kind: 'posicao', cursor: position, isFirst: true }
    let saidAt = performance.now()
    while (!isOver()) {
      const reader = await callers.find({ id: caller.sessao_id, usuario_id: caller.id }, clock.now())
      if (reader === null || reader.mustChangePassword || reader.mustEnrolMfa) return
      if (seguidor.takeNotified()) yield { kind: 'notificacao' }
      const { eventos, end, mais } = await eventosBehind(app, reader, position, filter)
      for (const evento of eventos) yield { kind: 'evento', evento }
      position = end
      if (eventos.length > 0) saidAt = performance.now()
      else if (performance.now() - saidAt >= PAUSE_MS) {
        yield { kind: 'posicao', cursor: position, isFirst: false }
        saidAt = performance.now()
      }
      const now = performance.now()
      if (!mais) await seguidor.wait(Math.max(0, Math.min(saidAt + PAUSE_MS, until) - now))
    }
  } finally {
    closed.removeEventListener('abort', leave)
    leave()
  }
}

interface Behind {
  eventos: PlacedEvento[]
  end: number
  mais: boolean
}

async function eventosBehind(
  app: Needs,
  reader: Known,
  position: number,
  filter: FeedQuery['filter'],
): Promise<Behind> {
  const placed = (row: OrderedEvento): PlacedEvento => ({
    ...toEventoDoFeed(row, reader, app.municipios),
    ordem: row.ordem,
  })
  const kept = app.fimDoFeed.behind(position)
  if (kept !== null) {
    const seen = kept.eventos.filter((evento) => isFor(reader, filter, evento))
    return { eventos: seen.map(placed), end: kept.end, mais: false }
  }
  const asked = { after: position, since: null, size: PAGE, filter }
  const { rows, cursor, mais } = await pageOfEventos(app, reader, asked)
  return { eventos: rows.map(placed), end: cursor, mais }
}

/** The conditions of `pageOfEventos` on an event in memory. */
function isFor(reader: Known, filter: FeedQuery['filter'], evento: OrderedEvento): boolean {
  const tipo = evento.tipo as TipoDeEvento
  return (
    holds(reader, EVENTOS[tipo].permissao) &&
    (filter.tipos?.includes(tipo) ?? true) &&
    passesFilter(filter, evento) &&
    isInReach(evento, reader)
  )
}
