/** Decimal text to integers and back. Nothing here rounds unless its name states how. */
import { assert } from './assert.ts'
import { INT64_MAX, type Int64, int64 } from './int64.ts'

const POWERS = Array.from({ length: 19 }, (_, exponent) => 10 ** exponent)
const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** Returns 10^exponent as an exact number, for 0 <= exponent <= 18. */
export const powerOfTen = (exponent: number): number => POWERS[exponent] as number

/** What `parseDecimal` returns for text that is no decimal, or none that fits. */
export const DecimalFault = { SYNTAX: -1, PRECISION: -2, OVERFLOW: -3 } as const

/**
 * Parses text of the form `[0-9]{1,20}(\.[0-9]{1,20})?` into an integer of 10^-decimals. Returns a
 * negative `DecimalFault` for other text, for digits past `decimals` that are not zero, and for values
 * past 2^53 - 1.
 */
export function parseDecimal(text: string, decimals: number): number {
  const length = text.length
  let value = 0
  let at = 0
  let code = 0
  for (; at < length; at++) {
    code = text.charCodeAt(at)
    if (code < 48 || code > 57) break
    value = value * 10 + (code - 48)
  }
  if (at === 0 || at > 20) return DecimalFault.SYNTAX
  let fraction = 0
  let precise = true
  if (at < length) {
    if (code !== 46) return DecimalFault.SYNTAX
    const start = at + 1
    for (at = start; at < length; at++) {
      code = text.charCodeAt(at)
      if (code < 48 || code > 57) return DecimalFault.SYNTAX
      if (fraction < decimals) {
        value = value * 10 + (code - 48)
        fraction++
      } else if (code !== 48) precise = false
    }
    if (at === start || at - start > 20) return DecimalFault.SYNTAX
  }
  if (!precise) return DecimalFault.PRECISION
  value *= POWERS[decimals - fraction] as number
  return value <= MAX_SAFE ? value : DecimalFault.OVERFLOW
}

/** As `parseDecimal`, for values up to 2^63 - 1. */
export function parseInt64(text: string, decimals: number): Int64 {
  const near = parseDecimal(text, decimals)
  if (near !== DecimalFault.OVERFLOW) return near
  const [whole, fraction = ''] = text.split('.')
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return value <= INT64_MAX ? value : DecimalFault.OVERFLOW
}

/** Formats an integer of 10^-decimals with exactly `decimals` decimals: 150000000, 8 → "1.50000000". */
export function formatDecimal(value: Int64, decimals: number): string {
  if (typeof value !== 'number') return formatBigDecimal(value, decimals)
  assert(Number.isSafeInteger(value), 'formatDecimal needs an exact integer')
  if (value < 0) return `-${formatDecimal(-value, decimals)}`
  if (decimals === 0) return String(value)
  const unit = POWERS[decimals] as number
  const whole = Math.floor(value / unit)
  return `${whole}.${String(value - whole * unit + unit).slice(1)}`
}

/** As `formatDecimal`, for a balance, which may be of any size. */
export function formatBigDecimal(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return `${sign}${digits.slice(0, point)}${decimals > 0 ? `.${digits.slice(point)}` : ''}`
}

/** Returns a number as the decimal that JavaScript writes for it, without an exponent: 1e-8 → "0.00000001". */
export function numberText(value: number): string {
  const [, sign = '', digits = '', fraction = '', exponent = '0'] = NUMBER.exec(`${value}`) ?? []
  if (digits === '') return `${value}`
  const places = fraction.length - Number(exponent)
  const all = (digits + fraction).padEnd(digits.length + fraction.length - Math.min(0, places), '0')
  if (places <= 0) return sign + all
  const whole = all.padStart(places + 1, '0')
  return `${sign}${whole.slice(0, -places)}.${whole.slice(-places)}`
}
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/

/** amount × numerator / denominator, rounded up. Exact for any amount and safe integers. */
export function multiplyDivideUp(amount: Int64, numerator: number, denominator: number): Int64 {
  const product = BigInt(amount) * BigInt(numerator)
  return int64((product + BigInt(denominator) - 1n) / BigInt(denominator))
}

/** floor(amount × numerator / denominator + 1/2): rounds half up. As exact. */
export function multiplyDivideHalfUp(amount: Int64, numerator: number, denominator: number): Int64 {
  if (typeof amount === 'number') {
    const product = amount * numerator
    if (product * 2 + denominator <= MAX_SAFE) {
      return Math.floor((product * 2 + denominator) / (denominator * 2))
    }
  }
  const wide = BigInt(amount) * BigInt(numerator) * 2n + BigInt(denominator)
  return int64(wide / (BigInt(denominator) * 2n))
}

export const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
