import { createChave, endChave, renewChave } from '../../domain/servico/chaves.ts'
import { CONTAS_LIST, createConta, getConta, pageOfContas } from '../../domain/servico/contas.ts'
import { requires } from '../../http/access.ts'
import { NoContent } from '../../http/route.ts'
import { Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import {
  ChaveCriada,
  ContaDeServico,
  CriarChave,
  CriarContaDeServico,
  fromCriarChave,
  fromCriarConta,
  fromRenovarChave,
  ListaDeContasDeServico,
  RenovarChave,
  toChaveCriada,
  toConta,
  toContaNaLista,
} from './contas-de-servico.shapes.ts'
import { envelope } from './envelope.ts'

const tag = 'Contas de serviço'
const access = requires('chaves.gerenciar')
const personOnly = true
const ContaPath = Type.Object({ id: Id })
/** Without the prefix `urn:uuid:`, which the format takes too. */
const ChavePath = Type.Object({
  id: Id,
  chave_id: Type.String({
    pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
    'x-format': 'uuid',
  }),
})

/** A repetition under the same `Idempotency-Key` tells of the key without showing it. */
const withoutChave = <T extends { chave?: string }>({ chave: _shownOnce, ...rest }: T) => rest

export const contasDeServicoRoutesB = [
  route({
    spec: '4.21',
    method: 'GET',
    path: '/api/v1/contas-de-servico',
    summary: 'Listar contas de serviço',
    tag,
    access,
    personOnly,
    input: { list: CONTAS_LIST },
    replies: { 200: ListaDeContasDeServico },
    errors: [],
    async handle({ list, caller, request }, app) {
      const page = await pageOfContas(app, caller, list)
      return {
        ...envelope(page, request.originalUrl, app.clock.now()),
        contas: page.items.map(toContaNaLista),
      }
    },
  }),
  route({
    spec: '4.21',
    method: 'POST',
    path: '/api/v1/contas-de-servico',
    summary: 'Criar uma conta de serviço',
    tag,
    access,
    personOnly,
    input: { body: CriarContaDeServico },
    idempotent: true,
    replies: { 201: ContaDeServico },
    errors: ['OUT_OF_TERRITORY'],
    async handle({ body, caller, reply }, app) {
      const conta = await createConta(app, caller, fromCriarConta(body))
      reply.code(201)
      return toConta(conta)
    },
  }),
  route({
    spec: '4.21',
    method: 'GET',
    path: '/api/v1/contas-de-servico/{id}',
    summary: 'Ver uma conta de serviço e as suas chaves',
    tag,
    access,
    personOnly,
    input: { params: ContaPath },
    replies: { 200: ContaDeServico },
    errors: ['NOT_FOUND'],
    async handle({ params, caller }, app) {
      return toConta(await getConta(app, caller, params.id))
    },
  }),
  route({
    spec: '4.21',
    method: 'POST',
    path: '/api/v1/contas-de-servico/{id}/chaves',
    summary: 'Criar uma chave; ela é mostrada só agora',
    tag,
    access,
    personOnly,
    input: { params: ContaPath, body: CriarChave },
    idempotent: { replay: withoutChave },
    replies: { 201: ChaveCriada },
    errors: ['NOT_FOUND'],
    async handle({ params, body, caller, reply }, app) {
      const criada = await createChave(app, caller, params.id, fromCriarChave(body))
      reply.code(201)
      return toChaveCriada(criada)
    },
  }),
  route({
    spec: '4.21',
    method: 'POST',
    path: '/api/v1/contas-de-servico/{id}/chaves/{chave_id}/renovar',
    summary: 'Trocar uma chave por outra igual; a antiga ainda vale por algumas horas',
    tag,
    access,
    personOnly,
    input: { params: ChavePath, body: RenovarChave },
    bodyOptional: true,
    replies: { 201: ChaveCriada },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, body, caller, reply }, app) {
      const { id, chave_id } = params
      const criada = await renewChave(app, caller, id, chave_id, fromRenovarChave(body))
      reply.code(201)
      return toChaveCriada(criada)
    },
  }),
  route({
    spec: '4.21',
    method: 'DELETE',
    path: '/api/v1/contas-de-servico/{id}/chaves/{chave_id}',
    summary: 'Revogar uma chave',
    tag,
    access,
    personOnly,
    input: { params: ChavePath },
    replies: { 204: NoContent },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await endChave(app, caller, params.id, params.chave_id)
      reply.code(204)
    },
  }),
]
