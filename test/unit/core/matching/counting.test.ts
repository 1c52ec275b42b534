/** Symbol phases (enums.md, Symbol status) as tapes, and most open orders that change. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { AssetId } from '../../../../src/base/units.ts'
import { plainExchange } from '../../../../src/market/listing.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

describe.each<[keyof typeof SymbolStatus, string, string]>([
  ['HALT', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['BREAK', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['CANCEL_ONLY', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['END_OF_DAY', 'PHASE_REFUSES_TYPE', 'PHASE_REFUSES_TYPE'],
  ['POST_TRADING', 'PHASE_REFUSES_TYPE', 'PHASE_REFUSES_TYPE'],
])('in %s', (status, usual, immediate) =>
  check(
    [
      ['LIMIT GTC', ['1 BUY 1 @ 1'], [`refused ${usual}`]],
      ['LIMIT IOC', ['1 BUY 1 @ 1 IOC'], [`refused ${immediate}`]],
      ['MARKET', ['1 BUY 1'], [`refused ${usual}`]],
      ['a list', ['1 oto BUY 1 @ 1 FOK | SELL 1 @ 9'], [`refused ${immediate}`]],
    ],
    { status: SymbolStatus[status] },
  ))

describe.each(['PRE_TRADING', 'AUCTION_MATCH'] as const)('in %s', (status) =>
  check(
    [
      ['LIMIT GTC', ['1 BUY 1 @ 1'], ['accepted 1: 1, held 1', 'rested 1: 1 @ 1']],
      ['an iceberg', ['1 BUY 4 @ 1 show 2'], ['accepted 1: 4, held 4', 'rested 1: 2 @ 1']],
      ['LIMIT IOC', ['1 BUY 1 @ 1 IOC'], ['refused PHASE_REQUIRES_GTC']],
      ['LIMIT FOK', ['1 BUY 1 @ 1 FOK'], ['refused PHASE_REQUIRES_GTC']],
      ['LIMIT_MAKER', ['1 BUY 1 @ 1 MAKER'], ['refused PHASE_REFUSES_TYPE']],
      ['MARKET', ['1 BUY 1'], ['refused PHASE_REFUSES_TYPE']],
      ['a stop', ['1 SELL 1 stop 1'], ['refused PHASE_REFUSES_TYPE']],
      ['a list', ['1 oto BUY 1 @ 1 | SELL 1 @ 9'], ['refused PHASE_REFUSES_TYPE']],
    ],
    { status: SymbolStatus[status] },
  ))

test('filters of the exchange are those of the moment of the order', () => {
  const tape = new Tape()
  const bind = (maxNumOrders: number) => {
    const filters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders }]
    tape.engine.setExchange({ ...plainExchange, filters }, [tapeSymbol])
  }
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  bind(1)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  bind(2)
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.engine.setExchange(plainExchange, [tapeSymbol])
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
})

test("an account's own most open orders stand in place of the exchange's", () => {
  const tape = new Tape()
  const filters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1 }]
  tape.engine.setExchange({ ...plainExchange, filters }, [tapeSymbol])
  tape.accounts.openOrdersMax[1] = 2
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.engine.setExchange(plainExchange, [tapeSymbol])
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.accounts.openOrdersMax[1] = 0
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
})

describe('MAX_ASSET bounds one order', () => {
  /** What the last line comes to; the first is run without the limit. */
  const answer = (asset: number, atoms: number, open: string, ...lines: string[]) => {
    const tape = new Tape()
    tape.run(open)
    const assetLimits = [{ assetId: AssetId(asset), atoms }]
    tape.engine.setExchange({ ...plainExchange, assetLimits }, [tapeSymbol])
    return lines.map((line) => tape.run(line)).at(-1)
  }
  const refused = ['refused MAX_ASSET']

  describe.each(['BUY', 'SELL'])('%s', (side) => {
    const open = side === 'BUY' ? '2 SELL 50 @ 10' : '2 BUY 50 @ 10'
    test.each([
      ['in its quantity', 0, 5, `1 ${side} 5 @ 10`, `1 ${side} 6 @ 10`],
      ['in its notional', 1, 50, `1 ${side} 5 @ 10`, `1 ${side} 6 @ 10`],
      ['by market in its quantity', 0, 5, `1 ${side} 5`, `1 ${side} 6`],
      ['by market in what it moves', 1, 50, `1 ${side} 5`, `1 ${side} 6`],
      ['by quote amount in its quantity', 0, 5, `1 ${side} for 59`, `1 ${side} for 60`],
      ['that is a stop', 0, 5, `1 ${side} 5 @ 10 stop 9`, `1 ${side} 6 @ 10 stop 9`],
    ] as const)('%s', (_, asset, atoms, passing, failing) => {
      expect(answer(asset, atoms, open, passing)).not.toEqual(refused)
      expect(answer(asset, atoms, open, failing)).toEqual(refused)
    })
  })

  test('and no other asset', () => {
    expect(answer(2, 1, '1 BUY 5 @ 10', '1 BUY 5 @ 10')).toHaveLength(2)
  })

  test('no sum of orders', () => {
    expect(answer(0, 5, '1 BUY 5 @ 10', '1 BUY 5 @ 10')).toHaveLength(2)
  })

  test('when it is amended after the limit fell', () => {
    const tape = new Tape()
    tape.run('1 BUY 10 @ 10')
    const assetLimits = [{ assetId: AssetId(1), atoms: 50 }]
    tape.engine.setExchange({ ...plainExchange, assetLimits }, [tapeSymbol])
    expect(tape.run('1 amend 1 to 6')).toEqual(refused)
    expect(tape.run('1 amend 1 to 5')).not.toEqual(refused)
  })
})
