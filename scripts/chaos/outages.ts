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
/** A leader answers within it, or not before another one does. */
const ORDER_MS = 15_000
/** The longest wait for an order that ends an outage. */
const BOUND_MS = 180_000

export class OutageWatch {
  private readonly members: Members
  private readonly log: ClientLog
  private readonly name: string
  private readonly abort = new AbortController()
  private readonly working: Promise<unknown>
  private orders = 0
  /** Monotonic times of acknowledgements since `begin`. */
  private takenMs: number[] = []

  /** `name` begins the client order ids of its orders. */
  constructor(members: Members, log: ClientLog, name: string) {
    this.members = members
    this.log = log
    this.name = name
    this.working = Promise.all(members.all.map((member) => this.probe(member)))
  }

  /** Forgets what was until now. */
  begin(): void {
    this.takenMs = [performance.now()]
  }

  /** Resolves with the next order that is taken to the longest outage since `begin`, ms. */
  async end(): Promise<number> {
    const sinceMs = performance.now()
    while (this.takenMs.at(-1)! <= sinceMs) {
      if (performance.now() - sinceMs > BOUND_MS) throw new Error('no member takes orders')
      await delay(PAUSE_MS)
    }
    const gaps = this.takenMs.slice(1).map((atMs, i) => atMs - this.takenMs[i]!)
    return Math.max(...gaps)
  }

  /** Resolves when it sends nothing any more. */
  async stop(): Promise<void> {
    this.abort.abort()
    await this.working
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
