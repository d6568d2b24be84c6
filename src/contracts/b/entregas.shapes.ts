import type { EntregaRow } from '../../domain/webhooks/entregas.sql.ts'
import {
  type Entrega as EntregaDoDominio,
  ESTADOS_DE_ENTREGA,
  MOTIVOS_DE_ENTREGA,
} from '../../domain/webhooks/entregas.ts'
import { DateTime, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

export const EntregaPath = Type.Object({
  id: Type.String({ maxLength: 60 }),
  entrega_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})

export const RepetirEventos = Type.Object(
  {
    desde: Type.String({ format: 'date-time', description: 'Com fuso; até 30 dias atrás' }),
    simular: Type.Optional(Type.Boolean({ description: 'Só conta, com 200' })),
  },
  { title: 'RepetirEventos', examples: [{ desde: '2026-05-18T00:00:00-03:00' }] },
)
export const EventosRepetidos = Type.Object(
  {
    message: Type.String(),
    total: Type.Integer({ description: 'Eventos que serão entregues de novo' }),
  },
  { title: 'EventosRepetidos' },
)

const Momento = Nullable(Type.String({ format: 'date-time' }))
const entrega = {
  id: Type.Integer(),
  webhook_id: Type.String(),
  evento_id: Type.String({ description: 'Também o cabeçalho `webhook-id`' }),
  tipo: Type.String(),
  motivo: OneOf(MOTIVOS_DE_ENTREGA),
  estado: OneOf(ESTADOS_DE_ENTREGA),
  tentativas: Type.Integer(),
  ultima_tentativa: Momento,
  proxima_tentativa: Momento,
  status_http: Nullable(Type.Integer({ description: 'Da última resposta' })),
  erro: Nullable(
    Type.String({
      description:
        'Por que não houve resposta: refused_target, dns, connection, tls, timeout ou protocol; ' +
        'out_of_territory: não foi enviada, porque o território do dono encolheu',
    }),
  ),
  duracao_ms: Nullable(Type.Integer()),
  criado_em: DateTime,
  concluida_em: Momento,
}
export const Entrega = Type.Object(entrega, { title: 'Entrega' })
export const ListaDeEntregas = ListOf('items', Entrega, 'ListaDeEntregas')
export const EntregaDetalhada = Type.Object(
  {
    ...entrega,
    corpo: Nullable(
      Type.String({ description: 'O corpo enviado, tal e qual; só para quem pode ler o que ele conta' }),
    ),
    resposta: Nullable(
      Type.String({ description: 'O primeiro kilobyte da última resposta; só para o dono do webhook' }),
    ),
  },
  { title: 'EntregaDetalhada' },
)

export function toEntrega(row: EntregaRow): Static<typeof Entrega> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    evento_id: row.evento_id,
    tipo: row.tipo,
    motivo: row.motivo,
    estado: row.estado,
    tentativas: row.tentativas,
    ultima_tentativa: row.ultima_tentativa?.toISOString() ?? null,
    proxima_tentativa: row.proxima_tentativa?.toISOString() ?? null,
    status_http: row.status_http,
    erro: row.erro,
    duracao_ms: row.duracao_ms,
    criado_em: row.criado_em.toISOString(),
    concluida_em: row.concluida_em?.toISOString() ?? null,
  }
}

export function toEntregaDetalhada(row: EntregaDoDominio): Static<typeof EntregaDetalhada> {
  return { ...toEntrega(row), corpo: row.corpo, resposta: row.resposta }
}
