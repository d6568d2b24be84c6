import { lookup, Resolver } from 'node:dns/promises'

/** Every address of a name. Rejects when there is none; gives up when the signal says so. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

/**
 * By asking the name servers, not through the system: the system's lookups hold threads of a small pool until
 * they end, so names whose servers never answer would keep the service from finding its database and mail server.
 */
export function resolveByDns(servers: string[] = []): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: 3_000, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    signal.removeEventListener('abort', cancel)
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0)
      throw new AggregateError(answers.map((answer) => answer.status === 'rejected' && answer.reason))
    return addresses
  }
}

/** As the machine itself does: in an intranet a name may stand in a hosts file or need a search domain. */
export async function resolveBySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
