/** The best levels as a table for screen readers, once a second: they cannot read a canvas. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { shownUnits } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { ladderRows, type OwnOrders, ownByGroup, spreadText } from './ladder-rows.ts'

const ROWS = 5
const PACE_MS = 1_000

interface MirrorProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  /** Levels are joined by it. */
  readonly step: number
  readonly own: OwnOrders
}

export function LadderMirror({ market, symbol, step, own }: MirrorProps): JSX.Element {
  const [, tick] = useState(0)
  useEffect(() => {
    let seen = ''
    const timer = setInterval(() => {
      const { price, quantity } = market.auction.value ?? {}
      const version = `${market.book.version} ${own.version()} ${price} ${quantity}`
      if (version === seen) return
      seen = version
      tick((ticks) => ticks + 1)
    }, PACE_MS)
    return () => clearInterval(timer)
  }, [market, own])
  const { asks, bids } = ladderRows(market.book, step, ROWS)
  const ownOrders = useMemo(() => ownByGroup(own), [own])(step)
  const size = (units: number) => shownUnits(units, symbol.quantityScale, symbol.quantityDecimals)
  const spread = spreadText(market.book, symbol, market.auction.value)
  const rows = [
    ...asks.map((it) => ['Ask', it] as const).reverse(),
    ...bids.map((it) => ['Bid', it] as const),
  ]
  return (
    <table id="ladder-mirror" class="hidden">
      <caption>
        Best prices of the order book{market.isBookLive.value ? '' : ', not live'}. {spread}
      </caption>
      <thead>
        <tr>
          <th>Side</th>
          <th>Price</th>
          <th>Size</th>
          <th>Own orders</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([side, { price, quantity }]) => (
          <tr key={`${side}${price}`}>
            <td>{side}</td>
            <td>{shownUnits(price, symbol.priceScale, symbol.priceDecimals)}</td>
            <td>{size(quantity)}</td>
            <td>{size(ownOrders.get(`${side === 'Bid' ? 'b' : 'a'}${price}`) ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
