import type { NetworkList } from '../system/networks.ts'
import { formsOf, isMetadataAddress, isPublicAddress } from './addresses.ts'
import { type Resolve, resolveByDns, resolveBySystem } from './resolve.ts'

/** Destinations that outgoing requests may reach. Where a cloud hands out credentials is in none of them. */
export interface TargetPolicy {
  /** Plain HTTP, and its port 80. */
  readonly plainHttp: boolean
  /** Names that only a local network knows. */
  readonly localNames: boolean
  readonly resolve: Resolve
  allows(address: string): boolean
}

/** The internet. */
export const PUBLIC_TARGETS: TargetPolicy = {
  plainHttp: false,
  localNames: false,
  resolve: resolveByDns(),
  allows: isPublicAddress,
}

/** This machine and every private network too, for trials and tests. */
export const ALL_TARGETS: TargetPolicy = {
  plainHttp: true,
  localNames: true,
  resolve: resolveBySystem,
  allows: (address) => isHarmless(address),
}

/** The internet and the listed networks of an intranet, over HTTPS. Names are asked of the name servers. */
export function targetsWithin(isListed: NetworkList): TargetPolicy {
  const allows = (address: string) =>
    isPublicAddress(address) || (isHarmless(address) && formsOf(address).every(isListed))
  return { ...PUBLIC_TARGETS, localNames: true, allows }
}

function isHarmless(address: string): boolean {
  const forms = formsOf(address)
  return forms.length > 0 && !forms.some(isMetadataAddress)
}
