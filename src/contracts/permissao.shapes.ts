import type { PermissaoRow } from '../domain/permissoes/permissoes.sql.ts'
import { Id, Nullable } from '../http/schemas.ts'
import { Type } from '../http/type.ts'

/** A permission as both descriptions list it: spec 2.2 and 2.5. */
export const PermissaoItem = Type.Object(
  { id: Id, nome: Type.String(), descricao: Nullable(Type.String()) },
  { title: 'Permissao' },
)

export function toPermissaoItem({ id, nome, descricao }: PermissaoRow) {
  return { id, nome, descricao }
}
