import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Commission } from '#core/ledger/commission.ts'

const asset = (decimals: number) => ({ id: 0, name: 'COIN', decimals })

describe('rounded half up to the wire, in the atoms of the asset', () => {
  test.each([
    // 17491.25 × 0.0000023 = 0.040229875: the last digit is rounded, not cut.
    ['of eight decimals', 8, 1_749_125_000_000, 230, 4_022_988],
    ['exactly half', 8, 500, 100_000, 1],
    ['less than half', 8, 499, 100_000, 0],
    ['of finer atoms', 10, 50_000, 100_000, 100],
    ['of finer atoms, less than half', 10, 49_999, 100_000, 0],
    ['at no rate', 8, 1_000_000, 0, 0],
    ['never more than what is received', 12, 6_000, 100_000_000, 6_000],
    ['of all that a number carries', 8, Number.MAX_SAFE_INTEGER, 100_000, 9_007_199_254_741],
  ])('%s', (_, decimals, atoms, rate, expected) => {
    expect(new Commission(asset(decimals)).of(atoms, rate)).toBe(expected)
  })
})

/** Twice the commission and a half, in steps of the wire, cut off and halved again. */
function plainly(received: bigint, rate: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(decimals - 8)
  const atoms = (((received * rate * 2n) / (10n ** 8n * step) + 1n) / 2n) * step
  return atoms > received ? received : atoms
}

test('any rates of any amounts, one after another, are what they plainly are', () => {
  const calls = fc.array(
    fc.tuple(fc.maxSafeNat(), fc.oneof(fc.nat(100_000_000), fc.constantFrom(16, 32, 48, 100_000))),
  )
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 12 }), calls, (decimals, amounts) => {
      const commission = new Commission(asset(decimals))
      for (const [atoms, rate] of amounts) {
        expect(commission.of(atoms, rate)).toBe(
          Number(plainly(BigInt(atoms), BigInt(rate), decimals)),
        )
      }
    }),
  )
})
