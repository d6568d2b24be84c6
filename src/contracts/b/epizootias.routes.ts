import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { EPIZOOTIAS_EXCLUIDAS_LIST, EPIZOOTIAS_LIST } from '../../domain/epizootias/filtros.ts'
import {
  changeEpizootia,
  createEpizootia,
  excludeEpizootia,
  restoreEpizootia,
} from '../../domain/epizootias/gravar.ts'
import {
  getEpizootia,
  HISTORICO_LIST,
  historicoDaEpizootia,
  pageOfEpizootias,
  pageOfExcluidas,
} from '../../domain/epizootias/leitura.ts'
import { addValor, CAMPOS_COM_VALORES, listValores, removeValor } from '../../domain/epizootias/valores.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Id, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  AlterarEpizootia,
  CodigoDeValor,
  EpizootiaDetalhe,
  EpizootiaGravada,
  fromAlterarEpizootia,
  fromEpizootia,
  ListaDeEpizootias,
  ListaDeEpizootiasExcluidas,
  ListaDeHistoricoDeEpizootia,
  RegistrarEpizootia,
  toAcontecido,
  toEpizootia,
  toEpizootiaDetalhe,
  toEpizootiaExcluida,
  toGravada,
  ValorDeEpizootia,
  ValoresDeEpizootia,
} from './epizootias.shapes.ts'
import { fromMotivo, Motivo } from './motivo.shapes.ts'

const tag = 'Epizootias'
const ler = requires('epizootias.listar')
const registrar = requires('epizootias.registrar')
const deletar = requires('epizootias.deletar')
const EpizootiaPath = Type.Object({ id: Id })

export const epizootiasRoutesB = [
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias',
    summary: 'Listar epizootias',
    tag,
    access: ler,
    input: { list: EPIZOOTIAS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeEpizootias },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfEpizootias(app, caller, list)
      const items = page.items.map((row) => toEpizootia(row, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias',
    summary: 'Registrar uma epizootia',
    tag,
    access: registrar,
    input: { body: RegistrarEpizootia },
    idempotent: true,
    replies: { 201: EpizootiaGravada },
    errors: ['OUT_OF_TERRITORY'],
    async handle({ body, caller, reply }, app) {
      const gravada = await createEpizootia(app, caller, fromEpizootia(body))
      reply.code(201).header('location', `${app.publicUrl}/api/v1/epizootias/${gravada.id}`)
      reply.header('etag', etagOf(gravada.versao))
      return toGravada(gravada)
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/excluidas',
    summary: 'Listar as epizootias excluídas',
    tag,
    access: deletar,
    input: { list: EPIZOOTIAS_EXCLUIDAS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeEpizootiasExcluidas },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfExcluidas(app, caller, list)
      const items = page.items.map((row) => toEpizootiaExcluida(row, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/valores',
    summary: 'As suspeitas e espécies que há',
    tag,
    access: ler,
    input: {},
    replies: { 200: ValoresDeEpizootia },
    errors: [],
    async handle(_, app) {
      return { items: await listValores(app.db) }
    },
  }),
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias/valores',
    summary: 'Acrescentar uma suspeita ou espécie',
    tag,
    access: requires('series.definir'),
    input: { body: ValorDeEpizootia },
    replies: { 201: ValorDeEpizootia },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const valor = await addValor(app, caller, { ...body, rotulo: body.rotulo.trim() })
      reply.code(201)
      return valor
    },
  }),
  route({
    spec: '4.24',
    method: 'DELETE',
    path: '/api/v1/epizootias/valores/{campo}/{codigo}',
    summary: 'Remover uma suspeita ou espécie que nunca foi usada',
    tag,
    access: requires('series.definir'),
    input: {
      params: Type.Object({ campo: OneOf(CAMPOS_COM_VALORES), codigo: CodigoDeValor('O valor') }),
    },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeValor(app, caller, params.campo, params.codigo)
      reply.code(204)
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/{id}',
    summary: 'Ver uma epizootia',
    tag,
    access: ler,
    input: { params: EpizootiaPath },
    versioned: 'read',
    replies: { 200: EpizootiaDetalhe },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      const row = await getEpizootia(app, caller, params.id)
      reply.header('etag', etagOf(row.versao))
      return toEpizootiaDetalhe(row, app.municipios)
    },
  }),
  route({
    spec: '4.24',
    method: 'PUT',
    path: '/api/v1/epizootias/{id}',
    summary: 'Alterar uma epizootia',
    tag,
    access: registrar,
    input: { params: EpizootiaPath, body: AlterarEpizootia },
    versioned: 'write',
    replies: { 200: EpizootiaGravada },
    errors: ['NOT_FOUND', 'CONFLICT', 'OUT_OF_TERRITORY'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const gravada = await changeEpizootia(app, caller, params.id, fromAlterarEpizootia(body), ifMatch)
      reply.header('etag', etagOf(gravada.versao))
      return toGravada(gravada)
    },
  }),
  route({
    spec: '4.24',
    method: 'DELETE',
    path: '/api/v1/epizootias/{id}',
    summary: 'Excluir uma epizootia',
    tag,
    access: deletar,
    input: { params: EpizootiaPath, query: Type.Object({ motivo: Motivo }) },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND', 'CONFLICT', 'MISSING_REASON'],
    async handle({ params, query, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      await excludeEpizootia(app, caller, params.id, fromMotivo(query), ifMatch)
      reply.code(204)
    },
  }),
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias/{id}/restaurar',
    summary: 'Restaurar uma epizootia excluída',
    tag,
    access: deletar,
    input: { params: EpizootiaPath },
    replies: { 200: EpizootiaGravada },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      const gravada = await restoreEpizootia(app, caller, params.id)
      reply.header('etag', etagOf(gravada.versao))
      return toGravada(gravada)
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/{id}/historico',
    summary: 'O histórico de uma epizootia',
    tag,
    access: ler,
    input: { params: EpizootiaPath, list: HISTORICO_LIST },
    replies: { 200: ListaDeHistoricoDeEpizootia },
    errors: ['NOT_FOUND'],
    async handle({ params, list, caller, request }, app) {
      const page = await historicoDaEpizootia(app, caller, params.id, list)
      const items = page.items.map((one) => toAcontecido(one, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
]
