/** The best levels as a table for screen readers, once a second: a canvas says nothing to them. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatUnits } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { ladderRows, type OwnLevel, ownByGroup } from './ladder-rows.ts'

const ROWS = 5
const PACE_MS = 1_000

interface MirrorProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  /** Levels are joined by it. */
  readonly step: number
  readonly own: () => { readonly version: number; readonly orders: readonly OwnLevel[] }
}

export function LadderMirror({ market, symbol, step, own }: MirrorProps): JSX.Element {
  const [, tick] = useState(0)
  useEffect(() => {
    let seen = ''
    const timer = setInterval(() => {
      const version = `${market.book.version} ${own().version}`
      if (version === seen) return
      seen = version
      tick((ticks) => ticks + 1)
    }, PACE_MS)
    return () => clearInterval(timer)
  }, [market, own])
  const { asks, bids } = ladderRows(market.book, step, ROWS)
  const ownOrders = ownByGroup(own().orders, step)
  const size = (units: number) => formatUnits(units, symbol.quantityScale, symbol.quantityDecimals)
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
          <th>Own orders</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([side, { price, quantity }]) => (
          <tr key={`${side}${price}`}>
            <td>{side}</td>
            <td>{formatUnits(price, symbol.priceScale, symbol.priceDecimals)}</td>
            <td>{size(quantity)}</td>
            <td>{size(ownOrders.get(`${side === 'Bid' ? 'b' : 'a'}${price}`) ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
