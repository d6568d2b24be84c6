/** Stream of the feed (`GET /eventos/aovivo`). */

export interface FeedEvento {
  tipo: string
  dados: Record<string, unknown>
  /** Moment of the change by the clock of this browser. */
  at: number
  /** Position in the feed. */
  cursor: string
}

interface Handlers {
  onEvento(evento: FeedEvento): void
  onNotificacao(): void
}

const PATH = '/api/v1/eventos/aovivo'
/** After a refusal: too many streams, or a position that the feed no longer has. */
const REFUSED_MS = 30_000

/** The browser connects again by itself and goes on behind the last event; a stream that was refused is opened anew, from then on. */
export function followFeed(cursor: string | null, { onEvento, onNotificacao }: Handlers): () => void {
  /** Of this browser's clock against that of the service. */
  let ahead = 0
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined

  function open(from: string | null): void {
    source = new EventSource(from === null ? PATH : `${PATH}?cursor=${from}`)
    source.addEventListener('inicio', ({ data }) => {
      ahead = Date.now() - Date.parse(JSON.parse(data).timestamp)
    })
    source.addEventListener('evento', ({ data, lastEventId }) => {
      const { tipo, dados, timestamp } = JSON.parse(data)
      onEvento({ tipo, dados, at: Date.parse(timestamp) + ahead, cursor: lastEventId })
    })
    source.addEventListener('notificacao', onNotificacao)
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REFUSED_MS, null)
    }
  }

  open(cursor)
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
