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

/** What the registry takes out of it again. */
const SPECIAL_IPV6: Subnet[] = [
  // Protocol assignments, Teredo (2001::/32) among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: an IPv4 address of any kind inside.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

/** Where a machine is told its own secrets: link-local addresses, and what clouds use besides. */
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
]

// A list for each family: in a common one, ::ffff:0:0/96 would mean every IPv4 address.
const specialIpv4 = blockList('ipv4', SPECIAL_IPV4)
const globalIpv6 = blockList('ipv6', [GLOBAL_IPV6])
const specialIpv6 = blockList('ipv6', SPECIAL_IPV6)
const metadata = blockList('ipv6', METADATA_IPV6, blockList('ipv4', METADATA_IPV4))

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

/** Private targets may be allowed; the places where the machine's own credentials are handed out never are. */
export function mayConnectTo(address: string, allowPrivate: boolean): boolean {
  if (!allowPrivate) return isPublicAddress(address)
  const family = familyOf(address)
  return family !== null && !metadata.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** An address with a zone (`fe80::1%eth0`) is of no family here: lists of ranges do not see through it. */
function familyOf(address: string): 4 | 6 | null {
  return address.includes('%') ? null : ((isIP(address) || null) as 4 | 6 | null)
}

function blockList(family: 'ipv4' | 'ipv6', subnets: Subnet[], list = new BlockList()): BlockList {
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
