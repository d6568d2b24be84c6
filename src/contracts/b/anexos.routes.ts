import { Readable } from 'node:stream'
import {
  ANEXOS_LIST,
  addAnexo,
  MAX_ANEXO_BYTES,
  openAnexo,
  pageOfAnexos,
  removeAnexo,
} from '../../domain/anexos/anexos.ts'
import { MEDIA_TYPES } from '../../domain/anexos/formato.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { Binary, NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { MULTIPART_OVERHEAD } from '../../http/uploads.ts'
import { route } from '../route.ts'
import { intoDatabase } from '../uploads.ts'
import { AnexoEnviado, EnviarAnexo, ListaDeAnexos, toAnexo, toAnexoEnviado } from './anexos.shapes.ts'
import { envelope } from './envelope.ts'

const tag = 'Agravos'
const CasoPath = Type.Object({ id: Id })
const AnexoPath = Type.Object({ id: Id, anexo_id: Id })
const IdentificadoQuery = Type.Object({
  identificado: Type.Boolean({
    default: false,
    description: 'Mostra também as descrições; fica na auditoria',
  }),
})

export const anexosRoutesB = [
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos/{id}/anexos',
    summary: 'Anexar um arquivo a um caso',
    tag,
    access: requires('agravos.editar'),
    input: {
      params: CasoPath,
      upload: { field: 'arquivo', maxBytes: MAX_ANEXO_BYTES, fields: EnviarAnexo, ...intoDatabase },
    },
    consumes: 'multipart',
    bodyLimit: MAX_ANEXO_BYTES + MULTIPART_OVERHEAD,
    replies: { 201: AnexoEnviado },
    errors: ['NOT_FOUND'],
    async handle({ params, upload, caller, reply }, app) {
      const { tipo, descricao } = upload.fields
      const anexo = await addAnexo(app, caller, params.id, upload.stored, {
        tipo,
        descricao: descricao?.trim() || null,
      })
      reply.code(201)
      return toAnexoEnviado(anexo, app.publicUrl)
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}/anexos',
    summary: 'Listar os anexos de um caso',
    tag,
    access: requires('agravos.listar'),
    input: { params: CasoPath, query: IdentificadoQuery, list: ANEXOS_LIST },
    replies: { 200: ListaDeAnexos },
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    async handle({ params, query, list, caller, request }, app) {
      const page = await pageOfAnexos(app, caller, params.id, list, query.identificado)
      const items = page.items.map((anexo) => toAnexo(anexo, app.publicUrl))
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.6',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}/anexos/{anexo_id}',
    summary: 'Baixar um anexo',
    tag,
    access: loggedIn,
    input: { params: AnexoPath },
    produces: MEDIA_TYPES,
    replies: { 200: Binary },
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    async handle({ params, caller, reply }, app) {
      const { anexo, content } = await openAnexo(app, caller, params.id, params.anexo_id)
      reply
        .type(anexo.formato)
        .header('content-length', anexo.tamanho)
        .header('content-disposition', `attachment; filename="${anexo.nome}"`)
        .header('content-security-policy', "default-src 'none'; sandbox")
      return Readable.from(content, { objectMode: false })
    },
  }),
  route({
    spec: '4.6',
    method: 'DELETE',
    path: '/api/v1/agravos/casos/{id}/anexos/{anexo_id}',
    summary: 'Excluir um anexo',
    tag,
    access: requires('agravos.editar'),
    input: { params: AnexoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeAnexo(app, caller, params.id, params.anexo_id)
      reply.code(204)
    },
  }),
]
