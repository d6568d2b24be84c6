import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { TipoRow } from '../../domain/casos/tipos.sql.ts'
import { OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'

export const TipoAgravo = Type.Object(
  {
    codigo: OneOf(TIPOS_AGRAVO),
    nome: Type.String(),
    cid10_codes: Type.Array(Type.String()),
    descricao: Type.String(),
    notificacao_obrigatoria: Type.Boolean(),
  },
  { title: 'TipoAgravo' },
)
export const TiposDeAgravo = Type.Object(
  { total: Type.Integer(), tipos: Type.Array(TipoAgravo) },
  { title: 'TiposDeAgravo' },
)

export function toTipo({ codigo, nome, cid10_codes, descricao, notificacao_obrigatoria }: TipoRow) {
  return {
    codigo: codigo as (typeof TIPOS_AGRAVO)[number],
    nome,
    cid10_codes,
    descricao,
    notificacao_obrigatoria,
  }
}
