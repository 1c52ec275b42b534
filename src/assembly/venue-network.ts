/**
 * A network between clients and an exchange, for tests: a port whose connections go to the exchange's, late, slowly, in
 * pieces, or not at all. It passes bytes and knows nothing of their meaning, so it can do what rules of the sandbox
 * cannot: the gateway's sockets write whole messages, and accept each connection.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { checkNames, readInput } from '../base/cold-input.ts'
import type { Time } from '../base/time.ts'
import { Turns } from '../base/turns.ts'
import type { NetworkReading, Networks as NetworksInControl } from '../control/action.ts'
import { delayOf } from '../sandbox/fault-delay.ts'
import type { FaultRule } from '../sandbox/fault-fields.ts'
import { readFaultRule } from '../sandbox/fault-rule.ts'
import { claimFreePort, type PortClaim } from './free-port.ts'
import type { VenueConditions, VenueNetwork, VenueWay } from './options.ts'

const HOST = '127.0.0.1'
/** Held in one direction of a connection; at that many it is not read until some are passed. */
const HELD_BYTES_MAX = 1 << 20
export const NETWORKS_MAX = 64
/** Connections of a network; further ones end at once. */
const CONNECTIONS_MAX = 512
/** With a bandwidth, bytes due within this time go at once. */
const PIECE_MS = 20
/** Between slices, so that the peer reads each alone. */
const SLICE_PAUSE_MS = 1

type Clock = Pick<Time, 'after' | 'elapsedNs'>
type Way = 'up' | 'down'

/** What one way of each connection is subject to. */
interface Conditions {
  readonly delay: FaultRule | undefined
  readonly bandwidth: number
  readonly slice: number
  readonly cut: number
}

interface Chunk {
  readonly bytes: Buffer
  readonly dueMs: number
}

/** The networks to the exchange at one port. */
export class Networks implements NetworksInControl {
  private readonly target: number
  private readonly time: Clock
  private readonly open = new Set<Network>()
  private isClosed = false

  constructor(target: number, time: Clock) {
    this.target = target
    this.time = time
  }

  /** Throws what is wrong with the conditions, in one sentence. */
  async add(given: unknown): Promise<Network> {
    checkConditions(given)
    const claim = await claimFreePort()
    const why = this.whyNone()
    if (why !== undefined) {
      claim.close()
      throw new Error(why)
    }
    const network = new Network(claim, this.target, this.time, () => this.open.delete(network))
    this.open.add(network)
    await network.set(given)
    return network
  }

  private whyNone(): string | undefined {
    if (this.isClosed) return 'The exchange is closed.'
    const isFull = this.open.size >= NETWORKS_MAX
    return isFull ? `There are ${NETWORKS_MAX} networks: remove one first.` : undefined
  }

  rows(): readonly NetworkReading[] {
    return [...this.open].map((network) => network.reading())
  }

  async set(port: number, given: unknown): Promise<void> {
    await this.at(port).set(given as VenueConditions)
  }

  reset(port: number): void {
    this.at(port).reset()
  }

  remove(port: number): Promise<void> {
    return this.at(port).close()
  }

  private at(port: number): Network {
    for (const network of this.open) if (network.port === port) return network
    throw new Error(`There is no network ${port}.`)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.open].map((network) => network.close()))
  }
}

class Network implements VenueNetwork {
  private readonly claim: PortClaim
  private readonly target: number
  private readonly time: Clock
  private readonly closed: () => void
  private readonly turns = new Turns()
  private readonly server: Server
  private readonly open = new Set<Connection>()
  private given: VenueConditions = {}
  private isClosed = false

  constructor(claim: PortClaim, target: number, time: Clock, closed: () => void) {
    this.claim = claim
    this.target = target
    this.time = time
    this.closed = closed
    // A half-open connection is passed on as one.
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
      this.accept(client),
    )
    this.server.maxConnections = CONNECTIONS_MAX
  }

  get port(): number {
    return this.claim.port
  }

  get url(): string {
    return `http://${HOST}:${this.port}`
  }

  get wsUrl(): string {
    return `ws://${HOST}:${this.port}`
  }

  get wsApiUrl(): string {
    return `${this.wsUrl}/ws-api/v3`
  }

  get sbeUrl(): string {
    return `${this.wsUrl}/sbe`
  }

  reading(): NetworkReading {
    const { port: network, connections, url, wsUrl, wsApiUrl, sbeUrl } = this
    const { connect = 'accept' } = this.given
    return { network, connect, connections, url, wsUrl, wsApiUrl, sbeUrl }
  }

  get connections(): number {
    return this.open.size
  }

  async set(given: VenueConditions): Promise<void> {
    checkConditions(given)
    await this.turns.run(async () => {
      if (this.isClosed) throw new Error('The network is closed.')
      this.given = given
      for (const connection of this.open) connection.set(given)
      if (given.connect !== 'refuse') await this.listen()
      // What is connected stays so; the port is free at once.
      else if (this.server.listening) this.server.close()
    })
  }

  reset(): void {
    for (const connection of this.open) connection.end(true)
  }

  async close(): Promise<void> {
    await this.turns.run(async () => {
      if (this.isClosed) return
      this.isClosed = true
      if (this.server.listening) this.server.close()
      this.reset()
      this.claim.close()
      this.closed()
    })
  }

  private accept(client: Socket): void {
    if (this.given.connect === 'reset') {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const isSilent = this.given.connect === 'silent'
    const connection = new Connection(client, isSilent ? undefined : this.target, this.time, () =>
      this.open.delete(connection),
    )
    this.open.add(connection)
    connection.set(this.given)
  }

  private async listen(): Promise<void> {
    if (this.server.listening) return
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ host: HOST, port: this.port }, () => {
        this.server.off('error', reject)
        resolve()
      })
    })
  }
}

/** A client's connection and the one that it has with the exchange; none of the latter while it is silent. */
class Connection {
  private readonly client: Socket
  private readonly exchange: Socket | undefined
  private readonly ways: Partial<Record<Way, OneWay>> = {}

  constructor(client: Socket, target: number | undefined, time: Clock, ended: () => void) {
    this.client = client
    client.once('close', () => {
      this.end(false)
      ended()
    })
    client.on('error', () => this.end(true))
    if (target === undefined) {
      this.exchange = undefined
      // What is not read would hide that the client has left.
      client.resume().once('end', () => this.end(false))
      return
    }
    const exchange = connect({ host: HOST, port: target, allowHalfOpen: true, noDelay: true })
    this.exchange = exchange
    exchange.on('error', () => this.end(true))
    exchange.once('close', () => this.end(false))
    this.ways.up = new OneWay(client, exchange, time, () => this.end(false))
    this.ways.down = new OneWay(exchange, client, time, () => this.end(false))
  }

  set({ up = {}, down = {} }: VenueConditions): void {
    this.ways.up?.set(readWay('up', up))
    this.ways.down?.set(readWay('down', down))
  }

  /** Ends both of its connections at once, by a reset or as a close does. */
  end(byReset: boolean): void {
    for (const way of Object.values(this.ways)) way.stop()
    for (const socket of [this.client, this.exchange]) {
      if (socket === undefined || socket.destroyed) continue
      if (byReset) socket.resetAndDestroy()
      else socket.destroy()
    }
  }
}

/** Passes the bytes of one socket to another. */
class OneWay {
  private readonly from: Socket
  private readonly to: Socket
  private readonly time: Clock
  private readonly cut: () => void
  private readonly chunks: Chunk[] = []
  private conditions: Conditions = readWay('up', {})
  private buffered = 0
  private number = 0
  private passed = 0
  /** When the last chunk is due, and when the bandwidth permits the next piece. */
  private dueMs = 0
  private freeMs = 0
  private timer: { cancel(): void } | undefined = undefined
  private isBlocked = false
  private hasEnded = false
  private isStopped = false

  constructor(from: Socket, to: Socket, time: Clock, cut: () => void) {
    this.from = from
    this.to = to
    this.time = time
    this.cut = cut
    from.on('data', (bytes) => this.take(bytes as Buffer))
    from.once('end', () => {
      this.hasEnded = true
      this.flow()
    })
    to.on('drain', () => {
      this.isBlocked = false
      this.flow()
    })
  }

  set(conditions: Conditions): void {
    this.conditions = conditions
    this.passed = 0
    this.freeMs = 0
    this.timer?.cancel()
    this.timer = undefined
    this.flow()
  }

  stop(): void {
    this.isStopped = true
    this.timer?.cancel()
  }

  private take(bytes: Buffer): void {
    const { delay } = this.conditions
    const delayMs = delay === undefined ? 0 : delayOf(delay, ++this.number)
    this.dueMs = Math.max(this.dueMs, this.elapsedMs() + delayMs)
    this.chunks.push({ bytes, dueMs: this.dueMs })
    this.buffered += bytes.length
    if (this.buffered >= HELD_BYTES_MAX) this.from.pause()
    this.flow()
  }

  /** Passes what is due. */
  private flow(): void {
    while (!this.isStopped && !this.isBlocked && this.timer === undefined) {
      const [chunk] = this.chunks
      if (chunk === undefined) {
        if (this.hasEnded) this.to.end()
        return
      }
      if (this.conditions.bandwidth === 0) return
      const waitMs = Math.max(chunk.dueMs, this.freeMs) - this.elapsedMs()
      if (waitMs > 0) this.flowAfter(waitMs)
      else this.pass(chunk)
    }
  }

  private pass({ bytes, dueMs }: Chunk): void {
    const { bandwidth, slice, cut } = this.conditions
    const most = Math.max(1, Math.floor((bandwidth * PIECE_MS) / 1_000))
    const length = Math.min(bytes.length, slice, most, cut - this.passed)
    const piece = bytes.subarray(0, length)
    if (length === bytes.length) this.chunks.shift()
    else this.chunks[0] = { bytes: bytes.subarray(length), dueMs }
    this.buffered -= length
    this.passed += length
    const pauseMs = Math.max((length / bandwidth) * 1_000, slice < Infinity ? SLICE_PAUSE_MS : 0)
    this.freeMs = this.elapsedMs() + pauseMs
    if (this.passed === cut) {
      this.isStopped = true
      this.to.write(piece, this.cut)
      return
    }
    this.isBlocked = !this.to.write(piece)
    if (this.buffered < HELD_BYTES_MAX) this.from.resume()
  }

  private flowAfter(ms: number): void {
    this.timer = this.time.after(Math.ceil(ms), () => {
      this.timer = undefined
      this.flow()
    })
  }

  private elapsedMs(): number {
    return this.time.elapsedNs() / 1_000_000
  }
}

const CONNECTS = ['accept', 'refuse', 'silent', 'reset']
const DELAYS = ['ms', 'spread', 'most', 'sigma', 'histogram', 'seed']
const SIZES = ['bandwidth', 'slice', 'cut']

function checkConditions(given: unknown): asserts given is VenueConditions {
  checkObject('conditions', given)
  checkFields(given, ['connect', 'up', 'down'])
  const { connect = 'accept', up = {}, down = {} } = given as VenueConditions
  checkObject('up', up)
  checkObject('down', down)
  readInput({ kind: 'choice', choices: CONNECTS }, connect, (must) => refuse('connect', must))
  readWay('up', up)
  readWay('down', down)
}

function readWay(name: Way, given: VenueWay): Conditions {
  checkFields(given, [...DELAYS, ...SIZES])
  const { bandwidth = Infinity, slice = Infinity, cut = Infinity, ...delay } = given
  for (const [size, value] of Object.entries({ bandwidth, slice, cut })) {
    const least = size === 'bandwidth' ? 0 : 1
    if (value === Infinity || (Number.isInteger(value) && value >= least)) continue
    refuse(size, `a whole number from ${least}`)
  }
  const hasDelay = Object.keys(delay).length > 0
  const rule = hasDelay ? readFaultRule({ name, do: 'lag', ...delay }, () => undefined) : undefined
  return { delay: rule, bandwidth, slice, cut }
}

const checkFields = (given: object, known: readonly string[]): void =>
  checkNames(Object.keys(given), known, (name, hint) => {
    throw new Error(`A network has no ${name}.${hint}`)
  })

function checkObject(name: string, given: unknown): asserts given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse(name, 'an object')
}

function refuse(name: string, must: string): never {
  throw new Error(`${name} must be ${must}.`)
}
