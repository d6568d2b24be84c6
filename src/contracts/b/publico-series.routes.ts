import { epizootiasPublicas } from '../../domain/publico/epizootias.ts'
import { seriesPublicas, valoresPublicos } from '../../domain/publico/series.ts'
import { anyone } from '../../http/access.ts'
import { NoContent } from '../../http/route.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { answerCached } from './publico.routes.ts'
import {
  EpizootiasPublicasQuery,
  EpizootiasPublicasResposta,
  SeriesPublicasQuery,
  SeriesPublicasResposta,
  tabelaDeEpizootias,
  tabelaDeSeries,
  tabelaDeValores,
  toEpizootiasPublicas,
  toSeriesPublicas,
  toValoresPublicos,
  ValoresPublicosQuery,
  ValoresPublicosResposta,
} from './publico-series.shapes.ts'
import { CodigoDaSerie } from './series.shapes.ts'
import { CSV, OrCsv } from './tabela-csv.ts'

const tag = 'Público'

export const publicoSeriesRoutesB = [
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/publico/series',
    summary: 'As séries abertas a todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { query: SeriesPublicasQuery },
    replies: { 200: OrCsv(SeriesPublicasResposta), 304: NoContent },
    produces: CSV,
    errors: [],
    async handle({ query, request, reply }, app) {
      const answer = toSeriesPublicas(await seriesPublicas(app))
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDeSeries(answer),
      )
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/publico/series/{codigo}/valores',
    summary: 'Os valores de uma série em um lugar, para todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { params: Type.Object({ codigo: CodigoDaSerie('Código da série') }), query: ValoresPublicosQuery },
    replies: { 200: OrCsv(ValoresPublicosResposta), 304: NoContent },
    produces: CSV,
    errors: ['NOT_FOUND'],
    async handle({ params, query, request, reply }, app) {
      const answer = toValoresPublicos(await valoresPublicos(app, params.codigo, query))
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDeValores(answer),
      )
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/publico/epizootias/estatisticas',
    summary: 'Epizootias por município e mês, para todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { query: EpizootiasPublicasQuery },
    replies: { 200: OrCsv(EpizootiasPublicasResposta), 304: NoContent },
    produces: CSV,
    errors: [],
    async handle({ query, request, reply }, app) {
      const answer = toEpizootiasPublicas(query, await epizootiasPublicas(app, query), app.municipios)
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDeEpizootias(answer),
      )
    },
  }),
]
