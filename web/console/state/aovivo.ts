import { signal } from '@preact/signals'
import { type FeedEvento, followFeed } from '../api/feed.ts'
import { cache, loadAgravos } from './session.ts'

/**
 * Changes as they happen, for all tabs of a browser by one stream: the tab that holds the lock reads it and passes on what it hears;
 * when it is closed, the next goes on from where it was. Browsers allow six connections to a service, and a tab that holds a lock is
 * never frozen.
 */

/** Screens are out of date by theme: cases of a disease, or of any. */
export type Theme = `casos ${string}` | 'casos' | 'agravos' | 'alertas' | 'importacoes' | 'usuarios'

/** Moment of the newest change of each theme that was told of, by the clock of this browser. */
export const changes = signal<Partial<Record<Theme, number>>>({})
/** Rises with each new notification. */
export const notified = signal(0)

type Message = { kind: 'evento'; evento: FeedEvento } | { kind: 'notificacao' }

const NAME = 'vigia.aovivo'

function themesOf({ tipo, dados }: FeedEvento): Theme[] {
  const [kind] = tipo.split('.')
  if (kind === 'agravo') return [`casos ${dados.tipo_agravo}`]
  if (kind === 'tipo_agravo') return ['agravos']
  if (kind === 'importacao') return ['casos', 'importacoes']
  return kind === 'alerta' ? ['alertas'] : ['usuarios']
}

/** Follows until the returned function is called: at the end of the session. */
export function followChanges(usuarioId: number): () => void {
  const channel = new BroadcastChannel(`${NAME} ${usuarioId}`)
  const over = new AbortController()
  let cursor: string | null = null

  function take(message: Message): void {
    if (message.kind === 'notificacao') {
      notified.value++
      return
    }
    const { evento } = message
    cursor = evento.cursor
    if (evento.tipo === 'tipo_agravo.alterado') {
      void loadAgravos()
      void cache.invalidateQueries({ queryKey: ['agravos'] })
    }
    const told = themesOf(evento).map((theme) => [theme, Math.max(changes.value[theme] ?? 0, evento.at)])
    changes.value = { ...changes.value, ...Object.fromEntries(told) }
  }

  function pass(message: Message): void {
    take(message)
    channel.postMessage(message)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data)
  navigator.locks
    .request(`${NAME} ${usuarioId}`, { signal: over.signal }, () => {
      const leave = followFeed(cursor, {
        onEvento: (evento) => pass({ kind: 'evento', evento }),
        onNotificacao: () => pass({ kind: 'notificacao' }),
      })
      return new Promise<void>((resolve) => {
        over.signal.addEventListener('abort', () => {
          leave()
          resolve()
        })
      })
    })
    // Left while it waited for its turn.
    .catch(() => undefined)
  return () => {
    over.abort()
    channel.close()
    changes.value = {}
  }
}
