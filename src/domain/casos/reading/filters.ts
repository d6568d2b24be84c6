import { UFS } from '../../../brasil/uf.ts'
import { type Problem, problem } from '../../../errors/catalogue.ts'
import {
  type Filter,
  type FilterField,
  type FilterTest,
  type ListRules,
  type Operator,
  valuesOf,
} from '../../../filter.ts'
import type { App } from '../../app.ts'
import type { Agravo } from '../agravos/vigentes.ts'
import { unknownPlacesOf } from '../counters/scope.ts'
import {
  CLASSIFICACOES,
  CLASSIFICACOES_FILTRADAS,
  CRITERIOS,
  EVOLUCOES,
  RACAS,
  SEXOS,
  STATUS,
  TIPOS_AGRAVO,
  ZONAS,
} from '../enumeracoes.ts'

import { tiposOf } from '../statistics/recorte.ts'
import { ESPECIFICO } from './filters.sql.ts'

export { isInside, semanaTest } from './filters.sql.ts'

const EXACT: readonly Operator[] = ['eq', 'ne', 'in']
const oneOf = (values: readonly string[]): FilterField => ({ type: 'text', operators: EXACT, values })
const limit: FilterField = { type: 'date', operators: ['eq'] }

/** Filters and orders of cases; one set for the list, its count, the statistics, the map and the export. */
export const CASOS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    agravo_codigo: oneOf(TIPOS_AGRAVO),
    tipo_agravo: { ...oneOf(TIPOS_AGRAVO), synonymOf: 'agravo_codigo' },
    data_inicio: limit,
    data_notificacao_inicio: { ...limit, synonymOf: 'data_inicio' },
    data_fim: limit,
    data_notificacao_fim: { ...limit, synonymOf: 'data_fim' },
    estado: oneOf(UFS),
    regiao_saude: {
      type: 'text',
      operators: ['eq', 'in'],
      form: { pattern: /^\d{5}$/, name: 'regiao_saude' },
    },
    municipio: { type: 'text', operators: [...EXACT, 'like'] },
    lugar: { ...oneOf(['desconhecido']), operators: ['eq'] },
    bairro: { type: 'text', plain: 'like' },
    zona: oneOf(ZONAS),
    classificacao: oneOf(CLASSIFICACOES_FILTRADAS),
    classificacao_final: oneOf(CLASSIFICACOES),
    criterio_confirmacao: oneOf(CRITERIOS),
    evolucao: oneOf(EVOLUCOES),
    hospitalizacao: { type: 'boolean' },
    status: oneOf(STATUS),
    sexo: oneOf(SEXOS),
    gestante: { type: 'boolean' },
    raca: oneOf(RACAS),
    idade: { type: 'integer' },
    numero_notificacao: { type: 'text' },
    cnes: { type: 'text', operators: EXACT },
    importacao_id: { type: 'integer', operators: ['eq', 'ne', 'in'] },
    responsavel_id: { type: 'integer', operators: ['eq', 'ne', 'in'] },
    semana_epidemiologica: {
      type: 'text',
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
      form: { pattern: /^(?!0000)\d{4}(0[1-9]|[1-4]\d|5[0-3])$/, name: 'semana' },
    },
    semana_epidemiologica_sintomas: {
      type: 'text',
      operators: ['eq', 'gte', 'lte'],
      form: { pattern: /^(?!0000)\d{4}(0[1-9]|[1-4]\d|5[0-3])$/, name: 'semana' },
    },
    data_notificacao: { type: 'date' },
    data_inicio_sintomas: { type: 'date' },
    data_obito: { type: 'date' },
    data_encerramento: { type: 'date' },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
  },
  family: { prefix: ESPECIFICO, field: { type: 'text', operators: EXACT } },
  sortable: [
    'data_notificacao',
    'id',
    'tipo_agravo',
    'numero_notificacao',
    'data_inicio_sintomas',
    'semana_epidemiologica',
    'semana_epidemiologica_sintomas',
    'data_obito',
    'data_encerramento',
    'estado',
    'municipio',
    'bairro',
    'classificacao',
    'classificacao_final',
    'criterio_confirmacao',
    'evolucao',
    'status',
    'idade',
    'sexo',
    'criado_em',
    'atualizado_em',
  ],
  defaultSort: { field: 'data_notificacao', order: 'desc' },
}

/** Problems beyond the rules above: municipalities must exist, by code or name, as on creation; own fields must be of the disease. */
export function filtroProblems(
  filter: Filter,
  { municipios, agravos }: Pick<App, 'municipios' | 'agravos'>,
): Problem[] {
  const unknown = unknownPlacesOf(filter, municipios).map((test) =>
    test.field === 'municipio'
      ? problem('query', ['municipio'], 'UNKNOWN_MUNICIPIO', {})
      : problem('query', [test.field], 'UNKNOWN', { ids: valuesOf(test).map(String) }),
  )
  const proprios = everyTest(filter).filter(({ field }) => field.startsWith(ESPECIFICO))
  if (proprios.length === 0) return unknown
  const tipos = tiposOf(filter, municipios)
  const agravo = tipos.length === 1 ? agravos.vigentes().get(tipos[0] as string) : undefined
  if (agravo === undefined) return [...unknown, problem('query', ['tipo_agravo'], 'REQUIRED', {})]
  return [...unknown, ...proprios.flatMap((test) => problemsOfProprio(test, agravo))]
}

const everyTest = (filter: Filter): FilterTest[] => {
  if (filter.kind === 'test') return [filter]
  return filter.kind === 'search' ? [] : filter.of.flatMap(everyTest)
}

const BOOLEANS = ['true', 'false']

function problemsOfProprio(test: FilterTest, { proprios }: Agravo): Problem[] {
  const filtraveis = proprios.filter(({ campo }) => campo.filtravel && !campo.sigiloso)
  const found = filtraveis.find(({ nome }) => `${ESPECIFICO}${nome}` === test.field)
  if (found === undefined) {
    const allowed = filtraveis.map(({ nome }) => `${ESPECIFICO}${nome}`).join(', ')
    return [problem('query', [test.field], 'UNKNOWN_FIELD', { allowed })]
  }
  const { tipo, opcoes } = found.campo
  const values = tipo === 'bool' ? BOOLEANS : opcoes.map(({ codigo }) => codigo)
  const isKnown = valuesOf(test).every((value) => values.includes(String(value)))
  return isKnown ? [] : [problem('query', [test.field], 'INVALID_VALUE', { allowed: values.join(', ') })]
}

/** Filters and orders of deleted cases. */
export const EXCLUIDOS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    tipo_agravo: oneOf(TIPOS_AGRAVO),
    numero_notificacao: { type: 'text' },
    data_notificacao: { type: 'date' },
    excluido_em: { type: 'datetime' },
  },
  sortable: ['excluido_em', 'id', 'data_notificacao', 'numero_notificacao'],
  defaultSort: { field: 'excluido_em', order: 'desc' },
}
