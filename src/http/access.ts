import type { Permission } from '../caller/permissions.ts'

/** Access rule of a route. Data, so that tests and the OpenAPI document can enumerate it. */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'loggedIn' }
  | { kind: 'requires'; permission: Permission; or?: readonly Permission[]; orSelf?: string }

export const anyone = { kind: 'anyone' } as const satisfies Access
export const loggedIn = { kind: 'loggedIn' } as const satisfies Access

/** `or`: other permissions, each of which is enough as well. `orSelf` names the path parameter that may instead be the caller's own id. */
export function requires(
  permission: Permission,
  options?: { or: readonly Permission[] } | { orSelf: string },
) {
  return { kind: 'requires', permission, ...options } as const satisfies Access
}
