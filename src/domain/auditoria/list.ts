import type { ListRules } from '../../filter.ts'

export { isLeituraOf, listLeituras, openAuditoria, pageOfAuditoria } from './auditoria.sql.ts'

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
