/**
 * One attack as its generator runs it: connections from its own loopback addresses, and a schedule of
 * what to write. The schedule goes by time alone, so a bare sink is sent the same bytes.
 */
import { Prng } from '../../src/base/prng.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { accountKeyOf, signedParams } from '../load/keys.ts'
import { type Headers, upgradeBytes } from './bytes.ts'
import { type Front, Line, type LineOptions, type Tally } from './line.ts'

/** Lines that one generator may hold; visits do not count. */
const LINES_MAX = 3_000
const FIRST_ADDRESS = 10
const ADDRESSES_PER_NET = 240

/** How a line differs from one that reads and connects again after a second. */
export interface Habits extends Omit<LineOptions, 'localAddress' | 'reads' | 'againMs'> {
  readonly reads?: boolean
  /** `never` for a connection that stays away once it has ended. */
  readonly againMs?: number | 'never'
}

const AGAIN_MS = 1_000

/** The parameters of a generator. */
export interface RaidOrder {
  readonly attack: string
  readonly front: Front
  readonly seconds: number
  readonly seed: number
  /** The first of its source addresses, counted over all attacks. */
  readonly firstAddress: number
  /** Share of full size; 1 unless a short siege makes everything smaller. */
  readonly scale: number
  readonly keys: readonly DemoKey[]
}

export class Raid {
  readonly prng: Prng
  readonly keys: readonly DemoKey[]
  readonly tally: Tally = {
    connections: 0,
    refused: 0,
    sentBytes: 0,
    receivedBytes: 0,
    droppedBytes: 0,
  }
  private readonly order: RaidOrder
  private lines = 0

  constructor(order: RaidOrder) {
    this.order = order
    this.prng = new Prng(order.seed)
    this.keys = order.keys
  }

  get seconds(): number {
    return this.order.seconds
  }

  /** So many at full size; at least one. */
  size(full: number): number {
    return Math.max(1, Math.round(full * this.order.scale))
  }

  /** A connection from the attack's address of that index. */
  connect(address: number, habits: Habits = {}): Line {
    if (++this.lines > LINES_MAX) throw new Error(`an attack may hold ${LINES_MAX} lines`)
    return this.open(address, habits)
  }

  /** A WebSocket from the attack's address of that index. */
  webSocket(address: number, path: string, habits: Habits = {}, headers: Headers = {}): Line {
    return this.connect(address, { ...habits, first: upgradeBytes(path, headers), isUpgrade: true })
  }

  /** A connection that is made, used once and forgotten. */
  visit(address: number, habits: Omit<Habits, 'againMs'>): Line {
    return this.open(address, { ...habits, againMs: 'never' })
  }

  private open(address: number, { reads = true, againMs = AGAIN_MS, ...rest }: Habits): Line {
    const localAddress = addressAt(this.order.firstAddress + address)
    const again = againMs === 'never' ? {} : { againMs }
    return new Line(this.order.front, { ...rest, localAddress, reads, ...again }, this.tally)
  }

  every(ms: number, act: () => void): void {
    setInterval(act, ms)
  }

  /** At that share of the raid's time. */
  at(share: number, act: () => void): void {
    setTimeout(act, share * this.seconds * 1000)
  }

  key(index = 0): DemoKey {
    const key = this.keys[index]
    if (key === undefined) throw new Error(`no key ${index} was prepared`)
    return key
  }

  /** The query string of a request signed now. */
  query(key: DemoKey, params: Readonly<Record<string, string | number>> = {}): string {
    const texts = Object.entries({ ...params, recvWindow: 60_000, timestamp: Date.now() })
    const query = texts.map(([name, value]) => `${name}=${value}`).join('&')
    return `${query}&signature=${accountKeyOf(key).signatureOf(query)}`
  }

  /** A frame's text for the WebSocket API, signed now. */
  message(
    key: DemoKey,
    method: string,
    given: Readonly<Record<string, string | number>> = {},
  ): string {
    const params = signedParams(accountKeyOf(key), { ...given, recvWindow: 60_000 })
    return JSON.stringify({ id: this.prng.uint32(), method, params })
  }
}

/** 127.0.1.10, 127.0.1.11, …: never an address of the polite clients. */
function addressAt(index: number): string {
  const net = 1 + Math.floor(index / ADDRESSES_PER_NET)
  return `127.0.${net}.${FIRST_ADDRESS + (index % ADDRESSES_PER_NET)}`
}
