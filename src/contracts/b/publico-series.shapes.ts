import type { Municipios } from '../../brasil/municipios.ts'
import { FIRST_YEAR } from '../../domain/epizootias/campos.ts'
import type { EpizootiasPublicas } from '../../domain/publico/epizootias.ts'
import type { ValoresPublicos } from '../../domain/publico/series.ts'
import { PERIODOS } from '../../domain/series/periodos.ts'
import type { Serie } from '../../domain/series/serie.ts'
import { NIVEIS_DE_LUGAR } from '../../domain/territorios/lugar.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Semana } from './epidemiologia.shapes.ts'
import { numeros, RecorteQuery } from './epizootias-numeros.shapes.ts'
import { medida, origem, toValores } from './series-valores.shapes.ts'
import { FormatoQuery, type TabelaCsv } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

/** Series and events in animals for everybody, always with source and licence. */

const DateText = Type.String({ format: 'date' })

export const SeriesPublicasQuery = Type.Object(FormatoQuery, { additionalProperties: false })

const SeriePublica = Type.Object(
  {
    codigo: Type.String(),
    nome: Type.String(),
    descricao: Type.String(),
    dominio: Type.String(),
    tema: Type.String(),
    unidade: Type.String(),
    tipo_valor: Type.String(),
    periodo: OneOf(PERIODOS),
    nivel: OneOf(NIVEIS_DE_LUGAR),
    primeiro: Nullable(DateText),
    ultimo: Nullable(DateText),
    ...origem,
    fonte_url: Nullable(Type.String()),
  },
  { title: 'SeriePublica' },
)
export const SeriesPublicasResposta = Type.Object(
  { total: Type.Integer(), items: Type.Array(SeriePublica) },
  { title: 'SeriesPublicas' },
)
const COLUNAS_DE_SERIES = Object.keys(SeriePublica.properties)

export function toSeriesPublicas(series: readonly Serie[]): Static<typeof SeriesPublicasResposta> {
  const items = series.map((serie) => ({
    codigo: serie.codigo,
    nome: serie.nome,
    descricao: serie.descricao,
    dominio: serie.dominio,
    tema: serie.tema,
    unidade: serie.unidade,
    tipo_valor: serie.tipo_valor,
    periodo: serie.periodo,
    nivel: serie.nivel,
    primeiro: serie.primeiro,
    ultimo: serie.ultimo,
    fonte: serie.fonte,
    licenca: serie.licenca,
    atribuicao: serie.atribuicao,
    fonte_url: serie.fonte_url,
  }))
  return { total: items.length, items }
}

export const tabelaDeSeries = ({ items }: Static<typeof SeriesPublicasResposta>): TabelaCsv => ({
  nome: 'series',
  colunas: COLUNAS_DE_SERIES,
  linhas: items,
})

export const ValoresPublicosQuery = Type.Object(
  {
    ...LugarQuery,
    inicio: Type.Optional(DateText),
    fim: Type.Optional(DateText),
    semana_inicio: Type.Optional(Semana('Em vez de `inicio`')),
    semana_fim: Type.Optional(Semana('Em vez de `fim`')),
    periodo: Type.Optional(OneOf(PERIODOS, { description: 'O da série se ausente' })),
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

export const ValoresPublicosResposta = Type.Object(
  {
    serie: Type.String(),
    nome: Type.String(),
    unidade: Type.String(),
    periodo: OneOf(PERIODOS),
    lugar: LugarResposta,
    minimo: Nullable(
      Type.Integer({
        description: 'O menor número de pessoas mostrado, além do zero; nulo: nada é suprimido',
      }),
    ),
    valores: Type.Array(
      Type.Object(
        {
          data: Type.Optional(DateText),
          semana: Type.Optional(Type.String()),
          mes: Type.Optional(Type.String()),
          ano: Type.Optional(Type.String()),
          inicio: DateText,
          fim: DateText,
          ...medida,
          de: Type.Optional(Type.String()),
          suprimido: Type.Boolean(),
        },
        { title: 'ValorPublico' },
      ),
    ),
    sem_valor: Type.Integer(),
    ...origem,
  },
  { title: 'ValoresPublicos' },
)
const COLUNAS_DE_VALORES = ['inicio', 'fim', 'valor', 'cobertura', 'repetido', 'suprimido']

export function toValoresPublicos(resposta: ValoresPublicos): Static<typeof ValoresPublicosResposta> {
  const { serie, nome, unidade, periodo, lugar, valores, sem_valor, fonte, licenca, atribuicao } =
    toValores(resposta)
  return {
    ...{ serie, nome, unidade, periodo, lugar, minimo: resposta.minimo },
    valores: valores.map(({ limiares: _, ...valor }, i) => ({
      ...valor,
      suprimido: resposta.valores[i]?.suprimido ?? false,
    })),
    ...{ sem_valor, fonte, licenca, atribuicao },
  }
}

export const tabelaDeValores = ({ serie, valores }: Static<typeof ValoresPublicosResposta>): TabelaCsv => ({
  nome: serie,
  colunas: COLUNAS_DE_VALORES,
  linhas: valores,
})

export const EpizootiasPublicasQuery = Type.Object(
  {
    ...LugarQuery,
    ...RecorteQuery,
    ano: Type.Integer({ minimum: FIRST_YEAR, maximum: 9999 }),
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

export const EpizootiasPublicasResposta = Type.Object(
  {
    ano: Type.Integer(),
    lugar: LugarResposta,
    ...numeros,
    sem_mes: Type.Integer({ description: 'Eventos do ano sem mês conhecido' }),
    items: Type.Array(
      Type.Object({
        municipio: Type.String(),
        codigo_ibge: Type.String(),
        estado: Type.String(),
        mes: Type.String({ description: '`AAAA-MM`' }),
        ...numeros,
      }),
    ),
    fonte: Type.String(),
    licenca: Type.String(),
  },
  { title: 'EpizootiasPublicas' },
)
const COLUNAS_DE_EPIZOOTIAS = ['mes', 'codigo_ibge', 'municipio', 'estado', 'eventos', 'animais_mortos']

export function toEpizootiasPublicas(
  { ano }: Static<typeof EpizootiasPublicasQuery>,
  { lugar, items, ...rest }: EpizootiasPublicas,
  municipios: Municipios,
): Static<typeof EpizootiasPublicasResposta> {
  return {
    ano,
    lugar: toLugar(lugar),
    ...rest,
    items: items.map(({ municipio, ...item }) => {
      const found = municipios.byCodigo(municipio)
      const place = { municipio: found?.nome ?? String(municipio), estado: found?.uf ?? '' }
      return { ...item, ...place, codigo_ibge: String(municipio) }
    }),
  }
}

export const tabelaDeEpizootias = ({ items }: Static<typeof EpizootiasPublicasResposta>): TabelaCsv => ({
  nome: 'epizootias',
  colunas: COLUNAS_DE_EPIZOOTIAS,
  linhas: items,
})
