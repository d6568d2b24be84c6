import type { Db } from '../../db/db.ts'
import { emit } from '../eventos/eventos.ts'

/** The event of an account names it and says nothing else. */
export function tellOfUsuario(
  tx: Db,
  tipo: 'usuario.criado' | 'usuario.desativado',
  id: number,
  em: Date,
): Promise<void> {
  return emit(tx, [{ tipo, chave: `usuario:${id}`, dados: { id }, em }])
}
