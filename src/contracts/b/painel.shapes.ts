import { dateInBrazil } from '../../brasil/calendar.ts'
import { anoOfWeek, semanaAt } from '../../brasil/epi-week.ts'
import type { painelComAlerta } from '../../domain/alertas/painel.ts'
import type { App } from '../../domain/app.ts'
import type { PainelPedido } from '../../domain/casos/painel/painel.ts'
import { momentoOf, type PeriodoEmSemanas, periodoOf } from '../../domain/casos/statistics/periodo.ts'
import { soleTipoOf } from '../../domain/casos/statistics/recorte.ts'
import type { Filter } from '../../filter.ts'
import { described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { AlertaDoPainel, toAlertaDoPainel } from './alertas.shapes.ts'

const Semana = Type.String({ pattern: '^[0-9]{6}$', description: 'Semana epidemiológica `AAAASS`' })

export const PainelQuery = Type.Object({
  data_base: OneOf(['sintomas', 'notificacao'], {
    default: 'sintomas',
    description: 'A data pela qual os casos contam',
  }),
  ano: Type.Optional(
    Type.Integer({
      minimum: 1970,
      maximum: 2100,
      description: 'Ano epidemiológico inteiro; sem período, o atual',
    }),
  ),
  semana_inicio: Type.Optional(Semana),
  semana_fim: Type.Optional(Semana),
  comparar_anos: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 5,
    description: 'Quantos anos anteriores dão os quartis',
  }),
  nivel: Type.Optional(
    described('O nível de `lugares`; sem ele, o seguinte ao do recorte', OneOf(['estado', 'municipio'])),
  ),
})

const Rate = Nullable(Type.Number({ description: 'Por 100.000 habitantes; nulo sem população' }))
const Change = Nullable(Type.Number({ description: 'Porcentagem; nulo quando antes não havia casos' }))
const numeros = {
  casos: Type.Integer(),
  confirmados: Type.Integer(),
  hospitalizados: Type.Integer(),
  obitos: Type.Integer(),
  incidencia: Rate,
}
const periodo = {
  semana_inicio: Semana,
  semana_fim: Semana,
  inicio: Type.String({ format: 'date' }),
  fim: Type.String({ format: 'date' }),
}
const Count = Type.Array(Type.Integer())

export const PainelResposta = Type.Object(
  {
    lugar: Type.Object({
      nivel: OneOf(['pais', 'estado', 'regiao_saude', 'municipio', 'varios']),
      codigo: Nullable(Type.String()),
      nome: Nullable(Type.String()),
    }),
    data_base: OneOf(['sintomas', 'notificacao']),
    periodo: Type.Object(periodo),
    populacao: Nullable(Type.Integer()),
    populacao_ano: Nullable(Type.Integer()),
    numeros: Type.Object({ ...numeros, obitos_em_investigacao: Type.Integer() }),
    anterior: Type.Object(
      { periodo: Type.Object(periodo), ...numeros, variacao_pct: Change },
      { description: 'As mesmas semanas do ano anterior' },
    ),
    semanas: Type.Array(
      Type.Object({
        semana: Semana,
        inicio: Type.String({ format: 'date' }),
        fim: Type.String({ format: 'date' }),
        ...numeros,
        anterior: Type.Integer({
          description: 'Casos da mesma semana do ano anterior; de uma semana 53, da última',
        }),
        q1: Nullable(Type.Number()),
        mediana: Nullable(Type.Number()),
        q3: Nullable(Type.Number()),
        encerrada: Type.Boolean(),
      }),
    ),
    anos_comparados: Type.Array(Type.Integer(), { description: 'Anos com casos, dos quais são os quartis' }),
    lugares: Type.Object(
      {
        nivel: Nullable(OneOf(['estado', 'municipio'])),
        codigo: Type.Array(Nullable(Type.String({ description: 'UF ou código IBGE; nulo: desconhecido' }))),
        casos: Count,
        incidencia: Type.Array(Rate),
        hospitalizados: Count,
        obitos: Count,
        ultima_semana: Type.Array(Semana),
        recentes: Type.Array(Nullable(Count), {
          description: 'Casos de cada quatro das 12 últimas semanas encerradas, em ordem',
        }),
      },
      { description: 'Em colunas; a posição é a do lugar. Do maior para o menor' },
    ),
    destaques: Type.Array(
      Type.Object({
        codigo: Type.String(),
        ultimas_4_semanas: Type.Integer(),
        anteriores_4_semanas: Type.Integer(),
        variacao_pct: Change,
        serie: Type.Array(Type.Integer(), { description: 'As 12 últimas semanas encerradas' }),
      }),
      { description: 'Os 20 lugares com mais casos' },
    ),
    piramide: Type.Object({
      celulas: Type.Array(
        Type.Object({
          sexo: Type.String(),
          faixa: Type.String(),
          casos: Type.Integer(),
          populacao: Nullable(Type.Integer()),
          incidencia: Rate,
        }),
      ),
      sem_sexo_ou_idade: Type.Integer(),
    }),
    classificacao_por_mes: Type.Array(
      Type.Object({
        mes: Type.String({ description: '`AAAA-MM`, o da quarta-feira da semana' }),
        confirmado: Type.Integer(),
        descartado: Type.Integer(),
        inconclusivo: Type.Integer(),
        em_investigacao: Type.Integer(),
      }),
      { description: 'Todas as classificações, também com o filtro por uma' },
    ),
    dados_ate: Nullable(Type.String({ format: 'date-time', description: 'A última mudança de um caso' })),
    ultima_importacao: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Do último arquivo que gravou casos nos estados do recorte',
      }),
    ),
    alerta: Nullable(AlertaDoPainel),
    estimativas: Type.Array(
      Type.Object({
        semana: Type.String({ description: '`AAAASS`' }),
        casos: Type.Number({ description: 'Prováveis por início dos sintomas, com os que ainda chegam' }),
      }),
      {
        description:
          'Das últimas semanas encerradas; vazia onde o recorte não são todos os prováveis de um lugar, por sintomas',
      },
    ),
  },
  { title: 'Painel' },
)

export function fromPainel(
  { data_base, comparar_anos, nivel, ...asked }: Static<typeof PainelQuery>,
  filter: Filter,
  { clock, municipios }: Pick<App, 'clock' | 'municipios'>,
): PainelPedido {
  const tipo = soleTipoOf(filter, municipios)
  const moment = momentoOf(dateInBrazil(clock.now()), {})
  const isOpen =
    asked.ano === undefined && asked.semana_inicio === undefined && asked.semana_fim === undefined
  const weeks = periodoOf(isOpen ? { ano: anoOfWeek(moment.current) } : asked, moment)
  return { tipo, filter, dataBase: data_base, ...weeks, compararAnos: comparar_anos, nivel: nivel ?? null }
}

function toPeriodo({ first, last }: PeriodoEmSemanas) {
  const [begin, end] = [semanaAt(first), semanaAt(last)]
  return { semana_inicio: begin.codigo, semana_fim: end.codigo, inicio: begin.inicio, fim: end.fim }
}

type PainelDoDominio = Awaited<ReturnType<typeof painelComAlerta>>

export function toPainel(painel: PainelDoDominio, pedido: PainelPedido): Static<typeof PainelResposta> {
  const { lugar, populacao, lugares, alerta, estimativas } = painel
  const { obitosEmInvestigacao, ...numeros } = painel.numeros
  const { first, last, ...anterior } = painel.anterior
  return {
    lugar: { nivel: lugar.nivel, codigo: lugar.codigo, nome: lugar.nome },
    data_base: pedido.dataBase,
    periodo: toPeriodo(painel),
    populacao,
    populacao_ano: populacao === null ? null : painel.populacaoAno,
    numeros: { ...numeros, obitos_em_investigacao: obitosEmInvestigacao },
    anterior: { periodo: toPeriodo({ first, last }), ...anterior },
    semanas: painel.semanas,
    anos_comparados: painel.anosComparados,
    lugares: {
      nivel: painel.nivel,
      codigo: lugares.map(({ codigo }) => codigo),
      casos: lugares.map(({ casos }) => casos),
      incidencia: lugares.map(({ incidencia }) => incidencia),
      hospitalizados: lugares.map(({ hospitalizados }) => hospitalizados),
      obitos: lugares.map(({ obitos }) => obitos),
      ultima_semana: lugares.map(({ ultimaSemana }) => ultimaSemana),
      recentes: lugares.map(({ recentes }) => recentes),
    },
    destaques: painel.destaques.map(({ codigo, recentes, anteriores, variacao_pct, serie }) => ({
      codigo,
      ultimas_4_semanas: recentes,
      anteriores_4_semanas: anteriores,
      variacao_pct,
      serie,
    })),
    piramide: { celulas: painel.piramide, sem_sexo_ou_idade: painel.semSexoOuIdade },
    classificacao_por_mes: painel.classificacao,
    dados_ate: painel.dadosAte,
    ultima_importacao: painel.ultimaImportacao,
    alerta: alerta && toAlertaDoPainel(alerta),
    estimativas,
  }
}
