/**
 * The price of an auction against brute force, which asks of every price what would trade at it, on random
 * books of 100,000 seeds in a long run. `RINGBOOK_AUCTIONS=1000000` runs as many.
 */
import { describe, expect, test } from 'vitest'
import { Side } from '../../../../src/base/codes.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { auctionPriceOf, CrossingSide } from '../../../../src/core/matching/auction-price.ts'
import { type PlainQuote, plainAuction } from '../../../model/plain-phases.ts'

const USUAL_BOOKS = 3_000
const BOOKS = Number(process.env.RINGBOOK_AUCTIONS ?? USUAL_BOOKS)
const TICKS = 30

const quote = (side: number, price: number, lots: number): PlainQuote => ({
  side,
  price: BigInt(price),
  lots: BigInt(lots),
})

function sideOf(quotes: readonly PlainQuote[], of: Side): CrossingSide {
  const side = new CrossingSide()
  const sign = of === Side.BUY ? -1 : 1
  const own = quotes.filter((it) => it.side === of)
  for (const { price, lots } of own.sort((a, b) => sign * Number(a.price - b.price))) {
    side.add(Number(price), Number(lots))
  }
  return side
}

/** As the engine gathers them: orders that the other side meets. */
function found(quotes: readonly PlainQuote[], reference: number) {
  const bids = quotes.filter(({ side }) => side === Side.BUY)
  const asks = quotes.filter(({ side }) => side === Side.SELL)
  const met = quotes.filter(({ side, price }) =>
    side === Side.BUY
      ? asks.some((ask) => ask.price <= price)
      : bids.some((bid) => bid.price >= price),
  )
  const price = auctionPriceOf(sideOf(met, Side.BUY), sideOf(met, Side.SELL), reference)
  return price && [price.priceTicks, BigInt(price.volumeLots), BigInt(price.surplusLots)]
}

function expected(quotes: readonly PlainQuote[], reference: number) {
  const prices = Array.from({ length: TICKS + 2 }, (_, i) => BigInt(i))
  const auction = plainAuction(quotes, prices, BigInt(reference))
  return auction && [Number(auction.price), auction.volume, auction.surplus]
}

function randomBook(prng: Prng): readonly PlainQuote[] {
  const lotsMax = prng.pick([1, 3, 20])
  const ticks = prng.pick([3, 8, TICKS])
  return Array.from({ length: prng.between(1, 12) }, () =>
    quote(prng.below(2), prng.between(1, ticks), prng.between(1, lotsMax)),
  )
}

test(
  'the price is that of brute force over all prices',
  () => {
    const prng = new Prng(2027)
    let crossed = 0
    for (let book = 0; book < BOOKS; book++) {
      const quotes = randomBook(prng)
      const reference = prng.chance(0.2) ? 0 : prng.between(1, TICKS)
      const price = found(quotes, reference)
      if (price !== undefined) crossed++
      const text = () => `${book}: ${quotes.map((it) => Object.values(it).join(' ')).join(', ')}`
      expect(price, text()).toEqual(expected(quotes, reference))
    }
    expect(crossed).toBeGreaterThan(BOOKS / 2)
  },
  60_000 + BOOKS,
)

describe('of several prices it is', () => {
  const { BUY, SELL } = Side
  const cases: readonly [string, readonly PlainQuote[], number, readonly (number | bigint)[]][] = [
    [
      'that of most volume',
      [quote(BUY, 20, 5), quote(SELL, 10, 2), quote(SELL, 18, 9)],
      1,
      [18, 5n, -6n],
    ],
    [
      'that which leaves the least',
      [quote(BUY, 20, 5), quote(BUY, 15, 2), quote(SELL, 10, 5)],
      1,
      [16, 5n, 0n],
    ],
    ['the highest where buyers are left', [quote(BUY, 20, 5), quote(SELL, 10, 2)], 1, [20, 2n, 3n]],
    [
      'the lowest where sellers are left',
      [quote(BUY, 20, 2), quote(SELL, 10, 5)],
      29,
      [10, 2n, -3n],
    ],
    ['the nearest to the last price', [quote(BUY, 20, 5), quote(SELL, 10, 5)], 13, [13, 5n, 0n]],
    ['its end that is nearest', [quote(BUY, 20, 5), quote(SELL, 10, 5)], 29, [20, 5n, 0n]],
    ['the middle without a last price', [quote(BUY, 21, 5), quote(SELL, 10, 5)], 0, [15, 5n, 0n]],
  ]
  test.each(cases)('%s', (_, quotes, reference, price) => {
    expect(found(quotes, reference)).toEqual(price)
    expect(expected(quotes, reference)).toEqual(price)
  })
})

test('sums beyond the numbers are exact', () => {
  const lots = Number.MAX_SAFE_INTEGER
  const quotes = [quote(Side.BUY, 9, lots), quote(Side.BUY, 8, lots), quote(Side.SELL, 7, lots)]
  quotes.push(quote(Side.SELL, 6, lots - 1))
  expect(found(quotes, 7)).toEqual([8, 2n * BigInt(lots) - 1n, 1n])
})

test('a book that is not crossed has none', () => {
  expect(found([quote(Side.BUY, 5, 1), quote(Side.SELL, 6, 1)], 1)).toBeUndefined()
  expect(found([quote(Side.BUY, 5, 1)], 1)).toBeUndefined()
})
