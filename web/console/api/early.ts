/** Requests that are sent before the code that needs their answers has come (`web/console/early.ts`). */
import type { AnswerOf, QueryValue } from './rows.ts'
import { urlOf } from './url.ts'

/** Requests of the session, the diseases and the painel; sent twice where these differ from the ones of the screens. */
export const PERFIL = {
  path: '/api/v1/usuarios/me',
  query: { include: 'permissoes,grupos,preferencias' },
} as const
export const TIPOS = '/api/v1/agravos/tipos'
export const PAINEL = '/api/v1/agravos/casos/painel'
export type Painel = Exclude<AnswerOf<'GET', typeof PAINEL>, void>

interface Sent {
  answer: Promise<Response>
  abandon: AbortController
}

const sent = new Map<string, Sent>()

/** Preferences in the storage of the browser. */
export const PREFERENCIAS = 'vigia.preferencias'

/** As the client asks later; without a choice the browser says its own languages. */
function chosenLanguage(): Record<string, string> {
  try {
    const { idioma } = JSON.parse(localStorage.getItem(PREFERENCIAS) ?? '{}')
    return typeof idioma === 'string' ? { 'Accept-Language': idioma } : {}
  } catch {
    return {}
  }
}

export function askEarly(url: string): void {
  const abandon = new AbortController()
  const { signal } = abandon
  const headers = { 'X-Vigia-Console': '1', ...chosenLanguage() }
  const answer = fetch(url, { signal, credentials: 'same-origin', headers })
  // Found again where the answer is taken.
  answer.catch(() => undefined)
  sent.set(url, { answer, abandon })
}

interface PainelAsked {
  query: Record<string, QueryValue>
  /** The map of its place. */
  mapa: string
}

let painel: PainelAsked | null = null

export function askPainel(asked: PainelAsked): void {
  painel = asked
  askEarly(urlOf(PAINEL, { query: asked.query }))
}

/** Filter of the painel whose numbers were asked for, and its map; null at other addresses. */
export const painelAsked = () => painel

/** The answer that was asked for early, once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = sent.get(url)
  sent.delete(url)
  return early?.answer
}

/** Gives up answers of a session that is over, or that never was: one that nobody reads would hold its connection. */
export function dropEarly(): void {
  for (const { abandon } of sent.values()) abandon.abort()
  sent.clear()
}
