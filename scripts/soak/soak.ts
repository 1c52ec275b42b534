/**
 * A soak: hours of ordinary use of one exchange with its defaults. Clients trade, read and come and go;
 * an operator works; samples are kept meanwhile. At the end everything that clients received is
 * compared, before and after a kill -9.
 */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Prng } from '../../src/base/prng.ts'
import { marketOf, type SymbolInfo } from '../../src/liquidity/market.ts'
import { openAccount } from '../exchange/admin-client.ts'
import { ExchangeProcess } from '../exchange/exchange-process.ts'
import { compareOverKill } from '../exchange/found.ts'
import { Repeated } from '../exchange/repeated.ts'
import { WsClient } from '../exchange/ws-client.ts'
import { accountKeyOf } from '../load/keys.ts'
import { Target } from '../load/target.ts'
import { ExchangeLog } from './exchange-log.ts'
import { HistoryReader } from './history.ts'
import { SoakMaker } from './maker.ts'
import { SoakOperator } from './operator.ts'
import { Readers } from './readers.ts'
import {
  foldersOf,
  handlesOf,
  type Minute,
  memoryOf,
  metricsOf,
  type Sample,
  type SoakEnd,
} from './samples.ts'
import { mountSmallDisk } from './small-disk.ts'
import { Tally } from './tally.ts'

/** The file of a run's samples, in its folder. */
export const SAMPLES = 'samples.jsonl'

const HOUR_MS = 3_600_000
const TIMEOUT_MS = 30_000
const START_MS = 60_000
const LOOK_MS = 50
const CONNECTIONS = 16
/** Requests of an account a second: within the limits of a second and of a day. */
const ACCOUNT_RATE = 1.5
/** Requests that place an account's funds are of this size. */
const FUNDS = '1000000'
const READER_EVERY_MS = 4_000
const MIDDLE_EVERY_MS = 1_000
const SAMPLE_MS = 10_000
const SAMPLES_MIN = 60
/** Contradictions that are printed in full. */
const FINDINGS_MAX = 20
/** An exchange with its defaults, however those of tests differ. */
const DEFAULTS = [
  ...['--limits', 'on', '--liquidity', 'demo', '--matchers', '1', '--gateways', '1'],
  ...['--log-format', 'json', '--snapshot-minutes', '1'],
]

export interface SoakOptions {
  readonly hours: number
  /** Requests for orders a second. */
  readonly rate: number
  readonly seed: number
  /** For samples, log and backups. */
  readonly folder: string
  /** A new or empty data folder; one inside `folder` when undefined. */
  readonly data: string | undefined
  /** Size of the small disk for the data; 0: the disk that `folder` is on. */
  readonly diskMib: number
  readonly said: (sentence: string) => void
  /** Ends the load early. */
  readonly aborted: AbortSignal
}

export class Soak {
  private readonly options: SoakOptions
  private readonly prng: Prng
  private readonly output: number
  private readonly log: ExchangeLog
  private readonly tally: Tally
  private readonly repeated = new Repeated((error) => this.failed(error))
  private readonly middles = new Map<string, number>()
  private readonly makers: SoakMaker[] = []
  private readers: Readers | undefined = undefined
  private end: Promise<string> = Promise.resolve('it never ran')

  constructor(options: SoakOptions) {
    const { folder, seed, said } = options
    this.options = options
    this.prng = new Prng(seed)
    this.output = fs.openSync(path.join(folder, SAMPLES), 'w')
    this.log = new ExchangeLog(path.join(folder, 'exchange.log'), said)
    this.tally = new Tally((minute) => this.keep(minute))
  }

  /**
   * Resolves when all results are in SAMPLES, also when the exchange died. Its data and
   * backups stay if it died or lost anything, or if their folder was given.
   */
  async run(): Promise<void> {
    const { folder, diskMib, data: given, said } = this.options
    const disk = path.join(folder, 'disk')
    const unmount = given === undefined && diskMib > 0 ? mountSmallDisk(disk, diskMib) : undefined
    const place = unmount === undefined ? 'the normal disk' : `a tmpfs of ${diskMib} MiB`
    const data = given ?? path.join(unmount === undefined ? folder : disk, 'data')
    said(`The data lies in ${data}, on ${place}.`)
    const exchange = await ExchangeProcess.prepare(DEFAULTS, undefined, undefined, data)
    let isUnharmed = false
    try {
      const { died, isRestarted, lost } = await this.runOn(exchange, place)
      isUnharmed = died === '' && isRestarted && lost === 0
    } finally {
      if (exchange.isRunning) await exchange.stop('SIGKILL')
      this.log.close()
    }
    if (!isUnharmed) said(`It stays in ${data}.`)
    else if (given === undefined) {
      fs.rmSync(data, { recursive: true })
      fs.rmSync(this.backups, { recursive: true, force: true })
      unmount?.()
    }
  }

  private get backups(): string {
    return path.join(this.options.folder, 'backups')
  }

  private async runOn(exchange: ExchangeProcess, disk: string): Promise<SoakEnd> {
    await this.start(exchange)
    const died = await this.load(exchange)
    const [lost, isRestarted] = await this.compare(exchange, died === '')
    const { code } = isRestarted ? await exchange.stop() : { code: 1 }
    this.log.read()
    const { requests, failed, orders, queries, outcomes } = this.tally
    const compared = this.makers.reduce((sum, { acknowledged }) => sum + acknowledged.count, 0)
    const end: SoakEnd = {
      kind: 'end',
      died,
      isRestarted,
      isStopped: code === 0,
      lost,
      compared,
      requests,
      failed,
      orders,
      queries,
      outcomes,
      warnings: Object.fromEntries(this.log.warnings),
      disk,
      rate: this.options.rate,
    }
    this.keep(end)
    return end
  }

  private async start(exchange: ExchangeProcess): Promise<void> {
    void exchange.launch(this.log.descriptor)
    this.end = exchange.endedHow()
    const deadlineMs = performance.now() + START_MS
    while (!this.log.read().some((line) => line.includes('"msg":"started"'))) {
      if (!exchange.isRunning || performance.now() > deadlineMs) {
        throw new Error(`The exchange does not start: ${this.log.last}`)
      }
      await delay(LOOK_MS)
    }
  }

  /** Returns how the exchange died; '' when it lives. */
  private async load(exchange: ExchangeProcess): Promise<string> {
    const { hours, aborted, rate } = this.options
    const runMs = hours * HOUR_MS
    const target = new Target(exchange.url, CONNECTIONS, TIMEOUT_MS)
    const sockets = await this.begin(exchange, target, runMs)
    let next = 0
    this.repeated.rate(rate, (dueMs) => this.makers[next++ % this.makers.length]!.act(dueMs))
    const wasAborted = new Promise<undefined>((resolve) => {
      aborted.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const timer = new AbortController()
    const passed = delay(runMs, undefined, { signal: timer.signal }).catch(() => undefined)
    const died = await Promise.race([this.end, wasAborted, passed])
    timer.abort()
    await this.repeated.end()
    if (died === undefined) await this.sample(exchange).catch((error) => this.failed(error))
    this.readers?.end()
    for (const socket of sockets) socket.close()
    await target.close()
    if (died === undefined) return ''
    this.log.read()
    return `${died}: ${this.log.last}`
  }

  /** Opens accounts, and begins everything but the orders. */
  private async begin(
    exchange: ExchangeProcess,
    target: Target,
    runMs: number,
  ): Promise<WsClient[]> {
    const { data, adminPort, port, wsUrl } = exchange
    const { rate } = this.options
    const tally = this.tally
    const prng = this.prng
    const { symbols: infos } = await target.ask<{ symbols: SymbolInfo[] }>('/api/v3/exchangeInfo')
    const markets = infos.map(marketOf)
    const symbols = markets.map(({ symbol }) => symbol)
    const operator = new SoakOperator({ data, adminPort, tally, prng })
    const sockets: WsClient[] = []
    await this.readMiddles(target)
    for (let at = 0; at < Math.max(2, Math.ceil(rate / ACCOUNT_RATE)); at++) {
      const market = markets[at % markets.length]!
      const funds = { [market.baseAsset]: FUNDS, [market.quoteAsset]: FUNDS }
      const key = accountKeyOf(await openAccount(operator.act, `soak${at}`, funds))
      const isOverWs = Math.floor(at / markets.length) % 2 === 1
      const ws = isOverWs ? new WsClient(`${wsUrl}/ws-api/v3`, key, TIMEOUT_MS) : undefined
      if (ws !== undefined) sockets.push(ws)
      const middle = () => this.middles.get(market.symbol)!
      this.makers.push(new SoakMaker({ key, market, middle, target, ws, tally, prng }))
    }
    const keys = this.makers.map(({ key }) => key)
    const accounts = this.makers.map(({ key, symbol }) => ({ key, symbol }))
    const readers = new Readers({ wsUrl, port, symbols, keys, target, tally, prng })
    this.readers = readers
    const history = new HistoryReader({ target, symbols, accounts, tally, runMs })
    const sampleMs = Math.min(SAMPLE_MS, runMs / SAMPLES_MIN)
    const names = keys.map(({ account }) => account)
    this.repeated.every(MIDDLE_EVERY_MS, () => this.readMiddles(target))
    this.repeated.every(READER_EVERY_MS, () => readers.come())
    this.repeated.every(
      () => history.pauseMs(),
      () => history.round(),
    )
    this.repeated.every(sampleMs, () => this.sample(exchange))
    fs.mkdirSync(this.backups)
    operator.begin(this.repeated, runMs, names, symbols, this.backups)
    return sockets
  }

  private async readMiddles(target: Target): Promise<void> {
    type Ticker = Readonly<Record<'symbol' | 'bidPrice' | 'askPrice', string>>
    const path = '/api/v3/ticker/bookTicker'
    const answer = await target.send({ method: 'GET', path })
    this.tally.answered('bookTicker', answer)
    if (answer.status !== 200) return
    for (const { symbol, bidPrice, askPrice } of answer.body as Ticker[]) {
      const sides = [Number(bidPrice), Number(askPrice)].filter((price) => price > 0)
      const sum = sides.reduce((total, price) => total + price, 0)
      if (sides.length > 0) this.middles.set(symbol, sum / sides.length)
    }
  }

  private async sample({ pid, data, adminPort }: ExchangeProcess): Promise<void> {
    const { eventBytes, gauges } = await metricsOf(adminPort)
    this.log.read()
    const { requests, failed, orders, queries, atSeconds } = this.tally
    const sample: Sample = {
      kind: 'sample',
      atSeconds,
      eventBytes,
      memory: memoryOf(pid),
      handles: handlesOf(pid),
      folders: { ...foldersOf(data), log: this.log.bytes },
      gauges,
      clients: {
        requests,
        failed,
        orders,
        queries,
        readers: this.readers?.count ?? 0,
        frames: this.readers?.frames ?? 0,
        warnings: this.log.warned,
      },
    }
    this.keep(sample)
  }

  /** Compares before and after a kill -9. Returns what is lost, and whether it started again. */
  private async compare(
    exchange: ExchangeProcess,
    isAlive: boolean,
  ): Promise<readonly [lost: number, isRestarted: boolean]> {
    const restart = async () => {
      if (exchange.isRunning) await exchange.stop('SIGKILL')
      await this.start(exchange)
    }
    // The market maker continues trading after the start: an order may have filled since.
    const isLoss = (change: string) => change.includes('is missing')
    const { lost, lostCount, unstarted } = await compareOverKill(
      exchange.url,
      this.makers,
      isAlive,
      restart,
      isLoss,
    )
    if (unstarted !== undefined) this.failed(unstarted)
    else for (const sentence of lost.slice(0, FINDINGS_MAX)) this.options.said(sentence)
    return [lostCount, unstarted === undefined]
  }

  private keep(row: Sample | Minute | SoakEnd): void {
    fs.writeSync(this.output, `${JSON.stringify(row)}\n`)
  }

  private failed({ message }: Error): void {
    this.tally.failed++
    this.tally.count(`failure ${message.slice(0, 200)}`)
  }
}
