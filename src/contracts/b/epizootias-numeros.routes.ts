import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { estatisticasDeEpizootias } from '../../domain/epizootias/estatisticas.ts'
import { EPIZOOTIAS_LIST } from '../../domain/epizootias/filtros.ts'
import { mapaDeEpizootias, proximas } from '../../domain/epizootias/mapa.ts'
import { requires } from '../../http/access.ts'
import { route } from '../route.ts'
import {
  COLUNAS_DE_PERIODOS,
  EstatisticasDeEpizootias,
  EstatisticasDeEpizootiasQuery,
  MapaDeEpizootiasQuery,
  MapaResposta,
  ProximasQuery,
  ProximasResposta,
  toEstatisticas,
  toMapaDeEpizootias,
  toProximas,
} from './epizootias-numeros.shapes.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Epizootias'
const access = requires('epizootias.listar')

export const epizootiasNumerosRoutesB = [
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/estatisticas',
    summary: 'Epizootias por semana, mês ou ano',
    tag,
    access,
    input: { query: EstatisticasDeEpizootiasQuery },
    replies: { 200: OrCsv(EstatisticasDeEpizootias) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const resposta = toEstatisticas(query, await estatisticasDeEpizootias(app, caller, query))
      if (!wantsCsv(request, query.formato)) return resposta
      const tabela = { nome: 'epizootias', colunas: COLUNAS_DE_PERIODOS, linhas: resposta.periodos }
      return answerCsv(tabela, request, reply)
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/mapa',
    summary: 'O mapa das epizootias, em GeoJSON',
    tag,
    access,
    input: { query: MapaDeEpizootiasQuery, filter: EPIZOOTIAS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: MapaResposta },
    errors: [],
    async handle({ query, filter, caller }, app) {
      const mapa = await mapaDeEpizootias(app, caller, { filter, nivel: query.nivel })
      return toMapaDeEpizootias(mapa, app.municipios)
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/proximas',
    summary: 'Epizootias recentes em torno de um município',
    tag,
    access,
    input: { query: ProximasQuery },
    replies: { 200: ProximasResposta },
    errors: [],
    async handle({ query, caller }, app) {
      return toProximas(await proximas(app, caller, query), app.municipios)
    },
  }),
]
