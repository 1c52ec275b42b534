/**
 * Clients before shards, or before one leader: orders arrive at random moments, some are cancelled, some
 * processes are killed. The same settings give the same history.
 */
import { Prng } from '../../src/base/prng.ts'
import { AccountShard } from './account-shard.ts'
import { EventQueue } from './event-queue.ts'
import { OneLeader } from './one-leader.ts'
import {
  type Block,
  baseOf,
  type Command,
  type Order,
  type Posting,
  postingsOf,
  QUOTE,
  type Row,
  Side,
} from './records.ts'
import { type Costs, Defect, ShardProcess } from './shard-process.ts'
import { SymbolShard } from './symbol-shard.ts'

export interface Settings {
  /** 0 of both is one leader. */
  readonly accountShards: number
  readonly symbolShards: number
  readonly accounts: number
  readonly symbols: number
  readonly seed: number
  readonly ordersPerSecond: number
  readonly seconds: number
  /** Of all orders, those of symbol 0, in percent. */
  readonly busiestPercent: number
  readonly costs: Costs
  readonly kills?: number
  readonly takeoverUs?: number
  readonly defect?: Defect
  /** Sees each commit at its moment. */
  readonly onCommit?: (block: Block) => void
}

export interface Report {
  readonly orders: number
  readonly answered: number
  /** From an order to its answer. */
  readonly answerUs: readonly number[]
  /** From a trade's commit until what it pays may be spent. */
  readonly spendableUs: readonly number[]
  readonly blocks: number
  readonly bytes: number
  /** Requests that are answered in a second, in the second half of the time. */
  readonly answersPerSecond: number
}

const DEPOSIT = 2 ** 40
const PRICE = 1_000
/** Orders lie this far around the price, at most. */
const SPREAD = 20
const LOTS_MAX = 8
const CANCEL_SHARE = 0.4
/** A client that gets no answer sends again. */
const RETRY_US = 100_000
/** Longer than anything takes without a defect; with one, a client might send again for ever. */
const PATIENCE_US = 5_000_000

interface Waiting {
  readonly command: Command
  readonly sentUs: number
}

export class Simulation {
  readonly #settings: Settings
  readonly #events = new EventQueue()
  readonly #prng: Prng
  readonly #accounts: readonly ShardProcess[]
  readonly #symbols: readonly ShardProcess[]
  readonly #isAlone: boolean
  readonly #hopUs: number
  /** Commands without an answer, by kind and order. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #open = new OpenOrders()
  readonly #reserved = new Set<number>()
  readonly #opened = new Set<number>()
  /** By order: when what it earned or released was committed, until it is spendable. */
  readonly #earnedUs = new Map<number, number[]>()
  readonly #answerUs: number[] = []
  readonly #spendableUs: number[] = []
  #orders = 0
  #blocks = 0
  #rows = 0
  #lateAnswers = 0

  constructor(settings: Settings) {
    this.#settings = settings
    this.#prng = new Prng(settings.seed)
    const { accountShards, symbolShards, costs } = settings
    const around = {
      ...{ events: this.#events, prng: this.#prng, costs, defect: settings.defect ?? Defect.none },
      onCommit: (block: Block) => this.#committed(block),
      onDone: (commands: readonly Command[]) => this.#done(commands),
    }
    this.#isAlone = accountShards === 0
    this.#hopUs = this.#isAlone ? 0 : costs.hopUs
    if (this.#isAlone) {
      this.#accounts = [new ShardProcess(around, () => new OneLeader())]
      this.#symbols = this.#accounts
      return
    }
    this.#accounts = processes(accountShards, (shard) => {
      const isOwn = (account: number) => account % accountShards === shard
      return new ShardProcess(around, () => new AccountShard(isOwn))
    })
    this.#symbols = processes(symbolShards, (shard) => {
      const isOwn = (symbol: number) => symbol % symbolShards === shard
      return new ShardProcess(around, () => new SymbolShard(isOwn))
    })
    for (const process of this.#accounts) process.follow(this.#symbols)
    for (const process of this.#symbols) process.follow(this.#accounts)
  }

  get processes(): readonly ShardProcess[] {
    return [...new Set([...this.#accounts, ...this.#symbols])]
  }

  /** Runs for the time of the settings. */
  run(): Report {
    this.#deposit()
    const { seconds, kills = 0, takeoverUs = 0 } = this.#settings
    this.#arrive()
    for (let kill = 0; kill < kills; kill++) {
      this.#events.after(this.#prng.unit() * seconds * 1e6, () => {
        this.#prng.pick(this.processes).kill(takeoverUs)
      })
    }
    this.#events.run(seconds * 1e6)
    return {
      orders: this.#orders,
      answered: this.#answerUs.length,
      answerUs: this.#answerUs,
      spendableUs: this.#spendableUs,
      blocks: this.#blocks,
      bytes: this.#rows * this.#settings.costs.rowBytes,
      answersPerSecond: this.#lateAnswers / (seconds / 2),
    }
  }

  /** Waits for all answers, then cancels what is open and waits again. */
  finish(): void {
    this.#events.run(this.#events.nowUs + PATIENCE_US)
    for (const order of this.#open.all) this.#send({ kind: 'cancel', order })
    this.#events.run(this.#events.nowUs + PATIENCE_US)
  }

  /** Commands that no answer came for. */
  get unanswered(): number {
    return this.#waiting.size
  }

  #deposit(): void {
    const { accounts, symbols } = this.#settings
    const assets = [QUOTE, ...Array.from({ length: symbols }, (_, symbol) => baseOf(symbol))]
    for (const [shard, process] of this.#accounts.entries()) {
      const rows: Row[] = []
      for (let account = shard; account < accounts; account += this.#accounts.length) {
        for (const asset of assets) {
          const posting = { account, order: 0, asset, free: DEPOSIT, reserved: 0 }
          rows.push({ kind: 'deposited', posting })
        }
      }
      process.begin(rows)
    }
  }

  /** Sends the next command after a while, and so on until the time is over. */
  #arrive(): void {
    const { ordersPerSecond, seconds } = this.#settings
    const us = (-Math.log(1 - this.#prng.unit()) * 1e6) / ordersPerSecond
    this.#events.after(us, () => {
      if (this.#events.nowUs > seconds * 1e6) return
      const order = this.#prng.chance(CANCEL_SHARE) ? this.#open.pick(this.#prng) : undefined
      this.#send(order === undefined ? this.#newOrder() : { kind: 'cancel', order })
      this.#arrive()
    })
  }

  #newOrder(): Command {
    const { accounts, symbols, busiestPercent } = this.#settings
    const prng = this.#prng
    const isBusiest = prng.chance(busiestPercent / 100)
    const side = prng.chance(0.5) ? Side.buy : Side.sell
    // Most orders lie on their own side of the price; about one in six crosses it.
    const away = prng.between(-SPREAD / 5, SPREAD)
    const order = {
      id: ++this.#orders,
      account: prng.below(accounts),
      symbol: isBusiest ? 0 : prng.below(symbols),
      side,
      price: side === Side.buy ? PRICE - away : PRICE + away,
      lots: prng.between(1, LOTS_MAX),
    }
    return { kind: 'place', order }
  }

  #send(command: Command): void {
    const key = keyOf(command)
    if (this.#waiting.has(key)) return
    this.#waiting.set(key, { command, sentUs: this.#events.nowUs })
    this.#deliver(command)
  }

  #deliver(command: Command): void {
    const { account, symbol } = command.order
    if (command.kind === 'place') this.#accounts[account % this.#accounts.length]!.send(command)
    else {
      const process = this.#symbols[symbol % this.#symbols.length]!
      this.#events.after(this.#hopUs, () => process.send(command))
    }
    if ((this.#settings.kills ?? 0) === 0) return
    this.#events.after(RETRY_US, () => {
      if (this.#waiting.has(keyOf(command))) this.#deliver(command)
    })
  }

  #committed(block: Block): void {
    this.#blocks++
    this.#rows += block.rows.length
    this.#settings.onCommit?.(block)
    for (const row of block.rows) this.#see(row)
  }

  /** The gateways read all journals: they answer what is committed. */
  #see(row: Row): void {
    if (row.kind === 'reserved') this.#reserved.add(row.order.id)
    else if (row.kind === 'settled') this.#spendable(row.posting)
    else if (row.kind === 'opened') {
      this.#opened.add(row.order.id)
      this.#open.add(row.order)
      this.#events.after(this.#hopUs, () => this.#answer({ kind: 'place', order: row.order }))
    } else if (row.kind === 'closed') {
      this.#open.reduce(row.order, row.lotsLeft)
      this.#events.after(this.#hopUs, () => this.#answer({ kind: 'cancel', order: row.order }))
    } else if (row.kind === 'traded') {
      const { buy, sell, lots } = row.trade
      for (const order of [buy, sell]) this.#open.reduce(order, lots)
    }
    if (this.#isAlone) return
    for (const { order, free } of postingsOf(row)) {
      if (free === 0) continue
      const earned = this.#earnedUs.get(order) ?? []
      earned.push(this.#events.nowUs)
      this.#earnedUs.set(order, earned)
    }
  }

  #spendable({ order, free }: Posting): void {
    if (free === 0) return
    const earned = this.#earnedUs.get(order)
    const earnedUs = earned?.shift()
    if (earnedUs !== undefined) this.#spendableUs.push(this.#events.nowUs - earnedUs)
    if (earned?.length === 0) this.#earnedUs.delete(order)
  }

  /** Responds to what leads to no row: an order that is refused or known, a cancel that comes too late. */
  #done(commands: readonly Command[]): void {
    for (const command of commands) {
      const { id } = command.order
      const isOnItsWay = command.kind === 'place' && this.#reserved.has(id) && !this.#opened.has(id)
      if (!isOnItsWay) this.#answer(command)
    }
  }

  #answer(command: Command): void {
    const waiting = this.#waiting.get(keyOf(command))
    if (waiting === undefined) return
    this.#waiting.delete(keyOf(command))
    const { nowUs } = this.#events
    if (nowUs > (this.#settings.seconds * 1e6) / 2) this.#lateAnswers++
    if (command.kind === 'place') this.#answerUs.push(nowUs - waiting.sentUs)
  }
}

/** Orders that are open, in no order. */
class OpenOrders {
  readonly all: Order[] = []
  readonly #places = new Map<number, number>()
  readonly #lotsLeft = new Map<number, number>()

  add(order: Order): void {
    this.#places.set(order.id, this.all.push(order) - 1)
    this.#lotsLeft.set(order.id, order.lots)
  }

  pick(prng: Prng): Order | undefined {
    return this.all.length === 0 ? undefined : prng.pick(this.all)
  }

  reduce({ id }: Order, lots: number): void {
    const left = this.#lotsLeft.get(id)! - lots
    this.#lotsLeft.set(id, left)
    if (left > 0) return
    const place = this.#places.get(id)!
    const last = this.all.pop()!
    if (last.id !== id) {
      this.all[place] = last
      this.#places.set(last.id, place)
    }
    this.#places.delete(id)
    this.#lotsLeft.delete(id)
  }
}

const keyOf = ({ kind, order }: Command): string => `${kind} ${order.id}`

function processes(
  count: number,
  create: (shard: number) => ShardProcess,
): readonly ShardProcess[] {
  return Array.from({ length: count }, (_, shard) => create(shard))
}
