import type { Caller, Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../system/clock.ts'
import { canonicalJson } from '../canonical.ts'
import type { KeyedHash } from '../cipher.ts'
import {
  type AuditoriaRow,
  findAuditoriaFim,
  insertAuditoria,
  listAuditoriaAfter,
  lockAuditoriaFim,
} from './auditoria.sql.ts'

/**
 * Append-only audit log as a hash chain: each row is sealed by a keyed hash over its content and the previous seal, so a row
 * that is changed, missing, added or moved is detected, and none can be forged without DATA_KEY. Price: writers queue on
 * the end of the chain.
 */

/** Entry to record. Details name fields and ids, never personal data or secrets. */
export interface Entry {
  acao: string
  /** Null without a login, such as for a failed one. */
  ator: Pick<Caller, 'id' | 'nome' | 'chave'> | null
  origin: Origin | null
  recurso?: string
  recurso_id?: string | number | null
  detalhes?: Record<string, unknown>
}

/** Actor and origin of an entry, from the caller. */
export function by(caller: Caller): Pick<Entry, 'ator' | 'origin'> {
  return { ator: caller, origin: caller.origin }
}

export interface Auditoria {
  /** To be called last in a transaction: it locks the end of the chain until the commit. */
  record(tx: Db, entry: Entry): Promise<void>
  /** `step` is called between blocks with how many of how many records were checked. */
  verify(db: Db, step?: (checked: number, of: number) => Promise<void>): Promise<Verification>
}

/** `ate`: moment of the last record; null without one. */
export type Verification =
  | { ok: true; total: number; ate: Date | null }
  | { ok: false; id: number; problem: 'added' | 'missing' | 'changed' }

const VERIFY_BATCH = 1000

export function createAuditoria(seal: KeyedHash, clock: Clock): Auditoria {
  const hashOf = (row: Omit<AuditoriaRow, 'hash'>, before: Buffer) =>
    seal(canonical(row), before.toString('hex'))
  return {
    async record(tx, entry) {
      const { ultimo_id, ultimo_hash } = await lockAuditoriaFim(tx)
      const row = toRow(ultimo_id + 1, clock.now(), entry)
      await insertAuditoria(tx, { ...row, hash: hashOf(row, ultimo_hash) })
    },
    async verify(db, step) {
      const fim = await findAuditoriaFim(db)
      let before: Buffer = Buffer.alloc(0)
      let last = 0
      let ate: Date | null = null
      // Includes rows forged before the first one.
      let from = Number.MIN_SAFE_INTEGER
      for (;;) {
        const rows = await listAuditoriaAfter(db, from, VERIFY_BATCH)
        for (const row of rows) {
          if (row.id <= last) return { ok: false, id: row.id, problem: 'added' }
          if (row.id !== last + 1) return { ok: false, id: last + 1, problem: 'missing' }
          if (!hashOf(row, before).equals(row.hash)) return { ok: false, id: row.id, problem: 'changed' }
          before = row.hash
          last = row.id
          ate = row.data
        }
        if (rows.length < VERIFY_BATCH) break
        from = last
        await step?.(last, fim?.ultimo_id ?? last)
      }
      // More rows than the end names were written since; fewer were cut off.
      if (fim === null || last < fim.ultimo_id) return { ok: false, id: last + 1, problem: 'missing' }
      return { ok: true, total: last, ate }
    },
  }
}

function toRow(id: number, data: Date, entry: Entry): Omit<AuditoriaRow, 'hash'> {
  return {
    id,
    data,
    ator_id: entry.ator?.id ?? null,
    ator_nome: entry.ator?.nome ?? null,
    acao: entry.acao,
    recurso: entry.recurso ?? null,
    recurso_id: entry.recurso_id == null ? null : String(entry.recurso_id),
    detalhes: { ...entry.detalhes, ...(entry.ator?.chave && { chave_usada: entry.ator.chave.prefixo }) },
    endereco_ip: entry.origin?.endereco_ip ?? null,
    request_id: entry.origin?.request_id ?? null,
  }
}

/** Canonical text of a row, independent of the key order of `jsonb`. */
function canonical(row: Omit<AuditoriaRow, 'hash'>): string {
  const { id, data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id } = row
  const fields = [
    id,
    data.toISOString(),
    ator_id,
    ator_nome,
    acao,
    recurso,
    recurso_id,
    detalhes,
    endereco_ip,
    request_id,
  ]
  return canonicalJson(fields)
}
