import { dateInBrazil } from '../../../brasil/calendar.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { enqueueEmail } from '../../emails/emails.ts'
import { countFusoesDoDia, listAdministradores, lockFusoesDe } from './fusoes.sql.ts'

/** Merges of one account in a day that nobody is told about. */
export const FUSOES_DO_DIA = 50

/**
 * Tells every administrator by mail, once a day for each account, that it merged many cases: a merge takes a case out of all counts.
 * In the transaction of the merge that is one too many; merges of one account queue from here on to their commit.
 */
export async function avisarMuitasFusoes(tx: Db, caller: Caller, now: Date): Promise<void> {
  await lockFusoesDe(tx, caller.id)
  if ((await countFusoesDoDia(tx, caller.id, dateInBrazil(now))) !== FUSOES_DO_DIA + 1) return
  for (const { id, email } of await listAdministradores(tx))
    await enqueueEmail(tx, { tipo: 'muitas_fusoes', para: email, usuario_id: id })
}
