import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import type { UsuarioRow } from '../contas/contas.sql.ts'
import { lockReached } from '../contas/contas.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { removeMfa } from '../mfa/mfa.ts'
import { notify } from '../notificacoes/notificacoes.ts'
import { assertNotAbove } from '../permissoes/rights.ts'
import { endSessoes } from '../sessoes/sessoes.ts'

/** Ends of somebody else's access: recorded, and told to the owner by mail. Returns the number of sessions ended. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'mailer'>

/**
 * Ends the second factor of somebody who lost it, and the sessions. Of one's own account that needs password and code
 * (`disableMfa`): a stolen session must not be enough.
 */
export function endMfa(app: Needs, caller: Caller, id: number): Promise<number> {
  if (caller.id === id) throw invalid('path', ['id'], 'NOT_EDITABLE', {})
  return end(app, caller, id, async (tx, usuario, now) => {
    if ((await removeMfa(tx, id, new Date(0))) === 0) throw new AppError('CONFLICT')
    const sessoes_encerradas = await endSessoes(tx, id, now)
    await enqueueEmail(tx, { tipo: 'mfa_encerrado', para: usuario.email, usuario_id: id })
    await notify(tx, id, 'mfa_encerrado', now)
    return { acao: 'mfa.encerrado', sessoes_encerradas }
  })
}

/** Ends all sessions of an account; of one's own all but the present one. Without any there is nothing to tell. */
export function endSessoesOf(app: Needs, caller: Caller, id: number): Promise<number> {
  return end(app, caller, id, async (tx, usuario, now) => {
    const sessoes_encerradas = await endSessoes(tx, id, now, caller.id === id ? caller.sessao_id : null)
    if (sessoes_encerradas > 0 && caller.id !== id) {
      await enqueueEmail(tx, { tipo: 'sessoes_encerradas', para: usuario.email, usuario_id: id })
      await notify(tx, id, 'sessoes_encerradas', now)
    }
    return { acao: 'sessoes.encerradas', sessoes_encerradas }
  })
}

interface Ended {
  acao: string
  sessoes_encerradas: number
}

async function end(
  { db, clock, auditoria, mailer }: Needs,
  caller: Caller,
  id: number,
  act: (tx: Db, usuario: UsuarioRow, now: Date) => Promise<Ended>,
): Promise<number> {
  const ended = await db.transaction(async (tx) => {
    const usuario = await lockReached(tx, caller, id)
    await assertNotAbove(tx, caller, id)
    const { acao, sessoes_encerradas } = await act(tx, usuario, clock.now())
    const detalhes = { sessoes_encerradas }
    await auditoria.record(tx, { acao, ...by(caller), recurso: 'usuario', recurso_id: id, detalhes })
    return sessoes_encerradas
  })
  mailer.wake()
  return ended
}
