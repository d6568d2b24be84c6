import { CLASSIFICACOES_DE_EPIZOOTIA, ESPECIE_GRUPOS } from '../../domain/epizootias/campos.ts'
import { PERIODOS } from '../../domain/series/periodos.ts'
import {
  AGREGA_LUGAR,
  AGREGA_TEMPO,
  type Derivada,
  DOMINIOS,
  MOST_CATEGORIAS,
  MOST_LIMIARES,
  type NovaSerie,
  OPERADORES,
  type Serie,
  TEMAS,
  TIPOS_DE_VALOR,
} from '../../domain/series/serie.ts'
import { NIVEIS_DE_LUGAR } from '../../domain/territorios/lugar.ts'
import { DateTime, HttpUrl, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, type TSchema, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

/** Definitions of series. */

export const CodigoDaSerie = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9_]{1,39}$',
    'x-format': 'serie',
    minLength: 2,
    maxLength: 40,
    description,
    examples: ['temp_min'],
  })

/** One line without control characters. */
const Line = (maxLength: number, description?: string) =>
  Type.String({
    pattern: '^(?!\\s*$)[^\\p{Cc}\\ud800-\\udfff]*$',
    'x-format': 'prose',
    minLength: 1,
    maxLength,
    ...(description && { description }),
  })

const Categoria = Type.Object(
  {
    codigo: Line(40),
    rotulo: Line(80),
    ordem: Type.Integer({ minimum: 1, maximum: 100, description: 'Guardada no lugar da categoria' }),
  },
  { title: 'CategoriaDaSerie', additionalProperties: false },
)
const Limiar = Type.Object(
  {
    codigo: Line(40),
    rotulo: Line(80),
    operador: OneOf(OPERADORES),
    valor: Type.Number(),
    semanas: Type.Integer({ minimum: 1, maximum: 26, description: 'Semanas seguidas até a pedida' }),
  },
  { title: 'LimiarDaSerie', additionalProperties: false },
)
const base = CodigoDaSerie('Série dada, do mesmo período e nível')
const kind = <const T extends string>(tipo: T) => Type.Literal(tipo)
const DerivadaSchema = Type.Unsafe<Derivada | null>({
  anyOf: [
    Type.Object(
      {
        tipo: kind('epizootias'),
        especie_grupo: Type.Optional(OneOf(ESPECIE_GRUPOS)),
        suspeita: Type.Optional(CodigoDaSerie('Uma das de `GET /epizootias/valores`')),
        classificacao: Type.Optional(OneOf(CLASSIFICACOES_DE_EPIZOOTIA)),
      },
      { title: 'SerieEpizootias', additionalProperties: false },
    ),
    Type.Object(
      { tipo: kind('razao'), numerador: base, denominador: base, fator: Type.Number() },
      { title: 'SerieRazao', additionalProperties: false },
    ),
    Type.Object(
      { tipo: kind('diferenca'), minuendo: base, subtraendo: base },
      { title: 'SerieDiferenca', additionalProperties: false },
    ),
    Type.Object(
      { tipo: kind('media_movel'), serie: base, semanas: Type.Integer({ minimum: 2, maximum: 12 }) },
      { title: 'SerieMediaMovel', additionalProperties: false },
    ),
    { type: 'null' },
  ],
  description: 'Calculada na hora da pergunta; nulo: os valores são dados',
})

const bound = Nullable(Type.Number({ description: 'Da faixa plausível; fora dela um valor é recusado' }))
const optional = {
  minimo: bound,
  maximo: bound,
  casas: Type.Integer({ minimum: 0, maximum: 6, description: 'Decimais mostrados; guarda-se tudo' }),
  validade: Type.Integer({ minimum: 0, maximum: 60, description: 'Períodos em que um valor ainda vale' }),
  limiares: Type.Array(Limiar, { maxItems: MOST_LIMIARES }),
  fonte_url: Nullable(HttpUrl({ maxLength: 500 })),
  atribuicao: Nullable(Text({ maxLength: 500 })),
  publica: Type.Boolean(),
  ativa: Type.Boolean(),
  categorias: Type.Array(Categoria, { maxItems: MOST_CATEGORIAS }),
  derivada: DerivadaSchema,
}
const required = {
  nome: Line(120),
  descricao: ProseText({ maxLength: 1000 }),
  dominio: OneOf(DOMINIOS),
  tema: OneOf(TEMAS),
  unidade: Type.String({
    pattern: '^[^\\p{Cc}\\ud800-\\udfff]*$',
    'x-format': 'text',
    maxLength: 40,
    description: 'UCUM onde houver: `Cel`, `%`, `mm`; vazia para categorias',
  }),
  tipo_valor: OneOf(TIPOS_DE_VALOR),
  periodo: OneOf(PERIODOS),
  nivel: OneOf(NIVEIS_DE_LUGAR, { description: 'O nível mais fino com valores' }),
  agrega_tempo: OneOf(AGREGA_TEMPO),
  agrega_lugar: OneOf(AGREGA_LUGAR),
  fonte: Line(200),
  licenca: Line(200),
}

const optionals = Object.fromEntries(
  Object.entries(optional).map(([nome, schema]) => [nome, Type.Optional(schema as TSchema)]),
) as { [K in keyof typeof optional]: ReturnType<typeof Type.Optional<(typeof optional)[K]>> }

const EXEMPLO = {
  codigo: 'casos_infodengue',
  nome: 'Casos segundo o InfoDengue',
  descricao: 'Casos notificados por semana',
  dominio: 'humano',
  tema: 'outro',
  unidade: '{casos}',
  tipo_valor: 'inteiro',
  periodo: 'semana',
  nivel: 'municipio',
  agrega_tempo: 'soma',
  agrega_lugar: 'soma',
  fonte: 'InfoDengue',
  licenca: 'Dados abertos, com citação',
}

export const RegistrarSerie = Type.Object(
  { codigo: CodigoDaSerie('Nunca muda'), ...required, ...optionals },
  { title: 'RegistrarSerie', additionalProperties: false, examples: [EXEMPLO] },
)

export const AlterarSerie = Type.Partial(Type.Object({ ...required, ...optional }), {
  title: 'AlterarSerie',
  additionalProperties: false,
  description:
    'Só os campos a alterar; unidade, período, nível, tipo de valor e agregação só enquanto não há valores',
  examples: [{ licenca: 'CC BY 4.0', publica: true }],
})

export const SerieSchema = Type.Object(
  {
    codigo: Type.String(),
    ...required,
    ...optional,
    derivada: Type.Unsafe<Derivada | null>({ type: ['object', 'null'], additionalProperties: true }),
    versao: Type.Integer(),
    criado_em: DateTime,
    atualizado_em: DateTime,
    valores: Type.Integer({ description: 'Quantos há' }),
    lugares: Type.Integer({ description: 'Com algum valor' }),
    primeiro: Nullable(Type.String({ format: 'date', description: 'Início do primeiro período com valor' })),
    ultimo: Nullable(Type.String({ format: 'date' })),
    atualizada_em: Nullable(DateTime),
  },
  { title: 'Serie' },
)
export const ListaDeSeries = ListOf('items', SerieSchema, 'ListaDeSeries')

const DEFAULTS = {
  minimo: null,
  maximo: null,
  casas: 4,
  validade: 0,
  limiares: [],
  fonte_url: null,
  atribuicao: null,
  publica: false,
  ativa: true,
  categorias: [],
  derivada: null,
}

export const fromRegistrarSerie = (body: Static<typeof RegistrarSerie>): NovaSerie =>
  ({ ...DEFAULTS, ...body }) as NovaSerie

export const fromAlterarSerie = (body: Static<typeof AlterarSerie>) => body as Partial<NovaSerie>

export function toSerie(serie: Serie): Static<typeof SerieSchema> {
  const { id, valores_em, compactada_ate, criado_em, atualizado_em, valores, ...rest } = serie
  return {
    ...rest,
    valores: Number(valores),
    criado_em: criado_em.toISOString(),
    atualizado_em: atualizado_em.toISOString(),
    atualizada_em: valores_em?.toISOString() ?? null,
  } as Static<typeof SerieSchema>
}
