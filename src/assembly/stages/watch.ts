/** Begins to trade, to watch and to be watched, once clients are served. */

import { addressOf } from '../../agents/member-address.ts'
import type { Regions } from '../../agents/memory.ts'
import { elapsedMs } from '../../base/time.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { watchAlerts } from '../main/alert-watch.ts'
import { watchControl } from '../main/control-watch.ts'
import { keepFigures } from '../main/figure-watch.ts'
import { openAdminServer } from '../main/open-admin-server.ts'
import { type Claimed, RunningExchange } from '../main/running-exchange.ts'
import { placeSeedOrders } from '../main/seed-orders.ts'
import { startedFields } from '../main/started-fields.ts'
import type { Opened } from './open.ts'
import type { Operated } from './operate.ts'
import type { Recovered } from './recover.ts'
import type { Reserved } from './reserve.ts'
import type { Starting } from './starting.ts'

/** Places the orders of seeds and has market makers begin. Resolves to the symbols that are quoted. */
export async function beginTrading(
  { parts: { log } }: Starting,
  { folder, follows, plans }: Opened,
  { snapshot, recoveredEvents }: Recovered,
  { executor, liquidity }: Operated,
): Promise<readonly string[]> {
  if (follows) return []
  const { registry, control } = folder
  const isResumed = recoveredEvents > 0 || snapshot !== undefined
  await placeSeedOrders({ registry, control, view: executor.view, log, isResumed })
  return liquidity.start(plans, executor, registry)
}

interface Begun {
  readonly claimed: Claimed
  readonly opened: Opened
  readonly reserved: Reserved
  readonly recovered: Recovered
  readonly operated: Operated
  /** Names of symbols. */
  readonly quoted: readonly string[]
  /** When the start began, by the steady clock. */
  readonly beganMs: number
}

export function watchOver(starting: Starting, begun: Begun): RunningExchange {
  const { claimed, opened, reserved, recovered, operated, quoted, beganMs } = begun
  const { config, folder, crew, member, follows, machineClock } = opened
  const { registry, control } = folder
  const { regions, disk } = reserved
  const { executor, token } = operated
  const { parts, phase, roster, reload } = starting
  const { log, warnings, kept } = parts
  const { wall } = parts.time
  const gatewayLoops = () => crew.gateways.map((gateway) => gateway.loopTime())
  const seen = { config, registry, regions, time: wall, gatewayLoops }
  const quorumCounts = member?.memory.counts
  const metrics = openAdminServer(claimed.admin, {
    ...seen,
    executor,
    token,
    warnings,
    kept,
    quorumCounts,
    machineClock,
    reload,
  })
  const night = [
    ...(kept === undefined ? [] : [keepFigures({ ...seen, kept })]),
    ...alertsOf(starting, metrics, regions),
  ]
  for (const each of night) starting.claim({ close: () => each.stop() })
  const { snapshot, recoveredEvents } = recovered
  const startMs = elapsedMs(wall) - beganMs
  const fields = startedFields(config, registry, regions, follows, claimed)
  const symbols = registry.symbols.map(({ name }) => name)
  parts.events.started({
    fields: { ...fields, snapshot, recoveredEvents, startMs },
    banner: { scheme: claimed.scheme, symbols, quoted },
  })
  const watch = watchControl(control, regions.counters, wall, (sentence) => log.warn(sentence))
  starting.claim({ close: () => watch.stop() })
  crew.derived.schedule(regions)
  const watches = [disk, watch, ...night, ...(machineClock ? [machineClock] : [])]
  const own = { claimed, crew, member, control, regions, watches }
  return new RunningExchange({ ...operated, ...own, log, phase, roster })
}

/** Nothing without a file of alerts, and within another program. */
function alertsOf(
  { parts: { config, time, log }, reload }: Starting,
  metrics: Metrics,
  { counters }: Regions,
): readonly ReturnType<typeof watchAlerts>[] {
  const { targets } = reload
  if (targets === undefined) return []
  const member = addressOf(config)
  const inForce = () => reload.targets ?? targets
  return [watchAlerts({ targets: inForce, metrics, counters, time: time.wall, log, member })]
}
