import { BlockList, isIP } from 'node:net'

/** Matches addresses against a list of networks. */
export type NetworkList = (address: string | undefined) => boolean

// The names, and what they mean, are those of Fastify's own trustProxy.
const NAMED_RANGES = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i

/** Takes addresses, CIDR ranges and the names above; throws an error that begins with `what` on any other entry. */
export function networkList(entries: readonly string[], what: string): NetworkList {
  const list = new BlockList()
  for (const entry of entries.flatMap((name) => NAMED_RANGES.get(name) ?? name)) addEntry(list, entry, what)
  return (address) => {
    const { ip, family } = parseAddress(address ?? '')
    return family !== null && list.check(ip, family)
  }
}

function addEntry(list: BlockList, entry: string, what: string): void {
  const slash = entry.lastIndexOf('/')
  const { ip, family, mapped } = parseAddress(slash < 0 ? entry : entry.slice(0, slash))
  if (family === null) {
    const names = [...NAMED_RANGES.keys()].join(', ')
    throw new Error(`${what}: "${entry}" is no IP address, no CIDR range and none of ${names}`)
  }
  if (slash < 0) {
    list.addAddress(ip, family)
    return
  }
  const bits = family === 'ipv4' ? 32 : 128
  const prefix = parsePrefix(entry.slice(slash + 1)) - (mapped ? 96 : 0)
  // A prefix of 0 is everybody: neither a list of proxies nor one of receivers is meant to say that.
  if (!(prefix >= 1 && prefix <= bits))
    throw new Error(`${what}: "${entry}" needs a prefix length that fits its address, and not 0`)
  list.addSubnet(ip, prefix, family)
}

function parsePrefix(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

interface Address {
  readonly ip: string
  readonly family: 'ipv4' | 'ipv6' | null
  readonly mapped: boolean
}

function parseAddress(text: string): Address {
  const ip = text.replace(MAPPED_IPV4, '')
  const mapped = ip !== text
  const version = isIP(ip)
  if (version === 4) return { ip, family: 'ipv4', mapped }
  if (version === 0 || mapped) return { ip, family: null, mapped }
  // A zone (fe80::1%eth0) names the interface, not the peer.
  return { ip: ip.replace(/%.*$/, ''), family: 'ipv6', mapped }
}
