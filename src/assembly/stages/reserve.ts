/** Makes the shared memory, and begins to watch the disk. */
import {
  checkpointerBellOffset,
  indexerBellOffset,
  matcherBellOffset,
  type Regions,
  reserve,
  snapshotBellOffset,
} from '../../agents/memory.ts'
import { assetsMaxOf } from '../../base/limits.ts'
import type { Config } from '../../config/config.ts'
import { Balances } from '../../core/ledger/balances.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { ExchangeCounter, ExchangeCounters } from '../../shared/counters.ts'
import { DiskCells } from '../../shared/disk.ts'
import { Role, RoleCells } from '../../shared/role.ts'
import { clientUrl } from '../main/banner.ts'
import { checkRoom } from '../main/content-room.ts'
import { DiskWatch } from '../main/disk-watch.ts'
import { fillMemory } from '../main/marked-memory.ts'
import { creditDeposits } from '../main/open-ledger.ts'
import type { Claimed } from '../main/running-exchange.ts'
import type { Opened } from './open.ts'
import type { Starting } from './starting.ts'

export interface Reserved {
  readonly regions: Regions
  readonly balances: Balances
  readonly role: RoleCells
  readonly disk: DiskWatch
}

export function reserveMemory(starting: Starting, opened: Opened, claimed: Claimed): Reserved {
  const { parts, phase, counts, roster } = starting
  const { config, folder, member, follows } = opened
  const { registry } = folder
  const { wall } = parts.time
  checkRoom(config, registry, config.data)
  const assetsMax = assetsMaxOf(config.accounts)
  const make = parts.reserve ?? reserve
  const regions = make(config, registry.symbols, phase.memory)
  if (parts.memory !== undefined) fillMemory(regions, parts.memory)
  phase.wakes(bellsOf(config).map((offset) => new Doorbell(regions.bells, offset)))
  counts.add(ExchangeCounter.threads, roster.count)
  counts.moveTo(new ExchangeCounters(regions.counters))
  const balances = new Balances(regions.balances, config.accounts, assetsMax)
  creditDeposits(balances, registry)
  const role = new RoleCells(regions.role, wall)
  if (follows) role.become(Role.FOLLOWER)
  else role.noteLeader(registry.epoch, clientUrl({ ...config, ...claimed }))
  const disk = DiskWatch.begin(config, new DiskCells(regions.disk), wall, parts.log)
  starting.claim({ close: () => disk.stop() })
  if (!follows) member?.deliver(regions)
  return { regions, balances, role, disk }
}

/** Bells of workers that sleep until the phase changes. */
const bellsOf = ({ matchers, gateways }: Config): readonly number[] => [
  ...Array.from({ length: matchers }, (_, index) => matcherBellOffset(index)),
  indexerBellOffset(matchers, gateways),
  checkpointerBellOffset(matchers, gateways),
  snapshotBellOffset(matchers, gateways),
]
