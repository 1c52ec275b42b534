/**
 * Orders and what comes of them as short lines, for tables of cases. One tick × lot is one quote atom,
 * one lot one base atom; account n has 1000 base and 100000 quote, 3 and 4 are one trade group, 5 may
 * not trade, 6 pays commissions; the clock stands at 1000.
 *
 * ```
 * 1 BUY 5 @ 100            LIMIT GTC, EXPIRE_MAKER, client id o1, o2, … by the line's place
 * 1 SELL 5 @ 100 IOC both #mine until 900
 * 1 BUY 5                  MARKET by quantity
 * 1 BUY for 500            MARKET by quote amount
 * 1 cancel 2               or: 1 cancel #mine, 1 cancel 2 #mine, 1 cancel 2 new, 1 cancel all
 * 1 query 2                or: 1 query #mine, 1 query 2 #mine, 1 query all, query book
 * ```
 */
import {
  ExpiryReason,
  namesOf,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '#base/codes.ts'
import { type SymbolSpec, specifySymbol, usualAccount } from '#base/listing.ts'
import { Book } from '#core/book/book.ts'
import { AccountTable } from '#core/ledger/accounts.ts'
import { Balances } from '#core/ledger/balances.ts'
import { Holds } from '#core/ledger/holds.ts'
import { Engine } from '#core/matching/engine.ts'
import { EngineOutput } from '#core/matching/output.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import {
  writeCancelOpenOrders,
  writeCancelOrder,
  writePlaceOrder,
  writeQueryBook,
  writeQueryOpenOrders,
  writeQueryOrder,
} from '#layout/records.gen.ts'
import { noExtras } from '../../../no-extras.ts'
import { type NamedRecord, readRecords } from '../../../sim/records.ts'

const ACCOUNTS = 8
const NOW_MS = 1000

export const tapeSymbol: SymbolSpec = specifySymbol({
  id: 0,
  name: 'REDBLUE',
  base: { id: 0, name: 'RED', decimals: 8 },
  quote: { id: 1, name: 'BLUE', decimals: 8 },
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '100000', tickSize: '1' },
    { filterType: 'LOT_SIZE', minQty: '0.00000002', maxQty: '1', stepSize: '0.00000001' },
  ],
  preventionModes: [1, 2, 3],
  preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
})

const modes: Readonly<Record<string, SelfTradePrevention>> = {
  none: SelfTradePrevention.NONE,
  taker: SelfTradePrevention.EXPIRE_TAKER,
  maker: SelfTradePrevention.EXPIRE_MAKER,
  both: SelfTradePrevention.EXPIRE_BOTH,
}
const rejectNames = namesOf(RejectReason)
const statusNames = namesOf(OrderStatus)
const reasonNames = namesOf(ExpiryReason)

export class Tape {
  readonly balances: Balances
  readonly #engine: Engine
  readonly #holds: Holds
  readonly #output = new EngineOutput()
  #line = 0

  constructor(spec: Partial<SymbolSpec> = {}, ordersMax = 16) {
    const shape = { priceTicksMax: tapeSymbol.priceTicksMax, ordersMax, accountsMax: ACCOUNTS }
    const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, 2))
    this.balances = new Balances(memory, ACCOUNTS, 2)
    const accounts = new AccountTable(ACCOUNTS)
    for (let id = 0; id < ACCOUNTS; id++) {
      const rate = id === 6 ? 1_000_000 : 0
      const tradeGroupId = id === 3 || id === 4 ? 7 : -1
      const rates = { makerRate: rate, takerRate: 2 * rate, buyerRate: rate, sellerRate: 0 }
      accounts.set({
        ...usualAccount,
        id,
        name: `${id}`,
        tradeGroupId,
        ...rates,
        canTrade: id !== 5,
      })
      if (id === 0) continue
      this.balances.credit(id, 0, 1000)
      this.balances.credit(id, 1, 100_000)
    }
    this.#holds = new Holds(this.balances, ACCOUNTS, 2)
    const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
    this.#engine = new Engine({
      spec: { ...tapeSymbol, ...spec },
      book,
      holds: this.#holds,
      accounts,
    })
  }

  respecify(spec: Partial<SymbolSpec>): void {
    this.#engine.respecify({ ...tapeSymbol, ...spec })
  }

  /** Executes one line as a batch of its own; answers what came of it, a line for each record. */
  run(line: string): string[] {
    return this.records(line).map(lineOf)
  }

  records(line: string): NamedRecord[] {
    this.#output.reset()
    this.#line++
    this.#engine.execute(this.#encode(line.split(/\s+/)), 0, NOW_MS, this.#output)
    this.#holds.settle(true)
    const { events, eventsEnd, replies, repliesEnd } = this.#output
    return [...readRecords(events, 0, eventsEnd), ...readRecords(replies, 0, repliesEnd)]
  }

  #encode(words: readonly string[]): RecordBuffer {
    const buffer = RecordBuffer.allocate(128)
    const header = { symbolId: 0, gateway: 2, correlation: this.#line }
    const account = Number(words[0])
    const own = words.find((word) => word.startsWith('#'))?.slice(1)
    const orderId = Number(words[2]) || 0
    const named = { ...header, account, spare: 0, orderId }
    const expiresMs = words.includes('until') ? Number(words.at(-1)) : 0
    const clientOrderId = `x${this.#line}`
    if (words[0] === 'query') writeQueryBook(buffer, 0, header)
    else if (words[2] === 'all') {
      if (words[1] === 'query') writeQueryOpenOrders(buffer, 0, named)
      else writeCancelOpenOrders(buffer, 0, { ...named, expiresMs, clientOrderId })
    } else if (words[1] === 'query') {
      writeQueryOrder(buffer, 0, { ...named, clientOrderId: own ?? '' })
    } else if (words[1] === 'cancel') {
      const restrictions = words.includes('new') ? 1 : words.includes('partial') ? 2 : 0
      const origClientOrderId = own ?? ''
      const cancel = { ...named, restrictions, expiresMs, origClientOrderId, clientOrderId }
      writeCancelOrder(buffer, 0, cancel)
    } else this.#encodeOrder(buffer, words, own ?? `o${this.#line}`, expiresMs)
    return buffer
  }

  #encodeOrder(
    buffer: RecordBuffer,
    words: readonly string[],
    clientOrderId: string,
    expiresMs: number,
  ): void {
    const isLimit = words[3] === '@'
    const isByAmount = words[2] === 'for'
    const limitType = words.includes('MAKER') ? OrderType.LIMIT_MAKER : OrderType.LIMIT
    const timeInForce = words.find((word): word is keyof typeof TimeInForce => word in TimeInForce)
    const mode = words.map((word) => modes[word]).find((value) => value !== undefined)
    writePlaceOrder(buffer, 0, {
      ...noExtras,
      symbolId: 0,
      gateway: 2,
      correlation: this.#line,
      account: Number(words[0]),
      terms: packTerms(
        words[1] === 'BUY' ? Side.BUY : Side.SELL,
        isLimit ? limitType : OrderType.MARKET,
        TimeInForce[timeInForce ?? 'GTC'],
        mode ?? SelfTradePrevention.EXPIRE_MAKER,
      ),
      priceTicks: isLimit ? Number(words[4]) : 0,
      lots: isByAmount ? 0 : Number(words[2]),
      quoteAtoms: isByAmount ? Number(words[3]) : 0,
      expiresMs,
      clientOrderId,
    })
  }
}

function lineOf(it: NamedRecord): string {
  switch (it.name) {
    case 'OrderAccepted':
      return `accepted ${it.orderId}: ${it.lots}, held ${it.heldAtoms}`
    case 'Trade':
      return `trade ${it.takerOrderId} with ${it.makerOrderId}: ${it.tradeLots} @ ${it.priceTicks}`
    case 'OrderRested':
      return `rested ${it.orderId}: ${it.restedLots} @ ${it.priceTicks}`
    case 'OrderClosed': {
      const status = statusNames[Number(it.status)]
      const reason = Number(it.reason) === 0 ? '' : ` ${reasonNames[Number(it.reason)]}`
      const prevented = Number(it.preventedLots) === 0 ? '' : `, prevented ${it.preventedLots}`
      const sums = `filled ${it.filledLots}${prevented}, released ${it.releasedAtoms}`
      return `closed ${it.orderId}: ${status}${reason}, ${sums}`
    }
    case 'MatchPrevented': {
      const sums = `taker ${it.takerPreventedLots}, maker ${it.makerPreventedLots}`
      const group = Number(it.tradeGroupId) === -1 ? '' : `, group ${it.tradeGroupId}`
      return `prevented ${it.preventedMatchId} of ${it.takerOrderId} and ${it.makerOrderId}: ${sums}${group}`
    }
    case 'Rejected':
      return `refused ${rejectNames[Number(it.reason)]}`
    case 'OrderState':
      return `order ${it.orderId}: ${it.filledLots} of ${it.lots} @ ${it.priceTicks}`
    case 'BookLevel':
      return `level ${it.side === Side.BUY ? 'bid' : 'ask'} ${it.levelLots} @ ${it.priceTicks}`
    default:
      return it.name
  }
}
