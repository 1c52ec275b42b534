/** The control plane of a running exchange, over matchers that a test stands in for. */

import { ASSETS_MAX } from '../../../src/base/limits.ts'
import { ManualClock } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { Registry } from '../../../src/control/registry.ts'
import {
  type ControlPlaneParts,
  WorkerControlPlane,
} from '../../../src/control/worker-control-plane.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import type { ControlMessage } from '../../../src/shared/control-message.ts'
import { countersBytes } from '../../../src/shared/counters.ts'
import { WarningLog } from '../../../src/telemetry/warning-log.ts'

const share = (bytes: number) => new SharedArrayBuffer(bytes)
const ACCOUNTS = 2

export const newBalances = (): Balances =>
  new Balances(share(Balances.bytesFor(ACCOUNTS, ASSETS_MAX)), ACCOUNTS, ASSETS_MAX)

/** What a test has of its own. */
export type OwnParts = Partial<
  Pick<ControlPlaneParts['decided'], 'balances' | 'registry'> &
    Pick<ControlPlaneParts['cells'], 'published'> &
    Pick<ControlPlaneParts['crew'], 'backups' | 'indexer' | 'snapshots'> &
    Pick<ControlPlaneParts['condition'], 'newestSnapshot'>
>

/** Returns a control plane of matchers that do `held` when they are held. */
export function controlPlaneOf(
  held: (cell: Int32Array) => void,
  {
    balances = newBalances(),
    published = BigInt64Array.of(3n, 4n),
    backups = {
      isBusy: false,
      progress: undefined,
      copy: async () => ({}),
      copyArchive: async () => {},
    },
    newestSnapshot = () => 7,
    registry = new Registry(),
    indexer = { notify: async () => {} },
    snapshots,
  }: OwnParts = {},
): WorkerControlPlane {
  const matcher = {
    notify: async (messages: readonly ControlMessage[]) => {
      for (const it of messages) if (it.kind === 'pause') held(new Int32Array(it.cell))
    },
  }
  const unused = {} as never
  return new WorkerControlPlane({
    settings: { ...parseConfig([], {}, () => '').config!, matchers: 2 },
    decided: {
      registry,
      vault: unused,
      control: { lastSequence: 9 } as never,
      balances,
    },
    crew: {
      matchers: [matcher, matcher],
      matcherBells: [],
      gateways: [],
      indexer,
      snapshots,
      backups,
      member: undefined,
    },
    cells: {
      maintenance: share(4),
      counters: share(countersBytes(2, 1)),
      accountLatency: new SharedArrayBuffer(0),
      openCounts: [],
      published,
      archived: new BigInt64Array(2),
      wals: [],
      disk: unused,
    },
    condition: {
      isReady: () => true,
      degraded: () => [],
      whyNoActions: () => undefined,
      warnings: new WarningLog(),
      newestSnapshot,
      clock: new ManualClock(Ms(1)),
    },
    effects: {
      listenKeys: unused,
      bookMemory: unused,
      readAgain: unused,
      ownerToken: unused,
      reloaded: unused,
      drain: unused,
      stop: unused,
      fail: unused,
      faults: undefined,
      clock: undefined,
      states: undefined,
      networks: undefined,
      machineClock: undefined,
      quorumAheadMs: unused,
      startAgain: unused,
      hasRemovedBlocks: unused,
    },
  })
}
