import type { IncomingHttpHeaders } from 'node:http'
import { type NetworkList, networkList } from '../../system/networks.ts'

/** Also what Fastify takes as `trustProxy`, so that both ask the same list. */
export type TrustedProxies = NetworkList

/** Takes the entries of a network list; throws when there are none. */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  if (entries.length === 0) throw new Error('trusted proxies: the list is empty, so nobody could be trusted')
  return networkList(entries, 'trusted proxies')
}

/** True when the client spoke TLS to the proxy in front; only a trusted proxy's header counts. */
export function forwardedSecurity(
  peer: string | undefined,
  isTrusted: TrustedProxies,
  headers: IncomingHttpHeaders,
): { secure: boolean } {
  return { secure: isTrusted(peer) && lastValue(headers['x-forwarded-proto']) === 'https' }
}

const isLoopback = networkList(['loopback'], 'this machine')

/** A request that the proxy or this machine makes for itself, as health checks of load balancers and containers: it forwards nothing. */
export function asksForItself(
  peer: string | undefined,
  isTrusted: TrustedProxies,
  headers: IncomingHttpHeaders,
): boolean {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']
  return (isTrusted(peer) || isLoopback(peer)) && forwarded.every((name) => headers[name] === undefined)
}

// A proxy adds to the end: everything before the last value may have been written by the client.
function lastValue(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}
