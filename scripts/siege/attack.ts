/** What an attack is: one file in attacks/, one row of attacks/table.ts. */
import type { Provisions } from './provisions.ts'
import type { Raid } from './raid.ts'
import type { Stage } from './stage.ts'

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
