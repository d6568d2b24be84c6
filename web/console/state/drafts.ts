import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { ApiError } from '../api/errors.ts'
import type { AnswerOf } from '../api/rows.ts'
import { api, owner } from './session.ts'

/**
 * Drafts of forms. What is typed is held in this page, and saved on the server two seconds after the last key; until it is there,
 * closing the tab warns. Leaving the screen loses nothing: the page goes on saving. Nothing of it is stored by the browser.
 */

/** The form, as the screen understands it. */
export type Conteudo = Record<string, unknown>
export type RascunhoSalvo = AnswerOf<'GET', '/api/v1/rascunhos'>['rascunhos'][number]

export type DraftStatus =
  | { kind: 'none' | 'typed' | 'saving' | 'failed' | 'full' }
  | { kind: 'saved'; at: Date }

const PAUSE_MS = 2_000
const RETRY_MS = 10_000

/** Form that a draft is of, and the record that it changes; null: a new one. */
export interface Alvo {
  formulario: 'caso' | 'epizootia'
  id: number | null
}
const isSame = (one: Alvo, other: Alvo) => one.formulario === other.formulario && one.id === other.id
const alvoOf = ({ formulario, caso_id, epizootia_id }: Omit<RascunhoSalvo, 'id'>): Alvo => ({
  formulario,
  id: formulario === 'caso' ? caso_id : epizootia_id,
})

/** Parameter of a form's address that names its draft. */
export const RASCUNHO = 'rascunho'
export const draftAt = (path: string, uuid: string) => `${path}?${new URLSearchParams({ [RASCUNHO]: uuid })}`

interface Held {
  alvo: Alvo
  conteudo: Conteudo
  since: Date
  status: Signal<DraftStatus>
  isOnServer: boolean
  /** No form shows it any more: forgotten once it is saved. */
  isLeft: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  /** The request under way; the next waits for it, so that a late one cannot bring a removed draft back. */
  last: Promise<unknown>
}

const held = new Map<string, Held>()
const statuses = new Map<string, Signal<DraftStatus>>()

/** Of a draft that a form shows, also before anything is held. */
function statusAt(uuid: string): Signal<DraftStatus> {
  const status = statuses.get(uuid) ?? signal<DraftStatus>({ kind: 'none' })
  statuses.set(uuid, status)
  return status
}
export const draftStatus = (uuid: string): ReadonlySignal<DraftStatus> => statusAt(uuid)

const isUnsaved = ({ status }: Held) => !['saved', 'none'].includes(status.value.kind)

/** Holds what is typed, and saves it when nothing is typed for a while. */
export function keepDraft(uuid: string, alvo: Alvo, conteudo: Conteudo): void {
  const one = heldAt(uuid, alvo)
  one.conteudo = conteudo
  one.isLeft = false
  one.since = new Date()
  one.status.value = { kind: 'typed' }
  saveIn(uuid, one, PAUSE_MS)
}

function heldAt(uuid: string, alvo: Alvo): Held {
  const one = held.get(uuid) ?? {
    alvo,
    conteudo: {},
    since: new Date(),
    status: statusAt(uuid),
    isOnServer: false,
    isLeft: false,
    timer: undefined,
    last: Promise.resolve(),
  }
  held.set(uuid, one)
  return one
}

function saveIn(uuid: string, one: Held, ms: number): void {
  clearTimeout(one.timer)
  one.timer = setTimeout(() => {
    one.last = one.last.then(() => save(uuid, one))
  }, ms)
}

async function save(uuid: string, one: Held): Promise<void> {
  if (held.get(uuid) !== one) return
  const { conteudo, alvo } = one
  const { formulario, id } = alvo
  one.status.value = { kind: 'saving' }
  try {
    const body = { conteudo, ...(formulario === 'caso' ? { caso_id: id } : { formulario, epizootia_id: id }) }
    const { atualizado_em } = await api.put('/api/v1/rascunhos/{uuid}', { params: { uuid }, body })
    one.isOnServer = true
    if (one.conteudo !== conteudo) return
    one.status.value = { kind: 'saved', at: new Date(atualizado_em) }
    if (one.isLeft) forgetDraft(uuid)
  } catch (error) {
    if (held.get(uuid) !== one) return
    one.status.value = { kind: error instanceof ApiError && error.status === 409 ? 'full' : 'failed' }
    if (one.conteudo === conteudo) saveIn(uuid, one, RETRY_MS)
  }
}

/** Removes a draft that was sent or discarded, here and on the server. */
export function dropDraft(uuid: string, isOnServer = false): Promise<void> {
  const one = held.get(uuid)
  held.delete(uuid)
  clearTimeout(one?.timer)
  statusAt(uuid).value = { kind: 'none' }
  return (one?.last ?? Promise.resolve()).then(async () => {
    if (!isOnServer && !one?.isOnServer) return
    await api.delete('/api/v1/rascunhos/{uuid}', { params: { uuid } }).catch((error: unknown) => {
      // Gone already is gone; anything else ends by itself after 30 days.
      if (!(error instanceof ApiError)) throw error
    })
  })
}

function forgetDraft(uuid: string): void {
  held.delete(uuid)
  statuses.delete(uuid)
}

/** The form is left: what is saved is forgotten, the rest stays until it is. */
export function leaveDraft(uuid: string): void {
  const one = held.get(uuid)
  if (one === undefined) return
  one.isLeft = true
  if (!isUnsaved(one)) forgetDraft(uuid)
}

/** For a draft that a form goes on with: it is on the server already. */
export function resumeDraft(
  uuid: string,
  { conteudo, ...saved }: Omit<RascunhoSalvo, 'id'> & { conteudo: Conteudo },
  at: Date,
): void {
  const one = heldAt(uuid, alvoOf(saved))
  if (isUnsaved(one)) return
  one.conteudo = conteudo
  one.isOnServer = true
  one.status.value = { kind: 'saved', at }
}

export const heldDraft = (uuid: string): { conteudo: Conteudo; since: Date } | null => held.get(uuid) ?? null

export interface FoundDraft {
  uuid: string
  em: Date
}

/** Drafts of a record, or of new ones, that no form shows: those of the server and those still on their way to it. */
export async function findDrafts(alvo: Alvo, signal: AbortSignal): Promise<FoundDraft[]> {
  const waiting = [...held]
    .filter(([, one]) => isSame(one.alvo, alvo) && one.isLeft)
    .map(([uuid, { since }]) => ({ uuid, em: since }))
  const { rascunhos } = await api.get('/api/v1/rascunhos', {}, { signal })
  const saved = rascunhos
    .filter((one) => isSame(alvoOf(one), alvo) && !held.has(one.id))
    .map(({ id, atualizado_em }) => ({ uuid: id, em: new Date(atualizado_em) }))
  return [...waiting, ...saved]
}

/** Text of one person is not for the next one at this computer. */
owner.subscribe(() => {
  for (const { timer } of held.values()) clearTimeout(timer)
  held.clear()
  statuses.clear()
})

addEventListener('beforeunload', (event) => {
  if ([...held.values()].some(isUnsaved)) event.preventDefault()
})
