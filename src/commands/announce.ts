import type { Config } from '../config.ts'
import type { FirstAdministrador } from '../domain/seed.ts'
import type { Keys } from './instance.ts'

/** To people, not to the log: where it is and, once, how to get in. */
export function announce(
  config: Config,
  ports: { service: number; metrics: number | null },
  admin: FirstAdministrador | null,
  keys: Keys,
): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const scheme = config.trustProxy.length > 0 ? 'http' : 'https'
  const address = config.publicUrl ?? `${scheme}://${host}:${ports.service}`
  const lines = [`Vigia is ready at ${address}`, `Documentation: ${address}/docs`]
  if (ports.metrics !== null) lines.push(`Metrics: http://${host}:${ports.metrics}/metrics`)
  lines.push(...credentialLines(admin, keys))
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** What was made just now and can be learnt nowhere else. */
export function credentialLines(admin: FirstAdministrador | null, { masterKey }: Keys): string[] {
  const lines: string[] = []
  if (admin !== null) {
    lines.push(`Administrator: ${admin.email}`)
    if (admin.generatedPassword !== null) lines.push(`Password (shown only now): ${admin.generatedPassword}`)
  }
  if (masterKey.generated) lines.push(`Master key for sign-ups (shown only now): ${masterKey.value}`)
  return lines
}
