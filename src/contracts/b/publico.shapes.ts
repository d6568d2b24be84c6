import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { AlertasPublicos, AlertasPublicosPedidos } from '../../domain/publico/alertas.ts'
import {
  type ClassificacaoPublica,
  type CurvaPublica,
  NIVEIS_DAS_LINHAS,
  type PedidoPublico,
  type PiramidePublica,
  type RespostaPublica,
} from '../../domain/publico/publico.ts'
import { NIVEIS_DE_LUGAR } from '../../domain/territorios/lugar.ts'
import { DateTime, described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Nivel } from './alertas.shapes.ts'
import { SemanaFields } from './epidemiologia.shapes.ts'
import { FormatoQuery, type TabelaCsv } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

const PublicoQuery = {
  tipo_agravo: described('Um agravo por vez', OneOf(TIPOS_AGRAVO)),
  ...LugarQuery,
  ano: Type.Integer({
    minimum: 1970,
    maximum: 9999,
    description: 'Ano das semanas',
  }),
  ...FormatoQuery,
}

export const CurvaPublicaQuery = Type.Object(PublicoQuery, { additionalProperties: false })

export const IndicadoresPublicosQuery = Type.Object(
  {
    ...PublicoQuery,
    tabela: OneOf(['piramide', 'classificacao'], { default: 'piramide' }),
    nivel_lugar: Type.Optional(
      OneOf(NIVEIS_DAS_LINHAS, {
        description: 'Com `classificacao`: uma linha por lugar deste nível',
      }),
    ),
  },
  { additionalProperties: false },
)

export const AlertasPublicosQuery = Type.Object(
  {
    tipo_agravo: PublicoQuery.tipo_agravo,
    ...LugarQuery,
    nivel_lugar: OneOf(NIVEIS_DE_LUGAR, { default: 'municipio', description: 'Que lugares listar' }),
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

const Count = Nullable(Type.Integer({ description: 'Nulo: suprimido' }))
const Rate = Nullable(Type.Number({ description: 'Por 100 mil residentes' }))
const Suprimido = Type.Boolean()

const head = {
  tipo_agravo: OneOf(TIPOS_AGRAVO),
  ano: Type.Integer(),
  lugar: LugarResposta,
  minimo: Type.Integer({ description: 'O menor número mostrado, além do zero' }),
  retrato: Type.String({ format: 'date', description: 'Dia dos números, das 4h de Brasília em diante' }),
  calculado_em: DateTime,
  populacao: Nullable(Type.Integer()),
  populacao_ano: Nullable(Type.Integer()),
}

export const AlertasPublicosResposta = Type.Object(
  {
    tipo_agravo: head.tipo_agravo,
    lugar: head.lugar,
    nivel_lugar: OneOf(NIVEIS_DE_LUGAR),
    semana: Nullable(Type.Object(SemanaFields, { description: 'Nula: ainda não calculada' })),
    minimo: Type.Integer({ description: 'Casos em três semanas abaixo dos quais nenhum nível é mostrado' }),
    retrato: head.retrato,
    calculado_em: Nullable(DateTime),
    total: Type.Integer(),
    items: Type.Array(Type.Object({ lugar: LugarResposta, nivel: Nivel }), {
      description: 'Só acima de verde: um lugar que falta pode ter qualquer número de casos',
    }),
  },
  { title: 'AlertasPublicos' },
)

export const CurvaPublicaResposta = Type.Object(
  {
    ...head,
    casos: Type.Literal('provaveis'),
    agregacao: OneOf(['semana', '4_semanas', 'ano'], {
      description: '`semana`, salvo com a maioria suprimida',
    }),
    semanas: Type.Array(
      Type.Object({
        ...SemanaFields,
        ate_semana: Type.Optional(Type.String()),
        casos: Count,
        incidencia: Rate,
        acumulado: Count,
        suprimido: Suprimido,
      }),
    ),
    total: Count,
    incidencia: Rate,
  },
  { title: 'CurvaPublica' },
)

const classes = {
  confirmados: Count,
  descartados: Count,
  inconclusivos: Count,
  em_investigacao: Count,
  total: Count,
  suprimido: Suprimido,
}

export const IndicadoresPublicosResposta = Type.Object(
  {
    ...head,
    piramide: Type.Optional(
      Type.Object({
        celulas: Type.Array(
          Type.Object({ sexo: Type.String(), faixa: Type.String(), casos: Count, suprimido: Suprimido }),
        ),
        sem_sexo_ou_idade: Count,
        total: Count,
      }),
    ),
    classificacao: Type.Optional(
      Type.Object({
        linhas: Type.Array(Type.Object({ lugar: LugarResposta, ...classes })),
        total: Type.Object(classes),
      }),
    ),
  },
  { title: 'IndicadoresPublicos' },
)

function toHead(
  { tipo_agravo, ano }: PedidoPublico,
  { lugar, retrato, populacao, populacao_ano }: RespostaPublica,
) {
  return {
    tipo_agravo,
    ano,
    lugar: toLugar(lugar),
    minimo: retrato.minimo,
    retrato: retrato.dia,
    calculado_em: retrato.feito_em.toISOString(),
    populacao,
    populacao_ano,
  }
}

export function toCurvaPublica(
  pedido: PedidoPublico,
  resposta: CurvaPublica,
): Static<typeof CurvaPublicaResposta> {
  const { agregacao, semanas, total, incidencia } = resposta
  return { ...toHead(pedido, resposta), casos: 'provaveis', agregacao, semanas, total, incidencia }
}

export function toAlertasPublicos(
  { tipo_agravo, nivel_lugar }: AlertasPublicosPedidos,
  { lugar, retrato, semana, items }: AlertasPublicos,
): Static<typeof AlertasPublicosResposta> {
  return {
    tipo_agravo,
    lugar: toLugar(lugar),
    nivel_lugar,
    semana: semana && { semana: semana.codigo, inicio: semana.inicio, fim: semana.fim },
    minimo: retrato.minimo,
    retrato: retrato.dia,
    calculado_em: semana && retrato.feito_em.toISOString(),
    total: items.length,
    items: items.map((item) => ({ lugar: toLugar(item.lugar), nivel: item.nivel })),
  }
}

type Indicadores = Static<typeof IndicadoresPublicosResposta>

export function toPiramidePublica(pedido: PedidoPublico, resposta: PiramidePublica): Indicadores {
  const { celulas, sem_sexo_ou_idade, total } = resposta
  return { ...toHead(pedido, resposta), piramide: { celulas, sem_sexo_ou_idade, total } }
}

export function toClassificacaoPublica(pedido: PedidoPublico, resposta: ClassificacaoPublica): Indicadores {
  const { linhas, total } = resposta
  return {
    ...toHead(pedido, resposta),
    classificacao: { linhas: linhas.map((linha) => ({ ...linha, lugar: toLugar(linha.lugar) })), total },
  }
}

const COLUNAS_DA_CURVA = [
  'semana',
  'ate_semana',
  'inicio',
  'fim',
  'casos',
  'incidencia',
  'acumulado',
  'suprimido',
]
const COLUNAS_DO_LUGAR = ['lugar.nivel', 'lugar.codigo', 'lugar.nome', 'lugar.estado']
const COLUNAS_DA_CLASSIFICACAO = [...COLUNAS_DO_LUGAR, ...Object.keys(classes)]

export const tabelaDaCurva = ({ semanas }: CurvaPublica): TabelaCsv => ({
  nome: 'curva-publica',
  colunas: COLUNAS_DA_CURVA,
  linhas: semanas,
})

export const tabelaDosAlertas = ({ items }: Static<typeof AlertasPublicosResposta>): TabelaCsv => ({
  nome: 'alertas',
  colunas: [...COLUNAS_DO_LUGAR, 'nivel'],
  linhas: items,
})

/** A last line without sex and age has the cases that lack either. */
export function tabelaDosIndicadores({ piramide, classificacao }: Indicadores): TabelaCsv {
  if (classificacao !== undefined)
    return { nome: 'classificacao', colunas: COLUNAS_DA_CLASSIFICACAO, linhas: classificacao.linhas }
  const casos = piramide?.sem_sexo_ou_idade ?? null
  const unknown = { casos, suprimido: casos === null }
  const linhas = [...(piramide?.celulas ?? []), unknown]
  return { nome: 'piramide', colunas: ['sexo', 'faixa', 'casos', 'suprimido'], linhas }
}
