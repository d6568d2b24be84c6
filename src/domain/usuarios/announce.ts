import type { Db } from '../../db/db.ts'
import { emit } from '../eventos/eventos.ts'

/** Emits an event with the id of the account and no other data. */
export function announceUsuario(
  tx: Db,
  tipo: 'usuario.criado' | 'usuario.desativado' | 'usuario.territorio_alterado' | 'usuario.chaves_alteradas',
  id: number,
  em: Date,
): Promise<void> {
  return emit(tx, [{ tipo, chave: `usuario:${id}`, dados: { id }, em }])
}
