/**
 * A data folder with every kind of file that an exchange leaves, as kill -9 left it, and what damages are made
 * of: the same folder at two moments before, and another exchange's.
 */
import fs from 'node:fs'
import path from 'node:path'
import { type DemoKey, ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { sealSegment } from '../../../src/agents/compactor.ts'
import { removeOldSegments } from '../../../src/agents/journal-retention.ts'
import { coveredByAll } from '../../../src/agents/snapshots.ts'
import { keepEverything } from '../../../src/archive/retention.ts'
import { AssetId, Ms } from '../../../src/base/units.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { BlockReader } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { journalFolder } from '../../../src/journal/lmdb-store.ts'
import { segmentsIn } from '../../../src/journal/sealed-segments.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { operate } from './operate.ts'

const MATCHERS = 2
/** One of each matcher. */
const SYMBOLS = ['BTCUSDT', 'ETHUSDT'] as const
const SEALED_BYTES = 1_500
const FLAGS = [
  ...['--matchers', String(MATCHERS), '--gateways', '1', '--journal-kept', 'snapshots'],
  ...['--sandbox', 'on', '--accounts', '64', '--orders-per-symbol', '1024'],
]

/** An order as its owner received it last. */
export interface Acknowledged {
  readonly account: string
  readonly symbol: string
  readonly orderId: number
  readonly status: string
  readonly executedQty: string
  /** Ids of trades that the placement returned. */
  readonly trades: readonly number[]
}

export interface FullFolder {
  readonly data: string
  /** `data` at the stop before, and in the last run before its last orders and facts. */
  readonly earlier: string
  readonly before: string
  readonly backup: string
  readonly acknowledged: readonly Acknowledged[]
  readonly keys: readonly DemoKey[]
}

/** Makes the folders below `root`, which exists. */
export async function makeFullFolder(root: string): Promise<FullFolder> {
  const data = path.join(root, 'data')
  fs.mkdirSync(data)
  const exchange = await ExchangeProcess.prepare(FLAGS, undefined, undefined, data)
  const made = new Making(exchange)
  try {
    return await made.run(root)
  } finally {
    if (exchange.isRunning) await exchange.stop('SIGKILL')
  }
}

class Making {
  private readonly exchange: ExchangeProcess
  private readonly orders = new Map<string, Acknowledged>()
  private readonly keys = new Map<string, DemoKey>()
  private count = 0

  constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
  }

  async run(root: string): Promise<FullFolder> {
    const { exchange } = this
    const { data } = exchange
    // Makes the keys of the market makers.
    await exchange.run(['--liquidity', 'on'])
    await exchange.stop()
    await exchange.run()
    for (const key of Object.values(exchange.keys())) this.keys.set(key.account, key)
    await this.open('alice')
    await this.trade(24)
    // A stop moves all blocks into LMDB. Otherwise the oldest snapshot covers as many as the checkpointer has moved.
    await exchange.stop()
    await exchange.run()
    await this.operate('snapshot', {})
    await this.trade(6)
    await this.operate('snapshot', {})
    await this.operate('operator-add', { operator: 'watcher', role: 'watch' })
    await exchange.stop()
    sealAndRemove(data)
    const earlier = copyOf(data, path.join(root, 'earlier'))
    await exchange.run()
    await this.trade(6)
    await this.operate('save', { name: 'saved' })
    await this.operate('fork', { name: 'forked' })
    const backup = path.join(root, 'backup')
    await this.operate('backup', { folder: backup })
    await this.operate('snapshot', {})
    await this.trade(4)
    process.kill(exchange.pid, 'SIGSTOP')
    const before = copyOf(data, path.join(root, 'before'))
    process.kill(exchange.pid, 'SIGCONT')
    await this.operate('deposit', { account: 'alice', asset: 'USDT', amount: '7' })
    await this.open('bob')
    await this.operate('withdraw', { account: 'bob', asset: 'USDT', amount: '11' })
    await this.trade(8)
    await exchange.stop('SIGKILL')
    const acknowledged = [...this.orders.values()]
    return { data, earlier, before, backup, acknowledged, keys: [...this.keys.values()] }
  }

  private async open(account: string): Promise<void> {
    await this.operate('account-open', { account })
    for (const asset of ['USDT', 'BTC', 'ETH']) {
      await this.operate('deposit', { account, asset, amount: '100000' })
    }
    const { rows } = await this.operate('key-create', { account })
    const [{ apiKey, secretKey }] = rows as [DemoKey]
    this.keys.set(account, { account, apiKey, secretKey })
  }

  /** On each symbol so many makers: some trade, some are canceled and the others rest. */
  private async trade(count: number): Promise<void> {
    await Promise.all(
      SYMBOLS.map(async (symbol) => {
        for (let i = 0; i < count; i++) await this.tradeOnce(symbol, this.count++)
      }),
    )
  }

  private async tradeOnce(symbol: string, n: number): Promise<void> {
    // Each maker is the best one, and so the one that trades.
    const price = (symbol === 'BTCUSDT' ? 60_000 : 3_000) - n
    const terms = { symbol, type: 'LIMIT', timeInForce: 'GTC', price, quantity: '0.02' }
    const maker = await this.send('alice', 'POST', { ...terms, side: 'SELL' })
    if (n % 3 === 0) await this.send('alice', 'DELETE', { symbol, orderId: maker.orderId })
    if (n % 3 !== 1) return
    await this.send('taker', 'POST', { ...terms, side: 'BUY', quantity: '0.01' })
    await this.ask('alice', maker)
  }

  private async send(
    account: string,
    method: string,
    params: Record<string, string | number>,
  ): Promise<Acknowledged> {
    const { status, body } = await this.clientOf(account).send(method, '/api/v3/order', params)
    if (status !== 200) throw new Error(`${method} is refused: ${JSON.stringify(body)}`)
    return this.note(account, body)
  }

  private async ask(account: string, { symbol, orderId }: Acknowledged): Promise<void> {
    const client = this.clientOf(account)
    const { body } = await client.send('GET', '/api/v3/order', { symbol, orderId })
    this.note(account, body)
  }

  private clientOf(account: string): SignedClient {
    return new SignedClient(this.exchange.url, this.keys.get(account)!)
  }

  private note(account: string, body: Record<string, unknown>): Acknowledged {
    const { symbol, orderId, status, executedQty } = body as unknown as Acknowledged
    const fills = (body.fills ?? []) as readonly { tradeId: number }[]
    const trades = fills.map(({ tradeId }) => tradeId)
    const order = { account, symbol, orderId, status, executedQty, trades }
    this.orders.set(`${symbol} ${orderId}`, order)
    return order
  }

  private async operate(name: string, given: object): Promise<{ rows: readonly unknown[] }> {
    const { data, adminPort } = this.exchange
    return operate(`http://127.0.0.1:${adminPort}`, data, name, given)
  }
}

export function copyOf(folder: string, to: string): string {
  fs.cpSync(folder, to, { recursive: true })
  return to
}

/** Seals small segments, and removes the first of each journal, as days of retention would. */
function sealAndRemove(dataFolder: string): void {
  const registry = registryOf(dataFolder)
  for (let matcher = 0; matcher < MATCHERS; matcher++) {
    const cells = new WalCells()
    const covered = coveredByAll(dataFolder).get(matcher)!.position
    const options = { dataFolder, matcher, cells, covered, goesOn: () => true }
    while (sealSegment({ ...options, segmentBytes: SEALED_BYTES }) !== undefined);
  }
  const { symbols, assets, klines } = registry
  const assetId = AssetId(assets.find(({ name }) => name === 'USDT')!.id)
  const steps = removeOldSegments({
    dataFolder,
    valuation: { symbols, assetId, klines },
    retention: keepEverything,
    nowMs: Ms(Date.now()),
    beforeMs: middleOf(dataFolder),
    goesOn: () => true,
  })
  for (let step = steps.next(); step.done !== true; step = steps.next());
}

export function registryOf(dataFolder: string): Registry {
  const control = ControlStore.open(dataFolder)
  const registry = new Registry()
  for (const fact of control.entries()) registry.apply(fact as Fact)
  control.close()
  return registry
}

/** The time of the first block in the last segment but two of all journals. */
function middleOf(dataFolder: string): Ms {
  const times = Array.from({ length: MATCHERS }, (_, matcher) => {
    const folder = journalFolder(dataFolder, matcher)
    const segment = segmentsIn(folder).at(-3)!
    const reader = new JournalReader(folder)
    const block = new BlockReader()
    block.open(reader.block(segment.first)!, 'A block')
    reader.close()
    return block.timeMs
  })
  return Ms(Math.min(...times))
}
