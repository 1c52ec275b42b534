/**
 * Client order ids that a client has built to share one chain share it under the salt that it knows, and
 * spread under every other.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClientIdHash } from '../../../../src/base/client-id-hash.ts'
import { packClientOrderId } from '../../../../src/base/client-order-id.ts'
import { AccountId, Lots, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import type { SlotIndex } from '../../../../src/core/book/slot-index.ts'
import { collidingIds } from '../../base/colliding-ids.ts'

const ORDERS = 30_000
const ACCOUNT = 3
const KNOWN_SALT = 0
/** With as many homes as orders, the fullest holds eight or nine of them by chance. */
const PROBES_MAX = 16
const SALTS = [1, 2, 3, 0x7fffffff, 0xffffffff, 123_456_789]
const shape = { priceTicksMax: 1000, ordersMax: 65_536, accountsMax: 8 }

function longestChain(index: SlotIndex): number {
  let longest = 0
  for (const first of index.homes) {
    let length = 0
    for (let slot = first; slot > 0; slot = index.next(slot)) length++
    longest = Math.max(longest, length)
  }
  return longest
}

function bookOf(ids: readonly Int32Array[], salt: number): Book {
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape, salt)
  for (const [index, words] of ids.entries()) {
    const slot = book.rest(
      0,
      Ticks(1 + (index % 1000)),
      Lots(1),
      OrderId(index + 1),
      AccountId(ACCOUNT),
    )
    book.setClientOrderId(slot, words, 0)
  }
  return book
}

const attack = collidingIds(ORDERS, ACCOUNT, KNOWN_SALT)

test('ids that collide under one salt cost a few probes under another', () => {
  expect(longestChain(bookOf(attack, KNOWN_SALT).clients.index)).toBe(ORDERS)
  for (const salt of SALTS) {
    const book = bookOf(attack, salt)
    expect(longestChain(book.clients.index)).toBeLessThanOrEqual(PROBES_MAX)
    for (const index of [0, 1, 777, ORDERS - 1]) {
      expect(book.orderId[book.findClientOrder(AccountId(ACCOUNT), attack[index]!, 0)]).toBe(
        index + 1,
      )
    }
  }
})

test('so do ids that differ in the high bits of their words alone', () => {
  const ids: number[][] = []
  for (let name = 0; ids.length < ORDERS; name++) {
    const digits = [name % 20, Math.floor(name / 20) % 20, Math.floor(name / 400) % 20, name / 8000]
    ids.push(digits.map((digit) => ((Math.floor(digit) + 1) << 26) | 0x12345))
  }
  for (const salt of SALTS) {
    const hash = new ClientIdHash(salt)
    const homes = new Int32Array(32_768)
    for (const words of ids) {
      homes[hash.of(AccountId(ACCOUNT), Int32Array.of(...words, 0, 0, 0, 0), 0) & 32_767]!++
    }
    expect(Math.max(...homes)).toBeLessThanOrEqual(PROBES_MAX)
  }
})

test('an account and a first word that differ in the same bits do not share a hash', () => {
  const words = new Int32Array(8)
  for (const salt of [KNOWN_SALT, ...SALTS]) {
    const hash = new ClientIdHash(salt)
    const hashes = Array.from({ length: 64 }, (_, account) => {
      words[0] = 0x12345 ^ account
      return hash.of(AccountId(account), words, 0)
    })
    expect(new Set(hashes).size).toBe(64)
  }
})

test('a book over the memory of another keeps its salt, whatever it is handed', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (salt, other) => {
      const small = { priceTicksMax: 10, ordersMax: 16, accountsMax: 4 }
      const memory = new SharedArrayBuffer(Book.bytesFor(small))
      const book = new Book(memory, small, salt)
      const words = new Int32Array(8)
      packClientOrderId('mine', words, 0)
      const slot = book.rest(0, Ticks(5), Lots(1), OrderId(1), AccountId(ACCOUNT))
      book.setClientOrderId(slot, words, 0)
      const again = new Book(memory, small, other)
      expect(again.idSalt).toBe(salt)
      expect(again.findClientOrder(AccountId(ACCOUNT), words, 0)).toBe(slot)
    }),
    { numRuns: 50 },
  )
})
