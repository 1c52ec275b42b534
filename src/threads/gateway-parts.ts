/** What a gateway's worker is made of, whether it has a thread or shares an event loop. */
import { assetsMaxOf } from '../base/limits.ts'
import type { Time } from '../base/time.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayOptions, GatewayServices } from '../gateway/gateway-options.ts'
import type { SandboxAnswer, SandboxRequest } from '../market/faucet.ts'
import type { SandboxServices } from '../pipeline/faults.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { gatewayBellOffset, matcherBellOffset } from './memory.ts'
import { acceptsWithin } from './open-files.ts'
import type { GatewayStart, ThreadOrder, ThreadReport } from './thread-messages.ts'

export function gatewayOptions(start: GatewayStart, services: GatewayServices): GatewayOptions {
  const { index, config, regions, socketsInAll } = start
  const matchers = regions.eventRings.map((_, matcher) => matcher)
  const { gateways, host, port } = config
  const tls =
    config.tlsCert === '' ? undefined : { certFile: config.tlsCert, keyFile: config.tlsKey }
  return {
    place: { index, gateways, host, port, tls, socketsInAll },
    settings: {
      pendingOrders: config.pendingOrders,
      unsignedSystemStatus: config.unsignedSystemStatus === 'on',
      corsOrigins: config.corsOrigins,
      metrics: config.metrics === 'on',
      accountsMax: config.accounts,
      assetsMax: assetsMaxOf(config.accounts),
    },
    limits: { ...config, acceptsPerAddress: acceptsWithin(config, socketsInAll) },
    venue: start,
    lines: {
      commandRings: regions.commandRings[index]!,
      replyRings: regions.replyRings[index]!,
      eventRings: regions.eventRings,
      matcherBells: matchers.map(
        (matcher) => new Doorbell(regions.bells, matcherBellOffset(matcher)),
      ),
      gatewayBell: new Doorbell(regions.bells, gatewayBellOffset(index, config.matchers)),
      stamps: regions.stamps[index]!,
      balances: regions.balances,
      lastPrices: regions.lastPrices,
    },
    cells: regions,
    services,
  }
}

/** What clients of one gateway ask the main thread about rules of the sandbox. */
export class RuleQuestions {
  private readonly report: (message: ThreadReport) => void
  private readonly asked = new Map<number, (answer: SandboxAnswer) => void>()
  private askedCount = 0

  constructor(report: (message: ThreadReport) => void) {
    this.report = report
  }

  /** Returns what the gateway uses of its thread; undefined while the sandbox is off. */
  sandbox(
    { config }: Pick<GatewayStart, 'config'>,
    time: Time,
    clock?: VirtualClock,
  ): SandboxServices | undefined {
    if (config.sandbox !== 'on') return undefined
    const takesWallTimestamps = config.virtualTimestamps === 'both'
    const virtual = clock && { clock, takesWallTimestamps }
    return { time, ask: (request) => this.ask(request), virtual }
  }

  /** Takes an answer of the main thread. Returns whether the order is one. */
  take(order: ThreadOrder): boolean {
    if (order.order !== 'faults') return false
    this.asked.get(order.number)?.(order.answer)
    this.asked.delete(order.number)
    return true
  }

  private ask(request: SandboxRequest): Promise<SandboxAnswer> {
    const number = ++this.askedCount
    this.report({ report: 'faults', number, request })
    return new Promise((resolve) => this.asked.set(number, resolve))
  }
}

/** Carries out an order of the main thread. */
export async function obey(
  message: ThreadOrder,
  gateway: Gateway,
  close: () => Promise<void>,
  report: (message: ThreadReport) => void,
): Promise<void> {
  if (message.order === 'announce') {
    await gateway.announce(message.announcements)
    report({ report: 'applied', number: message.number })
  } else if (message.order === 'query') {
    const answer = await gateway.answer(message.query)
    report({ report: 'applied', number: message.number, answer })
  } else if (message.order === 'drain') {
    gateway.stopAccepting()
    await gateway.drained()
    report({ report: 'drained' })
  } else if (message.order === 'readOnly') {
    gateway.becomeReadOnly()
    report({ report: 'readOnly' })
  } else if (message.order === 'stop') {
    await close()
    report({ report: 'stopped' })
  }
}
