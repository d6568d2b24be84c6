import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isPublicAddress } from './addresses.ts'
import { type Answer, answerTo, type Message } from './exchange.ts'
import { Failure, type FailureReason, happens, reasonOf, stage } from './failure.ts'
import type { TargetPolicy } from './policy.ts'
import type { Resolve } from './resolve.ts'
import { readTarget, type Target } from './target.ts'

/**
 * HTTP client for URLs that users choose, safe against SSRF and DNS rebinding: a name is resolved once, all its addresses
 * are checked, the connection is pinned to them and its peer checked again before the first byte. Each request has a
 * connection of its own (a kept one would outlive the check of its name) and one deadline for everything. No redirects, no
 * decompression, no proxy; every failure is an outcome.
 */
export interface Outbound {
  post(request: OutboundRequest): Promise<Outcome>
}

export interface OutboundRequest extends Message {
  url: string
}

/** `internal`: the answer came from an address that is not public. */
export type Outcome =
  | ({ kind: 'answered'; ms: number; internal: boolean } & Answer)
  | { kind: 'failed'; reason: FailureReason; ms: number }

export interface OutboundOptions {
  targets: TargetPolicy
  /** Instead of the policy's. */
  resolve?: Resolve
  timeoutMs?: number
  /** Trusted instead of the machine's authorities, PEM. */
  ca?: string
}

/** As announced to receivers in docs/webhooks.md. */
const TIMEOUT_MS = 15_000
/** A receiver may be far away or slow: the system's quarter of a second for each address is too short. */
const ADDRESS_TIMEOUT_MS = 2_500
const MAX_ADDRESSES = 8

export function createOutbound(options: OutboundOptions): Outbound & { close(): void } {
  const { targets, ca, resolve = targets.resolve, timeoutMs = TIMEOUT_MS } = options
  const inFlight = new Set<AbortController>()
  let closed = false

  async function within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const deadline = setTimeout(() => controller.abort(new Failure('timeout')), timeoutMs)
    inFlight.add(controller)
    if (closed) controller.abort(new Failure('connection'))
    try {
      return await work(controller.signal)
    } finally {
      clearTimeout(deadline)
      inFlight.delete(controller)
    }
  }

  return {
    async post(request) {
      const started = performance.now()
      const ms = () => Math.round(performance.now() - started)
      try {
        const answer = await within((signal) => exchange(request, { targets, ca, resolve }, signal))
        return { kind: 'answered', ...answer, ms: ms() }
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error, 'connection'), ms: ms() }
      }
    },
    /** Aborts the requests under way and refuses new ones. */
    close() {
      closed = true
      for (const controller of inFlight) controller.abort(new Failure('connection'))
    },
  }
}

interface ExchangeNeeds {
  targets: TargetPolicy
  resolve: Resolve
  ca: string | undefined
}

async function exchange(request: OutboundRequest, needs: ExchangeNeeds, signal: AbortSignal) {
  signal.throwIfAborted()
  const target = readTarget(request.url, needs.targets)
  if (typeof target === 'string') throw new Failure('refused_target')
  const addresses = await addressesOf(target, needs, signal)
  const socket = connectTcp({
    host: target.host,
    port: target.port,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  })
  try {
    await happens(socket, 'connect', signal, 'connection')
    const peer = checkedPeer(socket, needs)
    const stream = target.secure ? await secured(socket, target, needs, signal) : socket
    return { ...(await answerTo(request, target, stream, signal)), internal: !isPublicAddress(peer) }
  } finally {
    socket.destroy()
  }
}

async function addressesOf(
  { host }: Target,
  { targets, resolve }: ExchangeNeeds,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await stage(async () => resolve(host, signal), signal, 'dns')
  if (addresses.length === 0) throw new Failure('dns')
  // One private address among public ones is an attempt, or a mistake that must not depend on their order.
  if (!addresses.every((address) => targets.allows(address))) throw new Failure('refused_target')
  return addresses
}

/** Checks the address that the connection really leads to. */
function checkedPeer({ remoteAddress }: Socket, { targets }: ExchangeNeeds): string {
  if (remoteAddress === undefined) throw new Failure('connection')
  if (!targets.allows(remoteAddress)) throw new Failure('refused_target')
  return remoteAddress
}

async function secured(
  socket: Socket,
  { host }: Target,
  { ca }: ExchangeNeeds,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const stream = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
  })
  await happens(stream, 'secureConnect', signal, 'tls')
  return stream
}

/** A `lookup` that returns the checked addresses and asks no resolver. */
function pinnedTo(addresses: string[]): LookupFunction {
  const found = addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }))
  return (_host, _options, done) => done(null, found)
}
