import type { Municipios } from '../../brasil/municipios.ts'
import type { Territorio } from '../../caller/territorio.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { FilterTest } from '../../filter.ts'
import { municipiosOf, municipiosOfRegioes } from '../casos/counters/scope.ts'
import { semanaTest } from '../casos/reading/filters.ts'

export function epizootiaColumns(municipios: Municipios): Columns {
  const among = (filter: FilterTest, found: readonly { codigo: number }[]) => {
    const any = sql`e.municipio = any(${found.map(({ codigo }) => codigo)}::integer[])`
    return filter.op === 'ne' ? sql`not ${any}` : any
  }
  return {
    fields: {
      id: sql`e.id`,
      numero: sql`e.numero`,
      estado: sql`e.estado`,
      municipio: sql`e.municipio`,
      suspeita: sql`e.suspeita`,
      especie_grupo: sql`e.especie_grupo`,
      classificacao: sql`e.classificacao`,
      precisao_data: sql`e.precisao_data`,
      data_ocorrencia: sql`e.data_ocorrencia`,
      // Cast: a filter may ask for integers beyond smallint.
      ano_ocorrencia: sql`e.ano_ocorrencia::integer`,
      data_notificacao: sql`e.data_notificacao`,
      importacao_id: sql`e.importacao_id`,
      criado_em: sql`e.criado_em`,
      atualizado_em: sql`e.atualizado_em`,
    },
    required: new Set([
      ...['id', 'numero', 'estado', 'municipio', 'suspeita', 'especie_grupo', 'classificacao'],
      ...['ano_ocorrencia', 'criado_em', 'atualizado_em'],
    ]),
    conditions: {
      municipio: (filter) => among(filter, municipiosOf(filter, municipios)),
      regiao_saude: (filter) => among(filter, municipiosOfRegioes(filter, municipios)),
      semana: (filter) => semanaTest(filter, sql`e.data_ocorrencia`),
    },
    search: (contains) => sql`(plain(e.numero) like plain(${contains})
      or plain(e.especie) like plain(${contains}) or plain(e.localidade) like plain(${contains}))`,
  }
}

/** Condition on `e`: inside of a territory. */
export function inside(territorio: Territorio | null): Sql {
  if (territorio === null) return sql`true`
  const { ufs, municipios } = territorio
  return sql`(e.estado = any(${[...ufs]}::text[]) or e.municipio = any(${[...municipios]}::integer[]))`
}
