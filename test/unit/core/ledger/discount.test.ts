import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../../../src/base/codes.ts'
import type { Int64 } from '../../../../src/base/int64.ts'
import { AssetId, Atoms, SymbolId, Ticks } from '../../../../src/base/units.ts'
import { DiscountedCommission } from '../../../../src/core/ledger/discount.ts'
import { LastPrices } from '../../../../src/core/ledger/last-prices.ts'
import { type AssetSpec, specifySymbol } from '../../../../src/market/listing.ts'

const assets: readonly AssetSpec[] = [
  { id: AssetId(0), name: 'USDT' },
  { id: AssetId(1), name: 'BNB' },
  { id: AssetId(2), name: 'BTC' },
  { id: AssetId(3), name: 'ADA' },
  { id: AssetId(4), name: 'GBP' },
]

const symbol = (id: number, base: number, quote: number, tickSize: string, stepSize: string) =>
  specifySymbol({
    id: SymbolId(id),
    name: assets[base]!.name + assets[quote]!.name,
    base: assets[base]!,
    quote: assets[quote]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice: '1000', tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '100', stepSize },
    ],
    preventionModes: [],
    preventionDefault: SelfTradePrevention.NONE,
  })

const BTCUSDT = symbol(0, 2, 0, '0.01', '0.00001')
const BNBUSDT = symbol(1, 1, 0, '0.1', '0.001')
const ADABTC = symbol(2, 3, 2, '0.000001', '0.01')
const BNBBTC = symbol(3, 1, 2, '0.00001', '0.00001')
const ADAUSDT = symbol(4, 3, 0, '0.0001', '0.1')
const symbols = [BTCUSDT, BNBUSDT, ADABTC, BNBBTC, ADAUSDT]

/** Prices in quote for one base, times 10^8. */
function priced(prices: readonly (readonly [spec: (typeof symbols)[number], price: number])[]) {
  const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
  for (const [spec, price] of prices) lastPrices.publish(spec.id, Ticks(price / spec.tickUnits))
  return lastPrices
}

const UNIT = 10 ** 8
/** All of what is received, as a rate of 1e-16. */
const WHOLE = 10 ** 15

const inBnb = (lastPrices: LastPrices, received: number) =>
  new DiscountedCommission(symbols, lastPrices, assets[received]!, assets[1]!)

describe('a tenth of what is received, converted', () => {
  const usdt260 = [BNBUSDT, 260 * UNIT] as const
  const btc100 = [BNBBTC, 0.01 * UNIT] as const
  test.each<[string, Parameters<typeof priced>[0], number, Int64, Int64]>([
    ['over the symbol that quotes the discount asset', [usdt260], 0, 2_600 * UNIT, 10 ** 8],
    ['rounded to an atom', [usdt260], 0, 1_000 * UNIT, 38_461_538],
    ['of the asset itself', [], 1, 5 * 10 ** 9, 5 * 10 ** 8],
    [
      'over the first of two ways',
      [btc100, [BTCUSDT, 30_000 * UNIT], usdt260],
      0,
      2_600 * UNIT,
      1e8,
    ],
    [
      'over a third asset when the direct symbol never traded',
      [btc100, [BTCUSDT, 30_000 * UNIT]],
      0,
      3_000 * UNIT,
      10 ** 8,
    ],
    ['over a third asset', [btc100, [ADABTC, 0.00001 * UNIT]], 3, 10_000 * UNIT, 10 ** 8],
    [
      'over the first symbol of two that lead on',
      [usdt260, btc100, [ADAUSDT, UNIT], [ADABTC, 0.00001 * UNIT]],
      3,
      10_000 * UNIT,
      10 ** 8,
    ],
    [
      'over the second when the first leads nowhere',
      [usdt260, [ADAUSDT, UNIT], [ADABTC, 0.00001 * UNIT]],
      3,
      2_600 * UNIT,
      10 ** 8,
    ],
    ['with no price', [[BTCUSDT, 30_000 * UNIT]], 0, 3_000 * UNIT, -1],
    ['over three symbols', [usdt260, [BTCUSDT, UNIT], [ADABTC, 100]], 3, UNIT, -1],
    ['of what no symbol has', [usdt260], 4, UNIT, -1],
    ['more than a number carries', [[BNBUSDT, 0.1 * UNIT]], 0, 10n ** 16n, 10n ** 16n],
    ['more than 64 bits carry', [[BNBUSDT, 0.01 * UNIT]], 0, 10n ** 18n, -1],
  ])('%s', (_, prices, received, atoms, due) => {
    expect(inBnb(priced(prices), received).of(Atoms(atoms), WHOLE)).toBe(due)
  })

  test('follows the prices', () => {
    const lastPrices = priced([usdt260])
    const commission = inBnb(lastPrices, 0)
    expect(commission.of(Atoms(2_600 * UNIT), WHOLE)).toBe(10 ** 8)
    lastPrices.publish(BNBUSDT.id, Ticks(1_300))
    expect(commission.of(Atoms(2_600 * UNIT), WHOLE)).toBe(2 * 10 ** 8)
  })
})

test('any amount, rate and price: the nearest multiple of 10^-8, the upper of two', () => {
  fc.assert(
    fc.property(
      fc.nat(10 ** 15),
      fc.nat(10 ** 15),
      fc.integer({ min: 1, max: 10 ** 6 }),
      (atoms, rate, ticks) => {
        const lastPrices = priced([])
        lastPrices.publish(BNBUSDT.id, Ticks(ticks))
        const due = inBnb(lastPrices, 0).of(Atoms(atoms), rate)
        // USDT of 10^-8, rates of 10^-16, ticks of 10^-1: what is due in BNB of 10^-8.
        const exact = {
          over: BigInt(atoms) * BigInt(rate) * 10n,
          under: BigInt(ticks) * 10n ** 16n,
        }
        const steps = due < 0 ? BigInt(Number.MAX_SAFE_INTEGER) + 1n : BigInt(due)
        if (due >= 0) expect(2n * exact.over < (2n * steps + 1n) * exact.under).toBe(true)
        expect(2n * exact.over >= (2n * steps - 1n) * exact.under).toBe(true)
      },
    ),
  )
})
