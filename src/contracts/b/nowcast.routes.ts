import { atrasos, nowcast } from '../../domain/epidemiologia/nowcast-do-lugar.ts'
import { requires } from '../../http/access.ts'
import { route } from '../route.ts'
import {
  AtrasosQuery,
  AtrasosResposta,
  COLUNAS_DOS_ATRASOS,
  colunasDoNowcast,
  fromNowcast,
  NowcastQuery,
  NowcastResposta,
  toAtrasos,
  toNowcast,
} from './nowcast.shapes.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Agravos'
const access = requires('agravos.estatisticas')

export const nowcastRoutesB = [
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/nowcast',
    summary: 'As últimas semanas corrigidas pelo atraso da digitação, com intervalos',
    tag,
    access,
    input: { query: NowcastQuery },
    replies: { 200: OrCsv(NowcastResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const resposta = await nowcast(app, caller, fromNowcast(query))
      if (wantsCsv(request, query.formato))
        return answerCsv(
          { nome: 'nowcast', colunas: colunasDoNowcast(query), linhas: resposta.semanas },
          request,
          reply,
        )
      return toNowcast(query, resposta, app.clock.now())
    },
  }),
  route({
    spec: '4.10',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/atrasos',
    summary: 'Quanto demora a digitação, e quão completa está cada semana',
    tag,
    access,
    input: { query: AtrasosQuery },
    replies: { 200: OrCsv(AtrasosResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const resposta = await atrasos(app, caller, query)
      if (wantsCsv(request, query.formato))
        return answerCsv(
          { nome: 'atrasos', colunas: COLUNAS_DOS_ATRASOS, linhas: resposta.distribuicao ?? [] },
          request,
          reply,
        )
      return toAtrasos(query, resposta, app.clock.now())
    },
  }),
]
