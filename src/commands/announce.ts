import type { Config } from '../config/config.ts'
import type { FirstAdministrador } from '../domain/seed.ts'
import type { Keys } from './data-key.ts'

/** Prints the address and, at the first start, the credentials; not logged. */
export function announce(
  config: Config,
  ports: { service: number; metrics: number | null },
  credentials: string[],
): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const scheme = config.trustProxy.length > 0 ? 'http' : 'https'
  const address = config.publicUrl ?? `${scheme}://${host}:${ports.service}`
  const lines = [`Vigia is ready at ${address}`, `Documentation: ${address}/docs`]
  if (ports.metrics !== null) lines.push(`Metrics: http://${host}:${ports.metrics}/metrics`)
  print([...lines, ...credentials])
}

/** Set apart from the log; on a terminal, by lines. */
export function print(lines: string[]): void {
  if (lines.length > 0) process.stdout.write(setApart(lines, process.stdout.isTTY))
}

export function setApart(lines: string[], onTerminal: boolean): string {
  const rule = onTerminal ? '─'.repeat(Math.max(...lines.map((line) => line.length))) : ''
  return `\n${[rule, ...lines, rule].filter((line) => line !== '').join('\n')}\n\n`
}

/** Lines for credentials that were just generated; the password is shown nowhere else. */
export function credentialLines(admin: FirstAdministrador | null, { masterKey }: Keys): string[] {
  const lines: string[] = []
  if (admin !== null) {
    lines.push(`Administrator: ${admin.email}`)
    if (admin.generatedPassword !== null) lines.push(`Password (shown only now): ${admin.generatedPassword}`)
  }
  // A first start that failed may have made the key, and not shown it.
  if (masterKey.generated || (masterKey.kept && admin !== null))
    lines.push(`Master key for sign-ups (shown only now): ${masterKey.value}`)
  return lines
}
