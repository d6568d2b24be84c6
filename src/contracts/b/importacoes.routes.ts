import {
  getImportacao,
  IMPORTACOES_LIST,
  pageOfImportacoes,
  requestImport,
  requestUndo,
  requestValidated,
  trabalhoOf,
} from '../../domain/importacao/importacoes.ts'
import type { ImportFile } from '../../domain/importacao/upload.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import { IMPORT_BODY_LIMIT, importUpload } from './import-upload.ts'
import {
  assertValidated,
  EnviarImportacao,
  fromImportacao,
  Importacao,
  ListaDeImportacoes,
  toImportacao,
} from './importacoes.shapes.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const tag = 'Importações'
const ImportacaoPath = Type.Object({ id: Id })
const DesfazerQuery = Type.Object({
  simular: Type.Boolean({ default: false, description: 'Só conta o que seria desfeito' }),
})

export const importacoesRoutesB = [
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos/bulk',
    summary: 'Importar casos de um arquivo',
    tag,
    access: requires('agravos.importar'),
    input: {
      upload: {
        ...importUpload(EnviarImportacao),
        withoutFile: ({ validacao }: Record<string, unknown>) => validacao !== undefined,
      },
    },
    consumes: 'multipart',
    bodyLimit: IMPORT_BODY_LIMIT,
    idempotent: true,
    replies: { 202: JobAceito },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ upload: { fields, stored }, caller, request, reply }, app) {
      const { validacao, ignorar_erros } = fields
      if (validacao !== undefined) assertValidated(fields, stored !== undefined)
      const id =
        validacao !== undefined
          ? await requestValidated(app, caller, { validacao, ignorar_erros })
          : await requestImport(
              app,
              caller,
              stored as ImportFile,
              fromImportacao(fields, (stored as ImportFile).name),
            )
      reply.code(202)
      return toJobAceito(id, trabalhoOf(fields), { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/importacoes',
    summary: 'Listar as importações',
    tag,
    access: requires('agravos.importar'),
    input: { list: IMPORTACOES_LIST },
    replies: { 200: ListaDeImportacoes },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfImportacoes(app, caller, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toImportacao) }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/importacoes/{id}',
    summary: 'Ver uma importação',
    tag,
    access: requires('agravos.importar'),
    input: { params: ImportacaoPath },
    replies: { 200: Importacao },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toImportacao(await getImportacao(app, caller, params.id))
    },
  }),
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/importacoes/{id}/desfazer',
    summary: 'Desfazer uma importação',
    tag,
    access: requires('agravos.importar'),
    input: { params: ImportacaoPath, query: DesfazerQuery },
    idempotent: true,
    replies: { 202: JobAceito },
    errors: ['OUT_OF_TERRITORY', 'NOT_FOUND', 'CONFLICT'],
    async handle({ params, query, caller, request, reply }, app) {
      const id = await requestUndo(app, caller, params.id, query.simular)
      reply.code(202)
      return toJobAceito(id, query.simular ? 'simulacao' : 'desfazimento', {
        publicUrl: app.publicUrl,
        language: request.language,
      })
    },
  }),
]
