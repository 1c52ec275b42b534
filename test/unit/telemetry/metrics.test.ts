/** What is shown to Prometheus, from memory that the test writes as threads would. */

import { beforeEach, describe, expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import {
  CommandRingConsumer,
  CommandRingProducer,
  commandRingBytes,
} from '../../../src/ring/command-ring.ts'
import {
  countersBytes,
  ExchangeCounter,
  ExchangeCounters,
  GatewayCounter,
  journalStore,
  MatcherCounter,
  readCounters,
  SymbolCounter,
  ThreadCounters,
  WalletCounter,
} from '../../../src/shared/counters.ts'
import { DISK_BYTES, DiskCells } from '../../../src/shared/disk.ts'
import {
  GatewayHistogram,
  histogramsBytes,
  MatcherHistogram,
  ThreadHistograms,
} from '../../../src/shared/histograms.ts'
import { Outcomes, outcomesBytes } from '../../../src/shared/outcomes.ts'
import { QUORUM_COUNTS_BYTES, QuorumCounts } from '../../../src/shared/quorum-counts.ts'
import { ROLE_BYTES, Role, RoleCells } from '../../../src/shared/role.ts'
import { alerts } from '../../../src/telemetry/alerts.ts'
import { Metrics } from '../../../src/telemetry/metrics.ts'
import { type Family, parseExposition } from '../../fixtures/exposition.ts'

const [MATCHERS, GATEWAYS, SYMBOLS] = [2, 3, 4]
const share = (bytes: number) => new SharedArrayBuffer(bytes)

let counters: SharedArrayBuffer
let histograms: SharedArrayBuffer
let outcomes: SharedArrayBuffer
let commandRings: SharedArrayBuffer[][]
let published: BigInt64Array
let archived: BigInt64Array
let wals: WalCells[]
let names: string[]
let metrics: Metrics
let role: RoleCells
let disk: DiskCells
let quorum: QuorumCounts
let nowMs = 0
let certificateEndMs: number | undefined
let backupMs = 0

beforeEach(() => {
  counters = share(countersBytes(MATCHERS, GATEWAYS, SYMBOLS))
  histograms = share(histogramsBytes(MATCHERS, GATEWAYS))
  outcomes = share(outcomesBytes(GATEWAYS))
  commandRings = Array.from({ length: GATEWAYS }, () =>
    Array.from({ length: MATCHERS }, () => share(commandRingBytes(64))),
  )
  published = new BigInt64Array(MATCHERS)
  archived = new BigInt64Array(MATCHERS)
  wals = Array.from({ length: MATCHERS }, () => new WalCells())
  names = ['BTCUSDT', 'ETHUSDT', 'ETHBTC']
  role = new RoleCells(share(ROLE_BYTES), new RealTime())
  disk = new DiskCells(share(DISK_BYTES))
  quorum = new QuorumCounts(share(QUORUM_COUNTS_BYTES), { elapsedNs: () => nowMs * 1e6 })
  metrics = new Metrics({
    clock: new RealTime(),
    matchers: MATCHERS,
    gateways: GATEWAYS,
    counters,
    histograms,
    outcomes,
    commandRings,
    published,
    archived,
    wals,
    statuses: [200, 400],
    codes: [-1013, -2010],
    symbolNames: () => names,
    role,
    disk,
    quorum,
    clockAheadMs: () => 0,
    certificateEndMs: () => certificateEndMs,
    backupMs: () => backupMs,
    sharedBytes: 4096,
    isReady: () => true,
    degraded: () => [],
    faults: () => [],
  })
})

const scrape = async () => parseExposition(metrics.text())
const read = (families: Map<string, Family>, id: string): number | undefined => {
  const series = [...families.values()].flatMap((family) => family.series)
  return series.find((each) => each.id === id)?.value
}
const value = async (id: string) => read(await scrape(), id)

test('the end of the certificate and the age of the backup are told where there are any', async () => {
  const absent = await scrape()
  expect(read(absent, 'ringbook_certificate_seconds_left{}')).toBeUndefined()
  expect(read(absent, 'ringbook_backup_age_seconds{}')).toBeUndefined()
  certificateEndMs = Date.now() + 86_400_000
  backupMs = Date.now() - 7_200_000
  const present = await scrape()
  const left = read(present, 'ringbook_certificate_seconds_left{}')!
  const age = read(present, 'ringbook_backup_age_seconds{}')!
  expect([Math.round(left / 3_600), Math.round(age / 3_600)]).toEqual([24, 2])
  ;[certificateEndMs, backupMs] = [undefined, 0]
})

test('what members evaluate alerts by is exposed', () => {
  const wanted = alerts
    .filter(({ isOutside }) => isOutside !== true)
    .flatMap(({ when }) => when.flatMap(({ of }) => of))
    .map((metric) => metric.replace(/_(count|bucket)$/, ''))
  const found = metrics.samplesOf(wanted)
  expect(wanted.filter((metric) => !found.has(metric))).toEqual([])
})

describe('counters', () => {
  test('each has a family that says what it counts, and a series for each that counts it', async () => {
    const families = await scrape()
    const series = {
      exchange: 1,
      matcher: MATCHERS,
      gateway: GATEWAYS,
      symbol: names.length,
      store: journalStore(MATCHERS),
      wallet: 1,
    }
    const rows = readCounters(counters, 1, 1, 1).filter(({ index }) => index === 0)
    const ours = [...families.values()].filter(
      ({ help, type }) =>
        type !== 'histogram' && rows.some(({ meaning }) => help.endsWith(` ${meaning}.`)),
    )
    for (const { scope, name, meaning, kind } of rows) {
      const family = ours.find(
        (each) =>
          each.help.endsWith(` ${meaning}.`) &&
          (scope === 'exchange' || each.name.startsWith(`ringbook_${scope}_`)),
      )
      expect(family?.type, name).toBe(kind === 'total' ? 'counter' : 'gauge')
      expect(family?.series.length, name).toBe(series[scope])
    }
    expect(new Set(ours.map((family) => family.name)).size).toBe(rows.length)
  })

  test('are told by thread and by symbol; times are in seconds', async () => {
    ThreadCounters.ofMatcher(counters, 1).add(MatcherCounter.commands, 7)
    ThreadCounters.ofMatcher(counters, 0).add(MatcherCounter.idleNs, 1_500_000_000)
    ThreadCounters.ofMatcher(counters, 0).raise(MatcherCounter.flushNsMax, 250_000)
    ThreadCounters.ofGateway(counters, 2).add(GatewayCounter.slowClientsClosed, 2)
    ThreadCounters.ofSymbol(counters, SymbolId(1)).set(SymbolCounter.restingOrders, 12)
    new ExchangeCounters(counters).add(ExchangeCounter.warnings, 3)
    const families = await scrape()
    const expected = {
      'ringbook_matcher_commands_total{matcher="1"}': 7,
      'ringbook_matcher_commands_total{matcher="0"}': 0,
      'ringbook_matcher_idle_seconds_total{matcher="0"}': 1.5,
      'ringbook_matcher_flush_seconds_max{matcher="0"}': 0.00025,
      'ringbook_gateway_slow_clients_closed_total{gateway="2"}': 2,
      'ringbook_symbol_resting_orders{symbol="ETHUSDT"}': 12,
      'ringbook_warnings_total{}': 3,
    }
    for (const [id, count] of Object.entries(expected)) expect(read(families, id), id).toBe(count)
  })

  test('of the wallet are told without a label, and moments as the time since', async () => {
    const wallet = ThreadCounters.ofWallet(counters)
    wallet.set(WalletCounter.withdrawalsWaiting, 2)
    wallet.set(WalletCounter.waitingSinceMs, Date.now() - 7_200_000)
    wallet.set(WalletCounter.processingSinceMs, Date.now() + 60_000)
    expect(await value('ringbook_wallet_withdrawals_waiting{}')).toBe(2)
    expect(Math.floor((await value('ringbook_wallet_waiting_seconds{}'))! / 3_600)).toBe(2)
    expect(await value('ringbook_wallet_processing_seconds{}')).toBe(0)
    wallet.set(WalletCounter.waitingSinceMs, 0)
    expect(await value('ringbook_wallet_waiting_seconds{}')).toBe(0)
  })

  test('may continue from where they stood: two scrapes say the same', async () => {
    ThreadCounters.ofMatcher(counters, 0).add(MatcherCounter.commands, 7)
    expect(await value('ringbook_matcher_commands_total{matcher="0"}')).toBe(7)
    expect(await value('ringbook_matcher_commands_total{matcher="0"}')).toBe(7)
  })

  test('of a symbol that is listed meanwhile are shown', async () => {
    names.push('DOGEUSDT')
    ThreadCounters.ofSymbol(counters, SymbolId(3)).set(SymbolCounter.orders, 5)
    expect(await value('ringbook_symbol_orders_total{symbol="DOGEUSDT"}')).toBe(5)
  })
})

test('answers and refusals are told by what they were, of all gateways together', async () => {
  for (const gateway of [0, 2]) new Outcomes(outcomes, gateway).answered(200)
  new Outcomes(outcomes, 1).answered(400)
  new Outcomes(outcomes, 1).refused(-2010)
  new Outcomes(outcomes, 2).refused(-2010, SymbolId(1))
  const families = await scrape()
  expect(read(families, 'ringbook_answers_total{status="200"}')).toBe(2)
  expect(read(families, 'ringbook_answers_total{status="400"}')).toBe(1)
  expect(read(families, 'ringbook_rejects_total{code="-2010"}')).toBe(2)
  expect(read(families, 'ringbook_symbol_rejects_total{symbol="ETHUSDT"}')).toBe(1)
  expect(read(families, 'ringbook_symbol_rejects_total{symbol="BTCUSDT"}')).toBe(0)
  expect(read(families, 'ringbook_rejects_total{code="-1013"}')).toBe(0)
})

test('histograms are cumulative, of all threads together, in seconds where they are times', async () => {
  for (const index of [0, 1]) {
    const matcher = ThreadHistograms.ofMatcher(histograms, index)
    matcher.observe(MatcherHistogram.batchCommands, 3)
    matcher.observe(MatcherHistogram.flush, 2_048)
    ThreadHistograms.ofGateway(histograms, index).observe(GatewayHistogram.journal, 2 ** 50)
  }
  const families = await scrape()
  const expected = {
    'ringbook_batch_commands_bucket{le="2"}': 0,
    'ringbook_batch_commands_bucket{le="3"}': 2,
    'ringbook_batch_commands_bucket{le="+Inf"}': 2,
    'ringbook_batch_commands_sum{}': 6,
    'ringbook_flush_seconds_bucket{le="0.000001536"}': 0,
    'ringbook_flush_seconds_bucket{le="0.000002048"}': 2,
    'ringbook_flush_seconds_sum{}': 0.000004096,
    'ringbook_order_stage_seconds_bucket{le="17.179869184",stage="journal"}': 0,
    'ringbook_order_stage_seconds_bucket{le="+Inf",stage="journal"}': 2,
    'ringbook_order_stage_seconds_count{stage="parse"}': 0,
    'ringbook_event_loop_delay_seconds_count{}': 0,
  }
  for (const [id, count] of Object.entries(expected)) expect(read(families, id), id).toBe(count)
})

test('a member shows whether it leads, and how far it is behind', async () => {
  const shown = async () => {
    const families = await scrape()
    const names = ['leading', 'epoch', 'follower_lag_positions', 'follower_lag_seconds']
    return names.map((name) => read(families, `ringbook_${name}{}`))
  }
  expect(await shown()).toEqual([1, 0, 0, 0])
  role.become(Role.FOLLOWER)
  role.noteLeader(4, 'http://leader')
  role.noteLag(7, 2_500)
  expect(await shown()).toEqual([0, 4, 7, 2.5])
})

test('the disk is shown, and its growth once it is known', async () => {
  const shown = async () => {
    const families = await scrape()
    const names = ['disk_free_bytes', 'disk_size_bytes', 'disk_reserve_bytes', 'disk_level']
    const growth = ['disk_growth_bytes_per_second', 'disk_seconds_left']
    const journals = ['journal_bytes', 'journal_growth_bytes_per_second', 'journal_alarm']
    const all = [...names, 'disk_refuses_orders', ...growth, ...journals]
    return all.map((name) => read(families, `ringbook_${name}{}`))
  }
  const fresh = { freeBytes: 8_200, totalBytes: 90_000, reserveBytes: 1_000, journalBytes: 5 }
  disk.write({ ...disk.read(), ...fresh, bytesAnHour: -1, journalBytesAnHour: -1 })
  const none = undefined
  expect(await shown()).toEqual([8_200, 90_000, 1_000, 0, 0, none, none, 5, none, 0])
  const full = { isRefusing: true, level: 1, hasJournalAlarm: true } as const
  disk.write({ ...disk.read(), ...full, bytesAnHour: 7_200, journalBytesAnHour: 0 })
  expect(await shown()).toEqual([8_200, 90_000, 1_000, 1, 1, 2, 3_600, 5, 0, 1])
})

test('the way to the quorum is shown', async () => {
  const shown = async () => {
    const families = await scrape()
    const names = ['blocks_total', 'bytes_total', 'losses_total', 'lost_seconds_total']
    return [...names, 'wait_seconds'].map((name) => read(families, `ringbook_quorum_${name}{}`))
  }
  expect(await shown()).toEqual([0, 0, 0, 0, 0])
  nowMs = 1_000
  quorum.noteSent(3, 700)
  quorum.lose()
  nowMs += 1_500
  expect(await shown()).toEqual([3, 700, 1, 1.5, 1.5])
  quorum.find()
  expect(await shown()).toEqual([3, 700, 1, 1.5, 0])
})

test('rings and journals are seen from outside', async () => {
  const producer = new CommandRingProducer(commandRings[1]![0]!)
  for (let i = 0; i < 5; i++) {
    producer.claim()
    producer.commit()
    producer.publish()
  }
  const consumer = new CommandRingConsumer(commandRings[1]![0]!)
  consumer.available()
  consumer.release(2)
  published.set([9n, 4n])
  archived.set([6n, 4n])
  wals[1]!.setWritten(12)
  wals[1]!.setCheckpointed(5)
  const families = await scrape()
  const expected = {
    'ringbook_command_ring_slots_taken{gateway="1",matcher="0"}': 3,
    'ringbook_command_ring_slots_taken{gateway="1",matcher="1"}': 0,
    'ringbook_command_ring_slots{gateway="2",matcher="1"}': 64,
    'ringbook_archive_lag_blocks{matcher="0"}': 3,
    'ringbook_archive_lag_blocks{matcher="1"}': 0,
    'ringbook_checkpointer_lag_blocks{matcher="1"}': 7,
    // Its former name.
    'ringbook_carrier_lag_blocks{matcher="1"}': 7,
    'ringbook_ready{}': 1,
    'ringbook_shared_bytes{}': 4096,
  }
  for (const [id, count] of Object.entries(expected)) expect(read(families, id), id).toBe(count)
  expect(read(families, 'process_resident_memory_bytes{}')).toBeGreaterThan(1_000_000)
})

test('the series are the same whatever was counted', async () => {
  const idsOf = (families: Map<string, Family>) =>
    [...families.values()].flatMap(({ series }) => series.map(({ id }) => id))
  const before = idsOf(await scrape())
  for (const status of [200, 400, 299]) new Outcomes(outcomes, 0).answered(status)
  for (const code of [-1013, -7]) new Outcomes(outcomes, 0).refused(code)
  ThreadHistograms.ofGateway(histograms, 0).observe(GatewayHistogram.parse, 1)
  ThreadCounters.ofGateway(counters, 0).add(GatewayCounter.requests, 1)
  expect(idsOf(await scrape())).toEqual(before)
})
