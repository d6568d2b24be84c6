import { getImportacao, pageOfImportacoes } from '../../domain/importacao/importacoes.ts'
import type { ImportFile } from '../../domain/importacao/upload.ts'
import { requestImportSeries, requestUndoSeries } from '../../domain/series/importacao/pedido.ts'
import {
  changeSerie,
  createSerie,
  getSerie,
  pageOfSeries,
  removeSerie,
  SERIES_LIST,
} from '../../domain/series/series.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import { IMPORT_BODY_LIMIT, importUpload } from './import-upload.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'
import {
  AlterarSerie,
  CodigoDaSerie,
  fromAlterarSerie,
  fromRegistrarSerie,
  ListaDeSeries,
  RegistrarSerie,
  SerieSchema,
  toSerie,
} from './series.shapes.ts'
import {
  EnviarSeries,
  fromEnviarSeries,
  IMPORTACOES_DE_SERIES_LIST,
  ImportacaoDeSeries,
  ListaDeImportacoesDeSeries,
  toImportacaoDeSeries,
} from './series-importacoes.shapes.ts'

const tag = 'Séries'
const ler = requires('series.listar')
const definir = requires('series.definir')
const importar = requires('series.importar')
export const SeriePath = Type.Object({ codigo: CodigoDaSerie('Código da série') })
const ImportacaoPath = Type.Object({ id: Id })
const DesfazerQuery = Type.Object({
  simular: Type.Boolean({ default: false, description: 'Só conta o que seria desfeito' }),
})

export const seriesRoutesB = [
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series',
    summary: 'Listar as séries registradas',
    tag,
    access: ler,
    input: { list: SERIES_LIST },
    replies: { 200: ListaDeSeries },
    errors: [],
    async handle({ list, request }, app) {
      const page = await pageOfSeries(app, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toSerie) }
    },
  }),
  route({
    spec: '4.22',
    method: 'POST',
    path: '/api/v1/series',
    summary: 'Registrar uma série',
    tag,
    access: definir,
    input: { body: RegistrarSerie },
    idempotent: true,
    replies: { 201: SerieSchema },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const serie = await createSerie(app, caller, fromRegistrarSerie(body))
      reply.code(201).header('location', `${app.publicUrl}/api/v1/series/${serie.codigo}`)
      reply.header('etag', etagOf(serie.versao))
      return toSerie(serie)
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/{codigo}',
    summary: 'Ver a definição de uma série',
    tag,
    access: ler,
    input: { params: SeriePath },
    versioned: 'read',
    replies: { 200: SerieSchema },
    errors: ['NOT_FOUND'],
    async handle({ params, reply }, app) {
      const serie = await getSerie(app.db, params.codigo)
      reply.header('etag', etagOf(serie.versao))
      return toSerie(serie)
    },
  }),
  route({
    spec: '4.22',
    method: 'PUT',
    path: '/api/v1/series/{codigo}',
    summary: 'Alterar a definição de uma série',
    tag,
    access: definir,
    input: { params: SeriePath, body: AlterarSerie },
    versioned: 'write',
    replies: { 200: SerieSchema },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, body, caller, request, reply }, app) {
      const versoes = fromIfMatch(request.headers['if-match'])
      const change = fromAlterarSerie(body)
      const serie = await changeSerie(app, caller, params.codigo, { versoes, change })
      reply.header('etag', etagOf(serie.versao))
      return toSerie(serie)
    },
  }),
  route({
    spec: '4.22',
    method: 'DELETE',
    path: '/api/v1/series/{codigo}',
    summary: 'Remover uma série sem valores',
    tag,
    access: definir,
    input: { params: SeriePath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeSerie(app, caller, params.codigo)
      reply.code(204)
    },
  }),
  route({
    spec: '4.22',
    method: 'POST',
    path: '/api/v1/series/bulk',
    summary: 'Importar valores de um arquivo',
    tag,
    access: importar,
    input: {
      upload: importUpload(EnviarSeries),
    },
    consumes: 'multipart',
    bodyLimit: IMPORT_BODY_LIMIT,
    idempotent: true,
    replies: { 202: JobAceito },
    errors: [],
    async handle({ upload: { fields, stored }, caller, request, reply }, app) {
      const file = stored as ImportFile
      const id = await requestImportSeries(app, caller, file, fromEnviarSeries(fields, file.name))
      reply.code(202)
      const trabalho = fields.modo === 'validar' ? 'validacao' : 'importacao'
      return toJobAceito(id, trabalho, { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/importacoes',
    summary: 'Listar as importações de séries',
    tag,
    access: importar,
    input: { list: IMPORTACOES_DE_SERIES_LIST },
    replies: { 200: ListaDeImportacoesDeSeries },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfImportacoes(app, caller, list, 'series')
      const items = page.items.map(toImportacaoDeSeries)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.22',
    method: 'GET',
    path: '/api/v1/series/importacoes/{id}',
    summary: 'Ver uma importação de séries',
    tag,
    access: importar,
    input: { params: ImportacaoPath },
    replies: { 200: ImportacaoDeSeries },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toImportacaoDeSeries(await getImportacao(app, caller, params.id, 'series'))
    },
  }),
  route({
    spec: '4.22',
    method: 'POST',
    path: '/api/v1/series/importacoes/{id}/desfazer',
    summary: 'Desfazer uma importação de séries',
    tag,
    access: importar,
    input: { params: ImportacaoPath, query: DesfazerQuery },
    idempotent: true,
    replies: { 202: JobAceito },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND', 'CONFLICT'],
    async handle({ params, query, caller, request, reply }, app) {
      const id = await requestUndoSeries(app, caller, params.id, query.simular)
      reply.code(202)
      const trabalho = query.simular ? 'simulacao' : 'desfazimento'
      return toJobAceito(id, trabalho, { publicUrl: app.publicUrl, language: request.language })
    },
  }),
]
