import type { Caller } from '../../caller/caller.ts'
import type { LugarDoTerritorio } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getReached, getUsuarioWithRights, lockReached, versaoDaConta } from '../contas/contas.ts'
import { assertNotAbove } from '../permissoes/rights.ts'
import { assertMayBind, replaceTerritorios } from '../territorios/alcance.ts'
import { knownLugares, type LugarComNome, withNames } from '../territorios/lugares.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import { announceUsuario } from './announce.ts'
import { assertHolds } from './grants.ts'
import { updateUsuario } from './usuarios.sql.ts'

type Reference = Pick<App, 'municipios' | 'territorios'>

export async function getTerritorios(
  app: { db: Db } & Reference,
  caller: Caller,
  id: number,
): Promise<LugarComNome[]> {
  return withNames(app, (await getReached(app, caller, id)).territorios)
}

/**
 * Replaces the places of an account. Nobody gives more than their own territory, to an account out of their reach or above them;
 * of one's own account only an administrator, who has no bounds, changes it. The same places again are no change.
 */
export async function changeTerritorios(
  app: Pick<App, 'db' | 'clock' | 'auditoria'> & Reference,
  caller: Caller,
  id: number,
  given: LugarDoTerritorio[],
  ifMatch: IfMatch,
): Promise<LugarComNome[]> {
  const lugares = knownLugares(app, given)
  return app.db.transaction(async (tx) => {
    const { territorios: antes } = await lockReached(tx, caller, id)
    if (caller.id === id) assertHolds(caller, 'admin')
    await assertNotAbove(tx, caller, id)
    assertMayBind(app, caller, lugares)
    assertVersao(ifMatch, versaoDaConta(await getUsuarioWithRights({ db: tx }, id)))
    if (areSame(antes, lugares)) return withNames(app, antes)
    const now = app.clock.now()
    await replaceTerritorios(tx, id, lugares)
    await updateUsuario(tx, id, {}, caller, now)
    await announceUsuario(tx, 'usuario.territorio_alterado', id, now)
    await app.auditoria.record(tx, {
      acao: 'usuario.territorios_alterados',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: id,
      detalhes: { antes, depois: lugares },
    })
    return getTerritorios({ ...app, db: tx }, caller, id)
  })
}

function areSame(antes: LugarDoTerritorio[], depois: LugarDoTerritorio[]): boolean {
  const codes = new Set(depois.map(({ codigo }) => codigo))
  return antes.length === codes.size && antes.every(({ codigo }) => codes.has(codigo))
}
