import type { Caller } from '../../caller/caller.ts'
import type { Db, Notices } from '../../db/db.ts'
import { BoundedMap } from '../../system/bounded-map.ts'
import { type NetworkList, networkList } from '../../system/networks.ts'
import type { Territories } from '../territorios/conta.ts'
import {
  type CallerRow,
  type ChaveCallerRow,
  type CookieRow,
  findCaller,
  findCallerByChave,
  findCallerByCookie,
} from './sessoes.sql.ts'

/** Cached caller: an account in one of its sessions. */
export interface Known extends Omit<Caller, 'origin' | 'cookie' | 'chave'> {
  ultima_atividade: Date
  expira_em: Date
}

/** Cached caller of the console. */
export interface KnownByCookie extends Known {
  cookie: Omit<CookieRow, 'sessao_id'>
}

/** Cached caller by a key, which may have ended. */
export interface KnownByChave extends Known {
  chave: { id: string; prefixo: string; revogada_em: Date | null; allows: NetworkList }
}

export interface Callers {
  /** Null if the session has ended or its account is inactive. */
  find(sessao: Sessao, now: Date): Promise<Known | null>
  /** By the hash of the console's cookie. */
  findByCookie(hash: Buffer, now: Date): Promise<KnownByCookie | null>
  /** By the hash of the key of a service account. */
  findByChave(hash: Buffer, now: Date): Promise<KnownByChave | null>
  /** The caller of a long answer as it is now; null once its session or key has ended. */
  findAgain(caller: Pick<Caller, 'id' | 'sessao_id' | 'chave'>, now: Date): Promise<Known | null>
}

interface Sessao {
  id: string
  usuario_id: number
}

interface Entry {
  /** Null until it is read: meanwhile any change may concern it. */
  usuario_id: number | null
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
    for (const [key, { usuario_id }] of entries)
      if (usuarioId === '' || usuario_id === null || usuario_id === Number(usuarioId)) entries.delete(key)
  })

  function remember<K extends Known>(
    key: string,
    usuario_id: number | null,
    now: Date,
    reading: Promise<K | null>,
    endOf: (known: K) => Date,
  ): Promise<K | null> {
    const entry: Entry = { usuario_id, until: now.getTime() + KEPT_MS, known: reading }
    entries.set(key, entry)
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    reading.then((known) => {
      if (known === null) return forget()
      entry.usuario_id = known.id
      entry.until = Math.min(entry.until, endOf(known).getTime())
    }, forget)
    return reading
  }

  function find(sessao: Sessao, now: Date): Promise<Known | null> {
    const entry = entries.get(sessao.id)
    if (entry?.usuario_id === sessao.usuario_id && now.getTime() < entry.until) return entry.known
    const reading = read(db, territories, sessao, now)
    return remember(sessao.id, sessao.usuario_id, now, reading, ({ expira_em }) => expira_em)
  }

  return {
    find,
    async findAgain({ id, sessao_id, chave }, now) {
      if (chave === undefined) return find({ id: sessao_id, usuario_id: id }, now)
      const row = await findCallerByChave(db, { id: chave.id })
      const isOver = row === null || row.revogada_em !== null || row.expira_em <= now
      return isOver ? null : knownByChave(row, territories)
    },
    findByChave(hash, now) {
      const key = `chave ${hash.toString('base64url')}`
      const entry = entries.get(key)
      if (entry && now.getTime() < entry.until) return entry.known as Promise<KnownByChave | null>
      const reading = findCallerByChave(db, { hash }).then((row) => row && knownByChave(row, territories))
      return remember(key, null, now, reading, () => new Date(now.getTime() + KEPT_MS))
    },
    findByCookie(hash, now) {
      const key = hash.toString('base64url')
      const entry = entries.get(key)
      if (entry && now.getTime() < entry.until) return entry.known as Promise<KnownByCookie | null>
      const reading = readByCookie(db, territories, hash, now)
      return remember(key, null, now, reading, ({ cookie, expira_em }) => cookie.anterior_ate ?? expira_em)
    },
  }
}

async function read(db: Db, territories: Territories, sessao: Sessao, now: Date): Promise<Known | null> {
  const row = await findCaller(db, sessao, now)
  return row && knownOf(row, sessao.id, territories)
}

async function readByCookie(
  db: Db,
  territories: Territories,
  hash: Buffer,
  now: Date,
): Promise<KnownByCookie | null> {
  const row = await findCallerByCookie(db, hash, now)
  if (row === null) return null
  const { lembrar, criado_em, cookie_desde, anterior_ate } = row
  return {
    ...knownOf(row, row.sessao_id, territories),
    cookie: { lembrar, criado_em, cookie_desde, anterior_ate },
  }
}

/** A key grants those of its scopes that the account holds, and never everything. */
function knownByChave(row: ChaveCallerRow, territories: Territories): KnownByChave {
  const { chave_id, prefixo, escopos, redes, revogada_em, ultimo_uso_em } = row
  const held = new Set(row.permissoes)
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    sessao_id: chave_id,
    plano: row.plano,
    permissoes: new Set(escopos.filter((nome) => nome !== 'admin' && held.has(nome))),
    holdsAll: false,
    territorio: territories.of(row.territorios),
    mustChangePassword: false,
    mustEnrolMfa: false,
    ultima_atividade: ultimo_uso_em ?? new Date(0),
    expira_em: row.expira_em,
    chave: {
      ...{ id: chave_id, prefixo, revogada_em },
      allows: redes.length === 0 ? () => true : networkList(redes, 'redes'),
    },
  }
}

function knownOf(row: CallerRow, sessao_id: string, territories: Territories): Known {
  const permissoes = new Set(row.permissoes)
  const holdsAll = row.admin || permissoes.has('admin')
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    sessao_id,
    plano: row.plano,
    permissoes,
    holdsAll,
    territorio: holdsAll ? null : territories.of(row.territorios),
    mustChangePassword: row.trocar_senha,
    mustEnrolMfa: row.falta_mfa,
    ultima_atividade: row.ultima_atividade,
    expira_em: row.expira_em,
  }
}
