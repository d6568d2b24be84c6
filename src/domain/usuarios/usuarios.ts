import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import { findUsuario, type UsuarioRow } from './usuarios.sql.ts'

export async function getUsuario({ db }: { db: Db }, id: number): Promise<UsuarioRow> {
  const usuario = await findUsuario(db, id)
  if (usuario === null) throw new AppError('NOT_FOUND')
  return usuario
}
