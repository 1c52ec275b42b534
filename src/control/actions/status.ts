/** The exchange on one screen: whether it accepts orders, how busy it is, and what lags. */
import { elapsedMs, pause } from '../../base/time.ts'
import {
  ARCHIVE_STORE,
  CONTROL_STORE,
  type CounterReading,
  type CounterScope,
} from '../../shared/counters.ts'
import { type DiskReading, hoursLeft, REFUSING_TEXT } from '../../shared/disk.ts'
import type { RoleReading } from '../../shared/role.ts'
import { WARNINGS_KEPT } from '../../telemetry/warning-log.ts'
import {
  type ActionContext,
  actionsOf,
  type BackupProgress,
  type ExchangeView,
  type TableRow,
} from '../action.ts'
import { tradingCount } from '../exchange-state.ts'
import { counted, sentence } from '../words.ts'
import { pageOf, pageParams } from './pages.ts'

/** Between the two readings that rates are taken from. */
const RATE_MS = 500

export const statusActions = actionsOf('exchange', [
  {
    name: 'status',
    title: 'Show how the exchange is',
    role: 'watch',
    example: 'status',
    about: 'Shows rates, lags, sessions and warnings on one screen.',
    params: [],
    run: async (_, context) => {
      const before = sumsOf(context.view.counters())
      const { time } = context
      const beganMs = elapsedMs(time)
      await pause(time, RATE_MS)
      const after = sumsOf(context.view.counters())
      const seconds = (elapsedMs(time) - beganMs) / 1_000
      const rate = (name: string) => Math.max(0, Math.round((after(name) - before(name)) / seconds))
      const isReady = context.view.isReady()
      return {
        said: stateOf(isReady, context),
        rows: rowsOf(context, after, rate),
      }
    },
  },
  {
    name: 'warnings',
    title: 'Show the last warnings',
    role: 'watch',
    example: 'warnings --limit 20',
    about: `Shows the last warnings and errors of the log, the newest first; ${WARNINGS_KEPT} are kept.`,
    params: [pageParams[0]],
    run: (args, { view }) => {
      const { limit } = pageOf(args, 0)
      const rows = view.warnings(limit).map(({ number, timeMs, level, text }) => ({
        number,
        time: new Date(timeMs).toISOString(),
        level,
        text,
      }))
      return { said: `${counted(rows.length, 'warning')}, the newest first.`, rows }
    },
  },
])

/** Returns whether orders are accepted, and who accepts them otherwise. */
function stateOf(isReady: boolean, { view, registry }: ActionContext): string {
  const role = view.role()
  if (role?.role === 'takingOver') return 'This member takes the lead.'
  if (role?.role === 'handingOver') return 'This member hands the lead over.'
  if (role?.role === 'cutOff') return 'The quorum does not confirm that this member leads.'
  if (role?.role === 'follower') return `This member follows ${role.leader || 'another one'}.`
  if (!isReady) return 'The exchange accepts no orders.'
  if (view.disk().isRefusing) return sentence(`the exchange accepts ${REFUSING_TEXT}`)
  const { trading, listed } = tradingCount(registry)
  if (listed === 0) return 'The exchange has no symbols yet.'
  if (trading < listed) return `The exchange accepts orders in ${trading} of ${listed} symbols.`
  return 'The exchange accepts orders.'
}

/** Hours are those until the reserve is reached. */
function diskRows(disk: DiskReading): readonly TableRow[] {
  const { freeBytes, totalBytes, journalBytes } = disk
  const percent = totalBytes === 0 ? 0 : Math.round((1_000 * freeBytes) / totalBytes) / 10
  const hoursAt = (bytesAnHour: number) => {
    const hours = hoursLeft(disk, bytesAnHour)
    return hours === undefined ? '-' : Math.floor(hours)
  }
  const atGrowth = (bytes: number) =>
    bytes < 0
      ? 'known ten minutes after the start'
      : `hours, at ${Math.round(bytes / 2 ** 20)} MiB an hour`
  return [
    { what: 'disk free', value: percent, unit: `%, ${Math.round(freeBytes / 2 ** 20)} MiB` },
    {
      what: 'reserve reached in',
      value: hoursAt(disk.bytesAnHour),
      unit: atGrowth(disk.bytesAnHour),
    },
    { what: 'journals', value: Math.round(journalBytes / 2 ** 20), unit: 'MiB' },
    {
      what: 'by the journals alone in',
      value: hoursAt(disk.journalBytesAnHour),
      unit: atGrowth(disk.journalBytesAnHour) + (disk.hasJournalAlarm ? ': alarm' : ''),
    },
  ]
}

/** Nothing without a quorum. */
function roleRows(role: RoleReading | undefined): readonly TableRow[] {
  if (role === undefined) return []
  return [
    { what: 'role', value: role.role, unit: `epoch ${role.epoch}` },
    { what: 'behind the leader by', value: role.lagPositions, unit: `positions, ${role.lagMs} ms` },
  ]
}

/** The machine's clock, while it is not believed, and as the quorum's servers see it. */
function clockRows({ machineClock, quorumAheadMs }: ExchangeView): readonly TableRow[] {
  const { doubt } = machineClock?.reading() ?? {}
  const ofQuorum = quorumAheadMs()
  return [
    ...(doubt === undefined
      ? []
      : [
          {
            what: "machine's clock ahead by",
            value: Math.round(doubt.aheadMs),
            unit: 'ms: doubted',
          },
        ]),
    ...(ofQuorum === undefined
      ? []
      : [{ what: 'clock ahead of the quorum by', value: ofQuorum, unit: 'ms' }]),
  ]
}

/** Nothing while no backup is made. */
function backupRows(progress: BackupProgress | undefined): readonly TableRow[] {
  if (progress === undefined) return []
  const { blocks, ofAll, seconds } = progress
  const rate = Math.round(blocks / Math.max(0.001, seconds))
  const left = blocks === 0 ? '?' : Math.ceil((seconds / blocks) * (ofAll - blocks))
  const percent = ofAll === 0 ? 0 : Math.floor((100 * blocks) / ofAll)
  return [
    { what: 'backup', value: percent, unit: `%, ${rate} blocks a second, ${left} seconds left` },
  ]
}

/** Files of LMDB; the journals' are among the rows of the disk. */
function storeRows(readings: readonly CounterReading[]): readonly TableRow[] {
  const ofStores = readings.filter(({ scope }) => scope === 'store')
  const read = (name: string, ofStore: (store: number) => boolean) =>
    ofStores.filter((it) => it.name === name && ofStore(it.index)).map(({ value }) => value)
  const row = (what: string, ofStore: (store: number) => boolean): TableRow => {
    const sum = (name: string) => mebibytes(read(name, ofStore).reduce((all, it) => all + it, 0))
    const unit = `MiB, ${sum('freeBytes')} free`
    return { what, value: sum('fileBytes'), unit }
  }
  const oldestMs = Math.max(0, ...read('readerAgeMs', () => true))
  return [
    row('control store', (store) => store === CONTROL_STORE),
    row('archive', (store) => store === ARCHIVE_STORE),
    { what: 'oldest reader of a store', value: Math.round(oldestMs / 1_000), unit: 'seconds' },
  ]
}

const mebibytes = (bytes: number): number => Math.round((bytes / (1 << 20)) * 10) / 10

const memoryPressure = (level: number): string =>
  ['none', 'no new connections', 'connections are closed'][level] ?? 'the gateway ends'

type Read = (name: string) => number

/** Sums a counter over its threads or symbols: `scope.name`. */
function sumsOf(readings: readonly CounterReading[]): Read {
  const sums = new Map<string, number>()
  for (const { scope, name, kind, value } of readings) {
    const at = keyOf(scope, name)
    const before = sums.get(at) ?? 0
    sums.set(at, kind === 'maximum' ? Math.max(before, value) : before + value)
  }
  return (name) => sums.get(name) ?? 0
}

const keyOf = (scope: CounterScope, name: string): string => `${scope}.${name}`

/** By the limit that caused them, where there were any: the text of a 418 always names request weight. */
const banRows = (of: Read): readonly TableRow[] =>
  Object.entries({
    'banned for request weight': of('gateway.bansOfWeight'),
    'banned for raw requests': of('gateway.bansOfRawRequests'),
    'banned for orders': of('gateway.bansOfOrders'),
  })
    .filter(([, value]) => value > 0)
    .map(([what, value]) => ({ what, value, unit: 'addresses' }))

function rowsOf({ registry, view }: ActionContext, of: Read, rate: Read): readonly TableRow[] {
  const { trading, listed } = tradingCount(registry)
  const lags = view.journals()
  const archiveLag = lags.reduce((sum, lag) => sum + Math.max(0, lag.published - lag.archived), 0)
  const checkpointLag = lags.reduce(
    (sum, lag) => sum + Math.max(0, lag.published - lag.checkpointed),
    0,
  )
  const row = (what: string, value: number | string, unit = ''): TableRow => ({ what, value, unit })
  return [
    row('ready', view.isReady() ? 'yes' : 'no'),
    ...view.degraded().map((why) => row('degraded', why)),
    ...roleRows(view.role()),
    row('maintenance', registry.isUnderMaintenance ? 'announced' : 'no'),
    row('up for', Math.floor(process.uptime()), 'seconds'),
    row('symbols trading', trading, `of ${listed}`),
    row('accounts', registry.accounts.length, `of ${view.accountsMax}`),
    row('threads', `${view.matchers} + ${view.gateways}`, 'matchers + gateways'),
    row('requests', rate('gateway.requests'), 'a second'),
    row('orders', rate('symbol.orders'), 'a second'),
    row('trades', rate('symbol.trades'), 'a second'),
    row('open orders', of('symbol.restingOrders') + of('symbol.waitingOrders')),
    row('sessions', of('gateway.connections')),
    row('requests waiting', of('gateway.pendingRequests')),
    row('archive behind by', archiveLag, 'blocks'),
    row('write-ahead log', checkpointLag, 'blocks to move into LMDB'),
    ...storeRows(view.counters()),
    row('clock behind journal by', of('matcher.clockLagMs'), 'ms'),
    ...clockRows(view),
    row('slowest flush', Math.round(of('matcher.flushNsMax') / 1e6), 'ms'),
    row('refused by limits', of('gateway.limitsReached')),
    ...banRows(of),
    row('refused as busy', of('gateway.commandRingFull') + of('gateway.pendingFull')),
    row('slow clients disconnected', of('gateway.slowClientsClosed')),
    ...diskRows(view.disk()),
    row('memory pressure', memoryPressure(of('gateway.memoryLevel'))),
    row('warnings logged', of('exchange.warnings')),
    ...backupRows(view.backup()),
  ]
}
