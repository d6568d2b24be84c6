import { requestImportEpizootias, requestUndoEpizootias } from '../../domain/epizootias/importacao/pedido.ts'
import { getImportacao, pageOfImportacoes } from '../../domain/importacao/importacoes.ts'
import type { ImportFile } from '../../domain/importacao/upload.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  EnviarEpizootias,
  fromEnviarEpizootias,
  IMPORTACOES_DE_EPIZOOTIAS_LIST,
  ImportacaoDeEpizootias,
  ListaDeImportacoesDeEpizootias,
  toImportacaoDeEpizootias,
} from './epizootias-importacoes.shapes.ts'
import { IMPORT_BODY_LIMIT, importUpload } from './import-upload.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const tag = 'Epizootias'
const access = requires('epizootias.registrar')
const ImportacaoPath = Type.Object({ id: Id })

export const epizootiasImportacoesRoutesB = [
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias/bulk',
    summary: 'Importar epizootias de um arquivo',
    tag,
    access,
    input: {
      upload: importUpload(EnviarEpizootias),
    },
    consumes: 'multipart',
    bodyLimit: IMPORT_BODY_LIMIT,
    idempotent: true,
    replies: { 202: JobAceito },
    errors: [],
    async handle({ upload: { fields, stored }, caller, request, reply }, app) {
      const file = stored as ImportFile
      const id = await requestImportEpizootias(app, caller, file, fromEnviarEpizootias(fields, file.name))
      reply.code(202)
      const trabalho = fields.modo === 'validar' ? 'validacao' : 'importacao'
      return toJobAceito(id, trabalho, { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/importacoes',
    summary: 'Listar as importações de epizootias',
    tag,
    access,
    input: { list: IMPORTACOES_DE_EPIZOOTIAS_LIST },
    replies: { 200: ListaDeImportacoesDeEpizootias },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfImportacoes(app, caller, list, 'epizootias')
      const items = page.items.map(toImportacaoDeEpizootias)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.24',
    method: 'GET',
    path: '/api/v1/epizootias/importacoes/{id}',
    summary: 'Ver uma importação de epizootias',
    tag,
    access,
    input: { params: ImportacaoPath },
    replies: { 200: ImportacaoDeEpizootias },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toImportacaoDeEpizootias(await getImportacao(app, caller, params.id, 'epizootias'))
    },
  }),
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias/importacoes/{id}/desfazer',
    summary: 'Desfazer uma importação de epizootias',
    tag,
    access,
    input: {
      params: ImportacaoPath,
      query: Type.Object({
        simular: Type.Boolean({ default: false, description: 'Só conta o que seria desfeito' }),
      }),
    },
    idempotent: true,
    replies: { 202: JobAceito },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND', 'CONFLICT'],
    async handle({ params, query, caller, request, reply }, app) {
      const id = await requestUndoEpizootias(app, caller, params.id, query.simular)
      reply.code(202)
      const trabalho = query.simular ? 'simulacao' : 'desfazimento'
      return toJobAceito(id, trabalho, { publicUrl: app.publicUrl, language: request.language })
    },
  }),
]
