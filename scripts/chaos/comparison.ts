/**
 * Compares what clients received before a kill with what the recovered exchange has, order by order
 * and atom by atom, and resolves what they did not receive by the ids that they had given. Every
 * difference is a sentence; what was found is what clients know from then on.
 */
import type { Balance } from '../exchange/amounts.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'
import type { ClientLog, ClientRequest } from './client-log.ts'
import { isOpen, type KnownOrder, KnownOrders, orderKey } from './known-orders.ts'
import { markets } from './lane.ts'
import { effectsOf, lockedBy } from './money.ts'
import { type FoundTrade, RecoveredAccount, updateIdOf } from './recovered.ts'
import { mayHaveBecome } from './transitions.ts'

export interface Resolved {
  tookEffect: number
  didNot: number
}

/** One account's past, as far as it was compared. */
interface Past {
  readonly deposited: Readonly<Record<string, bigint>>
  /** What its trades moved, by asset. */
  readonly moved: Map<string, bigint>
  /** By symbol: its last trade. */
  readonly lastTrade: Map<string, number>
}

export class Comparison {
  readonly known = new KnownOrders()
  readonly resolved: Resolved = { tookEffect: 0, didNot: 0 }
  readonly findings: string[] = []
  private url: string
  private readonly log: ClientLog
  private readonly accounts: readonly RecoveredAccount[]
  private readonly pasts = new Map<string, Past>()
  /** By key: how every order that is over ended, as it was found then. */
  private readonly ended = new Map<string, string>()
  /** By symbol: the highest order id, and the highest update id, that any client has seen. */
  private readonly lastOrder = new Map<string, number>()
  private readonly lastUpdate = new Map<string, number>()

  /** `nowMs` is the exchange's time; the machine's when left out. */
  constructor(url: string, keys: readonly DemoKey[], log: ClientLog, nowMs?: () => number) {
    this.url = url
    this.log = log
    this.accounts = keys.map((key) => new RecoveredAccount(url, key, nowMs))
  }

  /** Another exchange is queried from now on. */
  moveTo(url: string): void {
    this.url = url
    for (const account of this.accounts) account.moveTo(url)
  }

  /** Notes what was deposited. Before the first order. */
  async begin(): Promise<void> {
    for (const account of this.accounts) {
      const balances = Object.entries(await account.balances())
      const deposited = balances.map(([asset, { free }]): [string, bigint] => [asset, free])
      this.pasts.set(account.account, {
        deposited: Object.fromEntries(deposited),
        moved: new Map(),
        lastTrade: new Map(),
      })
    }
  }

  /** Returns what takes it back to this moment, as a load takes the exchange; what was sent since is over. */
  checkpoint(): () => void {
    const { orders } = this.known
    const maps = [
      orders,
      this.ended,
      this.lastOrder,
      this.lastUpdate,
      this.executedBefore,
      this.pasts,
    ]
    const kept = structuredClone(maps)
    return () => {
      this.log.readNew()
      for (const [i, map] of maps.entries()) refill(map as Map<unknown, unknown>, kept[i]!)
    }
  }

  /** Notes the update ids that the public sees now; they must not have gone back. */
  async noteUpdateIds(): Promise<void> {
    for (const { symbol } of markets) {
      const id = await updateIdOf(this.url, symbol)
      const last = this.lastUpdate.get(symbol) ?? 0
      if (id < last) this.found(`${symbol}: update id ${id} after ${last}`)
      this.lastUpdate.set(symbol, id)
    }
  }

  /** After a start. Returns the open orders by account. */
  async compare(): Promise<ReadonlyMap<string, readonly KnownOrder[]>> {
    const { known } = this
    for (const exchanged of this.log.readNew()) known.apply(exchanged)
    await this.noteUpdateIds()
    const open = await Promise.all(this.accounts.map((account) => this.compareAccount(account)))
    for (const { symbol } of markets) {
      const ids = [...known.orders.values()].filter((it) => it.symbol === symbol)
      const last = ids.reduce((most, it) => Math.max(most, it.orderId), 0)
      this.lastOrder.set(symbol, Math.max(last, this.lastOrder.get(symbol) ?? 0))
    }
    this.forget()
    return new Map(this.accounts.map(({ account }, i) => [account, open[i]!]))
  }

  /** At the end: everything that ended over the whole run stands as it was found after its cycle. */
  async compareHistory(): Promise<void> {
    const compareOf = async (account: RecoveredAccount) => {
      for (const { symbol } of markets) {
        for (const order of await account.orders(symbol, 0)) {
          const key = orderKey(symbol, order.orderId)
          const ended = this.ended.get(key)
          if (ended === undefined) continue
          this.ended.delete(key)
          if (ended !== textOf(order)) this.found(`${key} was ${ended}, is ${textOf(order)}`)
        }
      }
      await this.compareAllTrades(account)
    }
    await Promise.all(this.accounts.map(compareOf))
    for (const [key, ended] of this.ended) this.found(`${key} is gone: ${ended}`)
  }

  private async compareAccount(account: RecoveredAccount): Promise<readonly KnownOrder[]> {
    const found = await this.foundOrders(account)
    const unanswered = this.known.unanswered.filter((it) => it.account === account.account)
    for (const request of unanswered) await this.resolve(account, request, found)
    const traded = await this.compareTrades(account)
    this.compareOrders(account.account, found, traded, unanswered)
    const open = [...found.values()].filter(isOpen)
    await this.compareOpen(account, open)
    await this.compareLists(account, found)
    await this.compareRefused(account)
    await this.compareMoney(account, open)
    for (const [key, order] of found) this.known.orders.set(key, order)
    return open
  }

  /** Every order that was open, and every one that came since. */
  private async foundOrders(account: RecoveredAccount): Promise<Map<string, KnownOrder>> {
    const found = new Map<string, KnownOrder>()
    const add = (order: KnownOrder) => found.set(orderKey(order.symbol, order.orderId), order)
    for (const { symbol } of markets) {
      const from = (this.lastOrder.get(symbol) ?? 0) + 1
      for (const order of await account.orders(symbol, from)) add(order)
    }
    for (const [key, { symbol, orderId, ...known }] of this.known.orders) {
      if (known.account !== account.account || found.has(key)) continue
      const order = await account.order(symbol, { orderId })
      if (order !== undefined) add(order)
    }
    return found
  }

  /** A request that broke off is resolved by the client order id that it named. */
  private async resolve(
    account: RecoveredAccount,
    { kind, params }: ClientRequest,
    found: ReadonlyMap<string, KnownOrder>,
  ): Promise<void> {
    const count = (tookEffect: boolean) => {
      if (tookEffect) this.resolved.tookEffect++
      else this.resolved.didNot++
    }
    if (kind === 'place' || kind === 'replace') {
      const origClientOrderId = params.newClientOrderId!
      const order = await account.order(String(params.symbol), { origClientOrderId })
      if (order !== undefined && !found.has(orderKey(order.symbol, order.orderId))) {
        this.found(`${origClientOrderId} is found by its id, and not among all orders`)
      }
      count(order !== undefined)
    } else if (kind === 'list') {
      const origClientOrderId = params.listClientOrderId!
      const list = await account.find('orderList', { origClientOrderId })
      count(list !== undefined)
      for (const { symbol, orderId } of (list?.orders ?? []) as KnownOrder[]) {
        const key = orderKey(symbol, orderId)
        if (!found.has(key)) this.found(`${key} of list ${origClientOrderId} is not found`)
      }
    } else if (kind === 'cancelList') {
      const legs = [...found.values()].filter((it) => it.orderListId === params.orderListId)
      count(!legs.some(isOpen))
    } else if (kind === 'cancel') {
      const symbol = String(params.symbol)
      // It renames the order that it cancels.
      const named = await account.order(symbol, { origClientOrderId: params.newClientOrderId! })
      const order = found.get(orderKey(symbol, Number(params.orderId)))
      count(named !== undefined)
      if ((named !== undefined) !== (order?.status === 'CANCELED')) {
        this.found(`${params.newClientOrderId} does not say whether it cancelled an order`)
      }
    } else {
      const key = orderKey(String(params.symbol), Number(params.orderId))
      count(found.get(key)?.origQty !== this.known.orders.get(key)?.origQty)
    }
  }

  private compareOrders(
    account: string,
    found: ReadonlyMap<string, KnownOrder>,
    traded: ReadonlyMap<string, bigint>,
    unanswered: readonly ClientRequest[],
  ): void {
    for (const [key, known] of this.known.orders) {
      if (known.account !== account) continue
      const order = found.get(key)
      if (order === undefined) this.found(`${key} is lost: ${textOf(known)}`)
      else this.findAll(mayHaveBecome(known, order, unanswered, `${key} of ${account}`))
    }
    const named = new Set(unanswered.flatMap(({ params }) => Object.values(params)))
    for (const [key, order] of found) {
      const known = this.known.orders.get(key)
      if (known === undefined && !named.has(order.clientOrderId)) {
        this.found(`${key}: no client asked for ${order.clientOrderId}`)
      }
      const executed = this.executedBefore.get(key) ?? 0n
      const total = executed + (traded.get(key) ?? 0n)
      if (total !== order.executedQty) {
        this.found(`${key}: executed ${order.executedQty}, its trades are ${total}`)
      }
    }
  }

  /** By key of what is open: what was executed when it was compared last. */
  private readonly executedBefore = new Map<string, bigint>()

  /** New trades are those that were reported, and more. Returns what each order traded. */
  private async compareTrades(account: RecoveredAccount): Promise<Map<string, bigint>> {
    const past = this.pasts.get(account.account)!
    const traded = new Map<string, bigint>()
    const found = new Map<string, FoundTrade>()
    for (const market of markets) {
      const from = (past.lastTrade.get(market.symbol) ?? 0) + 1
      for (const trade of await account.trades(market.symbol, from)) {
        const last = past.lastTrade.get(market.symbol) ?? 0
        if (trade.id <= last) this.found(`${market.symbol}: trade ${trade.id} after ${last}`)
        past.lastTrade.set(market.symbol, trade.id)
        found.set(`${market.symbol} ${trade.id}`, trade)
        const key = orderKey(market.symbol, trade.orderId)
        traded.set(key, (traded.get(key) ?? 0n) + trade.qty)
        add(past.moved, effectsOf(trade, market))
      }
    }
    for (const fill of this.known.fills) {
      if (fill.account !== account.account) continue
      const trade = found.get(`${fill.symbol} ${fill.tradeId}`)
      const isSame =
        trade?.qty === fill.qty &&
        trade.price === fill.price &&
        trade.commission === fill.commission
      if (!isSame) this.found(`${account.account}: fill ${fill.symbol} ${fill.tradeId} is lost`)
    }
    return traded
  }

  private async compareAllTrades(account: RecoveredAccount): Promise<void> {
    const moved = new Map<string, bigint>()
    for (const market of markets) {
      for (const trade of await account.trades(market.symbol, 0))
        add(moved, effectsOf(trade, market))
    }
    const past = this.pasts.get(account.account)!
    for (const [asset, atoms] of past.moved) {
      if (moved.get(asset) !== atoms) this.found(`${account.account}: its trades changed ${asset}`)
    }
  }

  /** The engine's open orders are those that are open in the archive. */
  private async compareOpen(account: RecoveredAccount, open: readonly KnownOrder[]): Promise<void> {
    const text = (orders: readonly KnownOrder[]) =>
      orders.map((order) => `${order.symbol} ${order.orderId} ${textOf(order)}`).sort()
    const [shown, expected] = [text(await account.openOrders()), text(open)]
    if (shown.join() !== expected.join()) {
      this.found(`${account.account}: open are ${shown}, not ${expected}`)
    }
  }

  private async compareLists(
    account: RecoveredAccount,
    found: ReadonlyMap<string, KnownOrder>,
  ): Promise<void> {
    for (const [orderListId, { account: owner, legs }] of this.known.lists) {
      if (owner !== account.account) continue
      const list = await account.find('orderList', { orderListId })
      const shown = ((list?.orders ?? []) as KnownOrder[]).map((it) =>
        orderKey(it.symbol, it.orderId),
      )
      if (shown.sort().join() !== [...legs].sort().join()) {
        this.found(`list ${orderListId} is lost, or has other legs: ${shown}`)
        continue
      }
      const isExecuting = legs.some((key) => found.has(key) && isOpen(found.get(key)!))
      const expected = isExecuting ? 'EXECUTING' : 'ALL_DONE'
      if (list?.listOrderStatus !== expected) {
        this.found(`list ${orderListId} is ${list?.listOrderStatus}, not ${expected}`)
      }
    }
  }

  /** What was refused does not exist. */
  private async compareRefused(account: RecoveredAccount): Promise<void> {
    for (const { account: owner, kind, params } of this.known.refused) {
      if (owner !== account.account || (kind !== 'place' && kind !== 'replace')) continue
      const origClientOrderId = params.newClientOrderId!
      const order = await account.order(String(params.symbol), { origClientOrderId })
      if (order !== undefined) this.found(`${origClientOrderId} was refused, and is there`)
    }
  }

  /** Balances are deposits and trades; what is locked is what open orders hold. */
  private async compareMoney(
    account: RecoveredAccount,
    open: readonly KnownOrder[],
  ): Promise<void> {
    const past = this.pasts.get(account.account)!
    const locked = lockedBy(open)
    const balances: Record<string, Balance> = await account.balances()
    for (const [asset, { free, locked: shown }] of Object.entries(balances)) {
      const expected = (past.deposited[asset] ?? 0n) + (past.moved.get(asset) ?? 0n)
      if (free + shown !== expected) {
        this.found(`${account.account}: ${free + shown} ${asset}, its trades say ${expected}`)
      }
      const held = locked.get(asset) ?? 0n
      if (shown !== held) {
        this.found(`${account.account}: ${shown} ${asset} locked, its orders hold ${held}`)
      }
    }
  }

  /** What is over is remembered as a text; what was compared is not compared again. */
  private forget(): void {
    const { known } = this
    this.executedBefore.clear()
    for (const [key, order] of known.orders) {
      if (isOpen(order)) this.executedBefore.set(key, order.executedQty)
      else {
        this.ended.set(key, textOf(order))
        known.orders.delete(key)
      }
    }
    known.fills.length = 0
    known.lists.clear()
    known.refused.length = 0
    known.unanswered.length = 0
  }

  private found(sentence: string): void {
    this.findings.push(sentence)
  }

  private findAll(sentences: readonly string[]): void {
    this.findings.push(...sentences)
  }
}

const textOf = ({ status, origQty, executedQty, quoteQty }: KnownOrder): string =>
  `${status} ${executedQty}/${origQty} for ${quoteQty}`

function refill(map: Map<unknown, unknown>, from: ReadonlyMap<unknown, unknown>): void {
  map.clear()
  for (const [key, value] of from) map.set(key, value)
}

function add(sums: Map<string, bigint>, effects: readonly (readonly [string, bigint])[]): void {
  for (const [asset, atoms] of effects) sums.set(asset, (sums.get(asset) ?? 0n) + atoms)
}
