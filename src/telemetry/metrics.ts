/**
 * The metrics for Prometheus: every row of shared/counters.ts and shared/histograms.ts under a name made
 * of the row's, the fill of rings and lags of journals, and the process itself. A scrape reads shared
 * memory and delays no thread. The set of series follows from settings, listings and the few rules of a
 * sandbox, never from other clients.
 */
import type { Clock } from '../base/time.ts'
import { SymbolId } from '../base/units.ts'
import type { WalCells } from '../journal/wal-cells.ts'
import { commandRingUse } from '../ring/command-ring.ts'
import {
  type CounterReading,
  type CounterScope,
  readCounters,
  storeName,
} from '../shared/counters.ts'
import { type DiskCells, type DiskReading, hoursLeft } from '../shared/disk.ts'
import { type HistogramReading, readHistograms } from '../shared/histograms.ts'
import { OutcomeReader } from '../shared/outcomes.ts'
import type { QuorumCounts, QuorumReading } from '../shared/quorum-counts.ts'
import type { RoleCells } from '../shared/role.ts'
import { type Sample as ExposedSample, expositionText, type Family } from './exposition.ts'
import { histogramSamples } from './metrics-histogram.ts'
import { processFamilies } from './metrics-process.ts'

const PREFIX = 'ringbook_'
/** Families by the names that they had until the last version; the next one drops these. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  checkpointer_lag_blocks: 'carrier_lag_blocks',
  gateway_reader_overrun_total: 'gateway_reader_lapped_total',
  matcher_deferred_full_total: 'matcher_held_full_total',
  matcher_paused_seconds_max: 'matcher_held_seconds_max',
  matcher_wal_full_total: 'matcher_tail_full_total',
}
const NS_PER_SECOND = 1e9

export interface MetricsParts {
  readonly clock: Clock
  readonly matchers: number
  readonly gateways: number
  /** By id. */
  readonly symbolNames: () => readonly string[]
  readonly counters: SharedArrayBuffer
  readonly histograms: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
  /** By gateway, then matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  /** By matcher: positions of the last block that was published, and archived. */
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  readonly wals: readonly WalCells[]
  /** Every status of a response, and every code of a refusal. */
  readonly statuses: readonly number[]
  readonly codes: readonly number[]
  readonly role: Pick<RoleCells, 'isLeading' | 'read'>
  readonly disk: Pick<DiskCells, 'read'>
  readonly quorum: Pick<QuorumCounts, 'read'>
  /** By how much the machine's clock is ahead and not believed, ms; 0 while it is believed. */
  readonly clockAheadMs: () => number
  /** When the certificate ends; undefined without TLS. */
  readonly certificateEndMs: () => number | undefined
  /** The moment of the newest backup; 0 without one. */
  readonly backupMs: () => number
  readonly sharedBytes: number
  readonly isReady: () => boolean
  readonly degraded: () => readonly string[]
  /** The rules of the sandbox, which are bounded; none while it is off. */
  readonly faults: () => readonly FaultReading[]
}

/** What a rule of the sandbox counts; the account is that which made it for itself, or ''. */
export interface FaultReading {
  readonly name: string
  readonly account: string
  readonly matches: number
  readonly touched: number
}

/** One sample of a family: its labels, in the order of the family's, and its value. */
type Sample = readonly [labels: readonly (string | number)[], value: number]

export class Metrics {
  private readonly parts: MetricsParts
  private readonly families: Family[] = []
  /** Samples of the scrape under way, by family. */
  private readonly samples = new Map<string, Sample[]>()
  private histograms: readonly HistogramReading[]

  constructor(parts: MetricsParts) {
    this.parts = parts
    this.histograms = this.readHistograms()
    this.addCounters()
    this.addOutcomes()
    this.addHistograms()
    this.addRings()
    this.addJournals()
    this.addRole()
    this.addDisk()
    this.addQuorum()
    this.addFaults()
    this.gauge('ready', 'Whether orders are accepted.', [], () => [[[], parts.isReady() ? 1 : 0]])
    const degraded = 'Parts that are made again, or stand still, while orders are accepted.'
    this.gauge('degraded', degraded, [], () => [[[], parts.degraded().length]])
    const ahead =
      "By how much the machine's clock is ahead and not believed; 0 while it is believed."
    this.gauge('clock_doubted_seconds', ahead, [], () => [[[], parts.clockAheadMs() / 1_000]])
    this.addDates()
    this.gauge('shared_bytes', 'Shared memory that is reserved.', [], () => [
      [[], parts.sharedBytes],
    ])
    this.families.push(...processFamilies(parts.clock))
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(): string {
    this.readCounters()
    this.histograms = this.readHistograms()
    return expositionText(this.families)
  }

  /** Returns samples by family, without their prefix. */
  samplesOf(families: readonly string[]): ReadonlyMap<string, readonly ExposedSample[]> {
    this.readCounters()
    this.histograms = this.readHistograms()
    const wanted = new Set(families.map((name) => PREFIX + name))
    return new Map(
      this.families
        .filter(({ name }) => wanted.has(name))
        .map(({ name, read }) => [name.slice(PREFIX.length), read()]),
    )
  }

  private addCounters(): void {
    for (const row of readCounters(this.parts.counters, 1, 1, 1)) {
      const { scope, index, kind, unit, meaning } = row
      // There are more stores than one however few the threads.
      if (index > 0) continue
      const family = familyOf(row)
      const help = `${capitalised(['ns', 'moment'].includes(unit) ? 'seconds' : unit)} ${meaning}.`
      const labels = ['exchange', 'wallet'].includes(scope) ? [] : [scope]
      const samples = () => this.samples.get(family) ?? []
      if (kind === 'total') this.counter(family, help, labels, samples)
      else this.gauge(family, help, labels, samples)
    }
  }

  private readCounters(): void {
    const { counters, matchers, gateways, symbolNames } = this.parts
    const names = symbolNames()
    this.samples.clear()
    for (const row of readCounters(counters, matchers, gateways, names.length)) {
      const family = familyOf(row)
      const value = this.valueOf(row)
      const samples = this.samples.get(family)
      const sample: Sample = [labelsOf(row.scope, row.index, names), value]
      if (samples === undefined) this.samples.set(family, [sample])
      else samples.push(sample)
    }
  }

  private valueOf({ unit, value }: CounterReading): number {
    if (unit === 'ns') return value / NS_PER_SECOND
    if (unit !== 'moment') return value
    return value === 0 ? 0 : Math.max(0, this.parts.clock.nowMs() - value) / 1_000
  }

  private addOutcomes(): void {
    const { outcomes, gateways, statuses, codes, symbolNames } = this.parts
    const reader = new OutcomeReader(outcomes, gateways)
    this.counter('answers_total', 'Answers, by HTTP status.', ['status'], () =>
      statuses.map((status) => [[status], reader.answers(status)]),
    )
    this.counter('rejects_total', 'Refusals, by error code.', ['code'], () =>
      codes.map((code) => [[code], reader.refusals(code)]),
    )
    const help = 'Refusals of requests that named the symbol.'
    this.counter('symbol_rejects_total', help, ['symbol'], () =>
      symbolNames().map((name, id) => [[name], reader.refusalsOn(SymbolId(id))]),
    )
  }

  private addHistograms(): void {
    const [batch, flush, ...ofGateways] = this.histograms
    const delay = ofGateways.pop()!
    const order = ofGateways.pop()!
    const stages = ofGateways.map(({ name }) => name)
    const named = (name: string) => this.histograms.find((reading) => reading.name === name)!
    const register = (family: string, help: string, label: string, names: readonly string[]) =>
      this.families.push({
        name: PREFIX + family,
        help,
        type: 'histogram',
        read: () => histogramSamples(label, names.map(named)),
      })
    register('batch_commands', `Batches by their size: ${batch!.meaning}.`, '', [batch!.name])
    register('flush_seconds', `Time spent ${flush!.meaning}.`, '', [flush!.name])
    register('event_loop_delay_seconds', `Time ${delay.meaning}.`, '', [delay.name])
    register('order_seconds', `Time ${order.meaning}, of the same orders.`, '', [order.name])
    register(
      'order_stage_seconds',
      'Where the time of orders went: of one in 16, and of those with a receipt.',
      'stage',
      stages,
    )
  }

  private readHistograms(): readonly HistogramReading[] {
    const { histograms, matchers, gateways } = this.parts
    return readHistograms(histograms, matchers, gateways)
  }

  private addRings(): void {
    const { commandRings } = this.parts
    const labels = ['gateway', 'matcher']
    const each = (pick: (use: ReturnType<typeof commandRingUse>) => number) => (): Sample[] =>
      commandRings.flatMap((rings, gateway) =>
        rings.map((ring, matcher): Sample => [[gateway, matcher], pick(commandRingUse(ring))]),
      )
    this.gauge(
      'command_ring_slots_taken',
      'Slots of commands that wait for a matcher.',
      labels,
      each(({ taken }) => taken),
    )
    this.gauge(
      'command_ring_slots',
      'Slots that there are.',
      labels,
      each(({ slots }) => slots),
    )
  }

  private addJournals(): void {
    const { published, archived, wals } = this.parts
    this.gauge(
      'archive_lag_blocks',
      'Blocks of a journal that the archive has not read.',
      ['matcher'],
      () =>
        wals.map((_, matcher) => {
          // The archive first: it never passes a position that is published later.
          const behind = Atomics.load(archived, matcher)
          return [[matcher], Number(Atomics.load(published, matcher) - behind)]
        }),
    )
    this.gauge(
      'checkpointer_lag_blocks',
      'Blocks of a journal that are in its write-ahead log alone.',
      ['matcher'],
      () =>
        wals.map((wal, matcher) => {
          const { checkpointed } = wal
          return [[matcher], wal.written - checkpointed]
        }),
    )
  }

  private addRole(): void {
    const { role } = this.parts
    const one = (read: () => number) => (): Sample[] => [[[], read()]]
    this.gauge(
      'leading',
      'Whether this member takes orders.',
      [],
      one(() => (role.isLeading ? 1 : 0)),
    )
    this.gauge(
      'epoch',
      'Epoch of the leader that this member knows.',
      [],
      one(() => role.read().epoch),
    )
    this.gauge(
      'follower_lag_positions',
      'Blocks and facts on the quorum that this follower has not published.',
      [],
      one(() => role.read().lagPositions),
    )
    this.gauge(
      'follower_lag_seconds',
      'Time for which the oldest of them has been known.',
      [],
      one(() => role.read().lagMs / 1_000),
    )
  }

  /** What is not known yet, or never ends, has no sample. */
  private addDisk(): void {
    const { disk } = this.parts
    const gauge = (name: string, help: string, pick: (it: DiskReading) => number | undefined) =>
      this.gauge(name, help, [], () => {
        const value = pick(disk.read())
        return value === undefined ? [] : [[[], value]]
      })
    const perSecond = (bytesAnHour: number) => (bytesAnHour < 0 ? undefined : bytesAnHour / 3_600)
    gauge('disk_free_bytes', "Free bytes of the data folder's disk.", (it) => it.freeBytes)
    gauge('disk_size_bytes', 'Bytes of that disk, free and used.', (it) => it.totalBytes)
    gauge(
      'disk_reserve_bytes',
      'Free bytes below which new orders are refused.',
      (it) => it.reserveBytes,
    )
    gauge('disk_refuses_orders', 'Whether they are refused.', (it) => (it.isRefusing ? 1 : 0))
    gauge('disk_level', 'Free: 0 over 10 %, 1 at most 10 %, 2 at most 5 %.', (it) => it.level)
    gauge(
      'disk_growth_bytes_per_second',
      'Growth of what is used of the disk, over a day at most.',
      (it) => perSecond(it.bytesAnHour),
    )
    gauge('disk_seconds_left', 'Time until the reserve is reached at that growth.', (it) => {
      const hours = hoursLeft(it, it.bytesAnHour)
      return hours === undefined ? undefined : Math.round(hours * 3_600)
    })
    gauge('store_bytes', "Bytes of the data folder's content on that disk.", (it) => it.storeBytes)
    gauge('store_growth_bytes_per_second', 'Growth of that content, over a day at most.', (it) =>
      perSecond(it.storeBytesAnHour),
    )
    gauge('journal_bytes', 'Bytes of the journals on that disk.', (it) => it.journalBytes)
    gauge('journal_growth_bytes_per_second', 'Growth of the journals, likewise.', (it) =>
      perSecond(it.journalBytesAnHour),
    )
    gauge('journal_alarm', 'Whether the journals alone would soon fill the disk.', (it) =>
      it.hasJournalAlarm ? 1 : 0,
    )
  }

  /** What there is none of has no sample. */
  private addDates(): void {
    const { clock, certificateEndMs, backupMs } = this.parts
    const seconds = (ms: number): Sample[] => [[[], Math.round(ms / 1_000)]]
    this.gauge('certificate_seconds_left', 'Time until the TLS certificate ends.', [], () => {
      const endMs = certificateEndMs()
      return endMs === undefined ? [] : seconds(endMs - clock.nowMs())
    })
    this.gauge('backup_age_seconds', 'Time since the newest backup.', [], () =>
      backupMs() === 0 ? [] : seconds(Math.max(0, clock.nowMs() - backupMs())),
    )
  }

  private addQuorum(): void {
    const { quorum } = this.parts
    const one = (read: (reading: QuorumReading) => number) => (): Sample[] => [
      [[], read(quorum.read())],
    ]
    const sent = 'that this leader brought to the quorum'
    this.counter(
      'quorum_blocks_total',
      `Blocks and facts ${sent}.`,
      [],
      one(({ blocks }) => blocks),
    )
    this.counter(
      'quorum_bytes_total',
      `Bytes of blocks and facts ${sent}.`,
      [],
      one(({ bytes }) => bytes),
    )
    this.counter(
      'quorum_losses_total',
      'Times that the quorum did not answer, and this member connected again.',
      [],
      one(({ losses }) => losses),
    )
    this.counter(
      'quorum_lost_seconds_total',
      'Time without the quorum.',
      [],
      one(({ lostMs }) => lostMs / 1_000),
    )
    this.gauge(
      'quorum_wait_seconds',
      'Time for which the quorum has not answered.',
      [],
      one(({ waitMs }) => waitMs / 1_000),
    )
  }

  private addFaults(): void {
    const { faults } = this.parts
    const labels = ['rule', 'account']
    const each = (pick: (reading: FaultReading) => number) => (): Sample[] =>
      faults().map((reading) => [[reading.name, reading.account], pick(reading)])
    this.counter(
      'fault_matches_total',
      'Requests and frames that match a rule of the sandbox.',
      labels,
      each(({ matches }) => matches),
    )
    this.counter(
      'fault_touched_total',
      'Those that the rule touched.',
      labels,
      each(({ touched }) => touched),
    )
  }

  private counter(
    family: string,
    help: string,
    labels: string[],
    samples: () => readonly Sample[],
  ): void {
    this.add('counter', family, help, labels, samples)
  }

  private gauge(
    family: string,
    help: string,
    labels: string[],
    samples: () => readonly Sample[],
  ): void {
    this.add('gauge', family, help, labels, samples)
  }

  private add(
    type: Family['type'],
    family: string,
    help: string,
    labels: readonly string[],
    samples: () => readonly Sample[],
  ): void {
    const read: Family['read'] = () =>
      samples().map(([values, value]) => ({ labels: labelled(labels, values), value }))
    this.families.push({ name: PREFIX + family, help, type, read })
    const former = FORMER_NAMES[family]
    if (former === undefined) return
    const note = `Former name of ${PREFIX}${family}; the next version drops it.`
    this.families.push({ name: PREFIX + former, help: note, type, read })
  }
}

const labelled = (names: readonly string[], values: readonly (string | number)[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index]!]))

const labelsOf = (scope: CounterScope, index: number, symbols: readonly string[]) => {
  if (scope === 'exchange' || scope === 'wallet') return []
  if (scope === 'store') return [storeName(index)]
  return [scope === 'symbol' ? symbols[index]! : index]
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `matcher`, `flushNsMax` → `matcher_flush_seconds_max`; `waitingSinceMs` → `waiting_seconds`; totals end with `_total`. */
function familyOf({ scope, name, kind }: CounterReading): string {
  const words = name.replace(/Ns(?=Max$|$)|SinceMs$/, 'Seconds').replaceAll(/[A-Z]/g, '_$&')
  const scoped = scope === 'exchange' ? words : `${scope}_${words}`
  return `${scoped.toLowerCase()}${kind === 'total' ? '_total' : ''}`
}
