import { AppError, because } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { ConsoleCaller } from '../sessoes/console.ts'
import { checkSecondFactor } from '../sessoes/login.ts'
import { sha256 } from '../sessoes/tokens.ts'
import {
  type ConcluirNeeds,
  type Entrada,
  enter,
  type Navegador,
  proveConta,
  recordRecusa,
} from './concluir.ts'
import type { DecisaoDoSso } from './conta.ts'
import type { Pessoa } from './pessoa.ts'
import { SsoRefusal } from './recusa.ts'
import { findSegundoFator, insertSegundoFator, useSegundoFator } from './tentativas.sql.ts'
import { expiryFrom, newNavegador } from './tentativas.ts'

/**
 * Second factor after the provider's word: nothing is linked before the code is right. Kept for ten minutes under a new value
 * of the browser's cookie, sealed, since it holds claims.
 */
interface Guardado {
  provedor: string
  pessoa: Pessoa
  decisao: Exclude<DecisaoDoSso, { kind: 'create' }>
}

const contextOf = (hash: Buffer) => `oidc_segundos_fatores.decisao_cifrada:${hash.toString('hex')}`

/** Returns the value of the cookie that the code is to come with. */
export async function askForCode(
  { db, clock, cipher }: Pick<App, 'db' | 'clock' | 'cipher'>,
  { regras, pessoa, decisao, cookie_anterior_hash }: Entrada,
): Promise<string> {
  if (decisao.kind === 'create') throw new Error('a new account has no second factor')
  const navegador = newNavegador()
  const navegador_hash = sha256(navegador)
  const guardado: Guardado = { provedor: regras.id, pessoa, decisao }
  await insertSegundoFator(db, {
    navegador_hash,
    usuario_id: decisao.usuario_id,
    decisao_cifrada: cipher.encrypt(Buffer.from(JSON.stringify(guardado)), contextOf(navegador_hash)),
    cookie_anterior_hash,
    expira_em: expiryFrom(clock.now()),
  })
  return navegador
}

type Needs = ConcluirNeeds & Pick<App, 'cipher' | 'backupCodeKey' | 'provedores'>

/** Wrong codes count as at a login, and lock as there. */
export async function completeSso(
  app: Needs,
  cookie: string | null,
  code: string,
  navegador: Navegador,
): Promise<ConsoleCaller> {
  const navegador_hash = sha256(cookie ?? '')
  const row = await findSegundoFator(app.db, navegador_hash, app.clock.now())
  if (row === null) throw new AppError('INVALID_SSO_ATTEMPT')
  const opened = app.cipher.decrypt(row.decisao_cifrada, contextOf(navegador_hash)).toString()
  const { provedor, pessoa, decisao }: Guardado = JSON.parse(opened)
  const regras = app.provedores.find(provedor)?.regras
  if (regras === undefined) throw new AppError('INVALID_SSO_ATTEMPT')
  const { cookie_anterior_hash } = row
  try {
    await checkCode(app, row.usuario_id, code, navegador)
    return await enter(app, { regras, pessoa, decisao, cookie_anterior_hash }, navegador, async (tx) => {
      if ((await useSegundoFator(tx, navegador_hash)) === 0) throw new AppError('INVALID_SSO_ATTEMPT')
    })
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error
    await recordRecusa(app, provedor, error.motivo, navegador.origin)
    throw because('SSO_RULES')
  }
}

/** In a hashing slot, as at a login: concurrent requests cannot make many more guesses than allowed. */
function checkCode(app: Needs, usuarioId: number, code: string, { origin }: Navegador): Promise<void> {
  return app.passwords.turn(origin, async () => {
    const { usuario, attempt } = await proveConta(app, usuarioId, origin)
    // Turned off meanwhile: the provider's word is enough, as it would be now.
    if (usuario.mfa_ativo) await checkSecondFactor(app, usuario, code, attempt, origin)
  })
}
