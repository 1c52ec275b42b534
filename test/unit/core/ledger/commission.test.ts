import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Atoms } from '../../../../src/base/units.ts'
import { Commission } from '../../../../src/core/ledger/commission.ts'

describe('rounded half up to a whole atom', () => {
  test.each([
    // 17491.25 × 0.0000023 = 0.040229875: the last digit is rounded, not cut.
    ['of a usual amount', 1_749_125_000_000, 230, 4_022_988],
    ['exactly half', 500, 100_000, 1],
    ['less than half', 499, 100_000, 0],
    ['at no rate', 1_000_000, 0, 0],
    ['never more than what is received', 6_000, 150_000_000, 6_000],
    ['of all that a number carries', Number.MAX_SAFE_INTEGER, 100_000, 9_007_199_254_741],
  ])('%s', (_, atoms, rate, expected) => {
    expect(new Commission().of(Atoms(atoms), rate)).toBe(expected)
  })
})

/** Twice the commission and a half, cut off and halved again. */
function plainly(received: bigint, rate: bigint): bigint {
  const atoms = ((received * rate * 2n) / 10n ** 8n + 1n) / 2n
  return atoms > received ? received : atoms
}

test('any rates of any amounts, one after another, are what they plainly are', () => {
  const calls = fc.array(
    fc.tuple(fc.maxSafeNat(), fc.oneof(fc.nat(100_000_000), fc.constantFrom(16, 32, 48, 100_000))),
  )
  fc.assert(
    fc.property(calls, (amounts) => {
      const commission = new Commission()
      for (const [atoms, rate] of amounts) {
        expect(commission.of(Atoms(atoms), rate)).toBe(Number(plainly(BigInt(atoms), BigInt(rate))))
      }
    }),
  )
})
