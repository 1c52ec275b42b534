/** The filters beside the same rules in exact rational arithmetic. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { btcusdt, ethbtc as halted, NOW_MS } from '../../../bench/workloads/fake-context.ts'
import { Fault } from '../../../src/api/errors.ts'
import {
  assetFault,
  icebergPartsFault,
  lotsOf,
  marketNotionalFault,
  notionalFault,
  percentPriceFault,
  quoteAmountFault,
  stepsIn,
  ticksOf,
  trailingDeltaFault,
} from '../../../src/api/handlers/order-filters.ts'
import { Param } from '../../../src/api/parameters.ts'
import { OrderType, Side, SymbolStatus } from '../../../src/base/codes.ts'
import { INT64_MAX, type Int64 } from '../../../src/base/int64.ts'
import { AssetId, Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../../src/base/units.ts'
import { NO_PRICE } from '../../../src/core/views/reference-price.ts'
import { Tape } from '../../../src/core/views/tape.ts'
import type { PercentPrice } from '../../../src/market/filter-bounds.ts'
import { plainExchange, type SymbolSpec, specifySymbol } from '../../../src/market/listing.ts'

const nameOf = (result: number | Fault | undefined) =>
  result instanceof Fault ? (result.detail[0] ?? result.id) : result

test('steps are counted exactly or not at all', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 10_000_000 }), (units, step) => {
      const exact = BigInt(units) % BigInt(step) === 0n
      expect(stepsIn(units, step)).toBe(exact ? Number(BigInt(units) / BigInt(step)) : -1)
    }),
  )
})

test('steps of 64 bits are counted exactly, or are more than any bound', () => {
  const wide = fc.bigInt({ min: 2n ** 53n, max: INT64_MAX })
  fc.assert(
    fc.property(wide, fc.integer({ min: 1, max: 10_000_000 }), (units, step) => {
      const [steps, rest] = [units / BigInt(step), units % BigInt(step)]
      expect(stepsIn(units, step)).toBe(rest === 0n ? Number(steps) : -1)
    }),
  )
})

describe('PRICE_FILTER', () => {
  test.each<[units: Int64, result: number | string]>([
    [2n ** 53n, 'PRICE_FILTER'],
    [INT64_MAX, 'PRICE_FILTER'],
    [1_000_000, 1],
    [1_500_000, 'PRICE_FILTER'],
    [999_999, 'PRICE_FILTER'],
    [100_000_000_000_000, 100_000_000],
    [100_000_001_000_000, 'PRICE_FILTER'],
  ])('%s units', (units, result) => {
    expect(nameOf(ticksOf(btcusdt, units, Param.price))).toBe(result)
  })
})

describe('LOT_SIZE and MARKET_LOT_SIZE', () => {
  test.each<[units: Int64, isMarket: boolean, result: number | string]>([
    [INT64_MAX, false, 'LOT_SIZE'],
    [1_000, false, 1],
    [1_001, false, 'LOT_SIZE'],
    [900_000_000_000, false, 900_000_000],
    [900_000_001_000, false, 'LOT_SIZE'],
    [10_000_000_000, true, 10_000_000],
    [10_000_001_000, true, 'MARKET_LOT_SIZE'],
    [10_000_001_001, true, 'LOT_SIZE'],
  ])('%s units, market %s', (units, isMarket, result) => {
    expect(nameOf(lotsOf(btcusdt, units, isMarket, Param.quantity))).toBe(result)
  })

  test.each<[units: number, isMarket: boolean, result: number | string]>([
    [6_000, true, 6],
    [6_000, false, 6],
    [7_000, true, 'MARKET_LOT_SIZE'],
    [7_000, false, 7],
    [3_000, true, 'MARKET_LOT_SIZE'],
    [9_000, true, 9],
    [12_000, true, 'MARKET_LOT_SIZE'],
  ])('%s units, market %s, where MARKET has a step of its own', (units, isMarket, result) => {
    const own = { minQty: '0.00003500', maxQty: '0.00010000', stepSize: '0.00003000' }
    const kept = btcusdt.filters.filter(({ filterType }) => filterType !== 'MARKET_LOT_SIZE')
    const filters = [...kept, { filterType: 'MARKET_LOT_SIZE', ...own }]
    const spec = specifySymbol({ ...btcusdt, filters })
    expect(nameOf(lotsOf(spec, units, isMarket, Param.quantity))).toBe(result)
  })
})

describe('a tickSize or stepSize of zero', () => {
  const filters = [
    { filterType: 'PRICE_FILTER', minPrice: '0', maxPrice: '1000000', tickSize: '0.00000000' },
    { filterType: 'LOT_SIZE', minQty: '0', maxQty: '0', stepSize: '0' },
  ]
  const spec = specifySymbol({ ...btcusdt, filters })

  test('is no rule: every price and quantity that can be kept passes', () => {
    expect(ticksOf(spec, 123_400_000, Param.price)).toBe(1_234)
    expect(lotsOf(spec, 7_000, true, Param.quantity)).toBe(7)
  })

  test('what is finer is too precise, by name', () => {
    expect(ticksOf(spec, 123_450_000, Param.stopPrice)).toMatchObject({
      id: 'BAD_PRECISION',
      detail: ['stopPrice'],
    })
    expect(lotsOf(spec, 7_001, false, Param.quantity)).toMatchObject({
      id: 'BAD_PRECISION',
      detail: ['quantity'],
    })
  })

  test('the bounds are judged as ever', () => {
    expect(nameOf(ticksOf(spec, 100_000_100_000_000, Param.price))).toBe('PRICE_FILTER')
  })
})

describe('NOTIONAL and MIN_NOTIONAL', () => {
  const ethbtc = { ...halted, status: SymbolStatus.TRADING }
  const atLeast = Number(btcusdt.notionalAtomsMin)
  const atMost = Number(btcusdt.notionalAtomsMax)
  const ofEth = Number(ethbtc.notionalAtomsMin)

  test.each([
    [btcusdt, atLeast / 10, undefined],
    [btcusdt, atLeast / 10 - 1, 'NOTIONAL'],
    [btcusdt, atMost / 10, undefined],
    [btcusdt, atMost / 10 + 1, 'NOTIONAL'],
    [btcusdt, 2 ** 70, 'NOTIONAL'],
    [ethbtc, ofEth * 10, undefined],
    [ethbtc, ofEth * 10 - 1, 'MIN_NOTIONAL'],
    [ethbtc, 2 ** 70, 'AMOUNT_TOO_LARGE'],
    [halted, ofEth * 10 - 1, 'MARKET_CLOSED'],
    [{ ...ethbtc, status: SymbolStatus.BREAK }, 2 ** 70, 'MARKET_CLOSED'],
  ])('a LIMIT', (spec, lots, result) => {
    expect(nameOf(notionalFault(spec, Ticks(1), Lots(lots)))).toBe(result)
  })

  test('a MARKET order is refused by its phase before what it is worth', () => {
    for (const status of Object.values(SymbolStatus)) {
      const { HALT, BREAK, CANCEL_ONLY } = SymbolStatus
      const closed: readonly SymbolStatus[] = [HALT, BREAK, CANCEL_ONLY]
      const refused = closed.includes(status) ? 'MARKET_CLOSED' : 'PHASE_REFUSES_TYPE'
      const fault = quoteAmountFault({ ...btcusdt, status }, QuoteAtoms(1))
      expect(nameOf(fault)).toBe(status === SymbolStatus.TRADING ? 'NOTIONAL' : refused)
    }
  })

  test('each is judged under its own name where both are listed', () => {
    const applied = { applyMinToMarket: true, applyMaxToMarket: false, avgPriceMins: 5 }
    const filters = [
      { filterType: 'MIN_NOTIONAL', minNotional: '9', applyToMarket: true, avgPriceMins: 1 },
      { filterType: 'NOTIONAL', minNotional: '5', maxNotional: '100', ...applied },
    ]
    const others = btcusdt.filters.filter(({ filterType }) => !filterType.endsWith('NOTIONAL'))
    const spec = specifySymbol({ ...btcusdt, filters: [...others, ...filters] })
    const units = (amount: number) => amount * 10 ** 8
    const named: [amount: number, limit: string | undefined, market: string | undefined][] = [
      [4, 'NOTIONAL', 'NOTIONAL'],
      [8, 'MIN_NOTIONAL', 'MIN_NOTIONAL'],
      [9, undefined, undefined],
      [101, 'NOTIONAL', undefined],
    ]
    for (const [amount, limit, market] of named) {
      expect(nameOf(notionalFault(spec, Ticks(1), Lots(units(amount) / 10)))).toBe(limit)
      expect(nameOf(quoteAmountFault(spec, QuoteAtoms(units(amount))))).toBe(market)
    }
  })

  test('a MARKET by amount is judged by its amount, where the bound applies to MARKET', () => {
    expect(quoteAmountFault(btcusdt, QuoteAtoms(atLeast))).toBeUndefined()
    expect(nameOf(quoteAmountFault(btcusdt, QuoteAtoms(atLeast - 1)))).toBe('NOTIONAL')
    expect(quoteAmountFault(btcusdt, QuoteAtoms(atMost + 1))).toBeUndefined()
  })

  test.each<[priceTicks: number, lots: number, result: string | undefined]>([
    [500_000, 100, undefined],
    [500_000, 99, 'NOTIONAL'],
    [499_999, 100, 'NOTIONAL'],
    [0, 1, undefined],
  ])('before any trade a MARKET by quantity is judged at %s ticks', (ticks, lots, result) => {
    const tape = new Tape(btcusdt)
    const fault = marketNotionalFault(btcusdt, Lots(lots), tape, NOW_MS, ticks * btcusdt.tickUnits)
    expect(nameOf(fault)).toBe(result)
  })

  test.each<[reference: number, lots: number, result: string | undefined]>([
    [500_000_000_000, 100, undefined],
    [500_000_000_000, 99, 'NOTIONAL'],
    // Finer than a tick.
    [499_999_999_999, 100, 'NOTIONAL'],
    [500_000_000_001, 100, undefined],
  ])('a MARKET by quantity is judged at the reference price of %s', (reference, lots, result) => {
    const tape = new Tape(btcusdt)
    tape.begin(Ticks(1))
    const at = [btcusdt, Lots(lots), tape, NOW_MS, btcusdt.tickUnits] as const
    expect(nameOf(marketNotionalFault(...at, reference))).toBe(result)
    expect(nameOf(marketNotionalFault(...at, NO_PRICE))).toBe('NOTIONAL')
  })

  test('a MARKET by quantity is judged at the exact average', () => {
    const trade = fc.record({
      priceTicks: fc.integer({ min: 1, max: 100_000 }).map(Ticks),
      lots: fc.integer({ min: 1, max: 1_000_000 }).map(Lots),
    })
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200_000 }),
        (trades, lots) => {
          const tape = new Tape(btcusdt)
          tape.seed(
            trades.map((row, index) => ({
              ...row,
              quoteAtoms: QuoteAtoms(0),
              tradeId: TradeId(index + 1),
              timeMs: Ms(NOW_MS - 1_000),
              isBuyerMaker: false,
            })),
          )
          const volume = trades.reduce((sum, row) => sum + BigInt(row.lots), 0n)
          const value = trades.reduce((sum, row) => sum + BigInt(row.priceTicks * row.lots), 0n)
          const atoms = value * BigInt(lots) * BigInt(btcusdt.atomsPerTickLot)
          const fails = atoms < BigInt(atLeast) * volume
          // The average stands before what an empty tape would be judged by.
          const result = marketNotionalFault(btcusdt, Lots(lots), tape, NOW_MS, btcusdt.tickUnits)
          expect(result === undefined).toBe(!fails)
        },
      ),
    )
  })
})

describe('PERCENT_PRICE and PERCENT_PRICE_BY_SIDE', () => {
  const trades = fc.array(
    fc.record({
      priceTicks: fc.integer({ min: 1, max: 1_000_000 }).map(Ticks),
      lots: fc.integer({ min: 1, max: 1_000_000 }).map(Lots),
    }),
    { minLength: 1, maxLength: 4 },
  )
  const multiplier = fc.constantFrom(0, 1, 20_000_000, 99_999_999, 100_000_000, 500_000_000)
  const tapeOf = (rows: readonly { priceTicks: Ticks; lots: Lots }[]): Tape => {
    const tape = new Tape(btcusdt)
    const common = { quoteAtoms: QuoteAtoms(0), timeMs: Ms(NOW_MS - 1_000), isBuyerMaker: false }
    tape.seed(rows.map((row, index) => ({ ...row, ...common, tradeId: TradeId(index + 1) })))
    return tape
  }
  const boundedBy = (filter: Partial<PercentPrice>): SymbolSpec => {
    const loose = { bidUp: 0, bidDown: 0, askUp: 0, askDown: 0, avgPriceMins: 5 }
    const percentPrices = [{ filterType: 'PERCENT_PRICE_BY_SIDE', ...loose, ...filter }]
    return { ...btcusdt, bounds: { ...btcusdt.bounds, percentPrices } }
  }

  test('the price lies between the multiples of the exact average, bounds included', () => {
    fc.assert(
      fc.property(
        trades,
        multiplier,
        multiplier,
        fc.oneof(
          fc.integer({ min: 1, max: 6_000_000 }),
          fc.constantFrom('up-1', 'up+0', 'wn+0', 'wn+1'),
        ),
        fc.boolean(),
        (rows, up, down, wish, isBuy) => {
          const spec = boundedBy(
            isBuy ? { bidUp: up, bidDown: down } : { askUp: up, askDown: down },
          )
          // The twin: the average as a fraction, both sides multiplied out.
          const volume = rows.reduce((sum, { lots }) => sum + BigInt(lots), 0n)
          const value = rows.reduce((sum, row) => sum + BigInt(row.priceTicks * row.lots), 0n)
          const bound = value * BigInt(String(wish).startsWith('up') ? up : down)
          const beside = Number(bound / (volume * 100_000_000n)) + Number(String(wish).slice(-2))
          const priceTicks = typeof wish === 'number' ? wish : Math.max(beside, 1)
          const price = BigInt(priceTicks) * volume * 100_000_000n
          const passes = price >= value * BigInt(down) && (up === 0 || price <= value * BigInt(up))
          const side = isBuy ? Side.BUY : Side.SELL
          const fault = percentPriceFault(spec, side, Ticks(priceTicks), tapeOf(rows), NOW_MS)
          expect(nameOf(fault)).toBe(passes ? undefined : 'PERCENT_PRICE_BY_SIDE')
        },
      ),
    )
  })

  test('avgPriceMins 0 is the last price', () => {
    const spec = boundedBy({ bidUp: 110_000_000, avgPriceMins: 0 })
    const rows = [
      { priceTicks: Ticks(900), lots: Lots(100) },
      { priceTicks: Ticks(100), lots: Lots(1) },
    ]
    expect(percentPriceFault(spec, Side.BUY, Ticks(110), tapeOf(rows), NOW_MS)).toBeUndefined()
    expect(percentPriceFault(spec, Side.BUY, Ticks(111), tapeOf(rows), NOW_MS)).toBeDefined()
    const call = { ...spec, status: SymbolStatus.AUCTION_MATCH }
    expect(percentPriceFault(call, Side.BUY, Ticks(111), tapeOf(rows), NOW_MS)).toBeDefined()
  })

  test('calls are no exception, nor is any phase', () => {
    const tape = tapeOf([{ priceTicks: Ticks(100), lots: Lots(1) }])
    for (const status of Object.values(SymbolStatus)) {
      const spec = { ...boundedBy({ bidUp: 120_000_000 }), status }
      const faults = [120, 121].map((price) =>
        nameOf(percentPriceFault(spec, Side.BUY, Ticks(price), tape, NOW_MS)),
      )
      expect(faults).toEqual([undefined, 'PERCENT_PRICE_BY_SIDE'])
    }
  })

  test('the reference price stands in place of the average, without trades, too', () => {
    const spec = boundedBy({ bidUp: 110_000_000, bidDown: 90_000_000 })
    // 100.5 ticks: from 90.45 to 110.55.
    const reference = 100.5 * btcusdt.tickUnits
    for (const tape of [new Tape(btcusdt), tapeOf([{ priceTicks: Ticks(5), lots: Lots(1) }])]) {
      const faults = [90, 91, 110, 111].map((price) =>
        nameOf(percentPriceFault(spec, Side.BUY, Ticks(price), tape, NOW_MS, reference)),
      )
      const failed = 'PERCENT_PRICE_BY_SIDE'
      expect(faults).toEqual([failed, undefined, undefined, failed])
    }
  })

  test('without any trade they are skipped', () => {
    const spec = boundedBy({ bidUp: 1, bidDown: 1 })
    expect(percentPriceFault(spec, Side.BUY, Ticks(5), new Tape(btcusdt), NOW_MS)).toBeUndefined()
  })
})

describe('ICEBERG_PARTS and TRAILING_DELTA', () => {
  const bounds = {
    ...btcusdt.bounds,
    icebergPartsMax: 10,
    trailingAboveMin: 10,
    trailingAboveMax: 2_000,
    trailingBelowMin: 20,
    trailingBelowMax: 1_000,
  }
  const spec = { ...btcusdt, bounds }

  test.each([
    [100, 10, undefined],
    [101, 10, 'ICEBERG_PARTS'],
    [101, 11, undefined],
    [1, 5, undefined],
  ])('%s lots, %s at a time', (lots, icebergLots, result) => {
    expect(nameOf(icebergPartsFault(spec, Lots(lots), Lots(icebergLots)))).toBe(result)
  })

  const { STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT, TAKE_PROFIT_LIMIT } = OrderType
  test.each([
    [STOP_LOSS, Side.BUY, [10, 2_000]],
    [STOP_LOSS_LIMIT, Side.BUY, [10, 2_000]],
    [TAKE_PROFIT, Side.SELL, [10, 2_000]],
    [TAKE_PROFIT_LIMIT, Side.SELL, [10, 2_000]],
    [STOP_LOSS, Side.SELL, [20, 1_000]],
    [STOP_LOSS_LIMIT, Side.SELL, [20, 1_000]],
    [TAKE_PROFIT, Side.BUY, [20, 1_000]],
    [TAKE_PROFIT_LIMIT, Side.BUY, [20, 1_000]],
  ])('a trailing order of type %s and side %s has the bounds %s', (type, side, [least, most]) => {
    const result = (delta: number) => nameOf(trailingDeltaFault(spec, type, side, delta))
    for (const delta of [least!, most!]) expect(result(delta)).toBeUndefined()
    for (const delta of [least! - 1, most! + 1]) expect(result(delta)).toBe('TRAILING_DELTA')
  })

  test('no filter still bounds what arithmetic can bear', () => {
    const result = (delta: number) =>
      nameOf(trailingDeltaFault(btcusdt, STOP_LOSS, Side.BUY, delta))
    expect([0, 1, 1_000_000, 1_000_001].map(result)).toEqual([
      'TRAILING_DELTA',
      undefined,
      undefined,
      'TRAILING_DELTA',
    ])
  })
})

describe('MAX_ASSET', () => {
  const { base, quote } = btcusdt
  const limited = (assetId: AssetId, atoms: number) => ({
    ...plainExchange,
    assetLimits: [{ assetId, atoms }],
  })

  test.each([
    [limited(base.id, 5), 5, 9, undefined],
    [limited(base.id, 5), 6, 9, 'MAX_ASSET'],
    [limited(quote.id, 9), 6, 9, undefined],
    [limited(quote.id, 9), 6, 10, 'MAX_ASSET'],
    [limited(AssetId(99), 1), 6, 10, undefined],
    [plainExchange, 6, 10, undefined],
  ])('a limit of one order', (exchange, baseAtoms, quoteAtoms, result) => {
    expect(nameOf(assetFault(btcusdt, exchange, baseAtoms, quoteAtoms))).toBe(result)
  })
})
