import type { FastifyReply } from 'fastify'
import {
  activateAgravo,
  changeDefinicao,
  createDefinicao,
  deactivateAgravo,
  removeAgravo,
} from '../../domain/casos/agravos/definicoes.ts'
import { esquemaOf } from '../../domain/casos/agravos/esquema.ts'
import { formularioOf } from '../../domain/casos/agravos/formulario.ts'
import {
  type DefinicaoLida,
  definicaoEm,
  fromModelo,
  getDefinicao,
  modeloOf,
  modelosDeAgravo,
  pageOfVersoes,
  tiposDeAgravo,
  tiposInativos,
  VERSOES_LIST,
} from '../../domain/casos/agravos/leitura.ts'
import { simular } from '../../domain/casos/agravos/simulacao.ts'
import { assertHolds } from '../../domain/usuarios/grants.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  AlterarDefinicao,
  DefinicaoDoAgravo,
  DefinicaoSimulada,
  DefinirAgravo,
  EsquemaDoAgravo,
  Formulario,
  FormularioQuery,
  ListaDeVersoes,
  Modelo,
  ModelosDeAgravo,
  SimularQuery,
  TipoPath,
  TiposDeAgravo,
  TiposQuery,
  toDefinicao,
  toSimulada,
  toTipo,
  toVersao,
  VersaoQuery,
} from './tipos.shapes.ts'

const tag = 'Agravos'
const ler = requires('agravos.listar')
const definir = requires('agravos.definir')
const TIPOS = '/api/v1/agravos/tipos'

export const tiposRoutesB = [
  route({
    spec: '4.6',
    method: 'GET',
    path: TIPOS,
    summary: 'Os agravos de notificação',
    tag,
    access: ler,
    input: { query: TiposQuery },
    replies: { 200: TiposDeAgravo },
    errors: ['PERMISSION_DENIED'],
    async handle({ query: { inativos }, caller }, app) {
      const tipos = tiposDeAgravo(app).map(toTipo)
      if (!inativos) return { total: tipos.length, tipos }
      assertHolds(caller, 'agravos.definir')
      const others = (await tiposInativos(app)).map(toTipo)
      return { total: tipos.length + others.length, tipos, inativos: others }
    },
  }),
  route({
    spec: '4.26',
    method: 'POST',
    path: TIPOS,
    summary: 'Definir um agravo',
    tag,
    access: definir,
    input: { query: SimularQuery, body: DefinirAgravo },
    idempotent: true,
    replies: { 200: DefinicaoSimulada, 201: DefinicaoDoAgravo },
    errors: [],
    async handle({ query, body: { ativar = false, ...body }, caller, request, reply }, app) {
      const json = await fromModelo(body)
      if (query.simular) return toSimulada(await simular(app, caller, json), request.language)
      const codigo = await createDefinicao(app, caller, { json, ativar })
      reply.code(201).header('location', `${app.publicUrl}${TIPOS}/${codigo}`)
      return answered(reply, await getDefinicao(app, caller, codigo))
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/modelos`,
    summary: 'Modelos de agravos, prontos para definir',
    tag,
    access: definir,
    input: {},
    replies: { 200: ModelosDeAgravo },
    errors: [],
    async handle(_context, app) {
      const modelos = await modelosDeAgravo(app)
      return { total: modelos.length, modelos }
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/modelos/{codigo}`,
    summary: 'Um modelo de agravo',
    tag,
    access: definir,
    input: { params: TipoPath },
    replies: { 200: Modelo },
    errors: ['NOT_FOUND'],
    async handle({ params }) {
      return { ...(await modeloOf(params.codigo)) }
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/{codigo}`,
    summary: 'A definição de um agravo',
    tag,
    access: ler,
    input: { params: TipoPath, query: VersaoQuery },
    versioned: 'read',
    replies: { 200: DefinicaoDoAgravo },
    errors: ['NOT_FOUND'],
    async handle({ params, query, caller, reply }, app) {
      return answered(reply, await getDefinicao(app, caller, params.codigo, query.versao))
    },
  }),
  route({
    spec: '4.26',
    method: 'PUT',
    path: `${TIPOS}/{codigo}`,
    summary: 'Gravar a próxima versão da definição de um agravo',
    tag,
    access: definir,
    input: { params: TipoPath, query: SimularQuery, body: AlterarDefinicao },
    versioned: 'write',
    replies: { 200: Type.Union([DefinicaoDoAgravo, DefinicaoSimulada]) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, query, body: { ativar = false, ...json }, caller, request, reply }, app) {
      if (query.simular) return toSimulada(await simular(app, caller, json, params.codigo), request.language)
      const versoes = fromIfMatch(request.headers['if-match'])
      const versao = await changeDefinicao(app, caller, params.codigo, { json, ativar, versoes })
      return answered(reply, await getDefinicao(app, caller, params.codigo, versao))
    },
  }),
  route({
    spec: '4.26',
    method: 'DELETE',
    path: `${TIPOS}/{codigo}`,
    summary: 'Remover um agravo que nunca teve caso',
    tag,
    access: definir,
    input: { params: TipoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeAgravo(app, caller, params.codigo)
      reply.code(204)
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/{codigo}/formulario`,
    summary: 'O formulário de um agravo',
    tag,
    access: ler,
    input: { params: TipoPath, query: FormularioQuery },
    replies: { 200: Formulario },
    errors: ['NOT_FOUND'],
    async handle({ params, query: { em }, request }, app) {
      const definicao = await definicaoEm(app, params.codigo, em === undefined ? null : new Date(em))
      const { vocabulario } = app.agravos.vigentes()
      return { ...formularioOf(definicao, { language: request.language, vocabulario }) }
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/{codigo}/esquema`,
    summary: 'O JSON Schema de um caso do agravo',
    tag,
    access: ler,
    input: { params: TipoPath },
    replies: { 200: EsquemaDoAgravo },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      const { definicao } = await getDefinicao(app, caller, params.codigo)
      return esquemaOf(definicao)
    },
  }),
  route({
    spec: '4.26',
    method: 'GET',
    path: `${TIPOS}/{codigo}/versoes`,
    summary: 'As versões da definição de um agravo',
    tag,
    access: ler,
    input: { params: TipoPath, list: VERSOES_LIST },
    replies: { 200: ListaDeVersoes },
    errors: ['NOT_FOUND'],
    async handle({ params, list, request }, app) {
      const page = await pageOfVersoes(app, params.codigo, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toVersao) }
    },
  }),
  route({
    spec: '4.26',
    method: 'POST',
    path: `${TIPOS}/{codigo}/ativar`,
    summary: 'Pôr o rascunho em vigor, ou voltar a receber casos',
    tag,
    access: definir,
    input: { params: TipoPath },
    replies: { 200: DefinicaoDoAgravo },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await activateAgravo(app, caller, params.codigo)
      return answered(reply, await getDefinicao(app, caller, params.codigo))
    },
  }),
  route({
    spec: '4.26',
    method: 'POST',
    path: `${TIPOS}/{codigo}/desativar`,
    summary: 'Não receber mais casos do agravo',
    tag,
    access: definir,
    input: { params: TipoPath },
    replies: { 200: DefinicaoDoAgravo },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await deactivateAgravo(app, caller, params.codigo)
      return answered(reply, await getDefinicao(app, caller, params.codigo))
    },
  }),
]

function answered(reply: FastifyReply, definicao: DefinicaoLida) {
  reply.header('etag', etagOf(definicao.ultima))
  return toDefinicao(definicao)
}
