import { createHash } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getReached } from '../contas/contas.ts'
import { assertWithinReach } from '../territorios/alcance.ts'
import { type FotoRow, findFoto, upsertFoto } from './fotos.sql.ts'
import { reencode } from './image.ts'

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'images'>

export async function setFoto(
  app: Needs,
  caller: Caller,
  usuarioId: number,
  content: Buffer,
): Promise<string> {
  await getReached(app, caller, usuarioId)
  const foto = await app.images(() => reencode(content, 'file'))
  const versao = createHash('sha256').update(foto.grande).digest('hex').slice(0, 16)
  await app.db.transaction(async (tx) => {
    await getReached({ db: tx }, caller, usuarioId)
    await upsertFoto(tx, usuarioId, { ...foto, versao }, app.clock.now())
    await app.auditoria.record(tx, {
      acao: 'usuario.foto_alterada',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: usuarioId,
    })
  })
  return versao
}

export async function getFoto(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  usuarioId: number,
  pequena: boolean,
): Promise<FotoRow> {
  await assertWithinReach(db, caller, usuarioId)
  const foto = await findFoto(db, usuarioId, pequena)
  if (foto === null) throw new AppError('NOT_FOUND')
  return foto
}
