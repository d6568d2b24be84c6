import {
  curva,
  diagramaDeControle,
  diagramasPorMunicipio,
  reproducao,
} from '../../domain/epidemiologia/epidemiologia.ts'
import { indicadores } from '../../domain/epidemiologia/indicadores-do-lugar.ts'
import { curvaSuprimida, indicadoresSuprimidos } from '../../domain/epidemiologia/suprimida.ts'
import { invalid } from '../../errors/catalogue.ts'
import { requires } from '../../http/access.ts'
import { route } from '../route.ts'
import {
  COLUNAS_DO_RESUMO,
  colunasDoDiagrama,
  DiagramaQuery,
  DiagramaResposta,
  fromDiagrama,
  toDiagrama,
  toLinha,
} from './diagrama.shapes.ts'
import { envelope } from './envelope.ts'
import {
  COLUNAS_DA_CURVA,
  COLUNAS_DO_RT,
  CurvaQuery,
  CurvaResposta,
  RtQuery,
  RtResposta,
  toCurva,
  toRt,
} from './epidemiologia.shapes.ts'
import {
  IndicadoresQuery,
  IndicadoresResposta,
  tabelaDosIndicadores,
  toIndicadores,
} from './indicadores.shapes.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Agravos'
const access = requires('agravos.estatisticas')

export const epidemiologiaRoutesB = [
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/curva',
    summary: 'A curva epidêmica por semana de início de sintomas',
    tag,
    access,
    input: { query: CurvaQuery },
    replies: { 200: OrCsv(CurvaResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const contada = await curva(app, caller, query)
      const resposta = query.suprimir ? curvaSuprimida(contada, app.publico.minimo) : contada
      if (wantsCsv(request, query.formato))
        return answerCsv(
          { nome: 'curva', colunas: COLUNAS_DA_CURVA, linhas: resposta.semanas },
          request,
          reply,
        )
      return toCurva(query, resposta, app.clock.now())
    },
  }),
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/diagrama-controle',
    summary: 'O diagrama de controle de um ano',
    tag,
    access,
    input: { query: DiagramaQuery },
    replies: { 200: OrCsv(DiagramaResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const { opcoes, pagina } = fromDiagrama(query)
      const isCsv = wantsCsv(request, query.formato)
      if (pagina !== null) {
        const { items, ...page } = await diagramasPorMunicipio(app, caller, query, opcoes, pagina)
        const linhas = items.map(toLinha)
        if (isCsv) return answerCsv({ nome: 'diagramas', colunas: COLUNAS_DO_RESUMO, linhas }, request, reply)
        return { ...envelope({ ...page, items }, request.originalUrl, app.clock.now()), items: linhas }
      }
      const resposta = await diagramaDeControle(app, caller, query, opcoes)
      if (isCsv)
        return answerCsv(
          { nome: 'diagrama-controle', colunas: colunasDoDiagrama(query), linhas: resposta.semanas },
          request,
          reply,
        )
      return toDiagrama(query, resposta, app.clock.now())
    },
  }),
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/rt',
    summary: 'O número de reprodução por semana',
    tag,
    access,
    input: { query: RtQuery },
    replies: { 200: OrCsv(RtResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const { janela, intervalo_geracao_media: media, intervalo_geracao_desvio: desvio, nowcast } = query
      const resposta = await reproducao(app, caller, query, { janela, media, desvio, nowcast })
      if (wantsCsv(request, query.formato))
        return answerCsv({ nome: 'rt', colunas: COLUNAS_DO_RT, linhas: resposta.semanas }, request, reply)
      return toRt(query, resposta, app.clock.now())
    },
  }),
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/indicadores',
    summary: 'Letalidade, hospitalização, pirâmide, sorotipos e incidência padronizada',
    tag,
    access,
    input: { query: IndicadoresQuery },
    replies: { 200: OrCsv(IndicadoresResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      if (query.suprimir && query.serie)
        throw invalid('query', ['serie'], 'INCONSISTENT', { field: 'suprimir' })
      const contados = await indicadores(app, caller, query)
      const resposta = query.suprimir ? indicadoresSuprimidos(contados, app.publico.minimo) : contados
      if (wantsCsv(request, query.formato))
        return answerCsv(tabelaDosIndicadores(query, resposta), request, reply)
      return toIndicadores(query, resposta, app.clock.now())
    },
  }),
]
