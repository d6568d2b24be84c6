import {
  allRascunhos,
  getRascunho,
  MAX_RASCUNHO_BYTES,
  MAX_RASCUNHOS,
  removeRascunho,
  saveRascunho,
} from '../../domain/rascunhos/rascunhos.ts'
import { requires } from '../../http/access.ts'
import { NoContent } from '../../http/route.ts'
import { route } from '../route.ts'
import {
  fromRascunho,
  ListaDeRascunhos,
  Rascunho,
  RascunhoPath,
  RascunhoSalvo,
  SalvarRascunho,
  toRascunho,
} from './rascunhos.shapes.ts'

const tag = 'Rascunhos'
/** A draft is of a new case, of a change, or of an event in animals. */
const access = requires('agravos.criar', { or: ['agravos.editar', 'epizootias.registrar'] })
const path = '/api/v1/rascunhos/{uuid}'

export const rascunhosRoutesB = [
  route({
    spec: '4.12',
    method: 'GET',
    path: '/api/v1/rascunhos',
    summary: 'Listar os próprios rascunhos, sem o conteúdo',
    tag,
    access,
    input: {},
    replies: { 200: ListaDeRascunhos },
    errors: [],
    async handle({ caller }, app) {
      const rascunhos = (await allRascunhos(app, caller)).map(toRascunho)
      return { total: rascunhos.length, maximo: MAX_RASCUNHOS, rascunhos }
    },
  }),
  route({
    spec: '4.12',
    method: 'PUT',
    path,
    summary: 'Salvar um rascunho',
    tag,
    access,
    input: { params: RascunhoPath, body: SalvarRascunho },
    bodyLimit: MAX_RASCUNHO_BYTES,
    replies: { 200: RascunhoSalvo },
    errors: ['CONFLICT', 'PERMISSION_DENIED'],
    async handle({ params, body, caller }, app) {
      return toRascunho(await saveRascunho(app, caller, params.uuid, fromRascunho(body)))
    },
  }),
  route({
    spec: '4.12',
    method: 'GET',
    path,
    summary: 'Ver um rascunho próprio',
    tag,
    access,
    input: { params: RascunhoPath },
    replies: { 200: Rascunho },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      const { conteudo, ...saved } = await getRascunho(app, caller, params.uuid)
      return { ...toRascunho(saved), conteudo }
    },
  }),
  route({
    spec: '4.12',
    method: 'DELETE',
    path,
    summary: 'Apagar um rascunho próprio',
    tag,
    access,
    input: { params: RascunhoPath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await removeRascunho(app, caller, params.uuid)
      reply.code(204)
    },
  }),
]
