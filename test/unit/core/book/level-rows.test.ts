/**
 * Prices that a client has chosen to share one home of the table of levels share it under the factor
 * that it knows, and spread under every other.
 */
import { expect, test } from 'vitest'
import { mix } from '../../../../src/base/client-id-hash.ts'
import { Side } from '../../../../src/base/codes.ts'
import { AccountId, Lots, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { checkBook } from '../../../../src/core/book/invariants.ts'

const shape = { priceTicksMax: 2 ** 31 - 1, ordersMax: 131_072, accountsMax: 8 }
const ROW_BITS = 8
const GROUPS = 2 ** 24
const LEVELS = 16_000
const KNOWN_SALT = 0
const SALTS = [1, 2, 3, 0x7fffffff, 0xffffffff, 123_456_789]
/** Prices that are multiples of 64 have 256 homes: 63 for each when they spread evenly. */
const CHAIN_MAX = 192

const factorOf = (salt: number) => mix(salt ^ 0x9e3779b9) | 1

/** Prices whose groups fall into one row under the salt that the client knows. */
function collidingPrices(): number[] {
  const prices: number[] = []
  const factor = factorOf(KNOWN_SALT)
  for (let group = 1; group < GROUPS && prices.length < LEVELS; group++) {
    if (Math.imul(group, factor) >>> (32 - ROW_BITS) === 5) prices.push(group * 64)
  }
  return prices
}

/** Prices a power of two, or another round number, apart. */
const stepped = (step: number) =>
  Array.from({ length: Math.min(LEVELS, Math.floor(2 ** 30 / step) - 1) }, (_, i) => (i + 1) * step)

function bookOf(prices: readonly number[], salt: number): Book {
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape, salt)
  for (const [index, price] of prices.entries())
    book.rest(Side.SELL, Ticks(price), Lots(1), OrderId(index + 1), AccountId(3))
  return book
}

function longestChain({ levels }: Book): number {
  let longest = 0
  for (const first of levels.homes) {
    let length = 0
    for (let level = first; level !== 0; level = levels.chains.next(level)) length++
    longest = Math.max(longest, length)
  }
  return longest
}

const attack = collidingPrices()

test('prices that share one home under one salt spread under another', () => {
  expect(attack.length).toBe(LEVELS)
  expect(longestChain(bookOf(attack, KNOWN_SALT))).toBe(LEVELS)
  for (const salt of SALTS) {
    const book = bookOf(attack, salt)
    expect(longestChain(book)).toBeLessThanOrEqual(CHAIN_MAX)
    expect(book.levelCount).toBe(LEVELS)
  }
  checkBook(bookOf(attack.slice(0, 3000), SALTS[0]!))
})

test.each([64, 4096, 65_536, 6400, 64_000])('so do prices %i ticks apart', (step) => {
  for (const salt of [KNOWN_SALT, ...SALTS]) {
    expect(longestChain(bookOf(stepped(step), salt))).toBeLessThanOrEqual(CHAIN_MAX)
  }
})
