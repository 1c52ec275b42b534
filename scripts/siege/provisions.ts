/** What the preparation of an attack hands to its generator. */
import type { DemoKey } from '../exchange/exchange-process.ts'

export interface Provisions {
  /** The secret is empty for a key whose private half no client holds. */
  readonly keys?: readonly DemoKey[]
  readonly symbols?: readonly string[]
}
