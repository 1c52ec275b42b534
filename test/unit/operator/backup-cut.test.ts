/** The moment of a backup: all matchers are held at once, or there is none. */
import { expect, test } from 'vitest'
import { ASSETS_MAX } from '../../../src/base/limits.ts'
import { Ms } from '../../../src/base/units.ts'
import { parseConfig } from '../../../src/config.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { type Announcement, Hold } from '../../../src/market/announcement.ts'
import { ActError } from '../../../src/operator/act.ts'
import { Registry } from '../../../src/operator/registry.ts'
import { WarningLog } from '../../../src/operator/warning-log.ts'
import {
  type ControlPlaneParts,
  WorkerControlPlane,
} from '../../../src/operator/worker-control-plane.ts'
import { Doorbell } from '../../../src/ring/doorbell.ts'
import { countersBytes } from '../../../src/shared/counters.ts'
import { ActBench } from './plain-control-plane.ts'

const share = (bytes: number) => new SharedArrayBuffer(bytes)
const ACCOUNTS = 2

/** A control plane of matchers that do `held` when they are held. */
function controlPlaneOf(
  held: (cell: Int32Array) => void,
  parts: Partial<ControlPlaneParts> = {},
): WorkerControlPlane {
  const matcher = {
    announce: async (news: readonly Announcement[]) => {
      for (const it of news) if (it.kind === 'hold') held(new Int32Array(it.cell))
    },
  }
  const unused = {} as never
  return new WorkerControlPlane({
    config: { ...parseConfig([], {}, () => '').config!, matchers: 2 },
    ...{ registry: new Registry(), vault: unused, control: { lastSequence: 9 } as never },
    balances: new Balances(share(Balances.bytesFor(ACCOUNTS, ASSETS_MAX)), ACCOUNTS, ASSETS_MAX),
    ...{ matchers: [matcher, matcher], matcherBells: [], gateways: [], archivist: unused },
    archivistBell: new Doorbell(share(64), 0),
    ...{ announced: share(4), maintenance: share(4), counters: share(countersBytes(2, 1)) },
    ...{ listenKeys: unused, bookMemory: unused, openCounts: [], tails: [] },
    published: BigInt64Array.of(3n, 4n),
    archived: new BigInt64Array(2),
    ...{ isReady: () => true, disk: unused, checkCertificate: unused, trustCertificate: unused },
    degraded: () => [],
    ...{ snapshots: undefined, warnings: new WarningLog() },
    backups: { isBusy: false, progress: undefined, copy: async () => ({}) },
    newestSnapshot: () => 7,
    ...{ nowMs: () => Ms(1), drain: unused, stop: unused, fail: unused },
    ...parts,
  })
}

test('it has the positions of all matchers, who go on afterwards', async () => {
  const cells: Int32Array[] = []
  const cut = await controlPlaneOf((cell) => cells.push(cell)).cut()
  expect(cut).toEqual({ timeMs: Ms(1), control: 9, positions: [3, 4], snapshot: 7 })
  expect(cells.map(([value]) => value)).toEqual([Hold.RELEASED, Hold.RELEASED])
})

test('a matcher that waited too long makes the moment unusable', async () => {
  const cut = controlPlaneOf((cell) => {
    cell[0] = Hold.GIVEN_UP
  }).cut()
  await expect(cut).rejects.toThrow(ActError)
  await expect(cut).rejects.toThrow('The matchers were not held in time; ask again.')
})

test('a second backup has to wait', async () => {
  const backups = { isBusy: true, progress: undefined, copy: async () => ({}) }
  const cut = controlPlaneOf(() => {}, { backups }).cut()
  await expect(cut).rejects.toThrow('A backup is under way already.')
})

test('status says how far one is', async () => {
  const bench = await ActBench.make()
  bench.controlPlane.copying = { blocks: 25, ofAll: 100, seconds: 5 }
  const { rows } = await bench.executor.act('status', {})
  expect(rows.at(-1)).toEqual({
    ...{ what: 'backup', value: 25 },
    unit: '%, 5 blocks a second, 15 seconds left',
  })
})
