import type { Municipios } from '../../brasil/municipios.ts'
import { UFS } from '../../brasil/uf.ts'
import { NIVEIS_DE_ALERTA } from '../../domain/alertas/nivel.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { TIPOS_DE_EVENTO } from '../../domain/eventos/catalogue.ts'
import { type FeedQuery, readEventos } from '../../domain/eventos/eventos.ts'
import { invalid } from '../../errors/catalogue.ts'
import { loggedIn } from '../../http/access.ts'
import { DateTime, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { fromNames } from '../include.ts'
import { route } from '../route.ts'

const names = (description: string) =>
  Type.Optional(Type.String({ maxLength: 4000, description: `${description}, separados por vírgulas` }))

const EventosQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({
        pattern: '^\\d{1,15}$',
        'x-format': 'cursor',
        description: 'O `cursor` da resposta anterior; sem ele, desde o evento mais antigo que há',
      }),
    ),
    desde: Type.Optional(Type.String({ format: 'date-time', description: 'Só o que houve a partir de' })),
    size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    tipo: names('Eventos'),
    tipo_agravo: names('Agravos dos casos'),
    estado: names('Estados de residência'),
    municipio: names('Municípios de residência (código IBGE)'),
    nivel: names('Níveis de alerta, o novo ou o anterior'),
  },
  { additionalProperties: false },
)

const Evento = Type.Object(
  {
    id: Type.String(),
    tipo: OneOf(TIPOS_DE_EVENTO),
    timestamp: DateTime,
    dados: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'Evento' },
)
const Eventos = Type.Object(
  {
    eventos: Type.Array(Evento),
    cursor: Type.String({ description: 'Para continuar daqui' }),
    mais: Type.Boolean({ description: 'Já há mais a ler' }),
  },
  { title: 'Eventos' },
)

export const eventosRoutesB = [
  route({
    spec: '6',
    method: 'GET',
    path: '/api/v1/eventos',
    summary: 'O que houve, em ordem, para quem nenhum webhook alcança',
    tag: 'Webhooks',
    access: loggedIn,
    input: { query: EventosQuery },
    replies: { 200: Eventos },
    errors: [],
    async handle({ query, caller }, app) {
      const { eventos, cursor, mais } = await readEventos(app, caller, fromQuery(query, app.municipios))
      return { eventos: eventos as Static<typeof Evento>[], cursor: String(cursor), mais }
    },
  }),
]

function fromQuery(query: Static<typeof EventosQuery>, municipios: Municipios): FeedQuery {
  const { cursor, desde, size, tipo, tipo_agravo, estado, municipio, nivel } = query
  const tipos = fromNames('tipo', tipo, TIPOS_DE_EVENTO)
  return {
    after: cursor === undefined ? null : Number(cursor),
    since: desde === undefined ? null : new Date(desde),
    size,
    filter: {
      tipos: tipos.size === 0 ? null : [...tipos],
      tipos_agravo: [...fromNames('tipo_agravo', tipo_agravo, TIPOS_AGRAVO)],
      estados: [...fromNames('estado', estado, UFS)],
      municipios: codesOf(municipio, municipios),
      niveis: [...fromNames('nivel', nivel, NIVEIS_DE_ALERTA)],
    },
  }
}

function codesOf(text: string | undefined, municipios: Municipios): number[] {
  const codes = (text ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)
  return codes.map((code) => {
    const found = /^\d{6,7}$/.test(code) ? municipios.byCodigo(Number(code)) : null
    if (found === null) throw invalid('query', ['municipio'], 'UNKNOWN_MUNICIPIO', {})
    return found.codigo
  })
}
