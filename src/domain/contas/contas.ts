import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import { findUsuario, findUsuarioWithRights, type UsuarioRow, type UsuarioWithRights } from './contas.sql.ts'

export {
  findUsuario,
  findUsuarioForUpdate,
  findUsuarioWithRights,
  listUsuariosWithRights,
} from './contas.sql.ts'

export async function getUsuario({ db }: { db: Db }, id: number): Promise<UsuarioRow> {
  return (await findUsuario(db, id)) ?? notFound()
}

export async function getUsuarioWithRights({ db }: { db: Db }, id: number): Promise<UsuarioWithRights> {
  return (await findUsuarioWithRights(db, id)) ?? notFound()
}

function notFound(): never {
  throw new AppError('NOT_FOUND')
}
