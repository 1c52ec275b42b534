/** The best levels as a table for screen readers, once a second: a canvas says nothing to them. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatUnits } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { ladderRows } from './ladder-rows.ts'

const ROWS = 5
const PACE_MS = 1_000

export function LadderMirror({
  market,
  symbol,
}: {
  readonly market: Market
  readonly symbol: MarketSymbol
}): JSX.Element {
  const [, tick] = useState(0)
  useEffect(() => {
    let seen = -1
    const timer = setInterval(() => {
      if (market.book.version === seen) return
      seen = market.book.version
      tick(seen)
    }, PACE_MS)
    return () => clearInterval(timer)
  }, [market])
  const { asks, bids } = ladderRows(market.book, symbol.tick, ROWS)
  const rows = [
    ...asks.map((it) => ['Ask', it] as const).reverse(),
    ...bids.map((it) => ['Bid', it] as const),
  ]
  return (
    <table id="ladder-mirror" class="hidden">
      <caption>Best prices of the order book{market.isBookLive.value ? '' : ', not live'}</caption>
      <thead>
        <tr>
          <th>Side</th>
          <th>Price</th>
          <th>Size</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([side, { price, quantity }]) => (
          <tr key={`${side}${price}`}>
            <td>{side}</td>
            <td>{formatUnits(price, symbol.priceScale, symbol.priceDecimals)}</td>
            <td>{formatUnits(quantity, symbol.quantityScale, symbol.quantityDecimals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
