/** The price of an auction against brute force, which computes for every price what would trade at it, on random books. */
import { expect } from 'vitest'
import { Side } from '../../src/base/codes.ts'
import { Prng } from '../../src/base/prng.ts'
import { auctionPriceOf, CrossingSide } from '../../src/core/matching/auction-price.ts'
import { type PlainQuote, plainAuction } from './plain-phases.ts'

const TICKS = 30

export const quote = (side: number, price: number, lots: number): PlainQuote => ({
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

/** Orders that the other side meets, as the engine gathers them. */
export function found(quotes: readonly PlainQuote[], reference: number) {
  const bids = quotes.filter(({ side }) => side === Side.BUY)
  const asks = quotes.filter(({ side }) => side === Side.SELL)
  const met = quotes.filter(({ side, price }) =>
    side === Side.BUY
      ? asks.some((ask) => ask.price <= price)
      : bids.some((bid) => bid.price >= price),
  )
  const price = auctionPriceOf(sideOf(met, Side.BUY), sideOf(met, Side.SELL), reference)
  return price && [price.priceTicks, BigInt(price.volume), BigInt(price.surplus)]
}

export function expected(quotes: readonly PlainQuote[], reference: number) {
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

/** Expects the price of brute force on so many random books. */
export function expectBruteForce(books: number): void {
  const prng = new Prng(2027)
  let crossed = 0
  for (let book = 0; book < books; book++) {
    const quotes = randomBook(prng)
    const reference = prng.chance(0.2) ? 0 : prng.between(1, TICKS)
    const price = found(quotes, reference)
    if (price !== undefined) crossed++
    const wanted = expected(quotes, reference)
    // `toEqual` of each takes most of the time.
    if (String(price) === String(wanted)) continue
    const text = quotes.map((it) => Object.values(it).join(' ')).join(', ')
    expect(price, `book ${book}: ${text}`).toEqual(wanted)
  }
  expect(crossed).toBeGreaterThan(books / 2)
}
