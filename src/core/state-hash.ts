/**
 * One number for a whole state: books with their orders in priority order, what waits, order lists,
 * the queue of turns, counters, balances. It does not depend on slots or on when memory was reused, so
 * a recovered state and the one that never stopped hash alike. For tests and audits; it walks
 * everything.
 */
import { CLIENT_ORDER_ID_WORDS } from '../base/client-order-id.ts'
import { OrderPhase, Side } from '../base/codes.ts'
import type { OrderBook } from './book/face.ts'
import { BALANCE_WORDS, type Balances } from './ledger/balances.ts'
import type { Details } from './matching/details.ts'
import { Open } from './matching/open-counts.ts'
import type { OrderList } from './matching/order-lists.ts'
import type { SymbolState } from './matching/symbol-state.ts'

/** Folds integers into 53 bits: two multiplicative hashes side by side. */
export class StateHash {
  #low = 0x2545f491
  #high = 0x6c078965

  /** Folds a 32-bit word. */
  word(value: number): this {
    this.#low = mix(this.#low ^ value, 0x85ebca6b)
    this.#high = mix(this.#high + value, 0xc2b2ae35)
    return this
  }

  /** Folds an integer within ±(2^53 - 1). */
  int(value: number): this {
    return this.word(value | 0).word(Math.floor(value / 4294967296) | 0)
  }

  get value(): number {
    return (this.#high & 0x1fffff) * 4294967296 + (this.#low >>> 0)
  }
}

function mix(state: number, multiplier: number): number {
  const product = Math.imul(state, multiplier)
  return Math.imul(product ^ (product >>> 15), 0x9e3779b1) ^ (product >>> 13)
}

/** Everything that an engine of one symbol goes on with. */
export interface HashedSymbol {
  readonly state: SymbolState
}

export function stateHash(symbols: readonly HashedSymbol[], balances: Balances): number {
  const hash = new StateHash()
  for (const { state } of symbols) {
    for (const counter of state.counters) hash.int(counter)
    foldSide(hash, state.book, Side.BUY)
    foldSide(hash, state.book, Side.SELL)
    for (const row of state.details.sorted()) foldDetails(hash, state.details, row)
    for (const list of state.lists.all) foldList(hash, list)
    for (const orderId of state.queue.open()) hash.int(orderId)
    foldCounts(hash, state)
  }
  foldBalances(hash, balances)
  return hash.value
}

function foldSide(hash: StateHash, book: OrderBook, side: Side): void {
  for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
    hash.int(book.orderId[slot]!).word(book.account[slot]!).word(book.terms[slot]!)
    hash.int(book.priceTicksOf(slot)).int(book.openLots[slot]!)
    hash.int(book.filledLots[slot]!).int(book.filledAtoms[slot]!)
    hash.int(book.createdMsOf(slot)).int(book.updatedMsOf(slot))
    const idAt = book.clientOrderIdAt(slot)
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) hash.word(book.clientOrderId[idAt + i]!)
  }
  hash.word(side)
}

/** Of an order that rests, the book knows what the last columns say of one that waits. */
function foldDetails(hash: StateHash, details: Details, row: number): void {
  hash.int(details.orderId[row]!).word(details.account[row]!).word(details.terms[row]!)
  hash.int(details.lots[row]!).int(details.stopTicks[row]!).int(details.icebergLots[row]!)
  hash.int(details.hiddenLots[row]!).int(details.preventedLots[row]!)
  hash.int(details.strategyId[row]!).word(details.strategyType[row]!)
  hash.word(details.trailingDelta[row]!).int(details.trailingMs[row]!)
  hash.int(details.extremeTicks[row]!).int(details.workingMs[row]!)
  hash.word(details.amendments[row]!).int(details.orderListId[row]!).word(details.leg[row]!)
  hash.word(details.phase[row]!)
  if (details.phase[row] === OrderPhase.WORKING) return
  hash.int(details.priceTicks[row]!).int(details.costAtoms[row]!)
  hash.int(details.createdMs[row]!).int(details.updatedMs[row]!)
  for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
    hash.word(details.clientOrderId[row * CLIENT_ORDER_ID_WORDS + i]!)
  }
}

function foldList(hash: StateHash, list: OrderList): void {
  hash.int(list.orderListId).word(list.account).word(list.kind).word(list.openLegs)
  for (const orderId of list.orderIds) hash.int(orderId)
  for (const word of list.listClientOrderId) hash.word(word)
  for (const word of list.clientOrderIds) hash.word(word)
}

function foldCounts(hash: StateHash, { counts }: SymbolState): void {
  for (let account = 0; account < counts.accountsMax; account++) {
    for (const kind of Object.values(Open)) {
      const open = counts.of(account, kind)
      if (open !== 0) hash.word(account).word(kind).word(open)
    }
  }
}

/** Versions count writes, which a recovery does fewer of, so they are left out. */
function foldBalances(hash: StateHash, balances: Balances): void {
  const words = new Int32Array(BALANCE_WORDS)
  for (let account = 0; account < balances.accountsMax; account++) {
    for (let asset = 0; asset < balances.assetsMax; asset++) {
      balances.read(account, asset, words)
      if ((words[1]! | words[2]! | words[3]! | words[4]!) === 0) continue
      hash.word(account).word(asset)
      for (let i = 1; i < BALANCE_WORDS; i++) hash.word(words[i]!)
    }
  }
}
