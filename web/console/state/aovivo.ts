import { signal } from '@preact/signals'
import { type FeedEvento, followFeed, type LugarDoEvento } from '../api/feed.ts'
import { cache, loadAgravos } from './session.ts'

/**
 * Changes as they happen, for all tabs of a browser by one stream: the tab that holds the lock reads it and passes on what it hears;
 * when it is closed, the next goes on from where it was. Browsers allow six connections to a service, and a tab that holds a lock is
 * never frozen.
 */

/** Screens are out of date by theme. */
export type Theme =
  | 'casos'
  | 'alertas'
  | 'importacoes'
  | 'usuarios'
  | 'series'
  | 'epizootias'
  | 'epizootias-importacoes'
  | 'agravos'
  /** Subjects of notifications: news, and work that is over. */
  | 'avisos'

export interface Change {
  theme: Theme
  /** Null: of any. */
  agravo: string | null
  /** Null: anywhere. */
  lugar: LugarDoEvento | null
  /** Moment of the newest one that was told of, by the clock of this browser. */
  at: number
}

/** Changes by what they are about. */
export const changes = signal<ReadonlyMap<string, Change>>(new Map())
/** Kinds of changes that are kept apart; more of them are one of its theme, anywhere. */
const MOST_APART = 300
/** Rises with each new notification. */
export const notified = signal(0)

/** Null: not known yet; else whether the stream is open, and since when it is so. */
export const live = signal<{ isOpen: boolean; since: number } | null>(null)

type Message =
  | { kind: 'evento'; evento: FeedEvento }
  | { kind: 'notificacao' }
  | { kind: 'estado'; isOpen: boolean; since: number }
  /** Asks the tab that has the stream for its state. */
  | { kind: 'pergunta' }

const NAME = 'vigia.aovivo'

const THEMES: Record<string, readonly Theme[]> = {
  agravo: ['casos'],
  tipo_agravo: ['agravos'],
  importacao: ['casos', 'importacoes'],
  alerta: ['alertas'],
  serie: ['series'],
  epizootia: ['epizootias'],
  usuario: ['usuarios'],
}

/** An import of events in animals, which has the name of one of cases. */
const OF_ANIMALS: readonly Theme[] = ['epizootias', 'epizootias-importacoes']

function changesOf({ tipo, dados, lugares, at }: FeedEvento): Change[] {
  const [kind = ''] = tipo.split('.')
  const isOfAnimals = kind === 'importacao' && dados.alvo === 'epizootias'
  const themes = isOfAnimals ? OF_ANIMALS : (THEMES[kind] ?? [])
  const agravo = typeof dados.tipo_agravo === 'string' ? dados.tipo_agravo : null
  const places = lugares.length === 0 ? [null] : lugares
  return themes.flatMap((theme) => places.map((lugar) => ({ theme, agravo, lugar, at })))
}

const keyOf = ({ theme, agravo, lugar }: Change) =>
  [theme, agravo, lugar?.estado, lugar?.municipio].map((part) => part ?? '').join(' ')

/** The newest of each kind; too many kinds become one for each theme. */
export function withChanges(known: ReadonlyMap<string, Change>, more: Change[]): Map<string, Change> {
  const all = new Map(known)
  for (const change of more) {
    const key = keyOf(change)
    all.set(key, { ...change, at: Math.max(change.at, all.get(key)?.at ?? 0) })
  }
  if (all.size <= MOST_APART) return all
  return withChanges(
    new Map(),
    [...all.values()].map((change) => ({ ...change, agravo: null, lugar: null })),
  )
}

/** Follows until the returned function is called: at the end of the session. */
export function followChanges(usuarioId: number): () => void {
  const channel = new BroadcastChannel(`${NAME} ${usuarioId}`)
  const over = new AbortController()
  let cursor: string | null = null

  let hasStream = false

  function take(message: Message): void {
    if (message.kind === 'pergunta') {
      if (hasStream && live.value !== null) channel.postMessage({ kind: 'estado', ...live.value })
      return
    }
    if (message.kind === 'estado') {
      const { isOpen, since } = message
      if (live.value?.isOpen !== isOpen) live.value = { isOpen, since }
      return
    }
    if (message.kind === 'notificacao') {
      notified.value++
      const told = { theme: 'avisos' as const, agravo: null, lugar: null, at: Date.now() }
      changes.value = withChanges(changes.value, [told])
      return
    }
    const { evento } = message
    cursor = evento.cursor
    if (evento.tipo === 'tipo_agravo.alterado') {
      void loadAgravos()
      // An open editor keeps its text: another version than the one it began with shows when it is saved.
      void cache.invalidateQueries({
        queryKey: ['agravos'],
        predicate: ({ queryKey }) => queryKey[1] !== 'editar',
      })
    }
    changes.value = withChanges(changes.value, changesOf(evento))
  }

  function pass(message: Message): void {
    take(message)
    channel.postMessage(message)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data)
  channel.postMessage({ kind: 'pergunta' } satisfies Message)
  navigator.locks
    .request(`${NAME} ${usuarioId}`, { signal: over.signal }, () => {
      hasStream = true
      const leave = followFeed(cursor, {
        onEvento: (evento) => pass({ kind: 'evento', evento }),
        onNotificacao: () => pass({ kind: 'notificacao' }),
        onState: (isOpen) => pass({ kind: 'estado', isOpen, since: Date.now() }),
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
    changes.value = new Map()
    live.value = null
  }
}
