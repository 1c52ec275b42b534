/**
 * Whatever a group's engines execute, the plain twin has predicted of routed orders, others that only apply their
 * events come to the same states and balances, every event conserves each asset of its symbol, and the account that
 * stands between never owes (group-tape.ts checks).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { specifySymbol } from '../../../../src/market/listing.ts'
import { GroupTape, groupListings, SOR_ACCOUNT } from './group-tape.ts'

const text = (parts: TemplateStringsArray, ...values: fc.Arbitrary<string | number>[]) =>
  fc.tuple(...values).map((chosen) => String.raw({ raw: parts }, ...chosen))

const symbol = fc.integer({ min: 0, max: 2 })
const account = fc.constantFrom(1, 2, 3, 4, 6)
const side = fc.constantFrom('BUY', 'SELL')
const lots = fc.integer({ min: 1, max: 9 }).map((n) => n * 2)
const price = fc.integer({ min: 95, max: 105 })
const mode = fc.constantFrom('', ' none', ' taker', ' maker', ' both', ' decrement', ' transfer')
const timeInForce = fc.constantFrom('', ' IOC', ' FOK')
const plain = text`${symbol}: ${account} ${side} ${lots} @ ${price}${mode}`
const line = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 2, arbitrary: text`${symbol}: ${account} ${side} 18 @ ${price} show 4${mode}` },
  { weight: 1, arbitrary: text`${symbol}: ${account} ${side} ${lots} stop ${price}${mode}` },
  {
    weight: 1,
    arbitrary: text`${symbol}: ${account} oto ${side} ${lots} @ ${price} | ${side} 2 @ ${price}`,
  },
  {
    weight: 1,
    arbitrary: text`${symbol}: ${account} opo BUY ${lots} @ ${price} | SELL 0 @ ${price}`,
  },
  { weight: 1, arbitrary: text`${symbol}: ${account} protect 50 fills ${fc.constantFrom(1, 3)}` },
  {
    weight: 4,
    arbitrary: text`${symbol}: ${account} ${side} ${lots} @ ${price}${timeInForce}${mode} sor`,
  },
  { weight: 2, arbitrary: text`${symbol}: ${account} ${side} ${lots}${mode} sor` },
  { weight: 1, arbitrary: text`${symbol}: ${account} ${side} 18 @ ${price} show 4${mode} sor` },
  { weight: 1, arbitrary: text`${symbol}: 7 ${side} ${lots} @ ${price}` },
)

/** Their steps are 1 : 2 : 3 and their ticks 1 : 2 : 1/3, so that quantities and prices do not always fit. */
const uneven = groupListings.map((listing, i) =>
  specifySymbol({
    ...listing,
    status: SymbolStatus.TRADING,
    filters: [
      {
        filterType: 'PRICE_FILTER',
        minPrice: ['1', '2', '0.5'][i]!,
        maxPrice: '100000',
        tickSize: ['1', '2', '0.5'][i]!,
      },
      {
        filterType: 'LOT_SIZE',
        minQty: ['0.00000001', '0.00000002', '0.00000003'][i]!,
        maxQty: '1',
        stepSize: ['0.00000001', '0.00000002', '0.00000003'][i]!,
      },
    ],
  }),
)

test.each([
  ['that can pay', { sorFunds: 100_000 }],
  ['that soon cannot pay', { sorFunds: 700 }],
  ['with commissions', { sorFunds: 5000, rate: 1_000_000 }],
  ['of other steps and ticks', { sorFunds: 5000, specs: uneven }],
  ['in small batches', { sorFunds: 5000, batchBytes: 256 }],
])('of an account %s', (_, limits) => {
  let allocations = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60, size: 'max' }), (lines) => {
      const tape = new GroupTape({ funds: 100_000, ...limits })
      for (const it of lines) {
        allocations += tape.run(it).filter(({ name }) => name === 'Allocation').length
        for (let asset = 0; asset < 4; asset++) {
          expect(tape.free(SOR_ACCOUNT, asset)).toBeGreaterThanOrEqual(0)
        }
      }
    }),
    { numRuns: 40 },
  )
  expect(allocations).toBeGreaterThan(100)
})
