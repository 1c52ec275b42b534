/**
 * An embedded exchange that fails by rules for one account, or for one of its keys, while that account and another one
 * place orders, and the counterparty fills some. A plain twin has what each client sees, which orders
 * there are, what each rule counts, and what the events are.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, VenueEvents } from '../../../src/assembly/options.ts'
import { Prng } from '../../../src/base/prng.ts'
import { act } from '../../e2e/admin-server.ts'
import { type Client, type Effect, fateOf, fates, PAGE, type TwinRule } from './rule-twin.ts'

const NAMES = ['one', 'two', 'three', 'four'] as const
const EFFECTS: Readonly<Record<Effect, Readonly<Record<string, string | number>>>> = {
  answer: { do: 'answer', status: 500 },
  elsewhere: { do: 'answer', status: 500, over: 'sessions' },
  limit: { do: 'limit', over: 'rest' },
  ban: { do: 'ban' },
  forbid: { do: 'forbid' },
  unknown: { do: 'unknown' },
  'unknown code': { do: 'unknown', status: 503, code: -1006 },
  'unknown page': { do: 'unknown', status: 500, body: 'html' },
  cut: { do: 'cut' },
  'cut in': { do: 'cut', way: 'in' },
  silence: { do: 'silence', ms: 20 },
  'silence in': { do: 'silence', way: 'in', ms: 20 },
  half: { do: 'half' },
  refuse: { do: 'refuse', reason: 'INSUFFICIENT_BALANCE' },
  proxy: { do: 'proxy' },
  delay: { do: 'delay', way: 'in', spread: 'recorded', histogram: '1:2 3:1' },
  skew: { do: 'skew', ms: 60_000 },
  halt: { do: 'halt', symbol: 'BTCUSDT' },
}
const LOTS_PER_ORDER = 1_000
const LOT = 0.00001
/** Each order has its own price: the newest is the best. */
const LOWEST_CENTS = 1_000_000
const ACCOUNTS = { first: 'alice', second: 'alice', other: 'bob' } as const

interface TwinOrder {
  readonly id: string
  readonly account: string
  filled: number
}
type Step = readonly [name: string, weight: number, run: () => Promise<void>]

export class FaultsSimulation {
  readonly counts = new Map<string, number>()
  private readonly prng: Prng
  private exchange!: EmbeddedExchange
  private clients!: Readonly<Record<Client, SignedClient>>
  private key = ''
  private events!: VenueEvents
  private rules: TwinRule[] = []
  /** The best one last. */
  private open: TwinOrder[] = []
  /** Such as `bob o-3 NEW 0`. */
  private readonly happened: string[] = []
  private orders = 0

  constructor(seed: number) {
    this.prng = new Prng(seed)
  }

  async step(): Promise<void> {
    if (this.exchange === undefined) await this.begin()
    const steps = this.steps()
    let left = this.prng.below(steps.reduce((all, [, weight]) => all + weight, 0))
    for (const [name, weight, run] of steps) {
      left -= weight
      if (left >= 0) continue
      await run()
      this.count(name)
      break
    }
    await this.compare()
  }

  async finish(): Promise<void> {
    const seen = (await this.events.read()).filter(({ account }) => account !== 'counterparty')
    deepStrictEqual(
      seen.map((it) => `${it.account} ${it.clientOrderId} ${it.event} ${lotsOf(it.filled)}`),
      this.happened,
      'the events are those of the twin',
    )
    await this.exchange.close()
  }

  dispose(): void {
    void this.exchange?.close()
  }

  private steps(): readonly Step[] {
    return [
      ['place', 40, () => this.place()],
      ['rule', 15, () => this.addRule()],
      ['remove rule', 3, () => this.removeRule()],
      ['fill', this.open.length > 0 ? 10 : 0, () => this.fill()],
    ]
  }

  private async begin(): Promise<void> {
    this.exchange = await startHere()
    const funds = { USDT: 10_000_000 }
    const [first, other] = [
      await this.exchange.account('alice', funds),
      await this.exchange.account('bob', funds),
    ]
    const { folder, adminUrl, url } = this.exchange
    const admin = { data: folder, adminPort: Number(new URL(adminUrl).port) }
    const [row] = (await act(admin, 'key-create', { account: 'alice' })).rows
    const second = { apiKey: String(row!.apiKey), secretKey: String(row!.secretKey) }
    const clientOf = (account: string, key: typeof second) =>
      new SignedClient(url, { account, ...key })
    this.key = first.apiKey
    this.clients = {
      first: clientOf('alice', first),
      second: clientOf('alice', second),
      other: clientOf('bob', other),
    }
    this.events = this.exchange.events()
    await this.events.ready
  }

  /** Replaces the rule of its name, which then comes last, and counts from 0. */
  private async addRule(): Promise<void> {
    const effect = this.prng.pick(Object.keys(EFFECTS) as Effect[])
    const rule: TwinRule = {
      name: this.prng.pick(NAMES),
      effect,
      isForKey: this.prng.chance(0.5),
      after: this.prng.below(3),
      every: this.prng.between(1, 3),
      times: this.prng.between(1, 5),
      matches: 0,
      touched: 0,
    }
    const { name, isForKey, after, every, times } = rule
    const place = isForKey ? { key: this.key } : { account: 'alice' }
    const operation = effect === 'halt' ? {} : { operation: 'placeOrder' }
    const given = { name, ...EFFECTS[effect], ...place, ...operation }
    await this.exchange.faults.add({ ...given, after, every, times } as never)
    this.rules = [...this.rules.filter((it) => it.name !== name), rule]
  }

  private async removeRule(): Promise<void> {
    const [rule] = this.rules
    if (rule === undefined) return
    await this.exchange.faults.remove(rule.name)
    this.rules = this.rules.slice(1)
  }

  private async place(): Promise<void> {
    const client = this.prng.pick(['first', 'second', 'other'] as const)
    const id = `o-${++this.orders}`
    const fate = fateOf(this.rules, client)
    const { isPlaced, status } = fates[fate]
    this.count(fate)
    const answer = await this.clients[client]
      .send('POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: quantityOf(LOTS_PER_ORDER),
        newClientOrderId: id,
        price: ((LOWEST_CENTS + this.orders) / 100).toFixed(2),
      })
      .catch((error: Error) => {
        // A page is no JSON, and a broken connection no answer.
        return { status: error instanceof SyntaxError ? PAGE : undefined }
      })
    strictEqual(answer.status, status, `${client} sees ${fate}`)
    if (!isPlaced) return
    const account = ACCOUNTS[client]
    this.open.push({ id, account, filled: 0 })
    this.happened.push(`${account} ${id} NEW 0`)
  }

  /** What is better than the order is taken first. */
  private async fill(): Promise<void> {
    const at = this.prng.below(this.open.length)
    const order = this.open[at]!
    const lots = this.prng.between(1, LOTS_PER_ORDER - order.filled)
    const better = this.open.slice(at + 1).reverse()
    const orderId = await this.orderIdOf(order)
    const fill = await this.exchange.fill({ symbol: 'BTCUSDT', orderId }, quantityOf(lots))
    const taken = better.reduce((sum, { filled }) => sum + LOTS_PER_ORDER - filled, 0)
    const left = LOTS_PER_ORDER - order.filled - lots
    deepStrictEqual(
      [fill.account, lotsOf(fill.filled), lotsOf(fill.left), lotsOf(fill.alsoTaken)],
      [order.account, lots, left, taken],
      'a fill is exactly what was asked for',
    )
    this.note(better, order, lots)
    this.open = this.open.slice(0, left === 0 ? at : at + 1)
  }

  private note(better: readonly TwinOrder[], order: TwinOrder, lots: number): void {
    for (const each of better) each.filled = LOTS_PER_ORDER
    order.filled += lots
    for (const { account, id, filled } of [...better, order]) {
      this.happened.push(`${account} ${id} TRADE ${filled}`)
    }
  }

  private async orderIdOf({ id, account }: TwinOrder): Promise<number> {
    const client = this.clients[account === 'bob' ? 'other' : 'second']
    const query = { symbol: 'BTCUSDT', origClientOrderId: id }
    return Number((await client.send('GET', '/api/v3/order', query)).body.orderId)
  }

  private async compare(): Promise<void> {
    for (const [client, account] of [
      ['first', 'alice'],
      ['other', 'bob'],
    ] as const) {
      const params = { symbol: 'BTCUSDT' }
      const { body } = await this.clients[client].send('GET', '/api/v3/openOrders', params)
      const rows = body as unknown as { clientOrderId: string; executedQty: string }[]
      deepStrictEqual(
        rows.map(({ clientOrderId, executedQty }) => [clientOrderId, lotsOf(executedQty)]),
        this.open.filter((it) => it.account === account).map(({ id, filled }) => [id, filled]),
        'the open orders are those of the twin',
      )
    }
    const rules = await this.exchange.faults.list()
    deepStrictEqual(
      rules.map(({ name, matches, touched }) => [name, matches, touched]),
      this.rules.map(({ name, matches, touched }) => [name, matches, touched]),
      'rules count what they match and touch',
    )
    ok(rules.length <= NAMES.length)
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}

const quantityOf = (lots: number): string => (lots * LOT).toFixed(5)
const lotsOf = (quantity: string): number => Math.round(Number(quantity) / LOT)
