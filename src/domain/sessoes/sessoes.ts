import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { findSessaoOfToken } from './refresh.sql.ts'
import { endSessao, endSessoes, listSessoes, type SessaoRow } from './sessoes.sql.ts'
import { sha256 } from './tokens.ts'

export { endSessoes, forgetSessoes } from './sessoes.sql.ts'

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export function listSessoesOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  usuarioId: number,
): Promise<SessaoRow[]> {
  return listSessoes(db, usuarioId, clock.now())
}

/** Ends one of the caller's own sessions. */
export async function revokeSessao(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!SESSION_ID.test(id)) throw new AppError('SESSION_NOT_FOUND')
  await db.transaction(async (tx) => {
    const ended = await endSessao(tx, { id, usuario_id: caller.id }, clock.now())
    if (ended === 0) throw new AppError('SESSION_NOT_FOUND')
    await auditoria.record(tx, {
      acao: 'sessao.encerrada',
      ...by(caller),
      recurso: 'sessao',
      recurso_id: id,
    })
  })
}

/** Ends the session of the given refresh token (which must be the caller's), the current one, or all of them. */
export async function logout(
  app: Needs,
  caller: Caller,
  { refresh_token, everywhere }: { refresh_token: string | null; everywhere: boolean },
): Promise<void> {
  const { db, clock, auditoria } = app
  const sessao = refresh_token === null ? null : await findSessaoOfToken(db, sha256(refresh_token))
  if (refresh_token !== null && sessao?.usuario_id !== caller.id) throw new AppError('INVALID_REFRESH_TOKEN')
  await db.transaction(async (tx) => {
    const id = sessao?.id ?? caller.sessao_id
    if (everywhere) await endSessoes(tx, caller.id, clock.now())
    else await endSessao(tx, { id, usuario_id: caller.id }, clock.now())
    await auditoria.record(tx, {
      acao: 'logout',
      ...by(caller),
      recurso: 'sessao',
      recurso_id: everywhere ? null : id,
      detalhes: { everywhere },
    })
  })
}
