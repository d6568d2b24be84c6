import { BlockList, isIP } from 'node:net'

type Subnet = [network: string, prefix: number]

/** IANA's special-purpose registry for IPv4 (RFC 6890), multicast, and what a cloud answers on a public address. */
const SPECIAL_IPV4: Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's host.
  ['168.63.129.16', 32],
]

/** All that is global unicast at all: loopback, mapped IPv4, NAT64, private, link-local and multicast lie outside. */
const GLOBAL_IPV6: Subnet = ['2000::', 3]

/** Exceptions of the registry. */
const SPECIAL_IPV6: Subnet[] = [
  // Protocol assignments, Teredo (2001::/32) among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: an IPv4 address of any kind inside.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

/** Instance metadata services, which hand out a machine's credentials: link-local, and further ones of clouds. */
const METADATA_IPV4: Subnet[] = [
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
]
const METADATA_IPV6: Subnet[] = [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  // An operator's own NAT64 (RFC 8215): where the IPv4 address stands in it is the operator's choice.
  ['64:ff9b:1::', 48],
]

/** IPv6 ranges that lead to an IPv4 address, and the group where that begins (RFC 4291, 6052, 3056). */
const TRANSLATED: [subnet: Subnet, group: number][] = [
  [['::ffff:0:0', 96], 6],
  [['64:ff9b::', 96], 6],
  [['2002::', 16], 1],
]

// A list for each family: in a common one, ::ffff:0:0/96 would mean every IPv4 address.
const specialIpv4 = blockList('ipv4', SPECIAL_IPV4)
const globalIpv6 = blockList('ipv6', [GLOBAL_IPV6])
const specialIpv6 = blockList('ipv6', SPECIAL_IPV6)
const metadata = blockList('ipv6', METADATA_IPV6, blockList('ipv4', METADATA_IPV4))
const translated = TRANSLATED.map(([subnet, group]) => ({ range: blockList('ipv6', [subnet]), group }))

/** True for an address that anybody on the internet can reach. Anything but a plain address is not. */
export function isPublicAddress(address: string): boolean {
  switch (familyOf(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Instance metadata services; refused even where private targets are allowed. */
export function isMetadataAddress(address: string): boolean {
  const family = familyOf(address)
  return family !== null && metadata.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** The address, and the IPv4 address that a translator on the way (NAT64, 6to4) makes of it; none for other text. */
export function formsOf(address: string): string[] {
  const family = familyOf(address)
  if (family === null) return []
  if (family === 4) return [address]
  const found = translated.find(({ range }) => range.check(address, 'ipv6'))
  return found ? [address, ipv4At(groupsOf(address), found.group)] : [address]
}

function ipv4At(groups: number[], index: number): string {
  const [high = 0, low = 0] = groups.slice(index, index + 2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight numbers of an IPv6 address; the URL parser brings every spelling into one. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [head, tail] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) =>
      part
        .split(':')
        .filter(Boolean)
        .map((group) => Number.parseInt(group, 16)),
    )
  const [left = [], right = []] = [head, tail]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** An address with a zone (`fe80::1%eth0`) is of no family here: lists of ranges do not see through it. */
function familyOf(address: string): 4 | 6 | null {
  return address.includes('%') ? null : ((isIP(address) || null) as 4 | 6 | null)
}

function blockList(family: 'ipv4' | 'ipv6', subnets: Subnet[], list = new BlockList()): BlockList {
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
