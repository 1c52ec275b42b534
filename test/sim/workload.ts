/**
 * Random commands for the simulated exchange: placements that meet, cancels, amendments and queries of
 * what is open or was, ids that clash, commands that come too late. The same generator state and the
 * same open orders give the same command.
 */
import {
  OrderType,
  ProtectionStatus,
  packTerms,
  ReferenceCalculation,
  SelfTradePrevention,
  Side,
  TimeInForce,
  withSession,
} from '../../src/base/codes.ts'
import type { Prng } from '../../src/base/prng.ts'
import {
  AccountId,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../src/base/units.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import type { PlainState } from '../model/plain-order.ts'
import type { Command } from './commands.ts'
import { Wishes } from './wishes.ts'
import { accounts, symbols, VAST_LOTS, VAST_SYMBOL } from './world.ts'

const TRADERS = accounts.filter(({ id, canTrade }) => id > 0 && canTrade).map(({ id }) => id)
const ONE_OWNER = accounts.filter(({ tradeGroupId }) => tradeGroupId === 7).map(({ id }) => id)
const BARRED = accounts.findIndex(({ canTrade }) => !canTrade)

/** Whose order a command is about, and how it is named; perhaps of no order. */
interface Target {
  readonly account: AccountId
  readonly orderId: OrderId
  readonly clientOrderId: string
  /** Quantity; 0 when no such order is known. */
  readonly lots: Lots
}

/** What every command begins with. */
interface Asked {
  readonly symbolId: SymbolId
  readonly gateway: number
  readonly correlation: number
}

export class Workload {
  private readonly prng: Prng
  private readonly wishes: Wishes
  /** Who trades: now and then only those who are one owner, and one more. */
  private readonly traders: readonly number[]
  /** The chance that a placement is that of a list. */
  private readonly lists: number
  private correlation = 0

  constructor(prng: Prng, specs: readonly SymbolSpec[] = symbols) {
    this.prng = prng
    this.wishes = new Wishes(prng, specs)
    this.traders = prng.pick([TRADERS, TRADERS, TRADERS, [1, ...ONE_OWNER]])
    this.lists = prng.pick([0.06, 0.16, 0.16, 0.4])
  }

  /** `state` is what the plain twin knows to be open now. */
  next(spec: SymbolSpec, nowMs: Ms, state: PlainState): Command {
    const prng = this.prng
    const asked = {
      symbolId: SymbolId(spec.id),
      gateway: prng.chance(0.1) ? -1 : prng.below(4),
      correlation: ++this.correlation,
    }
    const account = prng.chance(0.03) ? BARRED : prng.pick(this.traders)
    const isLate = prng.chance(0.03)
    const expiresMs = Ms(isLate ? nowMs - prng.below(3) : prng.chance(0.5) ? 0 : nowMs)
    const dice = prng.unit()
    if (dice < 0.62 && prng.chance(this.lists)) {
      const record = {
        ...asked,
        account: AccountId(account),
        ...this.wishes.list(spec),
        expiresMs,
      }
      return { name: 'PlaceOrderList', record }
    }
    if (dice < 0.62) {
      const record = {
        ...asked,
        account: AccountId(account),
        ...this.wishes.order(spec),
        expiresMs,
      }
      return { name: 'PlaceOrder', record }
    }
    if (dice < 0.86) return this.change(spec, asked, expiresMs, state)
    if (dice < 0.88) return this.countDown(asked, AccountId(account), expiresMs)
    const { calculation } = state.reference.settings
    const isPriced = calculation === ReferenceCalculation.EXTERNAL
    if (dice < 0.888 && (isPriced || (calculation !== 0 && dice < 0.883))) {
      return this.price(spec, asked, state)
    }
    if (dice < 0.91) return this.protect(asked, AccountId(account), expiresMs, state)
    if (dice < 0.922) return this.tradeBlock(spec, asked, state)
    return this.query(asked, AccountId(account), state)
  }

  /** Now and then one that was made before, as it was or another under its id. */
  private tradeBlock(spec: SymbolSpec, asked: Asked, state: PlainState): Command {
    const prng = this.prng
    const isVast = spec.id === VAST_SYMBOL && prng.chance(0.5)
    const record = {
      ...asked,
      buyer: AccountId(prng.pick(TRADERS)),
      seller: AccountId(prng.pick(TRADERS)),
      priceTicks: Ticks(prng.between(1, 200)),
      lots: Lots(isVast ? VAST_LOTS : prng.between(1, 20)),
      rate: prng.pick([0, 0, 100_000, 50_000_000]),
      archivedId: 0,
      requestId: `b-${asked.correlation}`,
    }
    const { blockTrades } = state
    if (blockTrades.length === 0 || prng.chance(0.6)) return { name: 'TradeBlock', record }
    const made = prng.pick(blockTrades)
    const again = { ...record, requestId: made.requestId }
    if (prng.chance(0.3)) return { name: 'TradeBlock', record: again }
    const parties = { buyer: AccountId(made.buyer), seller: AccountId(made.seller) }
    const terms = { priceTicks: Ticks(made.priceTicks), lots: Lots(made.lots) }
    return { name: 'TradeBlock', record: { ...again, ...parties, ...terms } }
  }

  /** Something about what is open. */
  private change(spec: SymbolSpec, asked: Asked, expiresMs: Ms, state: PlainState): Command {
    const prng = this.prng
    const { account, orderId, clientOrderId, lots } = this.target(state)
    const newId = this.wishes.clientOrderId()
    if (state.orders.some(isQuoted) && prng.chance(0.25)) {
      return this.quote(spec, asked, account, expiresMs, state)
    }
    const dice = prng.unit()
    if (dice < 0.45) {
      const restrictions = prng.chance(0.7) ? 0 : prng.between(1, 2)
      const ids = { orderId, origClientOrderId: clientOrderId, clientOrderId: newId }
      const record = { ...asked, account, restrictions, expiresMs, ...ids }
      return { name: 'CancelOrder', record }
    }
    if (dice < 0.7) {
      const record = {
        ...asked,
        account,
        spare: 0,
        orderId,
        lots: prng.chance(0.1)
          ? lots
          : Lots(Math.max(1, Math.floor(lots * (0.4 + 0.65 * prng.unit())))),
        expiresMs,
        origClientOrderId: clientOrderId,
        clientOrderId: prng.chance(0.4) ? '' : newId,
      }
      return { name: 'AmendOrder', record }
    }
    if (dice < 0.9) {
      const record = {
        ...asked,
        account,
        ...this.wishes.order(spec),
        expiresMs,
        cancelOrderId: orderId,
        cancelRestrictions: prng.chance(0.8) ? 0 : prng.between(1, 2),
        mode: prng.between(0, 1),
        cancelOrigClientOrderId: clientOrderId,
        cancelClientOrderId: newId,
      }
      return { name: 'ReplaceOrder', record }
    }
    if (dice < 0.94) return this.cancelList(asked, expiresMs, newId, state)
    if (dice < 0.968) return this.quote(spec, asked, account, expiresMs, state)
    if (dice < 0.975) return this.endSession(asked, newId, state)
    const record = { ...asked, account, spare: 0, expiresMs, clientOrderId: newId }
    if (dice < 0.9875) return { name: 'CancelOpenOrders', record }
    return this.cancelWhere(asked, expiresMs, newId, state)
  }

  /** A quote of one of two names, mostly of an account that has one, which mostly wants again what stands of it. */
  private quote(
    spec: SymbolSpec,
    asked: Asked,
    other: AccountId,
    expiresMs: Ms,
    state: PlainState,
  ): Command {
    const prng = this.prng
    const quoted = state.orders.filter(isQuoted)
    const last = quoted.length > 0 && prng.chance(0.8) ? prng.pick(quoted) : undefined
    const account = last === undefined ? other : AccountId(last.account)
    const prefix = last?.clientOrderId.slice(0, 3) ?? prng.pick(['qa-', 'qb-'])
    const middle = Math.max(10, Number(state.lastPriceTicks) || 500)
    const of = (side: Side, count: number) => {
      const sign = side === Side.BUY ? -1 : 1
      const from = 1 + prng.below(20)
      const its = state.orders.filter(
        (it) => it.account === account && it.side === side && it.clientOrderId.startsWith(prefix),
      )
      const again = its.filter(() => prng.chance(0.75)).map(({ price, open }) => [price, open])
      const fresh = Array.from({ length: count }, (_, i) => [
        BigInt(Math.max(1, middle + sign * (from + 2 * i))),
        BigInt(prng.between(1, 9)),
      ])
      const byPrice = new Map([...fresh, ...again].map(([price, open]) => [price!, open!]))
      return [...byPrice].slice(0, 5).map(([price, open]) => ({
        priceTicks: Ticks(Number(price)),
        lots: Lots(Math.max(1, Number(open) + (prng.chance(0.5) ? 0 : prng.between(-2, 1)))),
        clientOrderId: `${prefix}${asked.correlation}-${side}${price}`,
      }))
    }
    const isQuoting = prng.chance(0.9)
    const asks = isQuoting ? of(Side.SELL, prng.pick([0, 0, 1, 1, 2])) : []
    const lowest = Math.min(...asks.map(({ priceTicks }) => Number(priceTicks)), spec.priceTicksMax)
    const bids = isQuoting
      ? of(Side.BUY, prng.pick([0, 0, 1, 1, 2])).filter(({ priceTicks }) => priceTicks < lowest)
      : []
    const { LIMIT, LIMIT_MAKER } = OrderType
    const type = prng.pick([LIMIT, LIMIT_MAKER])
    const { NONE, EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH, DECREMENT } = SelfTradePrevention
    const mode = prng.pick([NONE, EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH, DECREMENT])
    const terms = packTerms(Side.BUY, type, TimeInForce.GTC, mode)
    const record = {
      ...asked,
      account,
      expiresMs,
      prefix,
      spare: 0,
      bids: bids.length,
      asks: asks.length,
      levels: [...bids, ...asks],
      terms: prng.chance(0.9) ? terms : withSession(terms, this.wishes.session()),
      isWhole: prng.below(2),
      clientOrderId: `x${asked.correlation}`,
    }
    return { name: 'QuoteOrders', record }
  }

  /** Mostly what an open order would be found by. */
  private cancelWhere(asked: Asked, expiresMs: Ms, newId: string, state: PlainState): Command {
    const prng = this.prng
    const like = state.orders.length > 0 ? prng.pick(state.orders) : undefined
    const price = Number(like?.price ?? 0n)
    const isBounded = prng.chance(0.6)
    const record = {
      ...asked,
      account: AccountId(like === undefined ? prng.pick(this.traders) : like.account),
      side: prng.chance(0.5) ? -1 : prng.pick([Side.BUY, Side.SELL]),
      expiresMs,
      minTicks: Ticks(isBounded ? Math.max(0, price - prng.below(4)) : 0),
      maxTicks: Ticks(isBounded ? price + prng.below(4) : Number.MAX_SAFE_INTEGER),
      clientOrderId: newId,
      prefix: prng.chance(0.5) ? '' : (like?.clientOrderId ?? newId).slice(0, prng.between(1, 36)),
    }
    return { name: 'CancelOrdersWhere', record }
  }

  /** A connection is lost: mostly of a session that has open orders. */
  private endSession(asked: Asked, clientOrderId: string, state: PlainState): Command {
    const prng = this.prng
    const its = state.orders.filter(({ session }) => session !== 0)
    const owner =
      its.length > 0 && prng.chance(0.9)
        ? prng.pick(its)
        : { account: prng.pick(this.traders), session: this.wishes.session() }
    const { account, session } = owner
    return {
      name: 'CancelSessionOrders',
      record: { ...asked, account: AccountId(account), session, clientOrderId },
    }
  }

  /** Short ones, so that they fire between commands. */
  private countDown(asked: Asked, account: AccountId, expiresMs: Ms): Command {
    const prng = this.prng
    const own = { ...asked, account }
    if (prng.chance(0.2)) return { name: 'QueryCountdowns', record: { ...own, spare: 0 } }
    const scope = prng.below(2)
    const countdownMs = Ms(prng.pick([0, 1, 7, 20, 60]))
    return { name: 'SetCountdown', record: { ...own, scope, countdownMs, expiresMs } }
  }

  /** Low bounds, so that some trip; those that have are mostly reset. */
  private protect(asked: Asked, account: AccountId, expiresMs: Ms, state: PlainState): Command {
    const prng = this.prng
    const own = { ...asked, account, spare: 0 }
    const tripped = state.protections.filter(({ status }) => status === ProtectionStatus.TRIPPED)
    const dice = prng.unit()
    if (dice < 0.15) return { name: 'QueryProtection', record: own }
    if (dice < 0.6) {
      const of = tripped.length > 0 && prng.chance(0.9) ? prng.pick(tripped).account : account
      return { name: 'ResetProtection', record: { ...own, account: AccountId(of), expiresMs } }
    }
    const windowMs = Ms(prng.pick([0, 1, 30, 300, 5_000]))
    const maxFills = prng.pick([0, 1, 2, 5])
    const maxNotional = QuoteAtoms(
      maxFills === 0 || prng.chance(0.3) ? 10 ** prng.between(6, 13) : 0,
    )
    const record = { ...own, windowMs, maxFills, maxNotional, expiresMs }
    return { name: 'SetProtection', record }
  }

  /** A reference price from outside: near the last price, where there is one. */
  private price(spec: SymbolSpec, asked: Asked, state: PlainState): Command {
    const last = state.lastPriceTicks || spec.priceTicksMin
    const units = Math.floor(last * spec.tickUnits * (0.97 + 0.06 * this.prng.unit()))
    const priceUnits = this.prng.chance(0.1) ? -1 : Math.max(1, units)
    return { name: 'SetReferencePrice', record: { ...asked, priceUnits } }
  }

  private cancelList(asked: Asked, expiresMs: Ms, newId: string, state: PlainState): Command {
    const prng = this.prng
    const isKnown = state.lists.length > 0 && prng.chance(0.7)
    const list = isKnown
      ? prng.pick(state.lists)
      : {
          account: prng.pick(this.traders),
          orderListId: Math.max(1, state.orderListId - prng.below(6)),
          clientOrderId: this.wishes.listClientOrderId(),
        }
    const [byId, byClientId] = this.naming()
    const record = {
      ...asked,
      account: AccountId(list.account),
      spare: 0,
      orderListId: OrderListId(byId ? list.orderListId : -1),
      expiresMs,
      listClientOrderId: byClientId ? list.clientOrderId : '',
      clientOrderId: newId,
    }
    return { name: 'CancelOrderList', record }
  }

  private query(asked: Asked, account: AccountId, state: PlainState): Command {
    const dice = this.prng.unit()
    if (dice < 0.45) {
      const { account, orderId, clientOrderId } = this.target(state)
      return {
        name: 'QueryOrder',
        record: {
          ...asked,
          account: AccountId(account),
          spare: 0,
          orderId: OrderId(orderId),
          clientOrderId,
        },
      }
    }
    const isLong = this.prng.chance(0.5)
    const limit = isLong ? 1000 : this.prng.between(1, 4)
    if (dice < 0.75) {
      const untilOrderId = this.prng.chance(0.5) ? 0 : this.prng.between(0, state.orderId)
      const afterOrderId = this.prng.chance(0.5) ? 0 : this.prng.between(0, untilOrderId)
      const page = {
        account,
        limit,
        afterOrderId: OrderId(afterOrderId),
        untilOrderId: OrderId(untilOrderId),
      }
      return { name: 'QueryOpenOrders', record: { ...asked, ...page } }
    }
    const side = this.prng.pick([Side.BUY, Side.SELL])
    const isFirst = state.orders.length === 0 || this.prng.chance(0.5)
    const afterTicks = isFirst ? 0 : Number(this.prng.pick(state.orders).price)
    return { name: 'QueryBook', record: { ...asked, side, limit, afterTicks: Ticks(afterTicks) } }
  }

  /** Mostly an order that is open, by one of its names, both or none. */
  private target(state: PlainState): Target {
    const prng = this.prng
    const [byOrderId, byClientId] = this.naming()
    const isKnown = state.orders.length > 0 && prng.chance(0.7)
    const order = isKnown
      ? prng.pick(state.orders)
      : {
          account: prng.pick(this.traders),
          orderId: Math.max(0, state.orderId - prng.below(12)),
          clientOrderId: this.wishes.clientOrderId(),
          lots: 0n,
        }
    const isRight = prng.chance(0.9)
    return {
      account: AccountId(order.account),
      orderId: OrderId(byOrderId ? order.orderId : 0),
      clientOrderId: !byClientId ? '' : isRight ? order.clientOrderId : this.wishes.clientOrderId(),
      lots: Lots(Number(order.lots)),
    }
  }

  private naming(): readonly [byId: boolean, byClientId: boolean] {
    return this.prng.pick([
      [true, false],
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ] as const)
  }
}

const isQuoted = ({ clientOrderId }: { readonly clientOrderId: string }) =>
  /^q[ab]-/.test(clientOrderId)
