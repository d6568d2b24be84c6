import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { transferResponsibility } from '../casos/create.ts'
import { findReachedWithRights, getUsuarioWithRights, lockReached, versaoDaConta } from '../contas/contas.ts'
import { endJobsOf } from '../jobs/jobs.ts'
import { assertAdministradorRemains, assertNotAbove } from '../permissoes/rights.ts'
import { endSessoes } from '../sessoes/sessoes.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import { announceUsuario } from './announce.ts'
import { assertHolds } from './grants.ts'
import { deactivation, deleteUsuario, replaceUsuarioGrupos, updateUsuario } from './usuarios.sql.ts'

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

/** Deletes the account; its audit records stay, with its name. */
export async function removeUsuario(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  id: number,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    const usuario = await lockReached(tx, caller, id)
    await assertNotAbove(tx, caller, id)
    assertVersao(ifMatch, versaoDaConta(await getUsuarioWithRights({ db: tx }, id)))
    await endJobsOf(tx, id, clock.now())
    await deleteUsuario(tx, id)
    await assertAdministradorRemains(tx, 'path', 'id')
    await announceUsuario(tx, 'usuario.desativado', id, clock.now())
    const detalhes = { nome: usuario.nome }
    await auditoria.record(tx, {
      acao: 'usuario.removido',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: id,
      detalhes,
    })
  })
}

export interface Removal {
  usuario_desativado: boolean
  sessoes_encerradas: number
  casos_transferidos: number
  grupos_removidos: number
}

/** Soft delete: deactivates, leaves all groups, ends all sessions; with `force` (administrators) deletes the account. */
export async function excludeUsuario(
  app: Needs & Pick<App, 'territories'>,
  caller: Caller,
  id: number,
  { motivo, transferir_para, force }: { motivo: string; transferir_para: number | null; force: boolean },
  ifMatch: IfMatch,
): Promise<Removal> {
  if (force) assertHolds(caller, 'admin')
  const { db, clock, auditoria, territories } = app
  const now = clock.now()
  return db.transaction(async (tx) => {
    const usuario = await lockReached(tx, caller, id)
    await assertNotAbove(tx, caller, id)
    const before = await getUsuarioWithRights({ db: tx }, id)
    assertVersao(ifMatch, versaoDaConta(before))
    let casos_transferidos = 0
    if (transferir_para !== null) {
      const heir = transferir_para === id ? null : await findReachedWithRights(tx, caller, transferir_para)
      if (!heir?.ativo) throw invalid('query', ['transferir_para'], 'UNKNOWN', { ids: [transferir_para] })
      const isAdmin = heir.admin || heir.permissoes_efetivas.includes('admin')
      const territorio = isAdmin ? null : territories.of(heir.territorios)
      casos_transferidos = await transferResponsibility(tx, usuario, { ...heir, territorio }, caller, now)
    }
    const sessoes_encerradas = await endSessoes(tx, id, now)
    await endJobsOf(tx, id, now)
    await replaceUsuarioGrupos(tx, id, [])
    if (force) await deleteUsuario(tx, id)
    else if (before.ativo) await updateUsuario(tx, id, deactivation(now), caller, now)
    await assertAdministradorRemains(tx, 'path', 'id')
    const done: Removal = {
      usuario_desativado: before.ativo,
      sessoes_encerradas,
      casos_transferidos,
      grupos_removidos: before.grupos.length,
    }
    if (force || before.ativo) await announceUsuario(tx, 'usuario.desativado', id, now)
    const detalhes = { nome: before.nome, motivo, transferir_para, force, ...done }
    const acao = force ? 'usuario.removido' : 'usuario.desativado'
    await auditoria.record(tx, { acao, ...by(caller), recurso: 'usuario', recurso_id: id, detalhes })
    return done
  })
}
