/** Rate tiers; which one an account has is an administrator's decision. */
export const PLANOS = ['basico', 'premium', 'enterprise'] as const
export type Plano = (typeof PLANOS)[number]
