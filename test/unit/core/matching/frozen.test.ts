/** A frozen account adds nothing: what would enter by itself expires, what rests stays. */
import { expect, test } from 'vitest'
import { AccountId, AssetId } from '../../../../src/base/units.ts'
import { Tape } from './tape.ts'

/** Lines after which the last price is 100; two orders. */
const at100 = ['7 SELL 1 @ 100', '6 BUY 1 @ 100']

test.each([
  [
    'a stop of a limit type',
    ['1 SELL 5 @ 85 stop 95'],
    '2 BUY 1 @ 94',
    '3 SELL 1 @ 94',
    [{ orderId: 3, status: 6, reason: 1 }],
  ],
  [
    'a stop of a market type',
    ['1 SELL 5 stop 95', '4 BUY 9 @ 80'],
    '2 BUY 1 @ 94',
    '3 SELL 1 @ 94',
    [{ orderId: 3, status: 6, reason: 1 }],
  ],
  [
    'the stop of a pair, and the other leg with it',
    ['1 oco SELL 5 stop 95 | SELL 5 @ 110 MAKER'],
    '2 BUY 1 @ 94',
    '3 SELL 1 @ 94',
    [
      { orderId: 4, status: 6, reason: 3 },
      { orderId: 3, status: 6, reason: 1 },
    ],
  ],
])('%s expires and gives back what it held', (_, placed, maker, taker, closed) => {
  const tape = new Tape()
  for (const line of [...at100, ...placed]) {
    expect(tape.run(line).join(), line).not.toContain('refused')
  }
  tape.freeze(1)
  tape.run(maker)
  const records = tape.records(taker).filter(({ account }) => account === 1)
  expect(records.filter(({ name }) => name === 'OrderClosed')).toMatchObject(closed)
  expect(tape.engine.hasOpenOrders(AccountId(1))).toBe(false)
  expect(tape.balances.available(AccountId(1), AssetId(0))).toBe(1000)
})

test('what rests stays and trades, and nothing is placed', () => {
  const tape = new Tape()
  tape.run('1 BUY 5 @ 90')
  tape.freeze(1)
  expect(tape.run('1 BUY 1 @ 80')).toEqual(['refused ACCOUNT_DISABLED'])
  expect(tape.run('2 SELL 2 @ 90').join()).toContain('trade 2 with 1: 2 @ 90')
  expect(tape.engine.hasOpenOrders(AccountId(1))).toBe(true)
})
