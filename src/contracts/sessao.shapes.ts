import { deviceOf } from '../domain/sessoes/device.ts'
import type { SessaoRow } from '../domain/sessoes/sessoes.sql.ts'
import { DateTime, Nullable } from '../http/schemas.ts'
import { Type } from '../http/type.ts'

export const Sessao = Type.Object(
  {
    id: Type.String(),
    device: Type.String(),
    ip_address: Nullable(Type.String()),
    location: Nullable(Type.String()),
    created_at: DateTime,
    last_activity: DateTime,
    current: Type.Boolean(),
  },
  { title: 'Sessao' },
)

export function toSessao(row: SessaoRow, currentId: string) {
  return {
    id: row.id,
    device: deviceOf(row.agente),
    ip_address: row.endereco_ip,
    location: null,
    created_at: row.criado_em.toISOString(),
    last_activity: row.ultima_atividade.toISOString(),
    current: row.id === currentId,
  }
}
