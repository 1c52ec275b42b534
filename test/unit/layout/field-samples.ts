import type { Int64 } from '../../../src/base/int64.ts'
import type { Carrier } from '../../../src/layout/schema/field.ts'

/** A value of the n-th field of a record, of as many bytes as its carrier has. */
export function sampleOf(carrier: Carrier, n: number): Int64 | string {
  if (carrier.startsWith('text')) return `text-${n}`
  if (carrier === 'int64') return -(2n ** 62n) - BigInt(n)
  return carrier === 'int' ? -(2 ** 40) - n : -1000 - n
}
