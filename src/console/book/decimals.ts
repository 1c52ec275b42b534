/**
 * Decimals of the wire as exact integers. A symbol's prices are integers of 10^-scale, where the scale
 * is the finest at which its largest price is still exact in a number.
 */
import { formatBigDecimal } from '../../base/fixed.ts'

/** Decimals that the wire shows at most. */
const WIRE_DECIMALS = 8
/** What every amount is compared in while an order is typed. */
export const ATOMS = 8

/** Returns the finest scale at which `max` is exact, at most 8. */
export function scaleFor(max: string): number {
  const whole = Number(max)
  let scale = WIRE_DECIMALS
  while (scale > 0 && whole * 10 ** scale > Number.MAX_SAFE_INTEGER) scale--
  return scale
}

/** Returns `text` in integers of 10^-scale; digits beyond the scale are dropped. */
export function parseUnits(text: string, scale: number): number {
  const point = text.indexOf('.')
  if (point === -1) return Number(text) * 10 ** scale
  const fraction = text.slice(point + 1, point + 1 + scale)
  return Number(text.slice(0, point) + fraction.padEnd(scale, '0'))
}

/** Returns the text of an integer of 10^-scale with this many decimals, digits beyond them dropped. */
export function formatUnits(units: number, scale: number, decimals: number): string {
  if (units < 0) return `-${formatUnits(-units, scale, decimals)}`
  const digits = String(Math.round(units)).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  if (decimals === 0) return whole
  return `${whole}.${digits
    .slice(digits.length - scale)
    .slice(0, decimals)
    .padEnd(decimals, '0')}`
}

/** Returns how many decimals a step has: 2 for `0.01000000`, 0 for `1`. */
export function decimalsOf(step: string): number {
  const fraction = step.split('.')[1] ?? ''
  return fraction.replace(/0+$/, '').length
}

/** Returns what a person typed, in atoms of 10^-8; undefined when it is no decimal of the wire. */
export function parseAtoms(text: string): bigint | undefined {
  const match = /^(\d{1,20})?(?:\.(\d{0,8})?)?$/.exec(text.trim())
  if (match === null || (match[1] === undefined && (match[2] ?? '') === '')) return undefined
  return BigInt((match[1] ?? '0') + (match[2] ?? '').padEnd(ATOMS, '0'))
}

/** Returns atoms as text without zeros at its end. */
export const formatAtoms = (atoms: bigint): string => trimmed(formatBigDecimal(atoms, ATOMS))

/** Returns the product of two amounts, rounded down to an atom. */
export const multiplyAtoms = (a: bigint, b: bigint): bigint => (a * b) / 10n ** BigInt(ATOMS)

/** Returns a decimal of the wire without zeros at its end: `1.50000000` is `1.5`. */
export const trimmed = (text: string): string =>
  text.includes('.') ? text.replace(/\.?0+$/, '') : text

/** Returns a decimal with separators of thousands: `1234567.50` is `1,234,567.50`. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const parts = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parts : `${parts}.${fraction}`
}

/** Returns a decimal of the wire for people: `1234.50000000` is `1,234.5`. */
export const shown = (text: string): string => grouped(trimmed(text))

/** Returns atoms for people. */
export const shownAtoms = (atoms: bigint): string => grouped(formatAtoms(atoms))

/** Returns an integer of 10^-scale for people, see formatUnits. */
export const shownUnits = (units: number, scale: number, decimals: number): string =>
  grouped(formatUnits(units, scale, decimals))

/** Returns a decimal for people with this many decimals, digits beyond them dropped. */
export function cut(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.slice(0, decimals).padEnd(decimals, '0')
  return grouped(decimals === 0 ? whole : `${whole}.${digits}`)
}

/** Returns a large number in few characters: `12.3M`. */
export function brief(value: number): string {
  const steps: readonly [number, string][] = [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e4, 'K'],
  ]
  for (const [size, letter] of steps) {
    if (Math.abs(value) < size) continue
    const scaled = letter === 'K' ? value / 1e3 : value / size
    return `${scaled.toFixed(2)}${letter}`
  }
  return value.toFixed(value !== 0 && Math.abs(value) < 1 ? 4 : 2)
}
