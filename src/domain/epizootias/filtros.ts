import { UFS } from '../../brasil/uf.ts'
import type { FilterField, ListRules } from '../../filter.ts'
import { CLASSIFICACOES_DE_EPIZOOTIA, ESPECIE_GRUPOS, PRECISOES } from './campos.ts'

/** Filters of events; one set for the list, the map and the export. */

const oneOf = (values: readonly string[]): FilterField => ({
  type: 'text',
  operators: ['eq', 'ne', 'in'],
  values,
})

export const EPIZOOTIAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    numero: { type: 'text' },
    estado: oneOf(UFS),
    regiao_saude: {
      type: 'text',
      operators: ['eq', 'in'],
      form: { pattern: /^\d{5}$/, name: 'regiao_saude' },
    },
    municipio: { type: 'text', operators: ['eq', 'ne', 'in', 'like'] },
    suspeita: { type: 'text', operators: ['eq', 'ne', 'in'] },
    especie_grupo: oneOf(ESPECIE_GRUPOS),
    classificacao: oneOf(CLASSIFICACOES_DE_EPIZOOTIA),
    precisao_data: oneOf(PRECISOES),
    data_ocorrencia: { type: 'date' },
    ano_ocorrencia: { type: 'integer' },
    data_notificacao: { type: 'date' },
    semana: {
      type: 'text',
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
      form: { pattern: /^(?!0000)\d{4}(0[1-9]|[1-4]\d|5[0-3])$/, name: 'semana' },
    },
    importacao_id: { type: 'integer', operators: ['eq', 'ne', 'in'] },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
  },
  sortable: [
    ...['data_ocorrencia', 'id', 'numero', 'ano_ocorrencia', 'data_notificacao', 'estado', 'municipio'],
    ...['suspeita', 'especie_grupo', 'classificacao', 'criado_em', 'atualizado_em'],
  ],
  defaultSort: { field: 'data_ocorrencia', order: 'desc' },
}

/** Filters and orders of deleted events. */
export const EPIZOOTIAS_EXCLUIDAS_LIST: ListRules = {
  fields: { ...EPIZOOTIAS_LIST.fields, excluido_em: { type: 'datetime' } },
  sortable: ['excluido_em', 'id', 'numero', 'data_ocorrencia'],
  defaultSort: { field: 'excluido_em', order: 'desc' },
}
