import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { findCredentials, touchUltimoLogin } from '../usuarios/usuarios.sql.ts'
import { ACCESS_TOKEN_SECONDS } from './access-tokens.ts'
import { insertRefreshToken, insertSessao } from './sessoes.sql.ts'

const REFRESH_TOKEN_DAYS = 7
const DAY_MS = 86_400_000

/** Where a login comes from, as the session list shows it. */
export interface Origin {
  endereco_ip: string | null
  agente: string | null
}

export interface LoginResult {
  access_token: string
  refresh_token: string
  expires_in: number
  user: { id: number; nome: string; email: string }
}

/** Unknown email and wrong password are told apart neither by the answer nor by the time it takes. */
export async function login(
  app: Pick<App, 'db' | 'clock' | 'passwords' | 'accessTokens'>,
  { email, senha }: { email: string; senha: string },
  origin: Origin,
): Promise<LoginResult> {
  const usuario = await findCredentials(app.db, email)
  const matches = await app.passwords.verify(senha, usuario?.senha_hash ?? null)
  if (usuario === null || !matches) throw new AppError('INVALID_CREDENTIALS')
  if (!usuario.ativo) throw new AppError('ACCOUNT_INACTIVE')

  const sessao_id = randomUUID()
  const refresh_token = randomBytes(32).toString('base64url')
  const criado_em = app.clock.now()
  await app.db.transaction(async (tx) => {
    const expira_em = new Date(criado_em.getTime() + REFRESH_TOKEN_DAYS * DAY_MS)
    await insertSessao(tx, { id: sessao_id, usuario_id: usuario.id, criado_em, expira_em, ...origin })
    await insertRefreshToken(tx, { hash: sha256(refresh_token), sessao_id, criado_em })
    await touchUltimoLogin(tx, usuario.id, criado_em)
  })
  return {
    access_token: await app.accessTokens.sign({ usuario_id: usuario.id, sessao_id }),
    refresh_token,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: { id: usuario.id, nome: usuario.nome, email: usuario.email },
  }
}

const sha256 = (token: string) => createHash('sha256').update(token).digest()
