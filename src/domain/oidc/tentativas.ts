import { randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import { sha256 } from '../sessoes/tokens.ts'
import type { SegredosDaTentativa } from './provedores.ts'
import { SsoRefusal } from './recusa.ts'
import { insertTentativa, type TentativaRow, takeTentativa } from './tentativas.sql.ts'

export { forgetTentativas } from './tentativas.sql.ts'

/**
 * Attempts of single sign-on: ten minutes, once, by the browser that began them. State and the value of the browser's cookie
 * are stored as hashes, nonce and verifier sealed: a copy of the database ends no attempt.
 */
export const TENTATIVA_SECONDS = 600

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>

export interface Tentativa extends Omit<TentativaRow, 'segredos_cifrados' | 'expira_em'> {
  segredos: SegredosDaTentativa
}

export const newNavegador = () => randomBytes(32).toString('base64url')

export const expiryFrom = (now: Date) => new Date(now.getTime() + TENTATIVA_SECONDS * 1000)

const contextOf = (estadoHash: Buffer) => `oidc_tentativas.segredos_cifrados:${estadoHash.toString('hex')}`

export async function keepTentativa(
  { db, clock, cipher }: Needs,
  { segredos, ...tentativa }: Tentativa,
  state: string,
  navegador: string,
): Promise<void> {
  const estado_hash = sha256(state)
  await insertTentativa(db, {
    ...tentativa,
    estado_hash,
    navegador_hash: sha256(navegador),
    segredos_cifrados: cipher.encrypt(Buffer.from(JSON.stringify(segredos)), contextOf(estado_hash)),
    expira_em: expiryFrom(clock.now()),
  })
}

/** Uses an attempt up, also one that is over or of another provider. */
export async function redeemTentativa(
  { db, clock, cipher }: Needs,
  provedor: string,
  state: string,
  navegador: string,
): Promise<Tentativa> {
  const estado_hash = sha256(state)
  const row = await takeTentativa(db, estado_hash, sha256(navegador))
  if (row === null || row.provedor !== provedor || row.expira_em <= clock.now())
    throw new SsoRefusal('tentativa_invalida')
  const { segredos_cifrados, expira_em: _, ...tentativa } = row
  return {
    ...tentativa,
    segredos: JSON.parse(cipher.decrypt(segredos_cifrados, contextOf(estado_hash)).toString()),
  }
}
