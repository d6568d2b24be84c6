import type { Caller } from '../../caller/caller.ts'
import type { Db, Notices } from '../../db/db.ts'
import { BoundedMap } from '../../system/bounded-map.ts'
import type { Territories } from '../territorios/conta.ts'
import { findCaller } from './sessoes.sql.ts'

/** Cached caller: an account in one of its sessions. */
export interface Known extends Omit<Caller, 'origin'> {
  ultima_atividade: Date
  expira_em: Date
}

export interface Callers {
  /** Null if the session has ended or its account is inactive. */
  find(sessao: Sessao, now: Date): Promise<Known | null>
}

interface Sessao {
  id: string
  usuario_id: number
}

interface Entry {
  usuario_id: number
  until: number
  known: Promise<Known | null>
}

/** Channel on which triggers notify of every change of an account's rights or sessions. */
const CHANNEL = 'acessos'
/** Maximum age of an entry, should a notification be lost. */
const KEPT_MS = 1_000
const MOST = 10_000

/**
 * Caches callers for a second; saves a round trip per request. Triggers notify of every change at commit: the process that
 * made it drops the entry before it answers, so the change holds from the next request on; other processes follow with the
 * notification.
 */
export function createCallers(db: Db & Notices, territories: Territories): Callers {
  const entries = new BoundedMap<string, Entry>(MOST)

  db.subscribe(CHANNEL, (usuarioId) => {
    for (const [id, entry] of entries)
      if (usuarioId === '' || entry.usuario_id === Number(usuarioId)) entries.delete(id)
  })

  function remember(sessao: Sessao, now: Date): Entry {
    const entry = {
      usuario_id: sessao.usuario_id,
      until: now.getTime() + KEPT_MS,
      known: read(db, territories, sessao, now),
    }
    entries.set(sessao.id, entry)
    const forget = () => {
      if (entries.get(sessao.id) === entry) entries.delete(sessao.id)
    }
    entry.known.then((known) => {
      if (known === null) forget()
      else entry.until = Math.min(entry.until, known.expira_em.getTime())
    }, forget)
    return entry
  }

  return {
    find(sessao, now) {
      const entry = entries.get(sessao.id)
      const isFresh = entry?.usuario_id === sessao.usuario_id && now.getTime() < entry.until
      return (isFresh ? entry : remember(sessao, now)).known
    },
  }
}

async function read(db: Db, territories: Territories, sessao: Sessao, now: Date): Promise<Known | null> {
  const row = await findCaller(db, sessao, now)
  if (row === null) return null
  const permissoes = new Set(row.permissoes)
  const holdsAll = row.admin || permissoes.has('admin')
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    sessao_id: sessao.id,
    plano: row.plano,
    permissoes,
    holdsAll,
    territorio: holdsAll ? null : territories.of(row.territorios),
    mustChangePassword: row.trocar_senha,
    ultima_atividade: row.ultima_atividade,
    expira_em: row.expira_em,
  }
}
