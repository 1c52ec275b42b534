/**
 * The sandbox's counterparty: an account that fills a resting order on request. It is opened at its first fill,
 * and credited like a market maker's account whenever it needs more. It trades as any client does, so price-time
 * priority holds: it first takes better prices, level by level. At the order's price it then meets the orders that
 * stand before it, and the order, which gets exactly the requested quantity.
 */
import { Side } from '../base/codes.ts'
import { Turns } from '../base/turns.ts'
import { type AccountId, type AssetId, Lots, OrderId, Ticks } from '../base/units.ts'
import type { AccountSpec, SymbolSpec } from '../market/listing.ts'
import type { FilledOrder, FillWish, Purchase } from '../sandbox/requests.ts'
import { ActionError, type ExchangeView } from './action.ts'
import { shown, symbolNamed } from './actions/named.ts'
import { answerOf } from './actions/trading.ts'
import { fundsOf } from './house-funds.ts'
import { HOUSE_COUNTERPARTY, type Operator } from './operators.ts'
import type { Registry } from './registry.ts'
import { isDecimal, unitsOf } from './words.ts'

/** Name of its account. */
export const COUNTERPARTY_ACCOUNT = 'counterparty'
/** Orders of one fill: each takes a better level, or as much as the order is still to get at its price. */
const ORDERS_MAX = 1_000
const SHARE = /^([0-9]{1,3})(?:\.([0-9]{1,6}))?%$/
const WHOLE_SHARE = 100_000_000n
const UNIT = 100_000_000n

/** What it acts by. */
interface Executor {
  readonly view: ExchangeView
  act(action: string, given: Readonly<Record<string, string>>, by: Operator): Promise<unknown>
}

/** The order, as its owner sees it, in lots. */
interface RestingOrder {
  readonly side: Side
  readonly priceTicks: Ticks
  readonly lots: number
  readonly filledLots: number
  readonly status: string
}

type Level = readonly [price: string, quantity: string]
type Depth = Readonly<Record<'bids' | 'asks', readonly Level[]>>

export class Counterparty {
  private readonly executor: Executor
  private readonly registry: Registry
  private readonly turns = new Turns()

  constructor(executor: Executor, registry: Registry) {
    this.executor = executor
    this.registry = registry
  }

  /**
   * Resolves when the order has traded the requested quantity; fills run one after another. `count` may refuse what
   * the counterparty is to pay next: to the order's owner, or to owners of orders before it, who may be the same.
   * Rejects with ActionError.
   */
  fill(wish: FillWish, count: (purchase: Purchase) => void = () => {}): Promise<FilledOrder> {
    return this.turns.run(() => this.fillOne(wish, count))
  }

  private async fillOne(wish: FillWish, count: (purchase: Purchase) => void): Promise<FilledOrder> {
    const spec = symbolNamed(wish.symbol, this.registry)
    const account = await this.ownerOf(wish, spec)
    const before = await this.orderOf(wish, account, spec)
    const wished = wishedLots(wish, before, spec)
    count(purchaseOf(before, Lots(wished), spec))
    let isCounted = true
    let order = before
    let traded = 0
    for (let orders = 0; order.filledLots < before.filledLots + wished; orders++) {
      const lots = before.filledLots + wished - order.filledLots
      if (orders === ORDERS_MAX) throw new ActionError('Too much stands before the order.')
      const better = await this.betterLevel(order, spec)
      const met = { ...order, priceTicks: (better ?? order).priceTicks }
      const most = Lots(better?.lots ?? lots)
      // What orders before it at its price take of an order of the house, the next one has again.
      if (better !== undefined || !isCounted) count(purchaseOf(met, most, spec))
      isCounted &&= better !== undefined
      const got = await this.trade(met, most, spec)
      traded += got
      // Someone else may have taken a better level meanwhile.
      const isStuck = got === 0 && better === undefined
      order = await this.orderOf(wish, account, spec, isStuck)
      if (isStuck) throw new ActionError('Nothing meets the order now.')
    }
    const filledLots = order.filledLots - before.filledLots
    return {
      account,
      symbol: spec.name,
      orderId: wish.orderId,
      filled: quantityText(filledLots, spec),
      left: quantityText(order.lots - order.filledLots, spec),
      status: order.status,
      alsoTaken: quantityText(traded - filledLots, spec),
    }
  }

  /** Resolves to the best level of the order's side, if its price is better than the order's. */
  private async betterLevel({ side, priceTicks }: RestingOrder, spec: SymbolSpec) {
    const params = { symbol: spec.name, limit: '5' }
    const query = { ask: 'operation', operation: 'depth', account: undefined, params } as const
    const depth = answerOf(await this.view.ask(0, query)) as Depth
    const [best] = side === Side.BUY ? depth.bids : depth.asks
    if (best === undefined) return undefined
    const bestTicks = ticksOf(best[0], spec)
    const isBetter = side === Side.BUY ? bestTicks > priceTicks : bestTicks < priceTicks
    return isBetter ? { priceTicks: bestTicks, lots: lotsOf(best[1], spec) } : undefined
  }

  /** Resolves to the lots that an order of the counterparty traded. */
  private async trade(order: RestingOrder, lots: Lots, spec: SymbolSpec): Promise<number> {
    const side = order.side === Side.BUY ? Side.SELL : Side.BUY
    const { priceTicks } = order
    const { asset, atoms } = purchaseOf(order, lots, spec)
    const account = await this.funded(asset, atoms)
    const query = { ask: 'houseOrder', account, symbolId: spec.id, side, priceTicks, lots } as const
    return Number(answerOf(await this.view.ask(0, query)))
  }

  /** Opens the account at its first fill. Resolves to its id once it has the atoms. */
  private async funded(name: string, atoms: bigint): Promise<AccountId> {
    const asset = this.registry.assets.find((row) => row?.name === name)!
    const { accounts } = this.registry
    const found = () => accounts.find((row) => row?.name === COUNTERPARTY_ACCOUNT)
    if (found() === undefined) await this.act('account-open', { account: COUNTERPARTY_ACCOUNT })
    const { id } = found()!
    const missing = atoms - this.free(id, asset.id)
    if (missing > 0n) {
      const usual = fundsOf(this.registry, asset)
      const amount = shown(missing > usual ? missing : usual)
      await this.act('deposit', { account: COUNTERPARTY_ACCOUNT, asset: asset.name, amount })
    }
    return id
  }

  private free(account: AccountId, asset: AssetId): bigint {
    return this.view.balance(account, asset).free
  }

  /** Finds the owner of an open order. */
  private async ownerOf({ account, orderId }: FillWish, spec: SymbolSpec): Promise<AccountSpec> {
    const { accounts } = this.registry
    if (account !== undefined) return accounts[account]!
    for (const owner of accounts) {
      if (this.view.openOrders(spec.id, owner.id) === 0) continue
      const page = { symbolId: spec.id, account: owner.id, afterOrderId: OrderId(orderId - 1) }
      const answer = await this.view.ask(0, { ask: 'openOrders', ...page, limit: 1 })
      const [first] = answerOf(answer) as { readonly orderId: number }[]
      if (first?.orderId === orderId) return owner
    }
    throw new ActionError(`There is no open order ${orderId} on ${spec.name}.`)
  }

  /** Resolves to the order, which must rest in the book, unless it may be filled. */
  private async orderOf(
    { orderId }: FillWish,
    { id: account }: AccountSpec,
    spec: SymbolSpec,
    mustRest = true,
  ): Promise<RestingOrder> {
    const params = { symbol: spec.name, orderId: String(orderId) }
    const query = { ask: 'operation', operation: 'queryOrder', account, params } as const
    const row = answerOf(await this.view.ask(0, query)) as Readonly<Record<string, unknown>>
    const status = String(row.status)
    const isOpen = row.isWorking === true && OPEN.includes(status)
    if (!isOpen && (mustRest || status !== 'FILLED')) {
      const state = OPEN.includes(status) ? 'not in the book yet' : status
      throw new ActionError(`The order ${orderId} is ${state}, so nothing can fill it.`)
    }
    return {
      side: row.side === 'BUY' ? Side.BUY : Side.SELL,
      priceTicks: ticksOf(String(row.price), spec),
      lots: lotsOf(String(row.origQty), spec),
      filledLots: lotsOf(String(row.executedQty), spec),
      status,
    }
  }

  private act(action: string, given: Readonly<Record<string, string>>) {
    return this.executor.act(action, given, HOUSE_COUNTERPARTY)
  }

  private get view(): ExchangeView {
    return this.executor.view
  }
}

const OPEN: readonly string[] = ['NEW', 'PARTIALLY_FILLED']

function purchaseOf(
  { side, priceTicks }: RestingOrder,
  lots: Lots,
  { base, quote, lotUnits, tickUnits }: SymbolSpec,
): Purchase {
  const units = BigInt(lots) * BigInt(lotUnits)
  if (side === Side.BUY) return { asset: base.name, atoms: units }
  return { asset: quote.name, atoms: (units * BigInt(priceTicks) * BigInt(tickUnits)) / UNIT + 1n }
}

const ticksOf = (price: string, { tickUnits }: SymbolSpec): Ticks =>
  Ticks(Number(unitsOf(price) / BigInt(tickUnits)))
const lotsOf = (decimal: string, { lotUnits }: SymbolSpec): number =>
  Number(unitsOf(decimal) / BigInt(lotUnits))
const quantityText = (lots: number, { lotUnits }: SymbolSpec): string =>
  shown(BigInt(lots) * BigInt(lotUnits))

/** Returns how much the order is to get: a share is rounded down to whole lots, and steps add up to it. */
function wishedLots(
  { quantity, step: { index, of } = { index: 0, of: 1 } }: FillWish,
  { lots, filledLots }: RestingOrder,
  spec: SymbolSpec,
): number {
  const left = lots - filledLots
  const all = quantity === undefined ? left : quantityLots(quantity, lots, spec)
  const upTo = (steps: number) => Math.floor((all * steps) / of)
  const wished = upTo(index + 1) - upTo(index)
  if (wished > left) {
    throw new ActionError(`The order has only ${quantityText(left, spec)} left to fill.`)
  }
  if (wished === 0) throw new ActionError('That is less than the smallest step of the symbol.')
  return wished
}

function quantityLots(quantity: string, lots: number, spec: SymbolSpec): number {
  const [, whole, fraction = ''] = SHARE.exec(quantity) ?? []
  if (whole !== undefined) {
    const share = BigInt(whole + fraction.padEnd(6, '0'))
    if (share > WHOLE_SHARE) throw new ActionError('A share is at most 100%.')
    return Number((BigInt(lots) * share) / WHOLE_SHARE)
  }
  if (!isDecimal(quantity)) {
    throw new ActionError('quantity must be a decimal, as 0.3, or a share of the order, as 30%.')
  }
  if (unitsOf(quantity) % BigInt(spec.lotUnits) !== 0n) {
    throw new ActionError(`quantity must be a multiple of ${quantityText(1, spec)}.`)
  }
  return lotsOf(quantity, spec)
}
