import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseConfig, readTables } from '../../../src/config/config.ts'
import { Grid, marketOf, quantityFor } from '../../../src/liquidity/market.ts'
import { type KeepPlan, PlanError, plansOf, usualPlans } from '../../../src/liquidity/plan.ts'

const symbols = ['BTCUSDT', 'XYZUSDT']
const read = (text: string) =>
  plansOf(
    readTables('liquidity file f', () => text),
    symbols,
    1,
  )

describe('plans', () => {
  test('without a file: the symbols that have a usual price, each with a seed of its own', () => {
    const plans = usualPlans(['BTCUSDT', 'ETHUSDT', 'XYZUSDT'], 1)
    expect(plans.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT'])
    const seeds = plans.map((plan) => plan.kind === 'keep' && plan.seed)
    expect(new Set(seeds).size).toBe(2)
    expect(usualPlans(['BTCUSDT'], 2)[0]).not.toEqual(plans[0])
  })

  test('a file says what is not as usual', () => {
    const text = '[BTCUSDT]\nseed = 5\nlevels = 3\n[XYZUSDT]\nreplay = "x.jsonl"\nspeed = 2'
    expect(read(text)).toEqual([
      {
        kind: 'keep',
        symbol: 'BTCUSDT',
        seed: 5,
        price: 60_000,
        intensity: 1,
        takerShare: 0.3,
        spreadBps: 4,
        stepBps: 2,
        levels: 3,
        notional: undefined,
        volatilityBps: 50,
      },
      {
        kind: 'replay',
        symbol: 'XYZUSDT',
        file: 'x.jsonl',
        recordedSymbol: 'XYZUSDT',
        speed: 2,
        repeat: false,
      },
    ])
  })

  test('the examples of the manual are good', () => {
    const page = readFileSync('docs/liquidity.md', 'utf8')
    const [, file = ''] = /```toml\n([\s\S]*?)```/.exec(page) ?? []
    const tables = readTables('liquidity file f', () => file)
    const plans = plansOf(tables, ['BTCUSDT', 'ETHUSDT'], 1)
    expect(plans.map(({ kind }) => kind)).toEqual(['keep', 'replay'])
    // It shows what is usual, except the seed and the notional.
    const { seed, notional, ...shown } = plans[0] as KeepPlan
    expect(usualPlans(['BTCUSDT'], 1)[0]).toMatchObject(shown)
    const [, flags = ''] = /npm start -- (--liquidity.*)\n/.exec(page) ?? []
    expect(parseConfig(flags.split(' '), {}, () => '').config).toMatchObject({ liquidity: 'on' })
  })

  const of = 'In the table BTCUSDT of the liquidity file,'
  test.each([
    ['[ABCUSDT]', 'There is no symbol ABCUSDT to quote.'],
    ['BTCUSDT = 1', 'BTCUSDT must be a table, as in [BTCUSDT].'],
    [
      '[BTCUSDT]\nspread = 1',
      `${of} spread is not known there, only seed, price, intensity, taker-share, spread-bps, step-bps, levels, notional or volatility-bps.`,
    ],
    ['[BTCUSDT]\nprice = 0', `${of} price must be a number above 0, at most 1000000000000.`],
    ['[BTCUSDT]\nintensity = "2"', `${of} intensity must be a number above 0, at most 1000.`],
    ['[BTCUSDT]\nlevels = 2.5', `${of} levels must be a whole number.`],
    ['[BTCUSDT]\nreplay = 1', `${of} replay must be a text.`],
    ['[BTCUSDT]\nreplay = "f"\nrepeat = 1', `${of} repeat must be true or false.`],
    [
      '[BTCUSDT]\nreplay = "f"\nlevels = 1',
      `${of} levels is not known there, only replay, recorded-symbol, speed or repeat.`,
    ],
  ])('%j is refused', (text, sentence) => {
    expect(() => read(text)).toThrow(new PlanError(sentence))
  })
})

describe('what filters take', () => {
  test.each([
    [1.004, '1.00000000', '1.00000000', '1.01000000'],
    [1.006, '1.01000000', '1.00000000', '1.01000000'],
    [0.001, '0.10000000', '0.10000000', '0.10000000'],
    [99_999, '50.00000000', '50.00000000', '50.00000000'],
  ])('%d is %s, at most %s, at least %s', (value, near, below, above) => {
    const grid = new Grid('0.01', '0.1', '50')
    expect([grid.near(value), grid.below(value), grid.above(value)]).toEqual([near, below, above])
    for (const text of [near, below, above]) expect(grid.holds(text)).toBe(true)
  })

  test.each(['0.001', '0.09', '50.01'])('%s is not taken', (text) => {
    expect(new Grid('0.01', '0.1', '50').holds(text)).toBe(false)
  })

  test('quantities of 64 bits are counted', () => {
    const grid = new Grid('1.00', '1.00', '46116860414.00')
    expect(grid.near(20e9)).toBe('20000000000.00000000')
    expect(grid.above(1e11)).toBe('46116860414.00000000')
    expect(grid.holds('46116860414')).toBe(true)
    expect(grid.holds('46116860414.5')).toBe(false)
    expect(grid.holds('46116860415')).toBe(false)
  })

  test('a quantity reaches the least notional', () => {
    const filters = [
      { filterType: 'PRICE_FILTER', tickSize: '0.01', minPrice: '0', maxPrice: '1000' },
      { filterType: 'LOT_SIZE', stepSize: '0.1', minQty: '0.1', maxQty: '1000' },
      { filterType: 'MIN_NOTIONAL', minNotional: '10' },
    ]
    const info = { symbol: 'S', status: 'TRADING', baseAsset: 'A', quoteAsset: 'B', filters }
    expect(quantityFor(marketOf(info), 1, 7)).toBe('1.50000000')
    expect(quantityFor(marketOf(info), 70, 7)).toBe('10.00000000')
    const noLots = { ...info, filters: filters.slice(0, 1) }
    expect(() => marketOf(noLots)).toThrow('S has no LOT_SIZE')
  })
})
