/** Deciding changes nothing, and what is decided of an order is what becomes of it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExpiryReason, RejectReason } from '../../../../src/base/codes.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import type { NamedRecord } from '../../../sim/records.ts'
import { Tape } from './tape.ts'

const account = fc.constantFrom(1, 2, 3, 4, 5)
const side = fc.constantFrom('BUY', 'SELL')
const lots = fc.integer({ min: 1, max: 9 })
const price = fc.integer({ min: 97, max: 103 })
const mode = fc.constantFrom('', ' none', ' taker', ' maker', ' both', ' decrement', ' transfer')
const text = (parts: TemplateStringsArray, ...values: fc.Arbitrary<string | number>[]) =>
  fc.tuple(...values).map((chosen) => String.raw({ raw: parts }, ...chosen))

const line = fc.oneof(
  text`${account} ${side} ${lots} @ ${price}${mode}`,
  text`${account} ${side} ${lots} @ ${price} FOK${mode}`,
  text`${account} ${side} ${lots} @ ${price} IOC${mode}`,
  text`${account} ${side} ${lots} @ ${price} MAKER${mode}`,
  text`${account} ${side} ${lots}${mode}`,
  text`${account} ${side} for ${fc.integer({ min: 90, max: 2000 })}${mode}`,
  text`${account} ${side} ${fc.constantFrom(9, 900, 2000)} @ ${price} show 2${mode}`,
  text`${account} ${side} ${lots} stop ${price}${mode}`,
)

/** Returns the first execution: those that follow from it are no part of the decision. */
function executionOf(records: readonly NamedRecord[]): readonly NamedRecord[] {
  const end = records.findIndex(({ last }) => last)
  return records.slice(0, end + 1)
}

function expectApplied(tape: Tape, text: string): void {
  const before = stateHash([tape.engine], tape.balances)
  const { verdict, lots, heldAtoms, tradedLots } = { ...tape.decide(text) }
  expect(stateHash([tape.engine], tape.balances), text).toBe(before)
  const turn = executionOf(tape.records(text))
  const rejected = turn.find(({ name }) => name === 'Rejected')
  if (rejected !== undefined) {
    expect(rejected.reason, text).toBe(verdict || RejectReason.INSUFFICIENT_BALANCE)
    expect(stateHash([tape.engine], tape.balances), text).toBe(before)
    return
  }
  const accepted = turn.find(({ name }) => name === 'OrderAccepted')!
  expect(verdict, text).toBe(0)
  expect([accepted.lots, accepted.heldAtoms], text).toEqual([lots, heldAtoms])
  const isForeseen = !text.includes('@') || text.includes('FOK')
  if (!isForeseen) return
  const isUnfillable = text.includes('FOK') && tradedLots < lots
  const sum = turn.reduce((total, it) => total + Number(it.tradeLots ?? 0), 0)
  expect(sum, text).toBe(isUnfillable ? 0 : tradedLots)
  if (!isUnfillable) return
  const reason = ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED
  expect(turn.at(-1), text).toMatchObject({ name: 'OrderClosed', reason, filledLots: 0 })
}

test('whatever stands in the book', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60, size: 'max' }), (lines) => {
      const tape = new Tape({}, { ordersMax: 24 })
      for (const text of lines) expectApplied(tape, text)
    }),
    { numRuns: 200 },
  )
})
