/**
 * All clients of the simulated exchange: traders who ask, lose their connections and ask again, and
 * readers of depth. What they receive is judged by what the engines wrote and the plain twin knows.
 */

import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../src/base/assert.ts'
import type { ManualClock } from '../../../src/base/manual-time.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { AccountId, OrderId, type SymbolId } from '../../../src/base/units.ts'
import { ROLE_PATH } from '../../../src/pipeline/leadership.ts'
import type { Command } from '../commands.ts'
import type { Execution } from '../pipeline-engine.ts'
import { Workload } from '../workload.ts'
import { accounts, symbols } from '../world.ts'
import { type Answer, checkAnswer, httpAnswer, isUnknown, UNKNOWN } from './answers.ts'
import { turn } from './event-loop.ts'
import { MarketReader } from './market-reader.ts'
import { GATEWAYS } from './process-config.ts'
import type { ProcessLifecycle } from './process-lifecycle.ts'
import {
  type Batchable,
  batchOf,
  type ClientCommand,
  checkQuoted,
  decimal,
  heard,
  isOfClient,
  meant,
  meantCancel,
  requestOf,
  sendable,
  sessionsOf,
} from './requests.ts'
import { Ask, Trader } from './trader.ts'
import type { ExchangeTwin } from './twin.ts'

/** For how long most requests are good, and a few. */
const RECV_WINDOW_MS = 5_000
const SHORT_WINDOW_MS = 8
/** An answer that is waited for so long is given up. */
const UNKNOWN_AFTER_MS = 10_000
/** How often a trader sends a batch, and how many commands are drawn for the parts of one kind. */
const BATCH_SHARE = 0.15
const DRAWS = 30

/** What clients are surrounded by. */
export interface Surroundings {
  readonly prng: Prng
  readonly time: ManualClock
  readonly twin: ExchangeTwin
  readonly isAsleep: (gateway: number) => boolean
  readonly count: (what: string) => void
  /** Called with what a client was answered. */
  readonly told: (answer: string) => void
}

export class Crowd {
  /** By symbol id: the last event that a client received. */
  readonly acknowledged: number[] = symbols.map(() => 0)
  /** Whether the quorum may not confirm that the exchange leads. */
  isCutOff = false
  private readonly around: Surroundings
  private readonly workload: Workload
  private readonly traders = accounts.filter(({ id }) => id > 0).map(({ id }) => new Trader(id))
  /** By gateway and correlation. */
  private readonly asks = new Map<string, Ask>()
  private readers: readonly MarketReader[] = []
  private process!: ProcessLifecycle

  constructor(around: Surroundings) {
    this.around = around
    this.workload = new Workload(around.prng)
  }

  /** An exchange serves; no client is connected yet. */
  enter(process: ProcessLifecycle): void {
    this.process = process
    const [sockets] = process.sockets
    this.readers = symbols.map(({ name }) => new MarketReader(name, sockets!))
  }

  /** It is gone, with all that was on its way. */
  leave(): void {
    for (const trader of this.traders) trader.forget()
    this.asks.clear()
  }

  get isQuiet(): boolean {
    return this.traders.every(({ asks }) => asks.length === 0)
  }

  /** An engine executed what a client, or its gateway, had sent. */
  executed({ gateway, correlation, command, records }: Execution): void {
    const ask = this.asks.get(`${gateway}/${correlation}`)
    if (ask === undefined) {
      // Open orders wait for their turn in the gateway, and operators ask for some things.
      const isOwn =
        ['QueryBook', 'QueryOpenOrders', 'CancelSessionOrders'].includes(command.name) ||
        ['SetReferencePrice', 'TradeBlock'].includes(command.name) ||
        (command.name === 'CancelOpenOrders' && gateway < 0)
      assert(isOwn, 'what clients do not ask for is not done')
      return
    }
    assert(ask.due === undefined, 'a command is executed once')
    ask.due = records.filter((it) => it.gateway === gateway && it.correlation === correlation)
  }

  /** All that was executed is published. */
  published(): void {
    for (const ask of this.asks.values()) if (ask.due !== undefined) ask.isPublished = true
  }

  async submit(): Promise<void> {
    const prng = this.around.prng
    const trader = prng.pick(this.traders)
    if (trader.socket === undefined) return this.connect(trader)
    const unresolved = trader.unresolved.shift()
    if (unresolved !== undefined) return this.resolve(trader, unresolved)
    if (prng.chance(BATCH_SHARE)) return this.sendBatch(trader)
    for (let left = prng.between(1, 5); left > 0; left--) {
      const symbol = prng.pick(this.around.twin.symbols)
      const nowMs = this.around.time.nowMs()
      const command = sendable(this.workload.next(symbol.spec, nowMs, symbol.state))
      if (!isOfClient(command)) continue
      // The account that it is about sends it.
      const account = 'account' in command.record ? command.record.account : trader.account
      await this.send(this.traders[account - 1]!, symbol.spec.id, command)
    }
  }

  private async connect(trader: Trader): Promise<void> {
    const gateway = this.around.prng.below(GATEWAYS)
    const sockets = this.process.sockets[gateway]!
    if (!sockets.isListening) return
    const bindsOrders = this.around.prng.chance(0.5)
    await turn(() => trader.connect(sockets, gateway, this.around.time.nowMs(), bindsOrders))
    this.around.count('connect')
    if (bindsOrders) this.around.count('orders end with the connection')
  }

  /** Queries an order whose answer was lost. */
  private async resolve(trader: Trader, lost: Ask): Promise<void> {
    const { record } = lost.command
    const clientOrderId = 'clientOrderId' in record ? record.clientOrderId : ''
    const asked = { symbolId: lost.spec.id, gateway: 0, correlation: 0 }
    const query = {
      ...asked,
      account: AccountId(trader.account),
      spare: 0,
      orderId: OrderId(0),
      clientOrderId,
    }
    await this.send(trader, lost.spec.id, { name: 'QueryOrder', record: query })
    this.around.count('asked for what was lost')
  }

  private send(trader: Trader, symbolId: SymbolId, command: ClientCommand): Promise<void> {
    return this.sendAll(trader, [[symbolId, command]])
  }

  /** Several of one kind in one request, on whatever symbols. */
  private async sendBatch(trader: Trader): Promise<void> {
    const { prng, time, twin } = this.around
    const name = prng.pick<Batchable>(['PlaceOrder', 'PlaceOrder', 'CancelOrder', 'ReplaceOrder'])
    const size = prng.between(1, 4)
    const commands: (readonly [SymbolId, ClientCommand])[] = []
    for (let draws = 0; draws < DRAWS && commands.length < size; draws++) {
      const { spec, state } = prng.pick(twin.symbols)
      const command = this.workload.next(spec, time.nowMs(), state)
      if (command.name !== name) continue
      const record = { ...command.record, account: AccountId(trader.account) }
      commands.push([spec.id, { ...command, record } as ClientCommand])
    }
    if (commands.length > 0) await this.sendAll(trader, commands, name)
  }

  /** Sends a command, or a batch of those of one kind. */
  private async sendAll(
    trader: Trader,
    commands: readonly (readonly [SymbolId, ClientCommand])[],
    batch?: Batchable,
  ): Promise<void> {
    const { prng, twin } = this.around
    const isHttp = prng.chance(0.3)
    const gateway = isHttp ? prng.below(GATEWAYS) : trader.gateway
    if (!isHttp && trader.socket === undefined) return
    const sockets = this.process.sockets[gateway]!
    if (this.around.isAsleep(gateway) || (isHttp && !sockets.isListening)) return
    const sentMs = this.around.time.nowMs()
    const asks = commands.map(([symbolId, command]) => {
      const { spec } = twin.symbols[symbolId]!
      const known = twin.events[symbolId]!.length
      const ask = new Ask(trader.account, spec, command, gateway, sentMs, known)
      ask.passedMs = this.around.time.passedMs
      return ask
    })
    const sent = { asks, isBatch: batch !== undefined }
    const requests = asks.map(({ spec, command }) => requestOf(spec, command))
    const request = batch === undefined ? requests[0]! : batchOf(batch, requests)
    const window = prng.chance(0.1) ? SHORT_WINDOW_MS : RECV_WINDOW_MS
    // What the gateway queries for itself is none of the request's.
    this.process.committed(gateway)
    await turn(() => {
      if (isHttp) trader.sendHttp(sent, request, window, sockets)
      else trader.sendFrame(sent, request, window)
    })
    let left: readonly Ask[] = asks
    for (const arrived of this.process.committed(gateway)) {
      const ask = batch === undefined ? asks[0]! : partOf(arrived, left, trader)
      if (batch !== undefined) {
        const at = left.indexOf(ask)
        left = left.filter(({ spec }, i) => spec !== ask.spec || i > at)
        this.around.count(`batch: ${ask.command.name}`)
      }
      if (ask.command.name === 'QueryBook') return
      this.arrived(ask, arrived, trader, isHttp)
      if ('expiresMs' in arrived.record) strictEqual(arrived.record.expiresMs, sentMs + window)
      if (batch === undefined) return
    }
  }

  /** A command came of what the trader sent. */
  private arrived(ask: Ask, arrived: Command, trader: Trader, isHttp: boolean): void {
    const { command } = ask
    const meaning = meaningOf(ask, arrived)
    deepStrictEqual(heard(arrived, meaning), { ...meaning, ...accountOf(trader, meaning) })
    if (command.name === 'QuoteOrders') checkQuoted(command, arrived)
    for (const session of sessionsOf(arrived)) {
      const isBound = !isHttp && trader.bindsOrders
      strictEqual(session > 0, isBound, 'what a connection places is bound if it asked for it')
      if (isBound && trader.session > 0) strictEqual(session, trader.session)
      if (isBound) trader.session = session
    }
    ask.isCommanded = true
    this.asks.set(`${ask.gateway}/${arrived.record.correlation}`, ask)
  }

  read(): void {
    for (const trader of this.traders) {
      trader.read(
        (ask, answer) => this.judge(ask, answer),
        () => this.highestOrders(),
      )
    }
    for (const reader of this.readers) {
      for (let left = reader.read(); left > 0; left--) this.around.count('diff')
    }
  }

  private highestOrders(): ReadonlyMap<string, number> {
    return new Map(this.around.twin.symbols.map(({ spec, state }) => [spec.name, state.orderId]))
  }

  private judge(ask: Ask, answer: Answer): void {
    const { command, due, spec } = ask
    this.around.told(JSON.stringify(answer))
    this.around.count(answer.code === 0 ? `answered ${command.name}` : `error ${answer.code}`)
    assert(answer.status < 500 || answer.status >= 503, `no failure within: ${answer.status}`)
    if (isUnknown(answer)) {
      const waitedMs = this.around.time.passedMs - ask.passedMs
      assert(
        ask.mayBeUnknown || this.isCutOff || waitedMs >= UNKNOWN_AFTER_MS,
        'no client is left in doubt too soon',
      )
      if (command.name === 'PlaceOrder') this.traders[ask.account - 1]!.unresolved.push(ask)
      return
    }
    if (!ask.isCommanded) {
      const mayBeLater = command.name === 'QueryBook' || command.name === 'QueryOpenOrders'
      assert(answer.code < 0 || mayBeLater, 'what was not done is an error')
      return
    }
    assert(due !== undefined && ask.isPublished, 'an answer is to what was published')
    if (answer.code === -1008 && command.name.startsWith('Query')) return
    checkAnswer(spec, command, due, answer)
    if (command.name === 'QueryOrder') this.judgeQuery(ask, answer)
    for (const { sequence } of due) {
      const told = Number(sequence ?? 0)
      this.acknowledged[spec.id] = Math.max(this.acknowledged[spec.id]!, told)
    }
  }

  /** What was published before an order was queried is found. */
  private judgeQuery({ command, account, spec, knownEvents }: Ask, answer: Answer): void {
    if (command.name !== 'QueryOrder' || answer.code === 0) return
    const { orderId, clientOrderId } = command.record
    if (answer.code !== -2013 || orderId > 0) return
    const events = this.around.twin.events[spec.id]!
    const placed = events
      .slice(0, knownEvents)
      .filter(
        (it) =>
          it.name === 'OrderAccepted' &&
          it.account === account &&
          it.clientOrderId === clientOrderId,
      )
    const isRenamed = (id: unknown) =>
      events.some((it) => it.name === 'OrderAmended' && it.orderId === id)
    const found = placed.find((it) => !isRenamed(it.orderId))
    assert(found === undefined, `order ${found?.orderId} is found by its client order id`)
  }

  async loseConnection(): Promise<void> {
    const prng = this.around.prng
    const dice = prng.unit()
    if (dice < 0.6) {
      for (const reader of this.readers) {
        if (reader.isConnected || !this.process.sockets[0]!.isListening) continue
        await turn(() => reader.connect())
        return
      }
    }
    if (dice < 0.7) {
      const trader = prng.pick(this.traders)
      if (trader.socket === undefined) return
      this.around.count('lost connection')
      await turn(() => trader.disconnect())
    } else if (dice < 0.78) {
      const reader = prng.pick(this.readers)
      await turn(() => reader.lose())
    } else if (dice < 0.9) {
      const trader = prng.pick(this.traders)
      await turn(() => {
        if (trader.abort()) this.around.count('lost request')
      })
    } else {
      const { socket } = prng.pick(this.traders)
      if (socket === undefined) return
      socket.isStuck = true
      this.around.count('stuck client')
    }
  }

  /** Another member leads: the exchange answers nothing definite about any order any more. */
  async askDeposed(gateway: number, turnGateway: () => Promise<void>): Promise<void> {
    const { prng, time, twin } = this.around
    const sockets = this.process.sockets[gateway]!
    const trader = prng.pick(this.traders)
    const asked = { gateway: 0, correlation: 0, account: AccountId(trader.account), spare: 0 }
    const requests = twin.symbols.flatMap(({ spec, state }) => {
      const symbolId = spec.id
      const orderId = OrderId(Math.max(1, state.orderId))
      const one = { ...asked, symbolId, orderId, clientOrderId: '' }
      const all = {
        ...asked,
        symbolId,
        limit: 0,
        afterOrderId: OrderId(0),
        untilOrderId: OrderId(0),
      }
      return [
        requestOf(spec, { name: 'QueryOrder', record: one }),
        requestOf(spec, { name: 'QueryOpenOrders', record: all }),
      ]
    })
    const sent = await turn(() =>
      requests.map((it) => trader.send(it, time.nowMs(), RECV_WINDOW_MS, sockets)),
    )
    const role = await turn(() => sockets.request('GET', ROLE_PATH, '', ''))
    for (let turns = 0; turns < 5; turns++) await turnGateway()
    strictEqual(role.answer?.status, 503, 'who is cut off says that it does not lead')
    for (const { answer } of sent) {
      assert(answer !== undefined, 'who is cut off says so at once')
      const { code } = httpAnswer(answer.status, answer.body)
      strictEqual(code, UNKNOWN, 'who is cut off knows of no order')
    }
    this.around.count('asked who is cut off')
  }

  overrun(gateway: number): void {
    this.around.count('overrun')
    // Queries of open orders too: they wait in the gateway, where only their client knows them.
    for (const ask of this.traders.flatMap(({ asks }) => asks)) {
      if (ask.gateway === gateway) ask.mayBeUnknown = true
    }
  }

  check(): void {
    const { registry } = this.process
    const living = this.traders.filter(({ session }) => session > 0)
    for (const { state } of this.around.twin.symbols) {
      for (const { session } of state.orders) {
        const isLiving = session === 0 || living.some((trader) => trader.session === session)
        assert(isLiving, 'an order ends with its session')
      }
    }
    const { ledger } = this.around.twin.world
    for (const trader of this.traders) {
      const shown = (name: string) => {
        const { id } = registry.assetNamed(name)
        const { free, locked } = ledger.shown(trader.account, id)
        return [decimal(free), decimal(locked)] as const
      }
      trader.check(this.around.twin.symbols, shown)
    }
    for (const [symbolId, reader] of this.readers.entries()) {
      reader.check(this.around.twin.symbols[symbolId]!)
    }
  }
}

/** What the gateway should have made of the command; of some replacements it sends the cancel alone. */
function meaningOf({ command }: Ask, arrived: Command): Readonly<Record<string, unknown>> {
  const isCancelAlone = command.name === 'ReplaceOrder' && arrived.name === 'CancelOrder'
  return isCancelAlone ? meantCancel(meant(command)) : meant(command)
}

/** The next part of a batch that means what arrived: parts of a symbol arrive in their order. */
function partOf(arrived: Command, left: readonly Ask[], trader: Trader): Ask {
  const part = left.find((ask) => {
    const meaning = meaningOf(ask, arrived)
    const its = { ...meaning, ...accountOf(trader, meaning) }
    return isDeepStrictEqual(heard(arrived, meaning), its)
  })
  assert(
    part !== undefined,
    `a part of a batch arrives as it was meant, in its order: ${arrived.name}`,
  )
  return part
}

const accountOf = ({ account }: Trader, meaning: object): object =>
  'account' in meaning ? { account } : {}
