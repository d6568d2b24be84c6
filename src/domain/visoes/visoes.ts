import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import {
  countVisoesOf,
  deleteVisaoOf,
  findVisaoOf,
  insertVisao,
  isMember,
  isNameTaken,
  listVisoes,
  lockVisoesOf,
  type VisaoFields,
  type VisaoRow,
} from './visoes.sql.ts'

/**
 * Saved views: the filter of a screen under a name, as its address has it. One that is shared with a group is read by its members and
 * deleted by its owner; it shows each of them what they may see.
 */

type Needs = Pick<App, 'db' | 'clock'>

/** Screens that have views. */
export const TELAS = ['casos', 'painel'] as const
/** Views of one account; those of its groups come beside them. */
export const MAX_VISOES = 50
const MOST_SHOWN = 500

export function allVisoes({ db }: Pick<App, 'db'>, { id }: Pick<Caller, 'id'>): Promise<VisaoRow[]> {
  return listVisoes(db, id, MOST_SHOWN)
}

export function createVisao({ db, clock }: Needs, caller: Caller, visao: VisaoFields): Promise<VisaoRow> {
  return db.transaction(async (tx) => {
    await lockVisoesOf(tx, caller.id)
    if ((await countVisoesOf(tx, caller.id)) >= MAX_VISOES)
      throw invalid('body', ['visoes'], 'TOO_MANY', { limit: MAX_VISOES })
    await assertFits(tx, caller, visao)
    const id = await insertVisao(tx, caller.id, visao, clock.now())
    return (await findVisaoOf(tx, caller.id, id)) as VisaoRow
  })
}

export async function removeVisao({ db }: Pick<App, 'db'>, caller: Caller, id: number): Promise<void> {
  if ((await deleteVisaoOf(db, caller.id, id)) === 0) throw new AppError('NOT_FOUND')
}

/** Refuses a name that another view of the screen has, and a group that the account is not in. */
async function assertFits(tx: Db, { id }: Pick<Caller, 'id'>, visao: VisaoFields): Promise<void> {
  if (await isNameTaken(tx, id, visao)) throw invalid('body', ['nome'], 'DUPLICATE', {})
  const { grupo_id } = visao
  if (grupo_id !== null && !(await isMember(tx, id, grupo_id)))
    throw invalid('body', ['grupo_id'], 'UNKNOWN', { ids: [grupo_id] })
}
