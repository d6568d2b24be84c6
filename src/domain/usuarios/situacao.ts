import type { App } from '../app.ts'
import { countCasosOf } from '../casos/create.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import { findSituacao, type SituacaoDaConta } from './usuarios.sql.ts'

export type { SituacaoDaConta }

type Needs = Pick<App, 'db' | 'clock'>

export function situacaoOf({ db, clock }: Needs, { id }: { id: number }): Promise<SituacaoDaConta> {
  return findSituacao(db, id, clock.now())
}

/** Effect that a deactivation would have now. */
export interface EfeitoDaDesativacao {
  sessoes_encerradas: number
  grupos_removidos: number
  /** Cases that the account answers for: they stay with it unless they are handed over. */
  casos: number
}

export async function deactivationEffect(
  app: Needs,
  usuario: UsuarioWithRights,
): Promise<EfeitoDaDesativacao> {
  const { sessoes_ativas } = await situacaoOf(app, usuario)
  return {
    sessoes_encerradas: sessoes_ativas,
    grupos_removidos: usuario.grupos.length,
    casos: await countCasosOf(app.db, usuario.id),
  }
}
