/**
 * One symbol with a few accounts, for scenarios in prices and quantities: by the plain twin, or by
 * the engine. Both answer every command with the same records.
 */

import { enginesOf } from '../../bench/workloads/engines.ts'
import { noExtras } from '../../bench/workloads/no-extras.ts'
import type { PlaceOrderListRecord } from '../../scripts/layout/codecs.gen.ts'
import {
  DETAILED,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { int64ToBigint } from '../../src/base/int64.ts'
import { EXECUTION_MATCHES_MAX, LEVEL_LOTS_MAX } from '../../src/base/limits.ts'
import {
  AccountId,
  AssetId,
  Lots,
  Ms,
  type OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../src/base/units.ts'
import { BALANCE_WORDS } from '../../src/core/ledger/balances.ts'
import { noFees, plainExchange, specifySymbol, usualAccount } from '../../src/market/listing.ts'
import { PlainSymbol } from '../model/plain-exchange.ts'
import { PlainLedger } from '../model/plain-ledger.ts'
import { type Command, encode, predict } from '../sim/commands.ts'
import { FaultyStore } from '../sim/faulty-store.ts'
import type { NamedRecord } from '../sim/records.ts'
import { SimulatedMatcher } from '../sim/simulated-matcher.ts'

const ACCOUNTS = 5
const ORDERS_MAX = 64
const BASE = 0
const QUOTE = 1
/** A tick is half a unit of quote, a lot a tenth of base. */
const TICKS = 2
const LOTS = 10
const ATOMS = 100_000_000
const FUNDS = (2_000_000_000_000n * BigInt(ATOMS)) / 100_000n

const spec = specifySymbol({
  id: SymbolId(0),
  name: 'BASEQUOTE',
  base: { id: AssetId(BASE), name: 'BASE' },
  quote: { id: AssetId(QUOTE), name: 'QUOTE' },
  status: 1,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0', maxPrice: '100000', tickSize: '0.5' },
    { filterType: 'LOT_SIZE', minQty: '0.1', maxQty: '800', stepSize: '0.1' },
  ],
  preventionModes: Object.values(SelfTradePrevention),
  preventionDefault: SelfTradePrevention.NONE,
})

const accounts = Array.from({ length: ACCOUNTS }, (_, id) => ({
  ...usualAccount,
  id: AccountId(id),
  name: `account-${id}`,
  tradeGroupId: id === 3 || id === 4 ? 1 : -1,
}))

/** An order in units: absent is none. */
export interface Wish {
  readonly account: AccountId
  readonly side: keyof typeof Side
  readonly type?: keyof typeof OrderType
  readonly quantity: number
  readonly price?: number
  readonly stop?: number
  readonly delta?: number
  readonly iceberg?: number
  readonly mode?: keyof typeof SelfTradePrevention
  readonly timeInForce?: keyof typeof TimeInForce
  readonly id?: string
}

export interface Owned {
  readonly free: number
  readonly locked: number
}

interface Told {
  execute(command: Command, timeMs: Ms): readonly NamedRecord[]
  balance(account: AccountId, asset: number): { free: bigint; locked: bigint }
}

export class Scene {
  private readonly exchange: Told
  private timeMs = Ms(1000)
  private ids = 0

  constructor(kind: 'plain' | 'engine') {
    this.exchange = kind === 'plain' ? plainSide() : engineSide()
  }

  place(wish: Wish): readonly NamedRecord[] {
    const record = {
      ...this.asked(),
      account: wish.account,
      expiresMs: Ms(0),
      ...this.order(wish),
    }
    return this.execute({ name: 'PlaceOrder', record: { ...record, quoteAtoms: QuoteAtoms(0) } })
  }

  list(kind: number, account: AccountId, legs: readonly Omit<Wish, 'account'>[]) {
    const numbered = [...legs, { side: 'BUY', quantity: 0, id: '' } as const].map((leg, i) => {
      const fields = Object.entries({ ...this.order({ ...leg, account }), spare: 0 })
      return Object.fromEntries(
        fields.map(([name, value]) => [
          `${name}${i + 1}`,
          name === 'terms' && typeof value === 'number' ? value | DETAILED : value,
        ]),
      )
    })
    const ids = { kind, account, expiresMs: Ms(0), listClientOrderId: `list-${++this.ids}` }
    const record = Object.assign({}, this.asked(), ids, ...numbered) as PlaceOrderListRecord
    return this.execute({ name: 'PlaceOrderList', record })
  }

  cancel(account: AccountId, orderId: OrderId): readonly NamedRecord[] {
    const ids = { orderId, origClientOrderId: '', clientOrderId: `cancel-${++this.ids}` }
    const record = { ...this.asked(), account, restrictions: 0, expiresMs: Ms(0), ...ids }
    return this.execute({ name: 'CancelOrder', record })
  }

  amend(account: AccountId, orderId: OrderId, quantity: number): readonly NamedRecord[] {
    const ids = { orderId, origClientOrderId: '', clientOrderId: '' }
    const lots = Lots(quantity * LOTS)
    const record = { ...this.asked(), account, spare: 0, lots, expiresMs: Ms(0), ...ids }
    return this.execute({ name: 'AmendOrder', record })
  }

  /** Accounts 1 and 2 trade the least there is at this price. */
  trade(price: number): readonly NamedRecord[] {
    const quantity = 1 / LOTS
    this.place({ account: AccountId(1), side: 'SELL', price, quantity })
    return this.place({ account: AccountId(2), side: 'BUY', price, quantity })
  }

  balances(account: AccountId): { readonly base: Owned; readonly quote: Owned } {
    const of = (asset: number) => {
      const { free, locked } = this.exchange.balance(account, asset)
      return { free: Number(free - FUNDS) / ATOMS, locked: Number(locked) / ATOMS }
    }
    return { base: of(BASE), quote: of(QUOTE) }
  }

  private execute(command: Command): readonly NamedRecord[] {
    return this.exchange.execute(command, Ms(++this.timeMs))
  }

  private asked() {
    return { symbolId: SymbolId(0), gateway: 0, correlation: ++this.ids }
  }

  private order(wish: Wish) {
    const { type = 'LIMIT', mode = 'EXPIRE_MAKER', timeInForce = 'GTC' } = wish
    const { stop = 0, delta = 0, iceberg = 0, price = 0, quantity } = wish
    const isDetailed = stop > 0 || delta > 0 || iceberg > 0
    const terms = packTerms(
      Side[wish.side],
      OrderType[type],
      TimeInForce[timeInForce],
      SelfTradePrevention[mode],
    )
    return {
      terms: isDetailed ? terms | DETAILED : terms,
      priceTicks: Ticks(price * TICKS),
      lots: Lots(Math.round(quantity * LOTS)),
      clientOrderId: wish.id ?? `order-${++this.ids}`,
      ...noExtras,
      stopTicks: Ticks(stop * TICKS),
      icebergLots: Lots(Math.round(iceberg * LOTS)),
      trailingDelta: delta,
    }
  }
}

function plainSide(): Told {
  const ledger = new PlainLedger(1)
  for (const { id } of accounts) {
    for (const asset of [BASE, QUOTE]) ledger.deposit(id, asset, FUNDS)
  }
  const shared = { ledger, accounts, exchange: plainExchange, ordersMax: ORDERS_MAX }
  const bounds = {
    executionMatchesMax: EXECUTION_MATCHES_MAX,
    levelLotsMax: BigInt(LEVEL_LOTS_MAX),
  }
  const world = {
    ...shared,
    ...bounds,
    markets: [],
    publishedTicks: [0],
    orderListId: OrderListId(0),
  }
  const twin = new PlainSymbol(spec, 0, world)
  return {
    execute: (command, timeMs) => {
      const records = predict(twin, command, timeMs)
      ledger.settle(0)
      return records
    },
    balance: (account, asset) => ledger.shown(account, asset),
  }
}

function engineSide(): Told {
  const sizes = { ordersPerSymbol: ORDERS_MAX, accounts: ACCOUNTS }
  const symbols = enginesOf({ symbols: [{ ...spec, fees: noFees }], accounts }, sizes)
  const { balances } = symbols
  for (const { id } of accounts) {
    for (const asset of [BASE, QUOTE]) balances.credit(id, AssetId(asset), FUNDS)
  }
  const matcher = new SimulatedMatcher(symbols, new FaultyStore('flushed'))
  const words = new Int32Array(BALANCE_WORDS)
  return {
    execute: (command, timeMs) => {
      const records = matcher.execute(encode(command), timeMs)
      matcher.append()
      return records
    },
    balance: (account, asset) => {
      balances.read(AccountId(account), AssetId(asset), words)
      return { free: int64ToBigint(words, 1), locked: int64ToBigint(words, 3) }
    },
  }
}
