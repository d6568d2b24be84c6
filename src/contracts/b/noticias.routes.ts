import type { FastifyReply } from 'fastify'
import type { NoticiaRow } from '../../domain/noticias/noticias.sql.ts'
import {
  changeNoticia,
  createNoticia,
  getNoticia,
  NOTICIAS_LIST,
  pageOfNoticias,
  removeNoticia,
  versaoDaNoticia,
} from '../../domain/noticias/noticias.ts'
import { requires } from '../../http/access.ts'
import { etagOf, fromIfMatch } from '../../http/etag.ts'
import { NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  AlterarNoticia,
  CriarNoticia,
  fromAlterarNoticia,
  fromCriarNoticia,
  ListaDeNoticias,
  Noticia,
  toNoticia,
} from './noticias.shapes.ts'

const tag = 'Notícias'
const NoticiaPath = Type.Object({ id: Id })

export const noticiasRoutesB = [
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/noticias',
    summary: 'Listar notícias',
    tag,
    access: requires('noticias.listar'),
    input: { list: NOTICIAS_LIST },
    replies: { 200: ListaDeNoticias },
    errors: [],
    async handle({ list, request }, app) {
      const page = await pageOfNoticias(app.db, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toNoticia) }
    },
  }),
  route({
    spec: '4.7',
    method: 'POST',
    path: '/api/v1/noticias',
    summary: 'Publicar uma notícia',
    tag,
    access: requires('noticias.criar'),
    input: { body: CriarNoticia },
    replies: { 201: Noticia },
    errors: [],
    async handle({ body, caller, reply }, app) {
      const noticia = await createNoticia(app, caller, fromCriarNoticia(body))
      reply.code(201)
      return toNoticia(noticia)
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/noticias/{id}',
    summary: 'Ler uma notícia',
    tag,
    access: requires('noticias.listar'),
    input: { params: NoticiaPath },
    versioned: 'read',
    replies: { 200: Noticia },
    errors: ['NOT_FOUND'],
    async handle({ params, reply }, app) {
      return answered(reply, await getNoticia(app, params.id))
    },
  }),
  route({
    spec: '4.7',
    method: 'PUT',
    path: '/api/v1/noticias/{id}',
    summary: 'Alterar uma notícia',
    tag,
    access: requires('noticias.editar'),
    input: { params: NoticiaPath, body: AlterarNoticia },
    versioned: 'write',
    replies: { 200: Noticia },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, request, reply }, app) {
      const ifMatch = fromIfMatch(request.headers['if-match'])
      return answered(reply, await changeNoticia(app, caller, params.id, fromAlterarNoticia(body), ifMatch))
    },
  }),
  route({
    spec: '4.7',
    method: 'DELETE',
    path: '/api/v1/noticias/{id}',
    summary: 'Excluir uma notícia',
    tag,
    access: requires('noticias.deletar'),
    input: { params: NoticiaPath },
    versioned: 'write',
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request, reply }, app) {
      await removeNoticia(app, caller, params.id, fromIfMatch(request.headers['if-match']))
      reply.code(204)
    },
  }),
]

function answered(reply: FastifyReply, noticia: NoticiaRow) {
  reply.header('etag', etagOf(versaoDaNoticia(noticia)))
  return toNoticia(noticia)
}
