/**
 * What followers show while parts fail. A member that runs on shows of an order at least what it has shown before;
 * and the leader, once all is well, at least what any follower has shown.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Prng } from '../../src/base/prng.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import { type KnownOrder, orderFrom, orderKey } from './known-orders.ts'
import { markets } from './lane.ts'
import { isFollowing, type Member, type Members } from './members.ts'
import { RecoveredAccount } from './recovered.ts'
import { mayShowAfter } from './transitions.ts'

/** The newest orders of an account at a symbol. */
const LIMIT = 20
const PAUSE_MS = 150
const ANSWER_MS = 5_000

type Shown = Map<string, KnownOrder>

export class FollowerReads {
  /** Orders that followers showed. */
  seen = 0
  readonly findings: string[] = []
  private readonly members: Members
  private readonly prng: Prng
  /** By member, since it was started last. */
  private readonly shown = new Map<Member, { readonly pid: number; readonly orders: Shown }>()
  private abort = new AbortController()
  private reading: Promise<unknown> = Promise.resolve()

  constructor(members: Members, prng: Prng) {
    this.members = members
    this.prng = prng
  }

  begin(): void {
    this.abort = new AbortController()
    this.reading = Promise.all(this.members.all.map((member) => this.read(member)))
  }

  /** Resolves when it sends nothing any more. */
  async stop(): Promise<void> {
    this.abort.abort()
    await this.reading
  }

  /** Compares what was shown with the leader, at which nothing happens. */
  async compare(): Promise<void> {
    const all = [...this.shown.values()].flatMap(({ orders }) => [...orders.values()])
    this.shown.clear()
    const { url } = this.members.leader.exchange
    for (const key of this.members.keys()) {
      const account = new RecoveredAccount(url, key)
      for (const order of all) {
        if (order.account !== key.account) continue
        const { symbol, orderId } = order
        this.check(order, await account.order(symbol, { orderId }), 'a follower', 'the leader')
      }
    }
  }

  private async read(member: Member): Promise<void> {
    const { signal } = this.abort
    while (!signal.aborted) {
      if (await isFollowing(member)) await this.look(member, signal).catch(() => {})
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Rejects when there is no answer. */
  private async look(member: Member, signal: AbortSignal): Promise<void> {
    const { exchange, number } = member
    const { pid } = exchange
    const key = this.prng.pick(this.members.keys())
    const { symbol } = this.prng.pick(markets)
    const either = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const query = { symbol, limit: LIMIT }
    const client = new SignedClient(exchange.url, key)
    const { status, body } = await client.send('GET', '/api/v3/allOrders', query, either)
    if (status !== 200) return
    const orders = this.shownBy(member, pid)
    for (const row of body as unknown as Record<string, unknown>[]) {
      const order = orderFrom(key.account, row)
      const id = orderKey(symbol, order.orderId)
      const before = orders.get(id)
      const name = `member ${number}`
      if (before === undefined) this.seen++
      else this.check(before, order, name, name)
      orders.set(id, order)
    }
  }

  private shownBy(member: Member, pid: number): Shown {
    const known = this.shown.get(member)
    if (known?.pid === pid) return known.orders
    const orders: Shown = new Map()
    this.shown.set(member, { pid, orders })
    return orders
  }

  private check(before: KnownOrder, after: KnownOrder | undefined, by: string, then: string): void {
    if (mayShowAfter(before, after)) return
    const { symbol, orderId, status, executedQty } = before
    const now = after === undefined ? 'nothing' : `${after.status} ${after.executedQty}`
    this.findings.push(
      `${by} showed ${symbol} ${orderId} ${status} ${executedQty}, and ${then} ${now}`,
    )
  }
}
