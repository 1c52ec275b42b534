import { expect, test } from 'vitest'
import { AccountId, AssetId, Atoms, Lots, Ms, OrderId, Ticks } from '../../../src/base/units.ts'
import { Book } from '../../../src/core/book/book.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { Counter } from '../../../src/core/matching/counters.ts'
import { OpenCounts } from '../../../src/core/matching/open-counts.ts'
import { SymbolState } from '../../../src/core/matching/symbol-state.ts'
import { stateHash } from '../../../src/core/state-hash.ts'
import { tapeSymbol } from './matching/tape.ts'

const shape = { priceTicksMax: 1000, ordersMax: 8, accountsMax: 4 }

function open() {
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
  const balances = new Balances(new SharedArrayBuffer(Balances.bytesFor(4, 2)), 4, 2)
  const counts = new OpenCounts(new SharedArrayBuffer(OpenCounts.bytesFor(4)))
  const state = new SymbolState(tapeSymbol, book, counts)
  const { counters } = state
  book.rest(0, Ticks(100), Lots(5), OrderId(1), AccountId(1))
  book.rest(0, Ticks(100), Lots(5), OrderId(2), AccountId(2))
  balances.credit(AccountId(1), AssetId(0), Atoms(10))
  const hash = () => stateHash([{ state }], balances)
  return { book, balances, counters, hash }
}
type State = ReturnType<typeof open>

test('the same state in other slots hashes the same', () => {
  const { book, balances, hash } = open()
  const before = hash()
  const first = book.rest(1, Ticks(200), Lots(1), OrderId(3), AccountId(3))
  const second = book.rest(1, Ticks(300), Lots(1), OrderId(4), AccountId(3))
  book.remove(first)
  book.remove(second)
  balances.credit(AccountId(1), AssetId(0), Atoms(5))
  balances.credit(AccountId(1), AssetId(0), Atoms(-5))
  expect(hash()).toBe(before)
  book.remove(book.findOrder(OrderId(2)))
  book.rest(0, Ticks(100), Lots(5), OrderId(2), AccountId(2))
  expect(hash()).toBe(before)
})

test.each<[string, (state: State) => void]>([
  ['an open quantity', ({ book }) => book.fill(book.findOrder(OrderId(1)), Lots(1))],
  ['an order', ({ book }) => book.remove(book.findOrder(OrderId(2)))],
  [
    'a place in the queue',
    ({ book }) => {
      book.remove(book.findOrder(OrderId(1)))
      book.rest(0, Ticks(100), Lots(5), OrderId(1), AccountId(1))
    },
  ],
  ['a time', ({ book }) => book.setUpdatedMs(book.findOrder(OrderId(1)), Ms(7))],
  [
    'a client id',
    ({ book }) => {
      book.setClientOrderId(book.findOrder(OrderId(1)), new Int32Array([1, 0, 0, 0, 0, 0, 0, 0]), 0)
    },
  ],
  ['a counter', ({ counters }) => counters.fill(1, Counter.tradeId, Counter.tradeId + 1)],
  ['a balance', ({ balances }) => balances.credit(AccountId(1), AssetId(0), Atoms(1))],
  [
    'whose balance',
    ({ balances }) => {
      balances.credit(AccountId(1), AssetId(0), Atoms(-10))
      balances.credit(AccountId(2), AssetId(0), Atoms(10))
    },
  ],
  [
    'free or locked',
    ({ balances }) => balances.addRecovered(AccountId(1), AssetId(0), Atoms(-1), Atoms(1)),
  ],
])('%s changes the hash', (_, change) => {
  const state = open()
  const before = state.hash()
  change(state)
  expect(state.hash()).not.toBe(before)
})
