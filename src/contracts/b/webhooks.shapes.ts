import { UFS } from '../../brasil/uf.ts'
import { NIVEIS_DE_ALERTA } from '../../domain/alertas/nivel.ts'
import { EVENTOS, TIPOS_DE_EVENTO, type TipoDeEvento } from '../../domain/eventos/catalogue.ts'
import { MASKED, maskHeaders } from '../../domain/webhooks/headers.ts'
import type { Filtros, NewWebhook, Webhook as WebhookDoDominio } from '../../domain/webhooks/webhooks.ts'
import { DateTime, Id, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { CODIGO } from './tipos.shapes.ts'

/** One value or a list of them. */
function OneOrMany(pattern: string, description: string, maxItems: number) {
  const item = { type: 'string', pattern }
  return Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    pattern,
    items: item,
    maxItems,
    description,
  })
}

const anyOf = (values: readonly string[]) => `^(?:${values.join('|')})$`

const FiltrosDeEntrada = Type.Object(
  {
    tipo_agravo: Type.Optional(OneOrMany(CODIGO, 'Só casos destes agravos', 200)),
    estado: Type.Optional(OneOrMany(anyOf(UFS), 'Só casos de residentes nestes estados', 27)),
    municipio: Type.Optional(
      OneOrMany('^\\d{6,7}$', 'Só casos de residentes nestes municípios (código IBGE)', 500),
    ),
    nivel: Type.Optional(
      OneOrMany(anyOf(NIVEIS_DE_ALERTA), 'Só alertas que chegam a um destes níveis, ou saem dele', 4),
    ),
    suspeita: Type.Optional(
      OneOrMany('^[a-z][a-z0-9_]{1,39}$', 'Só epizootias com uma destas suspeitas', 50),
    ),
  },
  {
    // Ignored, a misspelt filter would send more than was asked for.
    additionalProperties: false,
    description:
      'Valem para os eventos de casos, epizootias e alertas; um caso que muda de lugar conta nos dois. Com `municipio`, só alertas de municípios',
  },
)

const eventos = Type.Array(OneOf(TIPOS_DE_EVENTO), {
  minItems: 1,
  maxItems: TIPOS_DE_EVENTO.length,
  uniqueItems: true,
})
const headers = Type.Record(Type.String(), Type.String(), {
  description: `Enviados com cada entrega; lidos de volta como \`${MASKED}\``,
})

export const CriarWebhook = Type.Object(
  {
    url: Text({ minLength: 1, maxLength: 2048, description: 'HTTPS e pública, fora do sandbox' }),
    eventos,
    ativo: Type.Optional(Type.Boolean({ default: true })),
    headers: Type.Optional(headers),
    filtros: Type.Optional(FiltrosDeEntrada),
  },
  {
    title: 'CriarWebhook',
    examples: [
      {
        url: 'https://lab.exemplo.gov.br/vigia',
        eventos: ['agravo.criado', 'agravo.atualizado'],
        ativo: true,
        headers: { 'X-Origem': 'vigia' },
        filtros: { tipo_agravo: ['dengue'], estado: ['PE'] },
      },
    ],
  },
)

export const AlterarWebhook = Type.Partial(CriarWebhook, {
  title: 'AlterarWebhook',
  description: `Só os campos a alterar; em \`headers\`, um valor \`${MASKED}\` fica como está`,
  examples: [{ url: 'https://lab.exemplo.gov.br/vigia/v2' }],
})

const webhook = {
  id: Type.String({ examples: ['wh_2fQm0rTjvYkq1cW8aZb3xNdE'] }),
  url: Type.String(),
  eventos: Type.Array(Type.String()),
  ativo: Type.Boolean(),
  headers: Type.Record(Type.String(), Type.String()),
  filtros: Type.Object({
    tipo_agravo: Type.Array(Type.String()),
    estado: Type.Array(Type.String()),
    municipio: Type.Array(Type.String()),
    nivel: Type.Array(Type.String()),
    suspeita: Type.Array(Type.String()),
  }),
  criado_em: DateTime,
  atualizado_em: DateTime,
  usuario: Type.Object({ id: Id, nome: Type.String() }, { description: 'De quem é' }),
  pendentes: Type.Integer({ description: 'Entregas que esperam' }),
  falhando_desde: Nullable(Type.String({ format: 'date-time' })),
  desligado_em: Nullable(
    Type.String({ format: 'date-time', description: 'Desde quando o próprio serviço o desligou' }),
  ),
  desligado_por: Nullable(
    OneOf(['recusado', 'falhas'], { description: '410 do receptor, ou cinco dias sem aceitar nada' }),
  ),
  segredo_anterior_ate: Nullable(
    Type.String({ format: 'date-time', description: 'Até quando o segredo anterior também assina' }),
  ),
}
export const Webhook = Type.Object(webhook, { title: 'Webhook' })
export const ListaDeWebhooks = ListOf('items', Webhook, 'ListaDeWebhooks')
export const WebhookCriado = Type.Object(
  {
    ...webhook,
    secret: Type.Optional(
      Type.String({ description: 'Mostrado só agora; uma repetição da criação não o traz' }),
    ),
  },
  { title: 'WebhookCriado' },
)
export const SegredoTrocado = Type.Object(
  {
    id: Type.String(),
    secret: Type.String({ description: 'Mostrado só agora' }),
    segredo_anterior_ate: DateTime,
  },
  { title: 'SegredoTrocado' },
)

const DescricaoDeEvento = Type.Object(
  {
    nome: OneOf(TIPOS_DE_EVENTO),
    descricao: Type.String(),
    permissao: Type.String({ description: 'A que a conta precisa para recebê-lo' }),
    schema: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema do corpo da entrega',
    }),
    exemplo: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'DescricaoDeEvento' },
)
export const CatalogoDeEventos = Type.Object(
  { total: Type.Integer(), eventos: Type.Array(DescricaoDeEvento) },
  { title: 'CatalogoDeEventos' },
)

const NO_FILTERS: Filtros = { tipo_agravo: [], estado: [], municipio: [], nivel: [], suspeita: [] }

export function fromCriarWebhook(body: Static<typeof CriarWebhook>): NewWebhook {
  const { url, eventos, ativo = true, headers = {}, filtros = {} } = body
  return {
    url,
    eventos,
    ativo,
    headers,
    filtros: { ...NO_FILTERS, ...fromFiltros(filtros) },
  }
}

/** Only what was sent; filters are replaced as a whole. */
export function fromAlterarWebhook(body: Static<typeof AlterarWebhook>): Partial<NewWebhook> {
  const { url, eventos, ativo, headers, filtros } = body
  return {
    ...(url !== undefined && { url }),
    ...(eventos !== undefined && { eventos }),
    ...(ativo !== undefined && { ativo }),
    ...(headers !== undefined && { headers }),
    ...(filtros !== undefined && {
      filtros: { ...NO_FILTERS, ...fromFiltros(filtros) },
    }),
  }
}

function fromFiltros(filtros: Static<typeof FiltrosDeEntrada>): Partial<Filtros> {
  return Object.fromEntries(
    (['tipo_agravo', 'estado', 'municipio', 'nivel', 'suspeita'] as const)
      .filter((nome) => filtros[nome] !== undefined)
      .map((nome) => [nome, [filtros[nome] as string | string[]].flat()]),
  )
}

export function toWebhook(row: WebhookDoDominio): Static<typeof Webhook> {
  return {
    id: row.id,
    url: row.url,
    eventos: row.eventos,
    ativo: row.ativo,
    headers: maskHeaders(row.headers),
    filtros: {
      tipo_agravo: row.tipos_agravo,
      estado: row.estados,
      municipio: row.municipios.map(String),
      nivel: row.niveis,
      suspeita: row.suspeitas,
    },
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
    usuario: { id: row.usuario_id, nome: row.usuario_nome },
    pendentes: row.pendentes,
    falhando_desde: row.falhando_desde?.toISOString() ?? null,
    desligado_em: row.desligado_em?.toISOString() ?? null,
    desligado_por: row.desligado_por,
    segredo_anterior_ate: row.secret_anterior_ate?.toISOString() ?? null,
  }
}

export function toCatalogo(): Static<typeof CatalogoDeEventos> {
  return { total: TIPOS_DE_EVENTO.length, eventos: TIPOS_DE_EVENTO.map(toDescricao) }
}

function toDescricao(nome: TipoDeEvento): Static<typeof DescricaoDeEvento> {
  const { descricao, permissao, dados, exemplo } = EVENTOS[nome]
  const texto = (description: string) => ({ type: 'string', description })
  return {
    nome,
    descricao,
    permissao,
    schema: {
      type: 'object',
      required: ['id', 'tipo', 'timestamp', 'dados', 'webhook_id'],
      properties: {
        id: texto('O evento (`evt_…`): o mesmo em cada tentativa'),
        tipo: { const: nome },
        timestamp: { type: 'string', format: 'date-time' },
        dados: { type: 'object', required: Object.keys(dados), properties: dados },
        webhook_id: texto('O webhook (`wh_…`)'),
      },
    },
    exemplo: {
      id: 'evt_Zk3xNdE2fQm0rTjvYkq1cW8a',
      tipo: nome,
      timestamp: '2026-05-18T12:00:00.000Z',
      dados: exemplo,
      webhook_id: 'wh_2fQm0rTjvYkq1cW8aZb3xNdE',
    },
  }
}
