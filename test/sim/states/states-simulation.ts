/**
 * An embedded exchange whose state is saved, loaded, reset, forked, marked and reverted to between the requests of a
 * client, on a virtual clock that moves between them. A twin keeps a plain list of orders and trades for each state,
 * what the exchange showed when it was saved, and the moment at which the listen key expires. Another symbol has a schedule, in whose
 * calls pairs of orders gather (scheduled-symbol.ts).
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { Prng } from '../../../src/base/prng.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
import { noPairs, type Pairs, ScheduledSymbol } from './scheduled-symbol.ts'

const NAMES = ['one', 'two', 'three'] as const
const QUANTITY = '0.001'
/** USDT of the bot at first. */
const FUNDS = 100_000
/** Prices of bids; each of them is used once, so that a sale meets one order. */
const LOWEST_CENTS = 1_000_000

const MINUTE_MS = 60_000
/** How long a listen key lives after its last use. */
const KEY_LIFE_MS = 60 * MINUTE_MS
/** The exchange looks for keys that expired once a second. */
const KEY_LOOK_MS = 1_000
/** To which the clock moves in one step, at most: some listen keys expire on the way. */
const MOVE_MINUTES_MAX = 50

/** One order of the bot, as the twin knows it. */
interface TwinOrder {
  readonly id: string
  readonly cents: number
}

/** What there is, oldest first. */
interface Twin {
  readonly open: readonly TwinOrder[]
  /** All that were ever placed. */
  readonly placed: readonly TwinOrder[]
  /** When each trade was, in ms. */
  readonly tradesMs: readonly number[]
  /** ETH that the bot was credited with. */
  readonly credits: number
  /** The bot's, as the exchange showed them. */
  readonly balances: unknown
  /** On the symbol that has a schedule. */
  readonly pairs: Pairs
  /** Matches of the rule; undefined without one. */
  readonly pings: number | undefined
}

/** What a mark goes back to beside the twin. */
interface Marked {
  readonly mark: string
  readonly twin: Twin
  readonly nowMs: number
  readonly listenKey: string
  readonly keyExpiresMs: number
}
type Step = readonly [name: string, weight: number, run: () => Promise<void>]

export class StatesSimulation {
  readonly counts = new Map<string, number>()
  private readonly prng: Prng
  private readonly saved = new Map<string, Twin>()
  private first: Twin | undefined = undefined
  private now: Twin = {
    open: [],
    placed: [],
    tradesMs: [],
    credits: 0,
    balances: undefined,
    pairs: noPairs,
    pings: undefined,
  }
  private marked: Marked | undefined = undefined
  private readonly scheduled: ScheduledSymbol
  private exchange!: EmbeddedExchange
  private bot!: SignedClient
  private seller!: SignedClient
  private socket!: TestSocket
  private listenKey = ''
  /** The first moment at which the listen key is no longer good. */
  private keyExpiresMs = 0
  private orders = 0

  constructor(seed: number) {
    this.prng = new Prng(seed)
    this.scheduled = new ScheduledSymbol(seed)
  }

  async step(): Promise<void> {
    if (this.first === undefined) await this.begin()
    const steps = this.steps()
    const sum = steps.reduce((all, [, weight]) => all + weight, 0)
    let left = this.prng.below(sum)
    for (const [name, weight, run] of steps) {
      left -= weight
      if (left >= 0) continue
      await run()
      this.note(name)
      break
    }
    await this.compare()
  }

  async finish(): Promise<void> {
    this.socket.terminate()
    await this.exchange.close()
  }

  dispose(): void {
    this.socket?.terminate()
    void this.exchange?.close()
  }

  private steps(): readonly Step[] {
    const canLoad = this.saved.size > 0 ? 1 : 0
    const hasOpen = this.now.open.length > 0 ? 1 : 0
    return [
      ['place', 40, () => this.place()],
      ['cancel', 10 * hasOpen, () => this.cancel()],
      ['trade', 10 * hasOpen, () => this.trade()],
      ['credit', 5, () => this.credit()],
      ['advance', 12, () => this.advance()],
      ['pair', 12, () => this.pair()],
      ['keep the key', 6, () => this.keepAlive()],
      ['reset account', 6, () => this.resetAccount()],
      ['save', 10, () => this.save()],
      ['load', 10 * canLoad, () => this.load()],
      ['reset', 3, () => this.reset()],
      ['fork', 2, () => this.fork()],
      ['rule', 4, () => this.addRule()],
      ['ping', 8, () => this.ping()],
      ['mark', 4, () => this.mark()],
      ['revert', this.marked === undefined ? 0 : 12, () => this.revert()],
    ]
  }

  private async begin(): Promise<void> {
    this.exchange = await startHere({
      accounts: {
        bot: { USDT: String(FUNDS) },
        seller: { BTC: '10' },
        ...ScheduledSymbol.accounts,
      },
      settings: { clock: 'virtual', sandbox: true },
    })
    this.bot = clientOf(this.exchange, 'bot')
    this.seller = clientOf(this.exchange, 'seller')
    await this.listen()
    this.now = { ...this.now, balances: await this.balances() }
    this.first = this.now
    await this.scheduled.begin(this.exchange)
  }

  /** Two orders of the scheduled symbol, which meet at once or in the auction of their call. */
  private async pair(): Promise<void> {
    const pairs = await this.scheduled.placePair(this.exchange, this.now.pairs)
    if (pairs.open > this.now.pairs.open) this.note('pair in a call')
    this.now = { ...this.now, pairs }
  }

  /** Moves on by minutes, or to a moment; the listen key expires on the way, or not. */
  private async advance(): Promise<void> {
    const { clock } = this.exchange
    const toMs = clock.now() + (1 + this.prng.below(MOVE_MINUTES_MAX)) * MINUTE_MS
    if (this.prng.chance(0.5)) await clock.advance(`${toMs - clock.now()}ms`)
    else await clock.advanceTo(toMs)
    strictEqual(clock.now(), toMs, 'the clock is at the moment that it was sent to')
    if (toMs < this.keyExpiresMs) return
    if (toMs - this.keyExpiresMs < KEY_LOOK_MS) await clock.advance('1s')
    strictEqual(await this.keptAlive(), 400, 'a listen key expires an hour after its last use')
    for (;;) {
      const { e, E } = await this.socket.next()
      if (e !== 'listenKeyExpired') continue
      const lateMs = Number(E) - this.keyExpiresMs
      ok(lateMs >= 0 && lateMs <= KEY_LOOK_MS, 'its stream tells so at that moment')
      break
    }
    this.note('expire')
    this.socket.terminate()
    await this.listen()
  }

  /** It is good for another hour. */
  private async keepAlive(): Promise<void> {
    strictEqual(await this.keptAlive(), 200, 'a listen key is good for an hour')
    this.keyExpiresMs = this.exchange.clock.now() + KEY_LIFE_MS
  }

  private async place(): Promise<void> {
    const id = `o-${++this.orders}`
    const cents = LOWEST_CENTS + this.orders
    const placed = await this.send(this.bot, 'POST', '/api/v3/order', order('BUY', cents, id))
    strictEqual(
      placed.transactTime,
      this.exchange.clock.now(),
      'an order has the time of the clock',
    )
    const own = { id, cents }
    const { open } = this.now
    this.now = { ...this.now, open: [...open, own], placed: [...this.now.placed, own] }
    await this.reported(id)
  }

  private async cancel(): Promise<void> {
    const { id } = this.prng.pick(this.now.open)
    await this.send(this.bot, 'DELETE', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: id,
    })
    this.close(id)
  }

  /** The best bid is the last one: prices rise. */
  private async trade(): Promise<void> {
    const { id, cents } = this.now.open.at(-1)!
    await this.send(
      this.seller,
      'POST',
      '/api/v3/order',
      order('SELL', cents, `s-${++this.orders}`),
    )
    this.close(id)
    this.now = { ...this.now, tradesMs: [...this.now.tradesMs, this.exchange.clock.now()] }
    await this.reported(id)
  }

  private async credit(): Promise<void> {
    await this.exchange.account('bot', { ETH: 1 })
    this.now = { ...this.now, credits: this.now.credits + 1 }
  }

  private async resetAccount(): Promise<void> {
    await this.send(this.bot, 'POST', '/sandbox/v1/reset-account')
    this.now = { ...this.now, open: [] }
    const rows = (await this.balances()) as { asset: string; free: string; locked: string }[]
    const own = rows.filter(({ free }) => Number(free) > 0)
    const given = { USDT: FUNDS, ...(this.now.credits > 0 && { ETH: this.now.credits }) }
    deepStrictEqual(
      Object.fromEntries(own.map(({ asset, free }) => [asset, Number(free)])),
      given,
      'an account that is reset has what it was given',
    )
  }

  private async save(): Promise<void> {
    const name = this.prng.pick(NAMES)
    if (this.saved.has(name)) return
    this.now = { ...this.now, balances: await this.balances() }
    await this.exchange.save(name)
    this.saved.set(name, this.now)
  }

  private async load(): Promise<void> {
    const name = this.prng.pick([...this.saved.keys()])
    await this.exchange.load(name)
    await this.arriveAt({ ...this.saved.get(name)!, pings: undefined })
  }

  private async reset(): Promise<void> {
    await this.exchange.reset()
    await this.arriveAt(this.first!)
    await this.scheduled.begin(this.exchange)
  }

  /** Nothing of the state before is there: connections, listen keys, events. */
  private async arriveAt(twin: Twin): Promise<void> {
    await this.socket.closed()
    strictEqual(await this.keptAlive(), 400, 'a listen key of the old state is none any more')
    this.now = twin
    deepStrictEqual(await this.balances(), twin.balances, 'balances are those of the state')
    await this.listen()
  }

  /** Every second ping is refused from now on, unless that is so already. */
  private async addRule(): Promise<void> {
    if (this.now.pings !== undefined) return
    await this.exchange.faults.add({ do: 'answer', operation: 'ping', status: 418, every: 2 })
    this.now = { ...this.now, pings: 0 }
  }

  private async ping(): Promise<void> {
    const pings = this.now.pings === undefined ? undefined : this.now.pings + 1
    const { status } = await fetch(`${this.exchange.url}/api/v3/ping`)
    const isRefused = pings !== undefined && pings % 2 === 0
    strictEqual(status, isRefused ? 418 : 200, 'a rule counts its matches')
    this.now = { ...this.now, pings }
  }

  /** Marks the state, with a rule that has counted. */
  private async mark(): Promise<void> {
    await this.addRule()
    await this.ping()
    this.now = { ...this.now, balances: await this.balances() }
    const mark = await this.exchange.mark()
    const { listenKey, keyExpiresMs } = this
    const nowMs = this.exchange.clock.now()
    this.marked = { mark, twin: this.now, nowMs, listenKey, keyExpiresMs }
  }

  /** All is as at the mark, the clock and the listen key too; connections have ended, or are kept. */
  private async revert(): Promise<void> {
    const { twin, nowMs, listenKey, keyExpiresMs, mark } = this.marked!
    const sockets = this.orders % 2 === 0 ? 'keep' : 'end'
    await this.skipFrames()
    this.marked = { ...this.marked!, mark: await this.exchange.revert(mark, { sockets }) }
    const isKept = sockets === 'keep' && this.listenKey === listenKey
    if (sockets === 'end') await this.socket.closed()
    else if (isKept) await this.keptQuietly()
    else strictEqual((await this.socket.next()).e, 'listenKeyExpired', 'a stream of later ends')
    strictEqual(this.exchange.clock.now(), nowMs, 'the clock is where it was')
    const matches = (await this.exchange.faults.list()).map((rule) => rule.matches)
    deepStrictEqual(matches, twin.pings === undefined ? [] : [twin.pings], 'rules are those of it')
    if (this.listenKey !== listenKey) {
      strictEqual(await this.keptAlive(), 400, 'a listen key of later is none')
    }
    Object.assign(this, { now: twin, listenKey, keyExpiresMs })
    deepStrictEqual(await this.balances(), twin.balances, 'balances are those of the mark')
    if (isKept) return
    this.socket.terminate()
    await this.open()
  }

  private async keptQuietly(): Promise<void> {
    await this.socket.roundTrip()
    strictEqual(this.socket.waiting, 0, 'a client whose socket is kept gets nothing')
    this.note('kept')
  }

  private async skipFrames(): Promise<void> {
    await this.socket.roundTrip()
    while (this.socket.waiting > 0) await this.socket.next()
  }

  private async fork(): Promise<void> {
    const balances = await this.balances()
    const fork = await this.exchange.fork()
    const client = clientOf(fork, 'bot')
    deepStrictEqual(await openOf(client), this.ids(), 'a fork has the open orders')
    deepStrictEqual(await balancesOf(client), balances, 'a fork has the balances')
    await this.scheduled.compare(fork, this.scheduled.at(fork.clock.now(), this.now.pairs))
    await this.send(client, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, [200, 400])
    await fork.close()
  }

  private async compare(): Promise<void> {
    deepStrictEqual(await openOf(this.bot), this.ids(), 'the open orders are those of the state')
    const { body } = await this.bot.send('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
    // A cancel gives an order another client order id; no two orders have one price.
    const prices = (body as unknown as { price: string }[]).map(({ price }) => price)
    const placed = this.now.placed.map(({ cents }) => (cents / 100).toFixed(2))
    deepStrictEqual(
      prices.map((price) => Number(price).toFixed(2)),
      placed,
      'the history is that of the state',
    )
    await this.compareKlines()
    await this.comparePairs()
  }

  /** The schedule's changes up to now have been made, with the auctions of their calls. */
  private async comparePairs(): Promise<void> {
    const pairs = this.scheduled.at(this.exchange.clock.now(), this.now.pairs)
    if (pairs.traded > this.now.pairs.traded) this.note('auction')
    this.now = { ...this.now, pairs }
    await this.scheduled.compare(this.exchange, pairs)
  }

  /** A kline of each minute from the last trade's to the present one. */
  private async compareKlines(): Promise<void> {
    const lastMs = this.now.tradesMs.at(-1)
    if (lastMs === undefined) return
    const openMs = minuteOf(lastMs)
    const nowMs = minuteOf(this.exchange.clock.now())
    const query = `symbol=BTCUSDT&interval=1m&startTime=${openMs}&limit=1000`
    const answer = await fetch(`${this.exchange.url}/api/v3/klines?${query}`)
    const rows = (await answer.json()) as readonly (readonly unknown[])[]
    const inMinute = this.now.tradesMs.filter((ms) => minuteOf(ms) === openMs).length
    const minutes = Math.min(1_000, (nowMs - openMs) / MINUTE_MS + 1)
    const expected = Array.from({ length: minutes }, (_, i) => [
      ...[openMs + i * MINUTE_MS, i === 0 ? inMinute : 0],
    ])
    const shown = rows.map(([beganMs, , , , , , , , trades]) => [beganMs, trades])
    deepStrictEqual(shown, expected, 'klines are those of the trades and of the clock')
  }

  private ids(): readonly string[] {
    return this.now.open.map(({ id }) => id)
  }

  private close(id: string): void {
    this.now = { ...this.now, open: this.now.open.filter((it) => it.id !== id) }
  }

  /** Waits for a report of the order; none may be of an order that the state does not have. */
  private async reported(id: string): Promise<void> {
    for (;;) {
      const { e, c, C } = await this.socket.next()
      if (e !== 'executionReport') continue
      const own = [c, C].map(String).find((it) => it.startsWith('o-'))
      const isPresent = this.now.placed.some((it) => it.id === own)
      ok(isPresent, 'an event is of the present state')
      if (own === id) return
    }
  }

  private async listen(): Promise<void> {
    const { url, accounts } = this.exchange
    const answer = await fetch(`${url}/api/v3/userDataStream`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': accounts.bot!.apiKey },
    })
    this.listenKey = ((await answer.json()) as { listenKey: string }).listenKey
    this.keyExpiresMs = this.exchange.clock.now() + KEY_LIFE_MS
    await this.open()
  }

  private async open(): Promise<void> {
    this.socket = await TestSocket.open(`${this.exchange.wsUrl}/ws/${this.listenKey}`)
  }

  /** Uses the listen key. Resolves to the status of the answer. */
  private async keptAlive(): Promise<number> {
    const { url, accounts } = this.exchange
    const answer = await fetch(`${url}/api/v3/userDataStream?listenKey=${this.listenKey}`, {
      method: 'PUT',
      headers: { 'X-MBX-APIKEY': accounts.bot!.apiKey },
    })
    return answer.status
  }

  private note(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  private balances(): Promise<unknown> {
    return balancesOf(this.bot)
  }

  private async send(
    client: SignedClient,
    method: string,
    path: string,
    params: Record<string, string> = {},
    statuses: readonly number[] = [200],
  ): Promise<Record<string, unknown>> {
    const { status, body } = await client.send(method, path, params)
    ok(statuses.includes(status), `${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS

const clientOf = (exchange: EmbeddedExchange, account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })

const order = (side: string, cents: number, newClientOrderId: string) => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  newClientOrderId,
  quantity: QUANTITY,
  price: (cents / 100).toFixed(2),
})

const clientIds = (body: unknown): readonly string[] =>
  (body as { clientOrderId: string }[]).map((it) => it.clientOrderId)

async function openOf(client: SignedClient): Promise<readonly string[]> {
  return clientIds((await client.send('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body)
}

async function balancesOf(client: SignedClient): Promise<unknown> {
  return (await client.send('GET', '/api/v3/account')).body.balances
}
