import { isIPv4, isIPv6 } from 'node:net'

/** Source of requests, for limits and locks: an IPv4 address, or the /64 of one IPv6 customer. */
export function sourceOf(address: string | null): string {
  if (address === null) return 'desconhecida'
  if (isIPv4(address) || !isIPv6(address)) return address
  const groups = groupsOf(address)
  return mappedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, without leading zeros; `URL` knows all the ways to write one. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((text) => text.split(':').filter(Boolean)) as [string[], string[]]
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** IPv4-mapped address (`::ffff:203.0.113.7`), as dual-stack sockets report IPv4 clients. */
function mappedIPv4(groups: string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}
