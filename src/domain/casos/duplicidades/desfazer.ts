import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, because } from '../../../errors/catalogue.ts'
import { by } from '../../auditoria/auditoria.ts'
import { announceCasos } from '../announce.ts'
import {
  type CasoWithSigilo,
  findCasoWithSigilo,
  type LockedCaso,
  lockCaso,
  unmarkExcluido,
} from '../casos.sql.ts'
import { rewriteCaso, subjectOf, subjectOfCampos, writeHistory } from '../create.ts'
import { toCampos } from '../sigilo.ts'
import { keepChanged, keepRestored } from './escrita.ts'
import { contextNow, type FusaoNeeds, getFusao, openMudancas } from './fusao.ts'
import { type FusaoRow, lockFusao, markFusaoDesfeita, reopenPar } from './fusoes.sql.ts'
import { type PlanoDeVolta, planVolta } from './plano.ts'

/** Undo of a merge: the absorbed case is back, the principal as it was, but for what was changed since. */

export interface Desfeita {
  fusao: FusaoRow
  campos_alterados: string[]
  mantidos: string[]
}

export async function desfazerFusao(
  app: FusaoNeeds,
  caller: Caller,
  id: number,
  simular: boolean,
): Promise<Desfeita> {
  return app.db.transaction(async (tx) => {
    const fusao = await getFusao(tx, app, caller, id)
    if (!(await lockFusao(tx, id))) throw because('MERGE_UNDONE')
    const { principal, absorvido } = await lockBoth(tx, fusao)
    if (principal.excluido)
      throw because(principal.fundido_com === null ? 'PRINCIPAL_EXCLUDED' : 'CASE_MERGED')
    const row = (await findCasoWithSigilo(tx, principal.id)) as CasoWithSigilo
    const now = toCampos(app.cipher, row)
    const context = contextNow(app)
    const intact = row.versao === fusao.principal_versao
    const plano = planVolta(now, openMudancas(app, fusao), intact, context)
    if (!simular) await writeVolta(app, tx, caller, { fusao, row, absorvido, plano })
    return { fusao, campos_alterados: plano.alterados, mantidos: plano.mantidos }
  })
}

async function lockBoth(tx: Db, { principal_id, absorvido_id }: FusaoRow) {
  const byId = new Map<number, LockedCaso>()
  for (const id of [principal_id, absorvido_id].sort((a, b) => a - b)) {
    const locked = await lockCaso(tx, id)
    if (locked === null) throw new AppError('NOT_FOUND')
    byId.set(id, locked)
  }
  return {
    principal: byId.get(principal_id) as LockedCaso,
    absorvido: byId.get(absorvido_id) as LockedCaso,
  }
}

interface Volta {
  fusao: FusaoRow
  row: CasoWithSigilo
  absorvido: LockedCaso
  plano: PlanoDeVolta
}

async function writeVolta(
  app: FusaoNeeds,
  tx: Db,
  caller: Caller,
  { fusao, row, absorvido, plano }: Volta,
): Promise<void> {
  const now = app.clock.now()
  const { campos, alterados, mantidos } = plano
  const before = toCampos(app.cipher, row)
  const { id, principal_id, absorvido_numero, principal_numero } = fusao
  const versao = await rewriteCaso(app, tx, row, before, campos, {
    ...{ acao: 'fusao_desfeita', alterados, usuario: caller, now },
    outros: {
      absorvido: { id: absorvido.id, numero_notificacao: absorvido_numero },
      ...(mantidos.length > 0 && { mantidos: { campos: mantidos } }),
    },
  })
  await keepChanged(app, tx, principal_id, campos, alterados)
  const back = absorvido.versao + 1
  await unmark(tx, absorvido.id, back, now)
  await keepRestored(app, tx, absorvido.id)
  const alteracoes = { principal: { id: principal_id, numero_notificacao: principal_numero } }
  await writeHistory(app, tx, caller, { id: absorvido.id, versao: back, acao: 'separado', alteracoes }, now)
  await markFusaoDesfeita(tx, id, caller, now)
  await reopenPar(tx, id)
  const restored = { ...subjectOf(absorvido), id: absorvido.id, versao: back, em: now }
  await announceCasos(tx, 'agravo.restaurado', [restored])
  if (alterados.length > 0) {
    const changed = { ...subjectOfCampos(campos), id: principal_id, versao, em: now }
    await announceCasos(tx, 'agravo.atualizado', [{ ...changed, before: subjectOfCampos(before) }])
  }
  await app.auditoria.record(tx, {
    acao: 'caso.fusao_desfeita',
    ...by(caller),
    recurso: 'caso',
    recurso_id: principal_id,
    detalhes: { fusao_id: id, absorvido_id: absorvido.id, mantidos },
  })
}

/** A notification that was registered again meanwhile stands in the way. */
async function unmark(tx: Db, id: number, versao: number, now: Date): Promise<void> {
  try {
    await unmarkExcluido(tx, id, versao, now)
  } catch (error) {
    const taken = error instanceof AppError && error.is('VALIDATION_ERROR')
    throw taken ? because('NOTIFICATION_TAKEN') : error
  }
}
