/** What the operator's screen draws, and who may read it. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { FigureReader } from '../../../src/admin-api/figures.ts'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { actions } from '../../../src/control/commands.ts'
import {
  countersBytes,
  GatewayCounter,
  MatcherCounter,
  SymbolCounter,
  ThreadCounters,
} from '../../../src/shared/counters.ts'
import { DISK_BYTES, DiskCells } from '../../../src/shared/disk.ts'
import {
  histogramsBytes,
  MatcherHistogram,
  ThreadHistograms,
} from '../../../src/shared/histograms.ts'
import { Outcomes, outcomesBytes } from '../../../src/shared/outcomes.ts'
import { QUORUM_COUNTS_BYTES, QuorumCounts } from '../../../src/shared/quorum-counts.ts'
import { ROLE_BYTES, RoleCells } from '../../../src/shared/role.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { ActionBench } from '../control/plain-control-plane.ts'

const data = temporaryFolder()

const share = (bytes: number) => new SharedArrayBuffer(bytes)
const counters = share(countersBytes(2, 1, 2))
const histograms = share(histogramsBytes(2, 1))
const outcomes = share(outcomesBytes(1))
const journals = [
  { published: 9, checkpointed: 7, archived: 4 },
  { published: 3, checkpointed: 3, archived: 3 },
]
const quorum = new QuorumCounts(share(QUORUM_COUNTS_BYTES), { elapsedNs: () => 5e9 })
let certificateEndMs: number | undefined
const faultReading = {
  name: 'alice/lost',
  do: 'unknown',
  rule: 'every=3',
  matches: 7,
  touched: 2,
  isOver: false,
}
const reader = new FigureReader({
  dataFolder: data,
  matchers: 2,
  gateways: 1,
  counters,
  histograms,
  outcomes,
  symbols: () => [
    { name: 'BTCUSDT', status: SymbolStatus.TRADING },
    { name: 'ETHUSDT', status: SymbolStatus.HALT },
  ],
  groups: () => ['', 'ETH'],
  schedules: () => [{ name: 'day', timeZone: 'UTC', symbols: 2, held: 1 }],
  states: () => [{ name: 'one', kind: 'state', timeMs: 5, bytes: 4_096 }],
  faults: () => [faultReading],
  clock: () => undefined,
  commandRings: [],
  journals: () => journals,
  gatewayLoops: () => [{ activeMs: 3, idleMs: 7 }],
  statuses: [200, 400],
  codes: [
    [-1121, 'Invalid symbol.'],
    [-2010, ''],
  ],
  sharedBytes: 1_000,
  snapshotMinutes: 15,
  isTimed: true,
  state: () => ({
    isReady: true,
    isReadOnly: false,
    degradedParts: [],
    isUnderMaintenance: false,
    trading: { trading: 1, listed: 2 },
  }),
  warnings: () => 2,
  nowMs: () => 5,
  settings: () => [{ flag: 'port', value: '9000', usual: '8080' }],
  certificateEndMs: () => certificateEndMs,
  backupMs: () => 3,
  disk: new DiskCells(new SharedArrayBuffer(DISK_BYTES)),
  role: new RoleCells(new SharedArrayBuffer(ROLE_BYTES), new RealTime()),
  quorum,
})

test('every counter, outcome and histogram is there, by thread and by symbol', () => {
  ThreadCounters.ofMatcher(counters, 1).add(MatcherCounter.idleNs, 40)
  ThreadCounters.ofGateway(counters, 0).set(GatewayCounter.connections, 6)
  ThreadCounters.ofSymbol(counters, SymbolId(1)).add(SymbolCounter.orders, 8)
  ThreadCounters.ofSymbol(counters, SymbolId(0)).set(
    SymbolCounter.phase,
    SymbolStatus.AUCTION_MATCH + 1,
  )
  ThreadHistograms.ofMatcher(histograms, 0).observe(MatcherHistogram.flush, 1_000)
  const counted = new Outcomes(outcomes, 0)
  counted.answered(400)
  counted.refused(-1121)
  counted.refused(-2010, SymbolId(1))
  quorum.noteSent(7, 900)
  const figures = reader.read()
  expect(figures.quorum).toEqual({ blocks: 7, bytes: 900, losses: 0, lostMs: 0, waitMs: 0 })
  expect(figures.matchers.map(({ idleNs }) => idleNs)).toEqual([0, 40])
  expect(figures.gateways[0]!.connections).toBe(6)
  expect(figures.state).toEqual({ text: '1 of 2 trading', level: 'warn' })
  expect(figures.symbols.counters.orders).toEqual([0, 8])
  expect(figures.symbols).toMatchObject({
    names: ['BTCUSDT', 'ETHUSDT'],
    statuses: ['AUCTION_MATCH (wanted: TRADING)', 'HALT'],
    groups: ['', 'ETH'],
  })
  expect(figures.schedules).toEqual([{ name: 'day', timeZone: 'UTC', symbols: 2, held: 1 }])
  expect(figures.states).toEqual([{ name: 'one', kind: 'state', timeMs: 5, bytes: 4_096 }])
  expect(figures.faults).toEqual([faultReading])
  expect(figures).not.toHaveProperty('clock')
  expect(figures.answers).toEqual([[400, 1]])
  expect(figures.refusals).toEqual([
    [-1121, 1, 'Invalid symbol.'],
    [-2010, 1, ''],
  ])
  expect(figures.symbols.refusals).toEqual([0, 1])
  const flush = figures.histograms.find(({ name }) => name === 'flush')!
  expect(flush.counts.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(flush.bounds[flush.counts.indexOf(1)]).toBe(1_024)
  expect(figures.role).toMatchObject({ role: 'leader', lagPositions: 0 })
  expect(figures).toMatchObject({ warnings: 2, timeMs: 5, journals, backupMs: 3 })
  expect(figures.settings).toEqual([{ flag: 'port', value: '9000', usual: '8080' }])
  expect(figures).not.toHaveProperty('certificateEndMs')
  certificateEndMs = 7
  expect(reader.read().certificateEndMs).toBe(7)
})

test('snapshots that cannot be read leave the other figures as they are', () => {
  const folder = path.join(data, 'snapshots')
  writeFileSync(folder, '')
  expect(reader.read()).toMatchObject({
    snapshots: [],
    snapshotsFailure: expect.stringContaining('snapshots'),
    warnings: 2,
  })
  rmSync(folder)
})

test('snapshots are listed, the newest first', () => {
  expect(reader.read().snapshots).toEqual([])
  mkdirSync(path.join(data, 'snapshots'))
  for (const number of [1, 2]) {
    writeFileSync(path.join(data, 'snapshots', `snapshot-00000000000${number}`), 'x'.repeat(number))
  }
  expect(reader.read().snapshots).toMatchObject([
    { number: 2, bytes: 2 },
    { number: 1, bytes: 1 },
  ])
})

test('the door tells whose the token is, which actions it allows, and figures to it alone', async () => {
  const bench = await ActionBench.make()
  const door = new ActionRequests(
    bench.executor,
    { accepts: (it) => it === 'Bearer own' },
    {
      figures: () => reader.read(),
      history: (seconds) => (seconds === 60 ? undefined : { seconds }),
    },
  )
  const ask = (url: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return door.answer({ url, method: 'GET', headers } as IncomingMessage)
  }
  const [row] = (await bench.ask('operator-add carol watch')).rows
  const token = String(row!.token)
  expect(await ask('/whoami', 'own')).toMatchObject([200, { name: 'owner', role: 'admin' }])
  const [status, identity] = await ask('/whoami', token)
  expect([status, identity]).toMatchObject([200, { name: 'carol', role: 'watch' }])
  expect(identity).toMatchObject({ groups: { trading: 'Orders and trades' } })
  const rows = (await ask('/actions', 'own'))[1] as { name: string; hasPreview: boolean }[]
  expect(rows.filter((it) => it.hasPreview).map((it) => it.name)).toContain('cancel-orders')
  expect(rows.find((it) => it.name === 'orders')!.hasPreview).toBe(false)
  const watched = actions.filter(({ role }) => role === 'watch').map(({ name }) => name)
  const listed = (identity as { actions: { name: string }[] }).actions.map(({ name }) => name)
  expect(listed).toEqual(watched)
  expect(listed).toContain('warnings')
  expect(await ask('/figures', token)).toMatchObject([200, { warnings: 2 }])
  expect(await ask('/history?span=61', token)).toEqual([200, { seconds: 61 }])
  expect((await ask('/history?span=60', token))[0]).toBe(404)
  for (const span of ['', '?span=', '?span=0', '?span=2678401', '?span=1e3', '?span=9&span=9']) {
    expect((await ask(`/history${span}`, token))[0], span).toBe(400)
  }
  for (const url of ['/whoami', '/figures', '/history?span=61']) {
    expect((await ask(url, 'wrong'))[0]).toBe(401)
  }
  expect(JSON.stringify(identity)).not.toContain('tokenHash')
})
