import type { FastifyReply, FastifyRequest } from 'fastify'
import { alertasPublicos } from '../../domain/publico/alertas.ts'
import { classificacaoPublica, curvaPublica, piramidePublica } from '../../domain/publico/publico.ts'
import { secondsToNextRetrato } from '../../domain/publico/retratos.ts'
import { invalid } from '../../errors/catalogue.ts'
import { anyone } from '../../http/access.ts'
import { etagOfAnswer, isCurrent } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { route } from '../route.ts'
import {
  AlertasPublicosQuery,
  AlertasPublicosResposta,
  CurvaPublicaQuery,
  CurvaPublicaResposta,
  IndicadoresPublicosQuery,
  IndicadoresPublicosResposta,
  tabelaDaCurva,
  tabelaDosAlertas,
  tabelaDosIndicadores,
  toAlertasPublicos,
  toClassificacaoPublica,
  toCurvaPublica,
  toPiramidePublica,
} from './publico.shapes.ts'
import { answerCsv, CSV, OrCsv, type TabelaCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Público'

export const publicoRoutesB = [
  route({
    spec: '4.14',
    method: 'GET',
    path: '/api/v1/publico/agravos/curva',
    summary: 'A curva epidêmica de um ano, para todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { query: CurvaPublicaQuery },
    replies: { 200: OrCsv(CurvaPublicaResposta), 304: NoContent },
    produces: CSV,
    errors: [],
    async handle({ query, request, reply }, app) {
      const resposta = await curvaPublica(app, query)
      const answer = toCurvaPublica(query, resposta)
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDaCurva(resposta),
      )
    },
  }),
  route({
    spec: '4.14',
    method: 'GET',
    path: '/api/v1/publico/agravos/indicadores',
    summary: 'Sexo e idade, ou classificação, de um ano, para todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { query: IndicadoresPublicosQuery },
    replies: { 200: OrCsv(IndicadoresPublicosResposta), 304: NoContent },
    produces: CSV,
    errors: [],
    async handle({ query, request, reply }, app) {
      const { tabela, nivel_lugar: nivel } = query
      if (tabela === 'piramide' && nivel !== undefined)
        throw invalid('query', ['nivel_lugar'], 'INCONSISTENT', { field: 'tabela' })
      const answer =
        tabela === 'piramide'
          ? toPiramidePublica(query, await piramidePublica(app, query))
          : toClassificacaoPublica(query, await classificacaoPublica(app, query, nivel))
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDosIndicadores(answer),
      )
    },
  }),
  route({
    spec: '4.14',
    method: 'GET',
    path: '/api/v1/publico/agravos/alertas',
    summary: 'Os lugares em alerta na última semana, para todos',
    tag,
    access: anyone,
    isPublic: true,
    input: { query: AlertasPublicosQuery },
    replies: { 200: OrCsv(AlertasPublicosResposta), 304: NoContent },
    produces: CSV,
    errors: [],
    async handle({ query, request, reply }, app) {
      const answer = toAlertasPublicos(query, await alertasPublicos(app, query))
      return answerCached(answer, { request, reply, formato: query.formato, now: app.clock.now() }, () =>
        tabelaDosAlertas(answer),
      )
    },
  }),
]

interface Asked {
  request: FastifyRequest
  reply: FastifyReply
  formato: 'json' | 'csv' | undefined
  now: Date
}

/** JSON or CSV that caches may keep, an hour at most, until the numbers change. */
export function answerCached<T extends object>(
  answer: T,
  { request, reply, formato, now }: Asked,
  tabela: () => TabelaCsv,
): T | Buffer | undefined {
  const isCsv = wantsCsv(request, formato)
  const etag = etagOfAnswer(isCsv ? { csv: request.language, answer } : answer)
  reply.headers({
    etag,
    'cache-control': `public, max-age=${Math.min(3600, secondsToNextRetrato(now))}`,
    vary: 'Accept, Accept-Language',
  })
  if (isCurrent(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return undefined
  }
  return isCsv ? answerCsv(tabela(), request, reply) : answer
}
