/** A gateway as a worker: the event loop brings its work, and orders have it drain and stop. */
import { assetsMaxOf } from '../base/limits.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import { Gateway } from '../gateway/gateway.ts'
import type { GatewayOptions, GatewayServices } from '../gateway/gateway-options.ts'
import type { SandboxServices } from '../pipeline/faults.ts'
import { Doorbell } from '../ring/doorbell.ts'
import type { FaultRule } from '../sandbox/fault-fields.ts'
import type { SandboxAnswer, SandboxRequest } from '../sandbox/requests.ts'
import { gatewayBellOffset, matcherBellOffset } from './memory.ts'
import type { GatewayStart, ThreadOrder, ThreadReport } from './messages.ts'
import { type AgentWays, EventAgent } from './worker-agent.ts'

const MINUTE_MS = 60_000
/** Rules of a gateway whose first touch is logged in a minute. */
export const TOUCHES_LOGGED_MAX = 64

/** What a gateway has where it runs. */
export interface GatewayParts
  extends Pick<GatewayServices, 'sockets' | 'console' | 'history' | 'readMemory'> {
  /** Instead of those that a gateway makes itself. */
  readonly services?: Partial<GatewayServices> | undefined
  /** Wakes it; its bell in the shared memory when left out. */
  readonly bell?: Doorbell | undefined
  /** What moves its time; undefined where nothing does. */
  readonly clock?: VirtualClock | undefined
  /** Called once it serves: no start waits for what only some requests need. */
  readonly serves?: () => void
  readonly closed: () => Promise<void> | void
}

export class GatewayAgent extends EventAgent {
  readonly name: string
  private readonly parts: GatewayParts
  readonly gateway: Gateway
  private readonly sandbox: SandboxRequests

  constructor(start: GatewayStart, ways: AgentWays, parts: GatewayParts) {
    const { time, report } = ways
    const { sockets, console, history, readMemory } = parts
    super(ways)
    this.name = `gateway-${start.index}`
    this.parts = parts
    this.sandbox = new SandboxRequests(report)
    const options = gatewayOptions(
      start,
      {
        sockets,
        console,
        history,
        readMemory,
        time,
        warn: (fields, message) =>
          report({ report: 'log', level: 'warn', fields: { ...fields }, message }),
        sandbox: this.sandbox.services(start, time, parts.clock),
        ...parts.services,
      },
      parts.bell,
    )
    this.gateway = new Gateway(options)
  }

  async start(): Promise<void> {
    await this.gateway.start()
    this.ways.report({ report: 'ready' })
    this.parts.serves?.()
  }

  take(order: ThreadOrder): void {
    if (!this.sandbox.take(order)) this.obey(order).catch((error: Error) => this.fail(error))
  }

  /** Also after an error that nothing caught: open sockets would abort the whole process with the thread. */
  override fail(error: Error): void {
    this.gateway.close()
    super.fail(error)
  }

  private async obey(order: ThreadOrder): Promise<void> {
    const { gateway } = this
    const { report } = this.ways
    if (order.order === 'control') {
      await gateway.notify(order.messages)
      report({ report: 'applied', number: order.number })
    } else if (order.order === 'query') {
      const answer = await gateway.answer(order.query)
      report({ report: 'applied', number: order.number, answer })
    } else if (order.order === 'drain') {
      gateway.stopAccepting()
      await gateway.drained()
      report({ report: 'drained' })
    } else if (order.order === 'readOnly') {
      gateway.becomeReadOnly()
      report({ report: 'readOnly' })
    } else if (order.order === 'stop') await this.stop()
  }

  private async stop(): Promise<void> {
    this.gateway.close()
    await this.parts.closed()
    this.finish()
  }
}

/** `bell` wakes it; the one in the shared memory when left out. */
function gatewayOptions(
  start: GatewayStart,
  services: GatewayServices,
  bell?: Doorbell,
): GatewayOptions {
  const { index, config, regions, socketsInAll, acceptsPerAddress } = start
  const usualBell = new Doorbell(regions.bells, gatewayBellOffset(index, config.matchers))
  const matchers = regions.eventRings.map((_, matcher) => matcher)
  const { gateways, host, port, sbePort } = config
  const tls =
    config.tlsCert === '' ? undefined : { certFile: config.tlsCert, keyFile: config.tlsKey }
  return {
    address: { index, gateways, host, port, sbePort, tls, socketsInAll },
    settings: {
      pendingOrders: config.pendingOrders,
      unsignedSystemStatus: config.unsignedSystemStatus === 'on',
      corsOrigins: config.corsOrigins,
      isSbeOn: config.sbe === 'on',
      sbeNewest: config.sbeNewest,
      metrics: config.metrics === 'on',
      accountsMax: config.accounts,
      assetsMax: assetsMaxOf(config.accounts),
    },
    limits: { ...config, acceptsPerAddress },
    listings: start,
    lines: {
      commandRings: regions.commandRings[index]!,
      replyRings: regions.replyRings[index]!,
      eventRings: regions.eventRings,
      matcherBells: matchers.map(
        (matcher) => new Doorbell(regions.bells, matcherBellOffset(matcher)),
      ),
      gatewayBell: bell ?? usualBell,
      stamps: regions.stamps[index]!,
      balances: regions.balances,
      lastPrices: regions.lastPrices,
    },
    cells: regions,
    services,
  }
}

/** Requests of one gateway's clients to the sandbox, which the main thread answers. */
class SandboxRequests {
  private readonly report: (message: ThreadReport) => void
  private readonly waiting = new Map<number, (answer: SandboxAnswer) => void>()
  private sentCount = 0
  /** The wall clock's minute in which `touchedCount` rules touched something first. */
  private minute = 0
  private touchedCount = 0

  constructor(report: (message: ThreadReport) => void) {
    this.report = report
  }

  /** Returns what the gateway uses of its thread; undefined while the sandbox is off. */
  services(
    { config }: Pick<GatewayStart, 'config'>,
    time: Time,
    clock?: VirtualClock,
  ): SandboxServices | undefined {
    if (config.sandbox !== 'on') return undefined
    const takesWallTimestamps = config.virtualTimestamps === 'both'
    const virtual = clock && { clock, takesWallTimestamps }
    return {
      time,
      ask: (request) => this.ask(request),
      virtual,
      firstTouched: (rule) => this.noteTouched(rule, elapsedMs(time.wall)),
    }
  }

  /** Clients may add rules again and again: the log has so many of a minute at most. */
  private noteTouched({ name, do: effect, owner }: FaultRule, passedMs: number): void {
    const minute = Math.floor(passedMs / MINUTE_MS)
    if (minute !== this.minute) this.touchedCount = 0
    this.minute = minute
    if (++this.touchedCount > TOUCHES_LOGGED_MAX) return
    const fields = { rule: name, do: effect, ...(owner !== undefined && { account: owner }) }
    const message = 'a fault rule touches something for the first time'
    this.report({ report: 'log', level: 'info', fields, message })
  }

  /** Takes an answer of the main thread. Returns whether the order is one. */
  take(order: ThreadOrder): boolean {
    if (order.order !== 'sandbox') return false
    this.waiting.get(order.number)?.(order.answer)
    this.waiting.delete(order.number)
    return true
  }

  private ask(request: SandboxRequest): Promise<SandboxAnswer> {
    const number = ++this.sentCount
    this.report({ report: 'sandbox', number, request })
    return new Promise((resolve) => this.waiting.set(number, resolve))
  }
}
