import { painelComAlerta } from '../../domain/alertas/painel.ts'
import { partesOf } from '../../domain/alertas/partes.ts'
import { CASOS_LIST, filtroProblems } from '../../domain/casos/reading/filters.ts'
import { facetasOf } from '../../domain/casos/statistics/facetas.ts'
import { frequenciasOf } from '../../domain/casos/statistics/frequencias.ts'
import { requires } from '../../http/access.ts'
import { etagOfAnswer, isCurrent } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { route } from '../route.ts'
import { FacetasQuery, FacetasResposta, fromFacetas, toFacetas } from './facetas.shapes.ts'
import {
  FrequenciasQuery,
  FrequenciasResposta,
  fromFrequencias,
  toFrequencias,
} from './frequencias.shapes.ts'
import { fromPainel, PainelQuery, PainelResposta, toPainel } from './painel.shapes.ts'
import { fromPartes, PartesQuery, PartesResposta, toPartes } from './painel-partes.shapes.ts'

export const painelRoutesB = [
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/painel',
    summary: 'A situação de um recorte em uma resposta',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: PainelQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: PainelResposta, 304: NoContent },
    errors: [],
    async handle({ query, filter, caller, request, reply }, app) {
      const pedido = fromPainel(query, filter, app)
      const answer = toPainel(await painelComAlerta(app, caller, pedido), pedido)
      const etag = etagOfAnswer(answer)
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (!isCurrent(request.headers['if-none-match'], etag)) return answer
      reply.code(304)
      return undefined
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/painel/partes',
    summary: 'Pendências, bairros e níveis de alerta do mesmo recorte, em uma resposta',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: PartesQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: PartesResposta },
    errors: ['PERMISSION_DENIED'],
    async handle({ query, filter, caller }, app) {
      return toPartes(await partesOf(app, caller, filter, fromPartes(query)), app.clock.now())
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/facetas',
    summary: 'Quantos casos há em cada valor de um filtro',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: FacetasQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: FacetasResposta },
    errors: [],
    async handle({ query, filter, caller }, app) {
      return toFacetas(await facetasOf(app, caller, fromFacetas(query), filter), app.clock.now())
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/frequencias',
    summary: 'Casos de um agravo por resposta aos seus campos',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: FrequenciasQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: FrequenciasResposta },
    errors: [],
    async handle({ query, filter, caller }, app) {
      const found = await frequenciasOf(app, caller, fromFrequencias(query), filter)
      return toFrequencias(found, app.clock.now())
    },
  }),
]
