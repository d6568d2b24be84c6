import { UFS } from '../../brasil/uf.ts'
import { MOST_VALUES, type ValorEnviado } from '../../domain/series/gravar.ts'
import type { RespostaDeLugares } from '../../domain/series/lugares-da-serie.ts'
import { CAMPO_DO_PERIODO, PERIODOS } from '../../domain/series/periodos.ts'
import type { Revisao } from '../../domain/series/revisoes.ts'
import type { RespostaDeValores, ValorMostrado } from '../../domain/series/valores.ts'
import { DateTime, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { Semana } from './epidemiologia.shapes.ts'
import { FormatoQuery } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

/** Values of series, read and written. */

export const DateText = Type.String({ format: 'date' })
const Mes = Type.String({ pattern: '^\\d{4}-\\d{2}$', 'x-format': 'mes', description: '`AAAA-MM`' })
const Ano = Type.String({ pattern: '^\\d{4}$', 'x-format': 'ano', description: '`AAAA`' })

const ValorSchema = Type.Unsafe<ValorMostrado>({
  anyOf: [
    { type: 'number' },
    {
      type: 'object',
      properties: { codigo: { type: 'string' }, rotulo: { type: 'string' } },
      required: ['codigo', 'rotulo'],
      title: 'CategoriaDoValor',
    },
    { type: 'null' },
  ],
  description: 'Número; categoria; nulo: sem valor',
})
export const Limiares = Type.Optional(
  Type.Unsafe<Record<string, boolean | null>>({
    type: 'object',
    additionalProperties: { type: ['boolean', 'null'] },
    description: 'Por código; nulo: falta uma semana',
  }),
)
const Cobertura = Type.Number({ description: 'Parte do período com valor' })
const CoberturaDoLugar = Type.Optional(
  Type.Number({ description: 'Parte do lugar com valor, onde ele é agregado' }),
)
export const medida = {
  valor: ValorSchema,
  cobertura: Cobertura,
  cobertura_lugar: CoberturaDoLugar,
  repetido: Type.Boolean({ description: 'Vale de um período mais longo ou anterior' }),
}

export const ConhecidosQuery = {
  conhecidos_em: Type.Optional(
    Type.String({ format: 'date-time', description: 'Os valores como eram neste momento' }),
  ),
}

export const ValoresQuery = Type.Object(
  {
    ...LugarQuery,
    inicio: Type.Optional(Type.String({ format: 'date' })),
    fim: Type.Optional(Type.String({ format: 'date' })),
    semana_inicio: Type.Optional(Semana('Em vez de `inicio`')),
    semana_fim: Type.Optional(Semana('Em vez de `fim`')),
    periodo: Type.Optional(OneOf(PERIODOS, { description: 'O da série se ausente' })),
    ...ConhecidosQuery,
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

const ValorDoPeriodo = Type.Object(
  {
    data: Type.Optional(DateText),
    semana: Type.Optional(Type.String()),
    mes: Type.Optional(Type.String()),
    ano: Type.Optional(Type.String()),
    inicio: DateText,
    fim: DateText,
    ...medida,
    de: Type.Optional(Type.String({ description: 'O período de onde vem um valor que ainda vale' })),
    limiares: Limiares,
  },
  { title: 'ValorDaSerie' },
)
export const origem = { fonte: Type.String(), licenca: Type.String(), atribuicao: Nullable(Type.String()) }
const NivelDoValor = Type.Optional(Type.String({ description: 'Onde o valor é de um lugar maior' }))

export const ValoresResposta = Type.Object(
  {
    serie: Type.String(),
    nome: Type.String(),
    unidade: Type.String(),
    periodo: OneOf(PERIODOS),
    lugar: LugarResposta,
    parcial: Type.Boolean(),
    nivel_valor: NivelDoValor,
    valores: Type.Array(ValorDoPeriodo),
    sem_valor: Type.Integer(),
    ...origem,
    reconstruido: Type.Optional(Type.Literal(true)),
    revisao: Nullable(Type.Integer()),
    atualizada_em: Nullable(DateTime),
  },
  { title: 'ValoresDaSerie' },
)
export const COLUNAS_DE_VALORES = [
  ...['inicio', 'fim', 'valor', 'cobertura', 'cobertura_lugar', 'repetido', 'de'],
]

export function toValores(resposta: RespostaDeValores): Static<typeof ValoresResposta> {
  const { serie, periodo, lugar, parcial, nivel_valor, valores, reconstruido, atualizada_em } = resposta
  return {
    serie: serie.codigo,
    nome: serie.nome,
    unidade: serie.unidade,
    periodo,
    lugar: toLugar(lugar),
    parcial,
    ...(nivel_valor && { nivel_valor }),
    valores: valores.map(({ codigo, cobertura_lugar, de, limiares, ...rest }) => ({
      [CAMPO_DO_PERIODO[periodo]]: codigo,
      ...rest,
      ...(cobertura_lugar !== null && { cobertura_lugar }),
      ...(de !== null && { de }),
      ...(limiares && { limiares }),
    })),
    sem_valor: resposta.sem_valor,
    ...toOrigem(serie),
    ...(reconstruido && { reconstruido: true as const }),
    revisao: resposta.revisao,
    atualizada_em: atualizada_em?.toISOString() ?? null,
  }
}

export const toOrigem = ({ fonte, licenca, atribuicao }: RespostaDeValores['serie']) => ({
  fonte,
  licenca,
  atribuicao,
})

export const GravarValores = Type.Object(
  {
    valores: Type.Array(
      Type.Object(
        {
          ...LugarQuery,
          data: Type.Optional(DateText),
          semana: Type.Optional(Semana('De séries semanais')),
          mes: Type.Optional(Mes),
          ano: Type.Optional(Ano),
          valor: Type.Unsafe<number | string | null>({
            type: ['number', 'string', 'null'],
            maxLength: 40,
            description: 'Número, ou código da categoria; nulo apaga',
          }),
        },
        { title: 'ValorAGravar', additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_VALUES },
    ),
  },
  {
    title: 'GravarValores',
    additionalProperties: false,
    examples: [{ valores: [{ municipio: '2611606', semana: '202603', valor: 1.8 }] }],
  },
)
export const fromGravar = (body: Static<typeof GravarValores>) => body.valores as ValorEnviado[]

export const Count = Type.Integer()
export const ValoresGravados = Type.Object(
  {
    importacao_id: Nullable(Type.Integer({ description: 'Para desfazer; nulo: nada mudou' })),
    novos: Count,
    alterados: Count,
    apagados: Count,
    inalterados: Count,
  },
  { title: 'ValoresGravados' },
)

export const LugaresQuery = Type.Object(
  {
    nivel: Type.Optional(OneOf(['municipio', 'regiao_saude', 'estado'])),
    estado: Type.Optional(OneOf(UFS, { description: 'Só os lugares deste estado' })),
    dia: Type.Optional(DateText),
    semana: Type.Optional(Semana('Um período: `dia`, `semana`, `mes` ou `ano`')),
    mes: Type.Optional(Mes),
    ano: Type.Optional(Ano),
    formato: Type.Optional(OneOf(['json', 'csv', 'geojson'])),
  },
  { additionalProperties: false },
)
export const LugaresResposta = Type.Object(
  {
    serie: Type.String(),
    unidade: Type.String(),
    nivel: Type.String(),
    periodo: OneOf(PERIODOS),
    em: Type.String({ description: 'O período' }),
    ...origem,
    lugares: Type.Array(Type.Object({ lugar: LugarResposta, ...medida }, { title: 'ValorDoLugar' })),
  },
  { title: 'LugaresDaSerie' },
)
export const COLUNAS_DE_LUGARES = [
  ...['lugar.codigo', 'lugar.nome', 'lugar.estado', 'valor', 'cobertura', 'cobertura_lugar', 'repetido'],
]

export function toLugares(resposta: RespostaDeLugares): Static<typeof LugaresResposta> {
  const { serie, nivel, periodo, codigo, lugares } = resposta
  return {
    serie: serie.codigo,
    unidade: serie.unidade,
    nivel,
    periodo,
    em: codigo,
    ...toOrigem(serie),
    lugares: lugares.map(({ lugar, cobertura_lugar, ...rest }) => ({
      lugar: toLugar(lugar),
      ...rest,
      ...(cobertura_lugar !== null && { cobertura_lugar }),
    })),
  }
}

/** Points at the seats of municipalities; larger places have none. */
export function toGeojson({ lugares }: RespostaDeLugares): Buffer {
  const features = lugares.flatMap(({ lugar, valor }) => {
    const [seat] = lugar.municipios
    if (lugar.nivel !== 'municipio' || seat === undefined || valor === null) return []
    const geometry = { type: 'Point', coordinates: [seat.longitude, seat.latitude] }
    return [{ type: 'Feature', geometry, properties: { codigo: lugar.codigo, nome: lugar.nome, valor } }]
  })
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
}

export const RevisoesQuery = Type.Object(
  {
    ...LugarQuery,
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  },
  { additionalProperties: false },
)
export const ListaDeRevisoes = ListOf(
  'items',
  Type.Object(
    {
      ano: Count,
      revisao: Type.Integer({ description: 'Que a mudança fez' }),
      ate: DateTime,
      usuario: Nullable(Type.String()),
      importacao_id: Nullable(Type.Integer()),
      alterados: Type.Array(
        Type.Object(
          { inicio: DateText, antes: ValorSchema, depois: ValorSchema },
          { title: 'ValorAlterado' },
        ),
      ),
    },
    { title: 'RevisaoDaSerie' },
  ),
  'ListaDeRevisoes',
)
export const toRevisao = ({ ate, ...rest }: Revisao) => ({ ...rest, ate: ate.toISOString() })
