import { MINIMUM_SHOWN, panoramaOf } from '../../domain/casos/statistics/panorama.ts'
import { requires } from '../../http/access.ts'
import { route } from '../route.ts'
import { fromPanorama, PanoramaQuery, PanoramaResposta, toPanorama } from './panorama.shapes.ts'

export const panoramaRoutesB = [
  route({
    spec: '4.9',
    method: 'GET',
    path: '/api/v1/agravos/panorama',
    summary: 'Totais de um ano em qualquer lugar, sem números pequenos',
    tag: 'Agravos',
    access: requires('agravos.panorama'),
    input: { query: PanoramaQuery },
    replies: { 200: PanoramaResposta },
    errors: [],
    async handle({ query }, app) {
      const pedido = fromPanorama(query)
      return toPanorama(pedido, await panoramaOf(app, pedido), MINIMUM_SHOWN)
    },
  }),
]
