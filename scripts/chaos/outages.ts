/**
 * How long no member takes orders: each member that leads is sent one order after another, and the longest
 * time from one acknowledgement to the next counts, from any member.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { SignedClient } from '../exchange/signed-client.ts'
import { type ClientLog, sendLogged } from './client-log.ts'
import { quietOrder } from './lane.ts'
import { isLeading, type Member, type Members } from './members.ts'

const PAUSE_MS = 100
/** A sleep that shows how late a thread wakes. */
const SLEEP_MS = 20
/** A leader answers within it, or not before another one does. */
const ORDER_MS = 15_000
/** The longest wait for an order that ends an outage. */
const BOUND_MS = 180_000

export interface Outage {
  readonly ms: number
  /** How many times longer than it should short sleeps took meanwhile: what a busy machine costs. */
  readonly slowdown: number
}

export class OutageWatch {
  private readonly members: Members
  private readonly log: ClientLog
  private readonly name: string
  private readonly abort = new AbortController()
  private readonly working: Promise<unknown>
  private orders = 0
  /** Monotonic times of acknowledgements since `begin`. */
  private takenMs: number[] = []
  private sleeps = 0

  /** `name` begins the client order ids of its orders. */
  constructor(members: Members, log: ClientLog, name: string) {
    this.members = members
    this.log = log
    this.name = name
    const probes = members.all.map((member) => this.probe(member))
    this.working = Promise.all([...probes, this.sleep()])
  }

  /** Forgets what was until now. */
  begin(): void {
    this.takenMs = [performance.now()]
    this.sleeps = 0
  }

  /** Resolves with the next order that is taken to the longest outage since `begin`. */
  async end(): Promise<Outage> {
    const sinceMs = performance.now()
    while (this.takenMs.at(-1)! <= sinceMs) {
      if (performance.now() - sinceMs > BOUND_MS) throw new Error('no member takes orders')
      await delay(PAUSE_MS)
    }
    const gaps = this.takenMs.slice(1).map((atMs, i) => atMs - this.takenMs[i]!)
    const sleptMs = Math.max(1, this.sleeps) * SLEEP_MS
    const slowdown = Math.max(1, (performance.now() - this.takenMs[0]!) / sleptMs)
    return { ms: Math.max(...gaps), slowdown }
  }

  /** Resolves when it asks for nothing any more. */
  async stop(): Promise<void> {
    this.abort.abort()
    await this.working
  }

  private async sleep(): Promise<void> {
    const { signal } = this.abort
    while (!signal.aborted) {
      await delay(SLEEP_MS, undefined, { signal }).catch(() => {})
      this.sleeps++
    }
  }

  private async probe(member: Member): Promise<void> {
    const { signal } = this.abort
    while (!signal.aborted) {
      if (await isLeading(member)) await this.place(member)
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** The order meets no other, and expires at once. */
  private async place({ exchange }: Member): Promise<void> {
    const [key] = this.members.keys()
    const params = quietOrder(`${this.name}-${++this.orders}`, 0, 'IOC')
    const sent = { account: key!.account, method: 'POST', path: '/api/v3/order', params }
    const client = new SignedClient(exchange.url, key!)
    const signal = AbortSignal.any([this.abort.signal, AbortSignal.timeout(ORDER_MS)])
    const answer = await sendLogged(this.log, client, { kind: 'place', ...sent }, signal)
    if (answer?.status === 200) this.takenMs.push(performance.now())
  }
}
