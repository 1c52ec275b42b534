/**
 * `npm run bench -- scale-out [--orders-per-second 2000] [--shards 1,2,4,8]`: a simulation of accounts and
 * symbols on several leaders (docs/scale-out.md). It takes what kept runs of other benches measured: a
 * commit on the quorum (`replicated`), the engine's time of a command (`engine`). It prints what orders
 * wait, and how many a second there can be, beside one leader; then what bounds one leader, from `wire`,
 * `archive` and `scale --gateways 3`. All but those figures is arithmetic: the same settings give the same
 * result on every machine.
 */
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, printTable, quantile } from '../harness/report.ts'
import { type Measured, readMeasured } from './measured.ts'
import { type Report, Simulation } from './simulation.ts'

export const flags = {
  ordersPerSecond: 2_000,
  /** Of accounts, and as many of symbols. */
  shards: [1, 2, 4, 8],
  accounts: 512,
  symbols: 32,
  /** Of all orders, those of one symbol, in percent. */
  busiestPercent: { usual: 25, mayBeZero: true },
  /** From a commit to a reader on another machine: the shortest pause between two readings. */
  hopUs: 1_000,
  rowBytes: 112,
  seed: 1,
} as const satisfies Flags

type Settings = SettingsOf<typeof flags>

const SECONDS = 2
/** More than any of them can do, for a short while. */
const FLOOD_PER_SECOND = 1_500_000
const FLOOD_SECONDS = 0.1

interface Row {
  readonly name: string
  readonly calm: Report
  readonly capacity: number
}

export async function run(settings: Settings): Promise<BenchResult> {
  const measured = readMeasured()
  const rows = [0, ...settings.shards].map((shards) => rowOf(settings, measured, shards))
  const [alone, ...sharded] = rows as [Row, ...Row[]]
  printTable(`Orders at ${settings.ordersPerSecond}/s, and as many as there can be`, [
    ['leaders', 'p50 ms', 'p99 ms', 'spendable after ms', 'blocks an order', 'bytes', 'requests/s'],
    ...rows.map(({ name, calm, capacity }) => [
      ...[name, p50Ms(calm.answerUs), ms(quantile(calm.answerUs, 0.99))],
      calm.spendableUs.length === 0 ? 0 : p50Ms(calm.spendableUs),
      ...[calm.blocks / calm.orders, calm.bytes / calm.orders, Math.round(capacity)],
    ]),
  ])
  const bounds = boundsOf(measured, alone.capacity)
  printTable('What bounds one leader', [
    ['requests/s', 'because'],
    ...bounds.map(({ ordersPerSecond, because }) => [String(Math.round(ordersPerSecond)), because]),
  ])
  const least = Math.min(...bounds.map(({ ordersPerSecond }) => ordersPerSecond))
  const [first, last] = [sharded[0]!, sharded.at(-1)!]
  return {
    ratios: {
      p50OverOneLeader: quantile(first.calm.answerUs, 0.5) / quantile(alone.calm.answerUs, 0.5),
      blocksOverOneLeader: first.calm.blocks / alone.calm.blocks,
      bytesOverOneLeader: first.calm.bytes / alone.calm.bytes,
      capacityOfMostOverOneLeader: last.capacity / alone.capacity,
    },
    figures: {
      ...measured,
      oneLeaderP50Ms: p50Ms(alone.calm.answerUs),
      shardsP50Ms: p50Ms(first.calm.answerUs),
      spendableP50Ms: p50Ms(first.calm.spendableUs),
      oneLeaderEnoughPerSecond: Math.round(least),
      processorsAtThat: (least * measured.orderUs) / 1e6,
      ...Object.fromEntries(rows.map(({ name, capacity }) => [`capacity ${name}`, capacity])),
    },
  }
}

function rowOf(settings: Settings, measured: Measured, shards: number): Row {
  const { ordersPerSecond } = settings
  const calm = simulate(settings, measured, shards, ordersPerSecond, SECONDS)
  const flood = simulate(settings, measured, shards, FLOOD_PER_SECOND, FLOOD_SECONDS)
  const name = shards === 0 ? 'one' : `${shards} + ${shards}`
  return { name, calm, capacity: flood.answersPerSecond }
}

function simulate(
  settings: Settings,
  measured: Measured,
  shards: number,
  ordersPerSecond: number,
  seconds: number,
): Report {
  const { accounts, symbols, seed, busiestPercent, hopUs, rowBytes } = settings
  const { appendP50Us, appendP99Us, appendNsPerByte, rowNs } = measured
  const costs = { appendP50Us, appendP99Us, appendNsPerByte, rowNs, hopUs, rowBytes }
  return new Simulation({
    ...{ accountShards: shards, symbolShards: shards, accounts, symbols, seed, busiestPercent },
    ...{ ordersPerSecond, seconds, costs },
  }).run()
}

/** What one leader does on a machine with processors enough. */
function boundsOf({ archivistUs, otherGatewayUs }: Measured, capacity: number) {
  return [
    { ordersPerSecond: capacity, because: 'one matcher and its commits on the quorum' },
    { ordersPerSecond: 1e6 / archivistUs, because: 'one archivist' },
    { ordersPerSecond: 1e6 / otherGatewayUs, because: 'each gateway reads the events of all' },
  ]
}

const ms = (us: number): number => us / 1_000
const p50Ms = (us: readonly number[]): number => ms(quantile(us, 0.5))
