import {
  AGREGACOES,
  DATAS_BASE,
  type Summary,
  type SummaryRequest,
} from '../../domain/casos/statistics/estatisticas.ts'
import { AGRUPAMENTOS } from '../../domain/casos/statistics/grupos.ts'
import type { CountsWithRates } from '../../domain/casos/statistics/numeros.ts'
import type { Filter } from '../../filter.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { fromNames } from '../include.ts'

const METRICAS = [
  'total',
  'confirmado',
  'descartado',
  'inconclusivo',
  'em_investigacao',
  'hospitalizados',
  'obitos',
  'taxa_hospitalizacao',
  'taxa_obito',
] as const satisfies (keyof CountsWithRates)[]
/** Given on demand only, since it needs one disease. */
const INCIDENCIA = 'incidencia'
const PEDIDAS = [...METRICAS, INCIDENCIA] as const

export const ResumoQuery = Type.Object({
  agregacao: Type.Optional(
    OneOf(AGREGACOES, { description: 'Acrescenta `serie`, por dia, semana epidemiológica ou mês' }),
  ),
  data_base: OneOf(DATAS_BASE, { default: 'notificacao', description: 'A data pela qual a série conta' }),
  metricas: Type.Optional(
    Type.String({
      description: `O que a série e os grupos trazem, entre vírgulas: ${PEDIDAS.join(', ')}. \`incidencia\` só se pedida, e de um só agravo`,
    }),
  ),
  agrupar_por: Type.Optional(
    Type.String({ description: `Acrescenta \`por_…\`, entre vírgulas: ${AGRUPAMENTOS.join(', ')}` }),
  ),
})

const Rate = Type.Number({ description: 'Porcentagem de `total`, duas casas' })
const numeros = {
  total: Type.Integer(),
  confirmado: Type.Integer(),
  descartado: Type.Integer(),
  inconclusivo: Type.Integer(),
  em_investigacao: Type.Integer(),
  hospitalizados: Type.Integer(),
  obitos: Type.Integer(),
  taxa_hospitalizacao: Rate,
  taxa_obito: Rate,
}
const Incidencia = Type.Optional(
  Nullable(Type.Number({ description: 'Casos por 100.000 residentes; nulo: população desconhecida' })),
)
const some = { ...Type.Partial(Type.Object(numeros)).properties, incidencia: Incidencia }
const NullableDate = Nullable(Type.String({ format: 'date' }))

const Ponto = Type.Object(
  {
    periodo: Type.String({ description: 'Dia, semana `AAAASS` ou mês `AAAA-MM`' }),
    inicio: Type.String({ format: 'date' }),
    fim: Type.String({ format: 'date' }),
    ...some,
  },
  { title: 'PontoDaSerie' },
)
const Grupo = Type.Object(
  {
    valor: Nullable(Type.String({ description: 'Nulo: não informado' })),
    nome: Nullable(
      Type.String({ description: 'Do município, da região de saúde, ou do município de um bairro' }),
    ),
    valores: Type.Optional(
      Type.Array(Nullable(Type.String()), {
        description: 'Dos pares: um valor de cada; nulo: não informado',
      }),
    ),
    ...some,
  },
  { title: 'GrupoDeCasos' },
)
const Grupos = Type.Optional(Type.Array(Grupo))

export const ResumoDeCasos = Type.Object(
  {
    periodo: Type.Object({ inicio: NullableDate, fim: NullableDate }),
    total: Type.Integer(),
    por_classificacao: Type.Object({
      confirmado: Type.Integer(),
      descartado: Type.Integer(),
      inconclusivo: Type.Integer(),
      em_investigacao: Type.Integer(),
    }),
    hospitalizados: Type.Integer(),
    obitos: Type.Integer(),
    taxa_hospitalizacao: Rate,
    taxa_obito: Rate,
    incidencia: Incidencia,
    populacao: Type.Optional(Nullable(Type.Integer({ description: 'Residentes, com `incidencia`' }))),
    populacao_ano: Type.Optional(Type.Integer({ description: 'O ano dessa população' })),
    serie: Type.Optional(Type.Array(Ponto)),
    serie_sem_data: Type.Optional(Type.Integer({ description: 'Casos sem a data pela qual a série conta' })),
    por_tipo_agravo: Grupos,
    por_faixa_etaria: Grupos,
    por_sexo: Grupos,
    por_estado: Grupos,
    por_regiao_saude: Grupos,
    por_municipio: Grupos,
    por_bairro: Grupos,
    por_cnes: Grupos,
    por_faixa_etaria_sexo: Grupos,
    por_mes_classificacao: Grupos,
  },
  { title: 'ResumoDeCasos' },
)

type Query = Static<typeof ResumoQuery>

export function fromResumo(query: Query, filter: Filter): SummaryRequest & { incidencia: boolean } {
  return {
    filter,
    agregacao: query.agregacao ?? null,
    dataBase: query.data_base,
    agruparPor: [...fromNames('agrupar_por', query.agrupar_por, AGRUPAMENTOS)],
    incidencia: fromNames('metricas', query.metricas, PEDIDAS).has(INCIDENCIA),
  }
}

export function toResumoDeCasos(resumo: Summary, { metricas }: Query): Static<typeof ResumoDeCasos> {
  const asked = fromNames('metricas', metricas, PEDIDAS)
  const names = asked.size === 0 ? METRICAS : PEDIDAS.filter((nome) => asked.has(nome))
  const chosen = (numeros: CountsWithRates) => Object.fromEntries(names.map((nome) => [nome, numeros[nome]]))
  const { periodo, numeros, serie, grupos, populacao } = resumo
  const { total, hospitalizados, obitos, taxa_hospitalizacao, taxa_obito, incidencia, ...classes } = numeros
  const { confirmado, descartado, inconclusivo, em_investigacao } = classes
  return {
    periodo,
    total,
    por_classificacao: { confirmado, descartado, inconclusivo, em_investigacao },
    hospitalizados,
    obitos,
    taxa_hospitalizacao,
    taxa_obito,
    ...(populacao && { incidencia, populacao: populacao.residentes, populacao_ano: populacao.ano }),
    ...(serie && {
      serie: serie.points.map((ponto) => ({
        periodo: ponto.periodo,
        inicio: ponto.inicio,
        fim: ponto.fim,
        ...chosen(ponto),
      })),
      serie_sem_data: serie.undated,
    }),
    ...Object.fromEntries(
      Object.entries(grupos).map(([chave, rows]) => [
        `por_${chave.replace('*', '_')}`,
        rows.map(({ valor, nome, valores, ...counted }) => ({
          ...{ valor, nome, ...(valores && { valores }) },
          ...chosen(counted),
        })),
      ]),
    ),
  }
}
