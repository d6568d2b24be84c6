import type { Config } from './config.ts'

/** The base of links in mails: PUBLIC_URL, else the listener's own address; never a request's `Host`, which anybody can choose. */
export function publicUrlOf({ publicUrl, host, port, trustProxy }: Config): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return publicUrl ?? `${trustProxy.length > 0 ? 'http' : 'https'}://${shown}:${port}`
}
