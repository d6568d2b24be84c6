import { desfazerFusao } from '../../domain/casos/duplicidades/desfazer.ts'
import {
  DUPLICIDADES_LIST,
  decidirDuplicidade,
  duplicidadesDoCaso,
  fundirCasos,
  pageOfDuplicidades,
  qualidadeDasDuplicidades,
} from '../../domain/casos/duplicidades/duplicidades.ts'
import { PESOS } from '../../domain/casos/duplicidades/escore.ts'
import { FUSOES_LIST, pageOfFusoes } from '../../domain/casos/duplicidades/fusao.ts'
import { pedirVarredura } from '../../domain/casos/duplicidades/varredura.ts'
import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { invalid } from '../../errors/catalogue.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import {
  Decidir,
  DuplicidadesDoCaso,
  Fundido,
  Fundir,
  FusaoDesfeita,
  fromDecidir,
  fromFundir,
  fromIfMatchOfPar,
  ListaDeDuplicidades,
  ListaDeFusoes,
  QualidadeDasDuplicidades,
  Simular,
  toDuplicidade,
  toFundido,
  toFusao,
  toQualidadeDaFaixa,
} from './duplicidades.shapes.ts'
import { envelope } from './envelope.ts'
import { Identificado } from './identificado.shapes.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const tag = 'Duplicidades'
const access = requires('agravos.duplicidades')
const IdPath = Type.Object({ id: Id })
const IdentificadoQuery = Type.Object({ identificado: Identificado })
const SimularQuery = Type.Object({ simular: Simular })

export const duplicidadesRoutesB = [
  route({
    spec: '4.16',
    method: 'GET',
    path: '/api/v1/agravos/duplicidades',
    summary: 'Listar os pares de casos que podem ser o mesmo',
    tag,
    access,
    input: { list: DUPLICIDADES_LIST, query: IdentificadoQuery },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeDuplicidades },
    errors: [],
    async handle({ list, query, caller, request }, app) {
      const page = await pageOfDuplicidades(app, caller, list, query.identificado)
      const items = page.items.map((par) => toDuplicidade(par, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.16',
    method: 'POST',
    path: '/api/v1/agravos/duplicidades/varredura',
    summary: 'Procurar duplicidades em todos os casos',
    tag,
    access,
    input: {},
    replies: { 202: JobAceito },
    errors: [],
    async handle({ caller, request, reply }, app) {
      const id = await pedirVarredura(app, caller)
      reply.code(202)
      return toJobAceito(id, 'varredura', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.16',
    method: 'GET',
    path: '/api/v1/agravos/duplicidades/qualidade',
    summary: 'Quanto cada faixa acertou',
    tag,
    access,
    input: {},
    replies: { 200: QualidadeDasDuplicidades },
    errors: [],
    async handle({ caller }, app) {
      const faixas = await qualidadeDasDuplicidades(app, caller)
      return { versao_pesos: PESOS.versao, faixas: faixas.map(toQualidadeDaFaixa) }
    },
  }),
  route({
    spec: '4.16',
    method: 'POST',
    path: '/api/v1/agravos/duplicidades/{id}/decidir',
    summary: 'Decidir sobre um par',
    tag,
    access,
    input: { params: IdPath, query: SimularQuery, body: Decidir },
    idempotent: true,
    replies: { 200: Fundido },
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    async handle({ params, query: { simular }, body, caller, request }, app) {
      const versoes = fromIfMatchOfPar(request.headers['if-match'])
      const decidida = await decidirDuplicidade(app, caller, params.id, fromDecidir(body), {
        versoes,
        simular,
      })
      return toFundido(decidida, simular)
    },
  }),
  route({
    spec: '4.16',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}/duplicidades',
    summary: 'Os pares de um caso',
    tag,
    access,
    input: { params: IdPath, query: IdentificadoQuery },
    replies: { 200: DuplicidadesDoCaso },
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller }, app) {
      const pares = await duplicidadesDoCaso(app, caller, params.id, query.identificado)
      const duplicidades = pares.map((par) => toDuplicidade(par, app.municipios))
      return { total: duplicidades.length, duplicidades }
    },
  }),
  route({
    spec: '4.16',
    method: 'POST',
    path: '/api/v1/agravos/casos/{id}/fundir',
    summary: 'Fundir um caso com outro',
    tag,
    access,
    input: { params: IdPath, query: SimularQuery, body: Fundir },
    idempotent: true,
    replies: { 200: Fundido },
    errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
    async handle({ params, query: { simular }, body, caller, request }, app) {
      if (body.caso_id === params.id) throw invalid('body', ['caso_id'], 'REPEATED', {})
      const versoes = fromIfMatchOfPar(request.headers['if-match'])
      const ids = [params.id, body.caso_id] as const
      return toFundido(await fundirCasos(app, caller, ids, fromFundir(body), { versoes, simular }), simular)
    },
  }),
  route({
    spec: '4.16',
    method: 'GET',
    path: '/api/v1/agravos/fusoes',
    summary: 'Listar as fusões de casos',
    tag,
    access,
    input: { list: FUSOES_LIST },
    replies: { 200: ListaDeFusoes },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfFusoes(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toFusao) }
    },
  }),
  route({
    spec: '4.16',
    method: 'POST',
    path: '/api/v1/agravos/fusoes/{id}/desfazer',
    summary: 'Desfazer uma fusão',
    tag,
    access,
    input: { params: IdPath, query: SimularQuery },
    idempotent: true,
    replies: { 200: FusaoDesfeita },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, query: { simular }, caller }, app) {
      const { fusao, campos_alterados, mantidos } = await desfazerFusao(app, caller, params.id, simular)
      const { id, principal_id, absorvido_id } = fusao
      return { id, simulado: simular, principal_id, absorvido_id, campos_alterados, mantidos }
    },
  }),
]
