/**
 * One number for a whole state: books with their orders in priority order, what waits, order lists,
 * the queue of executions, counters, balances. It does not depend on slots or on when memory was reused, so
 * a recovered state and the one that never stopped hash alike. For tests and audits; it walks
 * everything.
 */
import { isDetailed, Side } from '../base/codes.ts'
import { type Int64, writeInt64 } from '../base/int64.ts'
import { AccountId, AssetId } from '../base/units.ts'
import { BALANCE_WORDS, type Balances } from './ledger/balances.ts'
import { Open } from './matching/open-counts.ts'
import { OrderImage } from './matching/order-image.gen.ts'
import type { OrderList } from './matching/order-lists.ts'
import type { SymbolState } from './matching/symbol-state.ts'

/** Hashes integers into 53 bits: two multiplicative hashes side by side. */
export class StateHash {
  private low = 0x2545f491
  private high = 0x6c078965
  private readonly words = new Int32Array(2)

  /** Hashes a 32-bit word. */
  word(value: number): this {
    this.low = mix(this.low ^ value, 0x85ebca6b)
    this.high = mix(this.high + value, 0xc2b2ae35)
    return this
  }

  /** Hashes an integer of 64 bits. */
  int(value: Int64): this {
    writeInt64(this.words, 0, value)
    return this.word(this.words[0]!).word(this.words[1]!)
  }

  get value(): number {
    return (this.high & 0x1fffff) * 4294967296 + (this.low >>> 0)
  }
}

function mix(state: number, multiplier: number): number {
  const product = Math.imul(state, multiplier)
  return Math.imul(product ^ (product >>> 15), 0x9e3779b1) ^ (product >>> 13)
}

/** Everything that an engine of one symbol continues with. */
export interface HashedSymbol {
  readonly state: SymbolState
}

export function stateHash(symbols: readonly HashedSymbol[], balances: Balances): number {
  const hash = new StateHash()
  for (const { state } of symbols) {
    for (const counter of state.counters) hash.int(counter)
    hashSide(hash, state, Side.BUY)
    hashSide(hash, state, Side.SELL)
    for (const slot of state.details.sorted()) {
      if (state.isWaiting(slot)) hashOrder(hash, state, slot)
    }
    for (const list of state.lists.all) hashList(hash, list)
    for (const orderId of state.queue.open()) hash.int(orderId)
    state.countdowns.hash(hash)
    state.protections.hash(hash)
    state.reference.hash(hash)
    state.blockTrades.hash(hash)
    hash.int(state.allocations)
    hashCounts(hash, state)
  }
  hashBalances(hash, balances)
  return hash.value
}

function hashSide(hash: StateHash, state: SymbolState, side: Side): void {
  const { book } = state
  for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
    hashOrder(hash, state, slot)
  }
  hash.word(side)
}

function hashOrder(hash: StateHash, { book, details }: SymbolState, slot: number): void {
  OrderImage.hash(book, slot, hash)
  if (!isDetailed(book.terms[slot]!)) return
  details.hash(slot, hash)
}

function hashList(hash: StateHash, list: OrderList): void {
  hash.int(list.orderListId).word(list.account).word(list.kind).word(list.openLegs)
  for (const orderId of list.orderIds) hash.int(orderId)
  for (const word of list.listClientOrderId) hash.word(word)
  for (const word of list.clientOrderIds) hash.word(word)
}

function hashCounts(hash: StateHash, { counts }: SymbolState): void {
  for (let account = 0; account < counts.accountsMax; account++) {
    for (const kind of Object.values(Open)) {
      const open = counts.of(AccountId(account), kind)
      if (open !== 0) hash.word(account).word(kind).word(open)
    }
  }
}

/** Versions count writes, which a recovery does fewer of, so they are left out. */
function hashBalances(hash: StateHash, balances: Balances): void {
  const words = new Int32Array(BALANCE_WORDS)
  for (let account = 0; account < balances.accountsMax; account++) {
    for (let asset = 0; asset < balances.assetsMax; asset++) {
      balances.read(AccountId(account), AssetId(asset), words)
      if ((words[1]! | words[2]! | words[3]! | words[4]!) === 0) continue
      hash.word(account).word(asset)
      for (let i = 1; i < BALANCE_WORDS; i++) hash.word(words[i]!)
    }
  }
}
