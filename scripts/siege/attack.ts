/** What an attack is: one file in attacks/, one row of attacks/table.ts. */
import type { Raid } from './raid.ts'
import type { Stage } from './stage.ts'

/** An API key as `demo-keys.json` and the operator's acts give it. */
export interface KeyText {
  readonly account: string
  readonly apiKey: string
  /** Empty for a key whose private half no client holds. */
  readonly secretKey: string
}

/** What the preparation hands to the generator. */
export interface Provisions {
  readonly keys?: readonly KeyText[]
  readonly symbols?: readonly string[]
}

export interface Attack {
  readonly name: string
  readonly about: string
  /** Source addresses, which no other attack uses. */
  readonly addresses: number
  /** Opens accounts and fills books through a server without limits, before the control run. */
  readonly prepare?: (stage: Stage) => Promise<Provisions>
  /** Begins it; the generator's process ends it. What it sends must not depend on answers. */
  readonly run: (raid: Raid) => void
}
