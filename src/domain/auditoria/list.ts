import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { type AuditoriaRow, countAuditoria, listAuditoria } from './auditoria.sql.ts'

export const AUDITORIA_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    data: { type: 'datetime' },
    ator_id: { type: 'integer' },
    acao: { type: 'text' },
    recurso: { type: 'text' },
    recurso_id: { type: 'text' },
    endereco_ip: { type: 'text' },
    request_id: { type: 'text' },
  },
  sortable: ['id', 'data', 'acao', 'recurso'],
  defaultSort: { field: 'id', order: 'desc' },
}

export async function pageOfAuditoria({ db }: Pick<App, 'db'>, list: ListQuery): Promise<Page<AuditoriaRow>> {
  const [items, total] = await Promise.all([listAuditoria(db, list), countAuditoria(db, list)])
  return { items, total, page: list.page, size: list.size }
}
