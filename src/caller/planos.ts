/** Rate tiers; which one an account has is an administrator's decision. */
export const PLANOS = ['basico', 'premium', 'enterprise'] as const
export type Plano = (typeof PLANOS)[number]

/** Requests of one account in a minute and in an hour. */
export interface Allowance {
  perMinute: number
  perHour: number
}

/** Spec part 8. */
export const ALLOWANCES: Readonly<Record<Plano, Allowance>> = {
  basico: { perMinute: 50, perHour: 1_000 },
  premium: { perMinute: 200, perHour: 10_000 },
  enterprise: { perMinute: 1_000, perHour: 50_000 },
}
