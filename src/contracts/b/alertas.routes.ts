import { ALERTAS_LIST, getAlerta, pageOfAlertas, reconhecer } from '../../domain/alertas/alertas.ts'
import { changeRegra, regras } from '../../domain/alertas/regras.ts'
import { situacao } from '../../domain/alertas/situacao.ts'
import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import {
  AlertaComNota,
  AlterarRegra,
  colunasDaSituacao,
  fromAlterarRegra,
  ListaDeAlertas,
  ListaDeRegras,
  Reconhecer,
  Regra,
  SituacaoQuery,
  SituacaoResposta,
  toAlerta,
  toAlertaComNota,
  toLinhaDaSituacao,
  toRegra,
  toSituacao,
} from './alertas.shapes.ts'
import { envelope } from './envelope.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Alertas'
const access = requires('agravos.estatisticas')
const AlertaPath = Type.Object({ id: Id })

export const alertasRoutesB = [
  route({
    spec: '4.13',
    method: 'GET',
    path: '/api/v1/agravos/alertas',
    summary: 'Listar os alertas, como foram contados',
    tag,
    access,
    input: { list: ALERTAS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeAlertas },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfAlertas(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toAlerta) }
    },
  }),
  route({
    spec: '4.13',
    method: 'GET',
    path: '/api/v1/agravos/alertas/situacao',
    summary: 'O nível de alerta de cada lugar em uma semana',
    tag,
    access,
    input: { query: SituacaoQuery },
    replies: { 200: OrCsv(SituacaoResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const resposta = await situacao(app, caller, query)
      const { formato } = query
      if (formato !== 'geojson' && wantsCsv(request, formato)) {
        const linhas = resposta.lugares.map(toLinhaDaSituacao)
        return answerCsv({ nome: 'alertas', colunas: colunasDaSituacao(query), linhas }, request, reply)
      }
      return toSituacao(query, resposta, app.clock.now())
    },
  }),
  route({
    spec: '4.13',
    method: 'GET',
    path: '/api/v1/agravos/alertas/regras',
    summary: 'Os limiares dos níveis, por agravo',
    tag,
    access: requires('admin'),
    input: {},
    replies: { 200: ListaDeRegras },
    errors: [],
    async handle(_input, app) {
      const rows = (await regras(app.db, app)).map(toRegra)
      return { total: rows.length, regras: rows }
    },
  }),
  route({
    spec: '4.13',
    method: 'PUT',
    path: '/api/v1/agravos/alertas/regras',
    summary: 'Alterar os limiares de um agravo',
    tag,
    access: requires('admin'),
    input: { body: AlterarRegra },
    replies: { 200: Regra },
    errors: ['CONFLICT'],
    async handle({ body, caller }, app) {
      return toRegra(await changeRegra(app, caller, fromAlterarRegra(body)))
    },
  }),
  route({
    spec: '4.13',
    method: 'GET',
    path: '/api/v1/agravos/alertas/{id}',
    summary: 'Ler um alerta',
    tag,
    access,
    input: { params: AlertaPath },
    replies: { 200: AlertaComNota },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toAlertaComNota(await getAlerta(app, caller, params.id))
    },
  }),
  route({
    spec: '4.13',
    method: 'POST',
    path: '/api/v1/agravos/alertas/{id}/reconhecer',
    summary: 'Tomar conhecimento de um alerta, com uma nota',
    tag,
    access,
    input: { params: AlertaPath, body: Reconhecer },
    replies: { 200: AlertaComNota },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, body, caller }, app) {
      return toAlertaComNota(await reconhecer(app, caller, params.id, body.nota))
    },
  }),
]
