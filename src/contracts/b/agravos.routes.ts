import { pageOfAnexos } from '../../domain/anexos/anexos.ts'
import { comRotulos } from '../../domain/casos/agravos/rotulos.ts'
import {
  changeCaso,
  entradaProblems,
  excludeCaso,
  removeCaso,
  restoreCaso,
} from '../../domain/casos/create.ts'
import { createNaPorta, PORTAS } from '../../domain/casos/duplicidades/porta.ts'
import { publicName } from '../../domain/casos/proprios.ts'
import { CASOS_LIST, EXCLUIDOS_LIST, filtroProblems } from '../../domain/casos/reading/filters.ts'
import {
  getCaso,
  HISTORICO_LIST,
  pageOfCasos,
  pageOfExcluidos,
  pageOfHistorico,
} from '../../domain/casos/reading/read.ts'
import { heatMap } from '../../domain/casos/statistics/mapa.ts'
import { summarise } from '../../domain/casos/statistics/resumo.ts'
import { ESCOPOS } from '../../domain/casos/territorio.ts'
import { assertHolds } from '../../domain/usuarios/grants.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { ListQuery } from '../../filter.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { DateTime, described, Id, OneOf, ProseText } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { fromInclude } from '../include.ts'
import { route } from '../route.ts'
import { avisosOf, withAvisos } from './avisos.shapes.ts'
import { Campos, fromCampos } from './caso-campos.shapes.ts'
import { AlterarCaso, CriarCaso, fromCaso } from './caso-entrada.shapes.ts'
import {
  CasoAlterado,
  CasoCriado,
  CasoDetalhe,
  CasoRestaurado,
  ListaDeCasos,
  ListaDeHistorico,
  toPossivel,
} from './caso-saida.shapes.ts'
import { toAcontecido, toDetalhe, withAnexos } from './casos.shapes.ts'
import { envelope } from './envelope.ts'
import { fromResumo, ResumoDeCasos, ResumoQuery, toResumoDeCasos } from './estatisticas.shapes.ts'
import { ListaDeExcluidos, toExcluido } from './excluidos.shapes.ts'
import { Identificado } from './identificado.shapes.ts'
import { fromMapa, MapaDeCalor, MapaQuery, toMapa } from './mapa.shapes.ts'
import { fromMotivo, Motivo } from './motivo.shapes.ts'

const tag = 'Agravos'
const CasoPath = Type.Object({ id: Id })
const IdentificadoQuery = Type.Object({ identificado: Identificado })
const ListaQuery = Type.Object({
  campos: Campos,
  escopo: Type.Optional(
    described(
      'Lugar pelo qual o território da conta limita a lista; `residencia` se ausente',
      OneOf(ESCOPOS),
    ),
  ),
})
const CasoQuery = Type.Object({
  include: Type.Optional(
    Type.String({ description: '`historico`, `anexos`, `investigacao`, entre vírgulas' }),
  ),
  identificado: Identificado,
  motivo: Type.Optional(
    ProseText({ maxLength: 300, description: 'Por que identificar o paciente; fica na auditoria, cifrado' }),
  ),
  em: Type.Optional(Type.Unsafe<string>({ ...DateTime, description: 'O caso como era neste momento' })),
})
const PortaQuery = Type.Object({
  duplicidade: Type.Optional(
    OneOf(PORTAS, {
      description: 'Procura casos da mesma pessoa: `recusar` responde 409; exige `agravos.duplicidades`',
    }),
  ),
})
const ExcluirCaso = Type.Object({
  motivo: Motivo,
  force: Type.Boolean({ default: false, description: 'Remove em definitivo (administradores)' }),
})

const INCLUDES = ['historico', 'anexos', 'investigacao'] as const
const ALL_ANEXOS: ListQuery = {
  page: 1,
  size: 100,
  sort: 'id',
  order: 'asc',
  filter: { kind: 'and', of: [] },
}
export const agravosRoutesB = [
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos',
    summary: 'Listar casos',
    tag,
    access: requires('agravos.listar'),
    input: { list: CASOS_LIST, query: ListaQuery },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ListaDeCasos },
    errors: [],
    async handle({ list, query, caller, request }, app) {
      const { toCaso, withDados } = fromCampos(query.campos)
      const page = await pageOfCasos(app, caller, list, { escopo: query.escopo, withDados })
      const tipos = page.items.map((caso) => toCaso(caso, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), tipos }
    },
  }),
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos',
    summary: 'Registrar um caso',
    tag,
    access: requires('agravos.criar'),
    input: { query: PortaQuery, body: CriarCaso },
    idempotent: true,
    check: async (body, app) => problemsOf(body, app),
    replies: { 201: CasoCriado },
    errors: ['OUT_OF_TERRITORY', 'POSSIBLE_DUPLICATE'],
    async handle({ query, body, caller, request, reply }, app) {
      const entrada = entradaOf(body, app)
      const { saved, possiveis } = await createNaPorta(app, caller, entrada, query.duplicidade)
      const { id, versao, campos, atualizado_em } = saved
      reply.code(201).header('etag', etagOf(versao)).header('location', `/api/v1/agravos/casos/${id}`)
      const { tipo_agravo, numero_notificacao, status } = campos
      const criado_em = atualizado_em.toISOString()
      return {
        id,
        tipo_agravo,
        numero_notificacao,
        status,
        criado_em,
        mensagem: 'Caso registrado com sucesso',
        ...(possiveis && { possiveis_duplicidades: possiveis.map(toPossivel) }),
        ...withAvisos(CriarCaso, body, request.language, avisosOf(campos, app, caller)),
      }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/excluidos',
    summary: 'Listar os casos excluídos',
    tag,
    access: requires('agravos.deletar'),
    input: { list: EXCLUIDOS_LIST },
    replies: { 200: ListaDeExcluidos },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfExcluidos(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toExcluido) }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}',
    summary: 'Ver um caso',
    tag,
    access: requires('agravos.listar'),
    input: { params: CasoPath, query: CasoQuery },
    versioned: 'read',
    replies: { 200: CasoDetalhe },
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    async handle({ params, query, caller, request, reply }, app) {
      const { identificado, em, motivo } = query
      if (motivo !== undefined && !identificado)
        throw invalid('query', ['motivo'], 'INCONSISTENT', { field: 'identificado' })
      const include = fromInclude(query.include, INCLUDES)
      const reading = { identificado, em: em === undefined ? null : new Date(em), motivo: motivo?.trim() }
      const completo = await getCaso(app, caller, params.id, reading)
      reply.header('etag', etagOf(completo.caso.versao))
      const { caso, historico } = completo
      const lines = await comRotulos(app, caso.tipo_agravo, historico, request.language)
      const detalhe = toDetalhe({ ...completo, historico: lines }, app.municipios)
      if (!include.has('anexos')) return detalhe
      const { items } = await pageOfAnexos(app, caller, params.id, ALL_ANEXOS, identificado)
      const known = items.filter(({ uploaded_at }) => reading.em === null || uploaded_at <= reading.em)
      return withAnexos(detalhe, known, app.publicUrl)
    },
  }),
  route({
    spec: '4.6',
    method: 'PUT',
    path: '/api/v1/agravos/casos/{id}',
    summary: 'Alterar um caso',
    tag,
    access: requires('agravos.editar'),
    input: { params: CasoPath, body: AlterarCaso },
    check: async (body, _app) => fromCaso(body).problems,
    versioned: 'write',
    replies: { 200: CasoAlterado },
    errors: ['NOT_FOUND', 'CONFLICT', 'OUT_OF_TERRITORY'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      const { entrada, problems } = fromCaso(body)
      if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
      const changed = await changeCaso(app, caller, params.id, entrada, ifMatch)
      reply.header('etag', etagOf(changed.versao))
      const { id, campos_alterados } = changed
      const atualizado_em = changed.atualizado_em.toISOString()
      return {
        id,
        message: 'Caso atualizado com sucesso',
        atualizado_em,
        campos_alterados: campos_alterados.map(publicName),
        ...withAvisos(AlterarCaso, body, request.language, avisosOf(changed.campos, app, caller)),
      }
    },
  }),
  route({
    spec: '4.6',
    method: 'DELETE',
    path: '/api/v1/agravos/casos/{id}',
    summary: 'Excluir um caso',
    tag,
    access: requires('agravos.deletar'),
    input: { params: CasoPath, query: ExcluirCaso },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND', 'CONFLICT', 'MISSING_REASON'],
    async handle({ params, query, caller, request, reply }, app) {
      if (query.force) assertHolds(caller, 'admin')
      const motivo = fromMotivo(query)
      const ifMatch = fromIfMatch(request.headers['if-match'])
      if (query.force) await removeCaso(app, caller, params.id, motivo, ifMatch)
      else await excludeCaso(app, caller, params.id, motivo, ifMatch)
      reply.code(204)
    },
  }),
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos/{id}/restaurar',
    summary: 'Restaurar um caso excluído',
    tag,
    access: requires('agravos.deletar'),
    input: { params: CasoPath },
    replies: { 200: CasoRestaurado },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller, reply }, app) {
      const { id, versao, campos, atualizado_em } = await restoreCaso(app, caller, params.id)
      reply.header('etag', etagOf(versao))
      return {
        id,
        message: 'Caso restaurado',
        status: campos.status,
        atualizado_em: atualizado_em.toISOString(),
      }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}/historico',
    summary: 'O histórico de um caso',
    tag,
    access: requires('agravos.listar'),
    input: { params: CasoPath, query: IdentificadoQuery, list: HISTORICO_LIST },
    replies: { 200: ListaDeHistorico },
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    async handle({ params, query, list, caller, request }, app) {
      const page = await pageOfHistorico(app, caller, params.id, list, query.identificado)
      const lines = await comRotulos(app, page.tipo_agravo, page.items, request.language)
      const items = lines.map((one) => toAcontecido(one, app.municipios))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/estatisticas/resumo',
    summary: 'Contagens, taxas e curvas',
    tag,
    access: requires('agravos.estatisticas'),
    input: { query: ResumoQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: ResumoDeCasos },
    errors: [],
    async handle({ query, filter, caller }, app) {
      return toResumoDeCasos(await summarise(app, caller, fromResumo(query, filter)), query)
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/mapa-calor',
    summary: 'O mapa de calor, em GeoJSON',
    tag,
    access: requires('agravos.estatisticas'),
    input: { query: MapaQuery, filter: CASOS_LIST },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: MapaDeCalor },
    errors: ['PERMISSION_DENIED'],
    async handle({ query, filter, caller }, app) {
      return toMapa(await heatMap(app, caller, fromMapa(query, filter)), query.periodo ?? null)
    },
  }),
]

function entradaOf(body: unknown, app: Parameters<typeof entradaProblems>[0]) {
  const { entrada, problems } = fromCaso(body)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems: problemsOf(body, app) })
  return entrada
}

function problemsOf(body: unknown, app: Parameters<typeof entradaProblems>[0]) {
  const { entrada, problems } = fromCaso(body)
  return [...problems, ...entradaProblems(app, entrada)]
}
