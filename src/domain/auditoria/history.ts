import type { App } from '../app.ts'
import { listAuditoriaOf } from './auditoria.sql.ts'

const HISTORY_SIZE = 100

export interface AuditHistoryEntry {
  data: string
  acao: string
  usuario: { id: number; nome: string } | null
  detalhes: Record<string, unknown>
}

/** Latest audit records of one resource, newest first. */
export async function historyOf(
  { db }: Pick<App, 'db'>,
  recurso: string,
  id: number,
): Promise<AuditHistoryEntry[]> {
  const rows = await listAuditoriaOf(db, recurso, String(id), HISTORY_SIZE)
  return rows.map(({ data, acao, ator_id, ator_nome, detalhes }) => ({
    data: data.toISOString(),
    acao,
    usuario: ator_id === null ? null : { id: ator_id, nome: ator_nome ?? '' },
    detalhes,
  }))
}
