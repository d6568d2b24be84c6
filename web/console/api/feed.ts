/** Stream of the feed (`GET /eventos/aovivo`). */

export interface LugarDoEvento {
  estado: string
  municipio: string | null
  nome: string | null
}

export interface FeedEvento {
  tipo: string
  dados: Record<string, unknown>
  /** None: about no place, or about any. */
  lugares: LugarDoEvento[]
  /** Moment of the change by the clock of this browser. */
  at: number
  /** Position in the feed. */
  cursor: string
}

interface Handlers {
  onEvento(evento: FeedEvento): void
  onNotificacao(): void
  /** The stream was opened, or lost. */
  onState(isOpen: boolean): void
}

const PATH = '/api/v1/eventos/aovivo'
/** After a refusal: too many streams, or a position that the feed no longer has. */
const REFUSED_MS = 30_000

/** The browser connects again by itself and goes on behind the last event; a stream that was refused is opened anew, from then on. */
export function followFeed(
  cursor: string | null,
  { onEvento, onNotificacao, onState }: Handlers,
): () => void {
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
      const { tipo, dados, lugares = [], timestamp } = JSON.parse(data)
      onEvento({ tipo, dados, lugares, at: Date.parse(timestamp) + ahead, cursor: lastEventId })
    })
    source.addEventListener('notificacao', onNotificacao)
    source.onopen = () => onState(true)
    source.onerror = () => {
      onState(false)
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REFUSED_MS, null)
    }
  }

  open(cursor)
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
