/** The process beside which `bench recovery` times orders: it applies a data folder's journals. */

import { replay } from '../../src/agents/replay.ts'
import { RecoveredSymbol } from '../../src/agents/snapshots.ts'
import { Throttle } from '../../src/agents/throttle.ts'
import { ASSETS_MAX } from '../../src/base/limits.ts'
import { RealTime } from '../../src/base/real-time.ts'
import type { Fact } from '../../src/control/facts.ts'
import { Registry } from '../../src/control/registry.ts'
import { EffectSums } from '../../src/core/ledger/effect-sums.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { journalsIn, openMerge } from '../../src/journal/recovery.ts'
import { hosting } from '../../src/workers/hosting.ts'
import { ACCOUNTS_MAX } from '../workloads/journaled-day.ts'
import { snapshotOptions } from './recovery.ts'

const [data = ''] = process.argv.slice(2)
const registry = new Registry()
const control = ControlStore.open(data)
for (const fact of control.entries()) registry.apply(fact as Fact)
control.close()
/** How long it views without rest first, so that its code is as fast as a snapshot thread's becomes. */
const WARMUP_MS = 4_000
const pace = new Throttle(new RealTime(), hosting.snapshot.throttle)
const warmAtMs = performance.now() + WARMUP_MS
let isWarm = false
const goesOn = () => {
  if (isWarm) pace.tread()
  else if (performance.now() >= warmAtMs) {
    isWarm = true
    process.send?.('begins')
  }
  return true
}
for (;;) {
  const { symbols } = registry
  const orderListIds = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
  const options = snapshotOptions(data, registry)
  const recovering = symbols.map((spec) => new RecoveredSymbol(spec, options, orderListIds))
  const sums = new EffectSums(ACCOUNTS_MAX, ASSETS_MAX)
  const merge = openMerge(data, journalsIn(data))
  replay({ merge, recovering, symbols, sums, goesOn })
  merge.close()
}
