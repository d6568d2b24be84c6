import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { getUsuario } from '../contas/contas.ts'
import { listSessoesOf } from '../sessoes/sessoes.ts'
import { type Logins, summariseLogins } from './seguranca.sql.ts'

const DAY_MS = 86_400_000
const PERIOD_DAYS = 30
const OLD_PASSWORD_DAYS = 180
const MANY_SESSIONS = 5
const MANY_FAILURES = 5
const MANY_ADDRESSES = 5

export const PASSWORD_STRENGTHS = ['muito_fraca', 'fraca', 'media', 'forte', 'muito_forte'] as const

export interface Facts {
  forca: number
  password_age_days: number
  mfa_enabled: boolean
  email_verificado: boolean
  active_sessions: number
  logins: Logins
}

export async function securityFacts(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  caller: Caller,
): Promise<Facts> {
  const now = clock.now()
  const usuario = await getUsuario({ db }, caller.id)
  return {
    forca: usuario.senha_forca,
    password_age_days: Math.floor((now.getTime() - usuario.senha_alterada_em.getTime()) / DAY_MS),
    mfa_enabled: usuario.mfa_habilitado,
    email_verificado: usuario.email_verificado,
    active_sessions: (await listSessoesOf({ db, clock }, caller.id)).length,
    logins: await summariseLogins(db, caller.id, new Date(now.getTime() - PERIOD_DAYS * DAY_MS)),
  }
}

/**
 * Score from 0 to 100: second factor 35, password strength up to 30 (7.5 a step), password younger than 180 days 10, verified email 10,
 * no suspicious activity 15. A missing part yields a recommendation.
 */
export function scoreOf(facts: Facts): number {
  const points =
    (facts.mfa_enabled ? 35 : 0) +
    facts.forca * 7.5 +
    (facts.password_age_days < OLD_PASSWORD_DAYS ? 10 : 0) +
    (facts.email_verificado ? 10 : 0) +
    (suspiciousActivities(facts).length === 0 ? 15 : 0)
  return Math.round(points)
}

/** Warnings for the owner about the last 30 days. */
export function suspiciousActivities({ logins }: Facts): string[] {
  const activities: string[] = []
  if (logins.failed >= MANY_FAILURES)
    activities.push(`${logins.failed} tentativas de login falharam em ${PERIOD_DAYS} dias`)
  if (logins.bloqueios > 0) activities.push('A conta foi bloqueada por excesso de tentativas')
  if (logins.reusos > 0)
    activities.push('Um refresh token já usado foi apresentado de novo; a sessão foi encerrada')
  if (logins.enderecos >= MANY_ADDRESSES)
    activities.push(`Logins de ${logins.enderecos} endereços diferentes`)
  return activities
}

export function recommendationsOf(facts: Facts): string[] {
  const recommendations: string[] = []
  if (!facts.mfa_enabled) recommendations.push('Ative o segundo fator de autenticação')
  if (facts.forca < 3) recommendations.push('Use uma senha mais longa')
  if (facts.password_age_days >= OLD_PASSWORD_DAYS)
    recommendations.push('Troque a senha, que tem mais de 180 dias')
  if (!facts.email_verificado) recommendations.push('Verifique o seu e-mail')
  if (facts.active_sessions > MANY_SESSIONS) recommendations.push('Encerre as sessões que não usa')
  if (suspiciousActivities(facts).length > 0)
    recommendations.push('Confira as sessões abertas e troque a senha')
  return recommendations
}
