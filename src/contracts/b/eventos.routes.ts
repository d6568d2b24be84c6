import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Municipios } from '../../brasil/municipios.ts'
import { UFS } from '../../brasil/uf.ts'
import { NIVEIS_DE_ALERTA } from '../../domain/alertas/nivel.ts'
import type { App } from '../../domain/app.ts'
import { followEventos, type Novidade, startOf } from '../../domain/eventos/aovivo.ts'
import { TIPOS_DE_EVENTO } from '../../domain/eventos/catalogue.ts'
import { type EventoDoFeed, type FeedQuery, readEventos } from '../../domain/eventos/eventos.ts'
import { invalid } from '../../errors/catalogue.ts'
import { loggedIn } from '../../http/access.ts'
import { Binary } from '../../http/route.ts'
import { DateTime, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { fromNames } from '../include.ts'
import { route } from '../route.ts'
import { EVENT_STREAM, holdStream } from './streams.ts'

const names = (description: string) =>
  Type.Optional(Type.String({ maxLength: 4000, description: `${description}, separados por vírgulas` }))

const CURSOR = /^\d{1,15}$/
const cursor = (description: string) =>
  Type.Optional(Type.String({ pattern: CURSOR.source, 'x-format': 'cursor', description }))

const filtros = {
  tipo: names('Eventos'),
  tipo_agravo: names('Agravos dos casos'),
  estado: names('Estados de residência'),
  municipio: names('Municípios de residência (código IBGE)'),
  nivel: names('Níveis de alerta, o novo ou o anterior'),
  suspeita: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]{1,39}(,[a-z][a-z0-9_]{1,39}){0,49}$',
      'x-format': 'serie',
      maxLength: 2000,
      description: 'Suspeitas das epizootias, separadas por vírgulas',
    }),
  ),
}

const EventosQuery = Type.Object(
  {
    cursor: cursor('O `cursor` da resposta anterior; sem ele, desde o evento mais antigo que há'),
    desde: Type.Optional(Type.String({ format: 'date-time', description: 'Só o que houve a partir de' })),
    size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    ...filtros,
  },
  { additionalProperties: false },
)

const AoVivoQuery = Type.Object(
  {
    cursor: cursor('Continua daqui; sem ele e sem `Last-Event-ID`, a partir de agora'),
    duracao: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 3600,
      description: 'Segundos até o fim da transmissão, depois do qual se continua por outra',
    }),
    ...filtros,
  },
  { additionalProperties: false },
)

const LugarDoEvento = Type.Object(
  {
    estado: Type.String(),
    municipio: Nullable(Type.String({ description: 'Sete dígitos' })),
    nome: Nullable(Type.String({ description: 'Do município' })),
  },
  { title: 'LugarDoEvento' },
)
const Evento = Type.Object(
  {
    id: Type.String(),
    tipo: OneOf(TIPOS_DE_EVENTO),
    timestamp: DateTime,
    dados: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    lugares: Type.Array(LugarDoEvento, {
      description: 'De residência ou do evento, dentro do território da conta',
    }),
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
      const { eventos, cursor, mais } = await readEventos(app, caller, fromQuery(query, app))
      return { eventos: eventos.map(toEvento), cursor: String(cursor), mais }
    },
  }),
  route({
    spec: '4.19',
    method: 'GET',
    path: '/api/v1/eventos/aovivo',
    summary: 'O que acontece, à medida que acontece (server-sent events)',
    tag: 'Webhooks',
    access: loggedIn,
    input: { query: AoVivoQuery },
    produces: EVENT_STREAM,
    replies: { 200: Binary },
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const { duracao, ...rest } = query
      const { filter, after } = fromFilters(rest, app)
      const start = await startOf(app, lastEventOf(request) ?? after)
      const closed = holdStream(app.feedStreams, caller, reply)
      const asked = { after: start, filter, lastsMs: duracao * 1_000 }
      return Readable.from(messagesOf(followEventos(app, caller, asked, closed), app), { objectMode: false })
    },
  }),
]

const toEvento = ({ id, tipo, timestamp, dados, lugares }: EventoDoFeed): Static<typeof Evento> => ({
  ...{ id, tipo: tipo as Static<typeof Evento>['tipo'], timestamp, dados },
  lugares: lugares.map(({ estado, municipio, nome }) => ({
    estado,
    municipio: municipio === null ? null : String(municipio),
    nome,
  })),
})

/** Position after which a browser goes on by itself; its own and newer than that of the address. */
function lastEventOf({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !CURSOR.test(id))
    throw invalid('header', ['Last-Event-ID'], 'INVALID_FORMAT', { expected: 'cursor' })
  return Number(id)
}

const RETRY_MS = 3_000

/** A position alone has no data: a browser remembers it and tells nobody. */
async function* messagesOf(novidades: AsyncIterable<Novidade>, { clock }: App): AsyncGenerator<string> {
  for await (const novidade of novidades) {
    if (novidade.kind === 'evento') {
      const { ordem, ...evento } = novidade.evento
      yield message('evento', toEvento(evento), ordem)
    } else if (novidade.kind === 'notificacao') yield message('notificacao', {})
    else if (novidade.isFirst)
      yield `retry: ${RETRY_MS}\n${message('inicio', { timestamp: clock.now().toISOString() }, novidade.cursor)}`
    else yield `id: ${novidade.cursor}\n\n`
  }
}

const message = (event: string, data: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function fromQuery(query: Static<typeof EventosQuery>, app: Parameters<typeof fromFilters>[1]): FeedQuery {
  const { desde, size, ...rest } = query
  return { ...fromFilters(rest, app), since: desde === undefined ? null : new Date(desde), size }
}

function fromFilters(
  query: Omit<Static<typeof AoVivoQuery>, 'duracao'>,
  { municipios, agravos }: Pick<App, 'municipios' | 'agravos'>,
): Pick<FeedQuery, 'after' | 'filter'> {
  const { cursor, tipo, tipo_agravo, estado, municipio, nivel, suspeita } = query
  const tipos = fromNames('tipo', tipo, TIPOS_DE_EVENTO)
  return {
    after: cursor === undefined ? null : Number(cursor),
    filter: {
      tipos: tipos.size === 0 ? null : [...tipos],
      tipos_agravo: [...fromNames('tipo_agravo', tipo_agravo, agravos.vigentes().codigos)],
      estados: [...fromNames('estado', estado, UFS)],
      municipios: codesOf(municipio, municipios),
      niveis: [...fromNames('nivel', nivel, NIVEIS_DE_ALERTA)],
      suspeitas: suspeita?.split(',') ?? [],
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
