import { correlacaoDaSerie } from '../../domain/series/correlacao.ts'
import { gravarValores } from '../../domain/series/gravar.ts'
import { lugaresDaSerie } from '../../domain/series/lugares-da-serie.ts'
import { painelDeSeries } from '../../domain/series/painel.ts'
import { revisoesDaSerie } from '../../domain/series/revisoes.ts'
import { valoresDaSerie } from '../../domain/series/valores.ts'
import { requires } from '../../http/access.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import { CodigoDaSerie } from './series.shapes.ts'
import {
  COLUNAS_DA_CORRELACAO,
  CorrelacaoQuery,
  CorrelacaoResposta,
  colunasDoPainel,
  fromPainel,
  PainelDeSeries,
  PainelDeSeriesQuery,
  toCorrelacao,
  toPainel,
} from './series-painel.shapes.ts'
import {
  COLUNAS_DE_LUGARES,
  COLUNAS_DE_VALORES,
  fromGravar,
  GravarValores,
  ListaDeRevisoes,
  LugaresQuery,
  LugaresResposta,
  RevisoesQuery,
  toGeojson,
  toLugares,
  toRevisao,
  toValores,
  ValoresGravados,
  ValoresQuery,
  ValoresResposta,
} from './series-valores.shapes.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Séries'
const access = requires('series.listar')
const SeriePath = Type.Object({ codigo: CodigoDaSerie('Código da série') })
const GEOJSON = 'application/geo+json'

export const seriesValoresRoutesB = [
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/painel',
    summary: 'Séries e casos, semana por semana',
    tag,
    access,
    input: { query: PainelDeSeriesQuery },
    replies: { 200: OrCsv(PainelDeSeries) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const resposta = toPainel(await painelDeSeries(app, caller, fromPainel(query)))
      if (!wantsCsv(request, query.formato)) return resposta
      return answerCsv(
        { nome: 'painel-de-series', colunas: colunasDoPainel(resposta), linhas: resposta.semanas },
        request,
        reply,
      )
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/{codigo}/valores',
    summary: 'Os valores de uma série em um lugar',
    tag,
    access,
    input: { params: SeriePath, query: ValoresQuery },
    replies: { 200: OrCsv(ValoresResposta) },
    produces: CSV,
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request, reply }, app) {
      const resposta = toValores(await valoresDaSerie(app, caller, params.codigo, query))
      if (!wantsCsv(request, query.formato)) return resposta
      return answerCsv(
        { nome: params.codigo, colunas: COLUNAS_DE_VALORES, linhas: resposta.valores },
        request,
        reply,
      )
    },
  }),
  route({
    spec: '4.22',
    method: 'PUT',
    path: '/api/v1/series/{codigo}/valores',
    summary: 'Gravar valores',
    tag,
    access: requires('series.importar'),
    input: { params: SeriePath, body: GravarValores },
    bodyLimit: 4 * 1024 * 1024,
    replies: { 200: ValoresGravados },
    errors: ['NOT_FOUND', 'OUT_OF_TERRITORY'],
    async handle({ params, body, caller }, app) {
      return gravarValores(app, caller, params.codigo, fromGravar(body))
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/{codigo}/lugares',
    summary: 'Os valores de uma série em todos os lugares de um nível',
    tag,
    access,
    input: { params: SeriePath, query: LugaresQuery },
    replies: { 200: OrCsv(LugaresResposta) },
    produces: [CSV, GEOJSON],
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request, reply }, app) {
      const resposta = await lugaresDaSerie(app, caller, params.codigo, query)
      if (query.formato === 'geojson') {
        reply.type(GEOJSON)
        return toGeojson(resposta)
      }
      const shown = toLugares(resposta)
      if (!wantsCsv(request, query.formato)) return shown
      return answerCsv(
        { nome: params.codigo, colunas: COLUNAS_DE_LUGARES, linhas: shown.lugares },
        request,
        reply,
      )
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/{codigo}/revisoes',
    summary: 'As mudanças dos valores de um lugar',
    tag,
    access,
    input: { params: SeriePath, query: RevisoesQuery },
    replies: { 200: ListaDeRevisoes },
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request }, app) {
      const page = await revisoesDaSerie(app, caller, params.codigo, query)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toRevisao) }
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/{codigo}/correlacao',
    summary: 'A correlação de uma série com os casos, por defasagem',
    tag,
    access,
    input: { params: SeriePath, query: CorrelacaoQuery },
    replies: { 200: OrCsv(CorrelacaoResposta) },
    produces: CSV,
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, request, reply }, app) {
      const resposta = toCorrelacao(query, await correlacaoDaSerie(app, caller, params.codigo, query))
      if (!wantsCsv(request, query.formato)) return resposta
      const { defasagens } = resposta
      return answerCsv(
        { nome: 'correlacao', colunas: COLUNAS_DA_CORRELACAO, linhas: defasagens },
        request,
        reply,
      )
    },
  }),
]
