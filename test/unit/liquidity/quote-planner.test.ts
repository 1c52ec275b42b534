import { describe, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { marketOf } from '../../../src/liquidity/market.ts'
import { type KeepPlan, usualPlans } from '../../../src/liquidity/plan.ts'
import { PricePath } from '../../../src/liquidity/price-path.ts'
import { type OwnOrder, QuotePlanner } from '../../../src/liquidity/quote-planner.ts'

const market = marketOf({
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  filters: [
    { filterType: 'PRICE_FILTER', tickSize: '0.01', minPrice: '0.01', maxPrice: '1000000' },
    { filterType: 'LOT_SIZE', stepSize: '0.00001', minQty: '0.00001', maxQty: '9000' },
    { filterType: 'NOTIONAL', minNotional: '5' },
  ],
})
const usual = usualPlans(['BTCUSDT'], 1)[0] as KeepPlan

/** A false exchange: quotes rest until they are canceled, or a taker fills them. */
function play(plan: KeepPlan, steps: number) {
  const planner = new QuotePlanner(plan, market, 60_000, 60_000)
  const others = new Prng(99)
  const transcript: unknown[] = []
  let open: OwnOrder[] = []
  let ids = 0
  let ms = 0
  let taken = 0
  for (let step = 0; step < steps; step++) {
    ms += planner.nextWaitMs()
    if (planner.takesNext()) {
      const taking = planner.taking()
      taken++
      planner.took(taking.side, Number(taking.quantity) * planner.price)
      transcript.push(taking)
      continue
    }
    if (others.chance(0.1) && open.length > 0) open.splice(others.below(open.length), 1)
    const action = planner.quoting(open)
    transcript.push(action)
    if (action.action !== 'place') open = open.filter(({ orderId }) => orderId !== action.orderId)
    if (action.action !== 'cancel') {
      open.push({ orderId: ++ids, side: action.side, price: Number(action.price) })
    }
  }
  return { planner, transcript, open, ms, taken }
}

describe('what the market maker decides', () => {
  test('follows from the seed and from what it is shown', () => {
    const first = play(usual, 500)
    expect(play(usual, 500).transcript).toEqual(first.transcript)
    expect(play({ ...usual, seed: usual.seed + 1 }, 500).transcript).not.toEqual(first.transcript)
  })

  test('quotes every level of both sides, and never crosses itself', () => {
    const { open, planner, ms, taken } = play(usual, 3_000)
    const prices = (side: string) => open.filter((it) => it.side === side).map((it) => it.price)
    const [bids, asks] = [prices('BUY'), prices('SELL')]
    expect(bids.length).toBeGreaterThanOrEqual(usual.levels - 3)
    expect(asks.length).toBeGreaterThanOrEqual(usual.levels - 3)
    expect(open.length).toBeLessThanOrEqual(2 * usual.levels)
    expect(Math.max(...bids)).toBeLessThan(Math.min(...asks))
    expect(Math.max(...bids) / planner.price).toBeGreaterThan(0.995)
    // An action a second. Three in ten take.
    expect(ms / 3_000).toBeGreaterThan(800)
    expect(ms / 3_000).toBeLessThan(1_200)
    expect(taken / 3_000).toBeCloseTo(0.3, 1)
  })

  test('the best levels of both sides are quoted at once, where no order is', () => {
    const planner = new QuotePlanner(usual, market, 60_000, 60_000)
    const first = planner.opening([])
    const sides = first.map((action) => action.action === 'place' && action.side)
    expect(sides).toEqual(['BUY', 'BUY', 'SELL', 'SELL'])
    const open = first.flatMap((action, index) =>
      action.action === 'place'
        ? [{ orderId: index, side: action.side, price: Number(action.price) }]
        : [],
    )
    expect(planner.opening(open)).toEqual([])
    expect(planner.opening(open.slice(1))).toMatchObject([{ side: 'BUY', price: '59988.00000000' }])
  })

  test('a thin book is quoted first, and fast', () => {
    const planner = new QuotePlanner(usual, market, 60_000, 60_000)
    const waits = Array.from({ length: 5 }, () => {
      const wait = planner.nextWaitMs()
      expect(planner.takesNext()).toBe(false)
      expect(planner.quoting([])).toMatchObject({ action: 'place' })
      return wait
    })
    expect(waits).toEqual([150, 150, 150, 150, 150])
  })

  test('a quote that others would gain by is moved first, one too many is canceled', () => {
    const planner = new QuotePlanner({ ...usual, levels: 1 }, market, 60_000, 60_000)
    const far = { orderId: 1, side: 'BUY', price: 50_000 } as const
    const crossed = { orderId: 2, side: 'SELL', price: 59_000 } as const
    expect(planner.quoting([far, crossed])).toMatchObject({
      action: 'replace',
      orderId: 2,
      side: 'SELL',
    })
    const best = { orderId: 3, side: 'SELL', price: 60_012 } as const
    expect(planner.quoting([best, crossed])).toEqual({ action: 'cancel', orderId: 2 })
  })

  test('takes back what it took', () => {
    const planner = new QuotePlanner(usual, market, 60_000, 60_000)
    planner.took('BUY', 1e9)
    expect(Array.from({ length: 20 }, () => planner.taking().side)).toEqual(Array(20).fill('SELL'))
    planner.took('SELL', 2e9)
    expect(Array.from({ length: 20 }, () => planner.taking().side)).toEqual(Array(20).fill('BUY'))
  })

  test('all that it asks for passes the filters', () => {
    const { transcript } = play(usual, 500)
    for (const action of transcript as { price?: string; quantity?: string }[]) {
      if (action.price === undefined) continue
      expect(market.prices.holds(action.price)).toBe(true)
      expect(market.quantities.holds(action.quantity!)).toBe(true)
      expect(Number(action.price) * Number(action.quantity)).toBeGreaterThanOrEqual(5)
    }
  })
})

describe('the price it believes in', () => {
  const after = (seed: number, hours: number, stepMs: number) => {
    const path = new PricePath(new Prng(seed), 100, 100, 50)
    for (let ms = 0; ms < hours * 3_600_000; ms += stepMs) path.advance(stepMs)
    return path.price
  }

  test('deviates after an hour as the plan says, in however many steps', () => {
    for (const stepMs of [3_600_000, 60_000]) {
      const squares = Array.from({ length: 400 }, (_, seed) => {
        return Math.log(after(seed + 1, 1, stepMs) / 100) ** 2
      })
      const deviation = Math.sqrt(squares.reduce((sum, it) => sum + it, 0) / squares.length)
      expect(deviation * 10_000).toBeGreaterThan(35)
      expect(deviation * 10_000).toBeLessThan(60)
    }
  })

  test('never leaves the neighbourhood of its anchor', () => {
    const path = new PricePath(new Prng(3), 100, 150, 50)
    for (let hour = 0; hour < 10_000; hour++) {
      path.advance(3_600_000)
      if (hour > 48) expect(Math.abs(Math.log(path.price / 100))).toBeLessThan(0.06)
    }
  })
})
