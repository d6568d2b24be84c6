import type { ExcluidoRow } from '../../domain/casos/casos.sql.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { DateTime, described, Id, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { atMidnight, NullableText } from './caso-members.shapes.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

const CasoExcluido = Type.Object(
  {
    id: Id,
    versao: described('De `If-Match` para remover em definitivo', Type.Integer()),
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    numero_notificacao: Type.String(),
    data_notificacao: DateTime,
    paciente: Type.Object({ nome: NullableText }),
    excluido_em: DateTime,
    excluido_por: Pessoa,
  },
  { title: 'CasoExcluido' },
)
export const ListaDeExcluidos = ListOf('items', CasoExcluido, 'ListaDeExcluidos')

export function toExcluido(row: ExcluidoRow): Static<typeof CasoExcluido> {
  return {
    id: row.id,
    versao: row.versao,
    tipo_agravo: row.tipo_agravo as (typeof TIPOS_AGRAVO)[number],
    numero_notificacao: row.numero_notificacao,
    data_notificacao: atMidnight(row.data_notificacao),
    paciente: { nome: row.paciente_iniciais },
    excluido_em: row.excluido_em.toISOString(),
    excluido_por:
      row.excluido_por_nome === null ? null : { id: row.excluido_por_id ?? 0, nome: row.excluido_por_nome },
  }
}
