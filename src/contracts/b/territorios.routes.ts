import { lugarOf } from '../../domain/territorios/lugar.ts'
import { residentesOf } from '../../domain/territorios/residentes.ts'
import { loggedIn, requires } from '../../http/access.ts'
import { answerEncoded } from '../../http/fixed-content.ts'
import { NoContent } from '../../http/route.ts'
import { route } from '../route.ts'
import {
  fromTerritorios,
  PopulacaoQuery,
  PopulacaoResposta,
  RegioesDeSaude,
  RegioesQuery,
  TerritoriosQuery,
  TerritoriosResposta,
  toPopulacao,
  toRegiao,
} from './territorios.shapes.ts'

/** Changes with a release at most; kept by the client alone, since it took a token. */
const FOR_A_DAY = 'private, max-age=86400'

export const territoriosRoutesB = [
  route({
    spec: '4.9',
    method: 'GET',
    path: '/api/v1/territorios',
    summary: 'Estados, regiões de saúde e municípios, com a população por ano',
    tag: 'Territórios',
    access: loggedIn,
    input: { query: TerritoriosQuery },
    replies: { 200: TerritoriosResposta, 304: NoContent },
    errors: [],
    async handle({ query, request, reply }, app) {
      const content = app.arvore.contentOf(fromTerritorios(query))
      return answerEncoded(content, FOR_A_DAY, request, reply.type('application/json; charset=utf-8'))
    },
  }),
  route({
    spec: '4.9',
    method: 'GET',
    path: '/api/v1/agravos/regioes-saude',
    summary: 'As regiões de saúde',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: RegioesQuery },
    replies: { 200: RegioesDeSaude },
    errors: [],
    async handle({ query: { estado } }, { territorios }) {
      const items = (estado === undefined ? territorios.regioes : territorios.regioesOf(estado)).map(toRegiao)
      return { total: items.length, items }
    },
  }),
  route({
    spec: '4.9',
    method: 'GET',
    path: '/api/v1/agravos/populacao',
    summary: 'A população de um lugar em um ano',
    tag: 'Agravos',
    access: requires('agravos.estatisticas'),
    input: { query: PopulacaoQuery },
    replies: { 200: PopulacaoResposta },
    errors: [],
    async handle({ query: { ano, ...pedido } }, app) {
      return toPopulacao(residentesOf(app, lugarOf(app, pedido), ano ?? null))
    },
  }),
]
