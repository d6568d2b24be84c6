import { effect, signal } from '@preact/signals'
import { QueryClient } from '@tanstack/preact-query'
import type { Permission } from '../../../src/caller/permissions.ts'
import { createApi } from '../api/client.ts'
import { dropEarly, PERFIL, TIPOS } from '../api/early.ts'
import { ApiError } from '../api/errors.ts'
import type { AnswerOf } from '../api/rows.ts'
import { setAgravos } from './agravos.ts'
import { offline, reached, waiting } from './connection.ts'
import { setEu } from './eu.ts'
import { idioma, keep, onChoice, rereadPreferences } from './preferences.ts'
import { onMessage, tell } from './tabs.ts'
import { addWords } from './texts.ts'

export type Perfil = AnswerOf<'GET', '/api/v1/usuarios/me'>

export type Session =
  | { kind: 'starting' }
  | { kind: 'failed'; error: ApiError }
  | { kind: 'anonymous' }
  | { kind: 'mustChangePassword' }
  | { kind: 'mustEnrolMfa' }
  | { kind: 'open'; perfil: Perfil }

export const session = signal<Session>({ kind: 'starting' })
/** Account whose things this page holds; null: nobody's. What somebody typed, chose or looked for goes with it. */
export const owner = signal<number | null>(null)
/** True while the sign-in stands over the present screen: the session ended under it. */
export const isInterrupted = signal(false)
/** True after a way out that the service did not answer: its session still stands. */
export const isStanding = signal(false)

/** Rows that somebody may be reading, by a part of their key: what is new is announced instead (D-781). */
const LISTS: readonly unknown[] = ['list', 'lista', 'excluidos', 'excluidas', 'auditoria', 'agendas']

/** In memory only, emptied at the end of a session. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Answers that nobody looks at any more, and outlines of maps: a tenth of a megabyte to some megabytes each.
      gcTime: 60_000,
      // The client repeats by itself, and says so.
      retry: false,
      refetchOnWindowFocus: ({ queryKey }) => !queryKey.slice(0, 2).some((part) => LISTS.includes(part)),
      placeholderData: (previous: unknown) => previous,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Connected again: parts that failed for that reason load by themselves. */
effect(() => {
  if (offline.value !== null) return
  const isCut = ({ state: { error } }: { state: { error: unknown } }) =>
    error instanceof ApiError && error.status === 0
  void cache.refetchQueries({ type: 'active', predicate: isCut })
})

/** Refusals after which a session goes on elsewhere than where it was interrupted. */
const OBSTACLES = ['PASSWORD_CHANGE_REQUIRED', 'MFA_ENROLMENT_REQUIRED']

/** A refusal that is not about what was asked for. */
export const isOfSession = ({ status, code }: ApiError) => status === 401 || OBSTACLES.includes(code)

let resume: ((signedIn: boolean) => void)[] = []

export const api = createApi({
  language: idioma,
  account: () => owner.value,
  waiting,
  reached,
  passwordMustChange: () => {
    session.value = { kind: 'mustChangePassword' }
  },
  mfaIsMissing: () => {
    session.value = { kind: 'mustEnrolMfa' }
  },
  signInAgain() {
    if (session.value.kind !== 'open') return Promise.resolve(false)
    isInterrupted.value = true
    return new Promise((resolve) => resume.push(resolve))
  },
})

/** Nothing of the person before stays, and nothing that they asked for is asked as the next one. */
function handOver(id: number): void {
  if (owner.value !== null && owner.value !== id) {
    cache.clear()
    endInterruption(false)
  }
  owner.value = id
}

function endInterruption(signedIn: boolean): void {
  const waiters = resume
  resume = []
  isInterrupted.value = false
  for (const resolve of waiters) resolve(signedIn)
}

/** Diseases of this installation and their names. Whoever may not list them has no use for them. */
export async function loadAgravos(): Promise<void> {
  const answer = await api.get(TIPOS, {}, { withoutSession: true }).catch(() => null)
  if (answer === null) return
  setAgravos(answer.tipos.map(({ codigo }) => codigo))
  addWords(Object.fromEntries(answer.tipos.map(({ codigo, nome }) => [codigo, nome])))
}

/** Asks who is signed in. */
export async function loadSession(): Promise<void> {
  try {
    const [perfil] = await Promise.all([
      api.get(PERFIL.path, { query: PERFIL.query }, { withoutSession: true }),
      loadAgravos(),
    ])
    handOver(perfil.id)
    setEu(perfil.id)
    session.value = { kind: 'open', perfil }
    isStanding.value = false
    // Preferences of the account are the same on every machine.
    if (perfil.preferencias !== undefined) {
      const { fator_adiado: _, ...chosen } = perfil.preferencias
      keep(chosen)
    }
    endInterruption(true)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) forget()
    else if (OBSTACLES.includes(error.code)) endInterruption(false)
    else if (session.value.kind !== 'open') session.value = { kind: 'failed', error }
  }
}

export interface Credentials {
  username: string
  password: string
  mfa_code?: string
  remember_me: boolean
}

export async function signIn(credentials: Credentials): Promise<void> {
  await api.send('POST', '/api/v1/auth/sessao', { body: credentials }, { withoutSession: true })
  await loadSession()
  tell('entrou')
}

/** Empties the page whatever the service says: who leaves a shared machine does not wait for it. */
export async function signOut(): Promise<void> {
  const isEnded = await endSession({})
  forget()
  isStanding.value = !isEnded
  // The answer has emptied the storage of this origin; preferences are no secret.
  keep({})
  tell('saiu')
}

/** True if no session is left. */
function endSession(query: { inatividade?: true }): Promise<boolean> {
  const sent = api.send('DELETE', '/api/v1/auth/sessao', { query }, { withoutSession: true })
  // Without a session there is nothing to end.
  return sent.then(
    () => true,
    (error) => error instanceof ApiError && error.status === 401,
  )
}

/** After hours without use: empties the page, and ends a session that is not kept on this computer. One that is begins again. */
export async function endUnused(): Promise<void> {
  forget()
  if (await endSession({ inatividade: true })) void loadSession()
}

/** Empties what this tab knows. */
export function forget(): void {
  dropEarly()
  cache.clear()
  owner.value = null
  session.value = { kind: 'anonymous' }
  endInterruption(false)
}

/** True with every one of the permissions; `admin` stands for all. */
export function holds(required: readonly Permission[]): boolean {
  if (session.value.kind !== 'open') return false
  const { admin, permissoes_efetivas = [] } = session.value.perfil
  if (admin || permissoes_efetivas.includes('admin')) return true
  return required.every((permission) => permissoes_efetivas.includes(permission))
}

/** Administrators without a second factor are offered one as they sign in, until they turn it on or put it off. */
export function isMfaOffered(): boolean {
  if (session.value.kind !== 'open') return false
  const { admin, mfa_habilitado, preferencias } = session.value.perfil
  return admin && mfa_habilitado === false && preferencias?.fator_adiado !== true
}

/** Kept with the account. Without a connection this browser alone remembers: nobody waits for that. */
onChoice((body) => {
  if (session.value.kind !== 'open') return
  api.put('/api/v1/usuarios/me/preferencias', { body }, { withoutSession: true }).catch(() => undefined)
})

onMessage('entrou', () => void loadSession())
onMessage('saiu', forget)
onMessage('preferencias', rereadPreferences)
