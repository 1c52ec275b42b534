/** All attacks, in the order in which they get their addresses. */
import type { Attack } from '../attack.ts'
import { accepts } from './accepts.ts'
import { banned } from './banned.ts'
import { cancelAll } from './cancel-all.ts'
import { everything } from './everything.ts'
import { forwarded } from './forwarded.ts'
import { fragments } from './fragments.ts'
import { garbage } from './garbage.ts'
import { icebergs } from './icebergs.ts'
import { listSubscriptions } from './list-subscriptions.ts'
import { listenKeys } from './listen-keys.ts'
import { names } from './names.ts'
import { openOrders } from './open-orders.ts'
import { orderStatus } from './order-status.ts'
import { parameters } from './parameters.ts'
import { pings } from './pings.ts'
import { refusedFrames } from './refused-frames.ts'
import { signatures } from './signatures.ts'
import { silentConnections } from './silent-connections.ts'
import { slowReaders } from './slow-readers.ts'
import { stops } from './stops.ts'
import { unreadAnswers } from './unread-answers.ts'

export const attacks: readonly Attack[] = [
  names,
  listSubscriptions,
  refusedFrames,
  pings,
  orderStatus,
  openOrders,
  silentConnections,
  unreadAnswers,
  slowReaders,
  icebergs,
  cancelAll,
  stops,
  signatures,
  banned,
  accepts,
  garbage,
  forwarded,
  fragments,
  everything,
  listenKeys,
  parameters,
]

/** Throws for a name that is in no row. */
export function attackNamed(name: string): Attack {
  const attack = attacks.find((row) => row.name === name)
  if (attack === undefined) throw new Error(`there is no attack ${name}`)
  return attack
}

/** The index of an attack's first address, counted over all attacks. */
export function firstAddressOf(attack: Attack): number {
  const before = attacks.slice(0, attacks.indexOf(attack))
  return before.reduce((sum, { addresses }) => sum + addresses, 0)
}
