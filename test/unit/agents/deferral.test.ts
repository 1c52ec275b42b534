/** What an account and its neighbours can do on a matcher with two symbols while one of them is unfinished. */
import { beforeEach, expect, test } from 'vitest'
import { noExtras } from '../../../bench/workloads/no-extras.ts'
import type { Matcher } from '../../../src/agents/matcher.ts'
import {
  namesOf,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../src/base/units.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { recordLength } from '../../../src/layout/record-buffer.ts'
import { plainExchange, specifySymbol, usualAccount } from '../../../src/market/listing.ts'
import { type CommandRingProducer, commandSlots } from '../../../src/ring/command-ring.ts'
import type { Inbox } from '../../../src/ring/inbox.ts'
import { startOf } from '../../fixtures/thread-start.ts'
import { type Command, encode } from '../../sim/commands.ts'
import { FaultyStore } from '../../sim/faulty-store.ts'
import { inboxesOf, producersOf } from '../../sim/gateway-rings.ts'
import { HandMatchers } from '../../sim/hand-matchers.ts'
import { readRecords } from '../../sim/records.ts'

const [AAA, BBB] = [0, 1]
const [USD, ANN, BOB] = [2, 1, 2]
const ORDERS = 60
const PRICE = Ticks(10)
const LOTS = Lots(10)
const assets = ['AAA', 'BBB', 'USD'].map((name, id) => ({ id: AssetId(id), name }))
const symbols = [AAA, BBB].map((id) =>
  specifySymbol({
    id: SymbolId(id),
    name: `${assets[id]!.name}USD`,
    base: assets[id]!,
    quote: assets[2]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '100', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '1000', stepSize: '0.01' },
    ],
    preventionModes: [SelfTradePrevention.NONE],
    preventionDefault: SelfTradePrevention.NONE,
  }),
)
const accounts = ['exchange', 'ann', 'bob'].map((name, id) => ({
  ...usualAccount,
  id: AccountId(id),
  name,
}))
const COST = 1_000_000n
const reasons = namesOf(RejectReason)

let matcher: Matcher
let producer: CommandRingProducer
let inbox: Inbox
let answers: Map<number, string>
let sent: number

/** Ann has as much as her orders on AAA cost, or as much more as given. */
function begin(spare = 0n): void {
  const facts = { epoch: 1, idSalt: 1, symbols, accounts, exchange: plainExchange }
  const start = startOf(facts, { accounts: 4, ordersPerSymbol: 256 })
  const made = new HandMatchers({
    start,
    stores: [new FaultyStore('flushed')],
    clock: { nowMs: () => Ms(1_000), elapsedNs: () => 0 },
    deposits: [
      [ANN, USD, COST * BigInt(ORDERS) + spare],
      [BOB, USD, COST * 1_000n],
    ],
    parts: () => ({ output: new EngineOutput(1024, 3_000) }),
  })
  matcher = made.matchers[0]!
  producer = producersOf(start.regions, 0)[0]!
  answers = new Map()
  sent = 0
  inbox = inboxesOf(
    start.regions,
    0,
    (buffer, at) => {
      const [record] = readRecords(buffer, at, at + recordLength(buffer, at))
      if (Number(record!.gateway) === 0) answers.set(Number(record!.correlation), record!.name)
    },
    (buffer, at) => {
      const [record] = readRecords(buffer, at, at + recordLength(buffer, at))
      answers.set(Number(record!.correlation), reasons[Number(record!.reason)] ?? record!.name)
    },
  )[0]!
}

type Body = {
  [Name in Command['name']]: Omit<
    Extract<Command, { name: Name }>['record'],
    'gateway' | 'correlation'
  >
}

/** Returns the number under which it is answered. */
function send<Name extends Command['name']>(name: Name, body: Body[Name]): number {
  const record = { ...body, gateway: 0, correlation: ++sent }
  const encoded = encode({ name, record } as unknown as Command)
  const bytes = recordLength(encoded, 0)
  const at = producer.claim(commandSlots(bytes))
  producer.buffer.bytes.set(encoded.bytes.subarray(0, bytes), at)
  producer.commit()
  producer.publish()
  return sent
}

const order = (account: number, symbolId: number, lots: number = LOTS) => ({
  ...noExtras,
  symbolId: SymbolId(symbolId),
  account: AccountId(account),
  terms: packTerms(Side.BUY, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.NONE),
  priceTicks: PRICE,
  lots: Lots(lots),
  quoteAtoms: QuoteAtoms(0),
  expiresMs: Ms(0),
  clientOrderId: `order-${sent}`,
})
const place = (account: number, symbolId: number, lots?: number) =>
  send('PlaceOrder', order(account, symbolId, lots))
const cancelAll = (account: number, symbolId: number) =>
  send('CancelOpenOrders', {
    symbolId: SymbolId(symbolId),
    account: AccountId(account),
    spare: 0,
    expiresMs: Ms(0),
    clientOrderId: 'all',
  })
const cancel = (account: number, symbolId: number, clientOrderId: string) =>
  send('CancelOrder', {
    symbolId: SymbolId(symbolId),
    account: AccountId(account),
    restrictions: 0,
    orderId: OrderId(0),
    expiresMs: Ms(0),
    origClientOrderId: clientOrderId,
    clientOrderId: 'one',
  })
const replace = (account: number, symbolId: number, clientOrderId: string, lots: number) =>
  send('ReplaceOrder', {
    ...order(account, symbolId, lots),
    cancelOrderId: OrderId(0),
    cancelRestrictions: 0,
    mode: 0,
    cancelOrigClientOrderId: clientOrderId,
    cancelClientOrderId: 'replaced',
  })

/** A batch of what is left, and one of commands. */
function batch(): void {
  matcher.doWork()
  matcher.doWork()
  while (inbox.poll() > 0);
}
function finish(): void {
  for (let i = 0; matcher.hasWork() && i < 1_000; i++) batch()
  expect(matcher.hasWork()).toBe(false)
}

/** Ann cancels all on AAA, which takes many batches. */
function cancelMany(): number {
  const all = cancelAll(ANN, AAA)
  batch()
  expect(answers.get(all)).not.toBe('Rejected')
  expect(matcher.hasWork()).toBe(true)
  return all
}

function placeMany(): void {
  for (let i = 0; i < ORDERS; i++) place(ANN, AAA)
  finish()
  expect([...answers.values()].filter((it) => it === 'OrderRested')).toHaveLength(ORDERS)
}

beforeEach(() => {
  begin()
  placeMany()
})

test('an order waits for the cancel that frees its funds, on its symbol and on another', () => {
  cancelMany()
  const [own, other] = [place(ANN, AAA, 5), place(ANN, BBB, 590)]
  const neighbour = place(BOB, BBB)
  batch()
  expect([own, other, neighbour].map((it) => answers.get(it))).toEqual([
    ...[undefined, undefined, 'OrderRested'],
  ])
  finish()
  expect([own, other].map((it) => answers.get(it))).toEqual(['OrderRested', 'OrderRested'])
})

test('what is paid passes, a cancel always, and what follows on its symbol keeps its order', () => {
  begin(COST)
  placeMany()
  cancelMany()
  const blocked = place(ANN, AAA)
  const paid = place(ANN, BBB)
  const canceled = cancel(ANN, BBB, `order-${paid - 1}`)
  batch()
  batch()
  expect([blocked, paid, canceled].map((it) => answers.get(it))).toEqual([
    ...[undefined, 'OrderRested', 'OrderClosed'],
  ])
  const poor = place(ANN, BBB, 590)
  const behind = cancel(ANN, BBB, `order-${poor - 1}`)
  const cheap = place(BOB, BBB)
  batch()
  expect([poor, behind, cheap].map((it) => answers.get(it))).toEqual([
    ...[undefined, undefined, 'OrderRested'],
  ])
  finish()
  expect([blocked, poor, behind].map((it) => answers.get(it))).toEqual([
    ...['OrderRested', 'OrderRested', 'OrderClosed'],
  ])
})

test('a replacement is paid by what its cancel gives back', () => {
  begin(COST)
  placeMany()
  const first = place(ANN, BBB)
  finish()
  cancelMany()
  place(ANN, AAA, 1)
  const same = replace(ANN, BBB, `order-${first - 1}`, LOTS)
  batch()
  expect(answers.get(same)).toBe('ReplaceResult')
  const more = replace(ANN, BBB, `order-${same - 1}`, 590)
  batch()
  expect(answers.get(more)).toBe(undefined)
  finish()
  expect(answers.get(more)).toBe('ReplaceResult')
})

test('commands beyond the bound of an account are refused alone, at once', () => {
  cancelMany()
  const waiting = Array.from({ length: 64 }, () => place(ANN, AAA, 1))
  const beyond = [place(ANN, AAA, 1), cancel(ANN, AAA, 'none'), place(ANN, BBB, 590)]
  const neighbours = [place(BOB, AAA), place(BOB, BBB)]
  batch()
  expect(waiting.filter((it) => answers.has(it))).toEqual([])
  expect(beyond.map((it) => answers.get(it))).toEqual(Array(3).fill('SYMBOL_BUSY'))
  expect(neighbours.map((it) => answers.get(it))).toEqual([undefined, 'OrderRested'])
  expect(producer.deferred).toEqual({ orders: 65, queries: 0 })
  finish()
  for (const it of waiting) expect(answers.get(it)).toBe('OrderRested')
  expect(answers.get(neighbours[0]!)).toBe('OrderRested')
  expect(producer.deferred).toEqual({ orders: 0, queries: 0 })
})

test('what waits when the member stops leading is answered', () => {
  cancelMany()
  const waiting = [place(ANN, AAA), place(BOB, AAA), place(ANN, BBB, 590)]
  batch()
  expect(waiting.filter((it) => answers.has(it))).toEqual([])
  matcher.leave()
  finish()
  expect(waiting.map((it) => answers.get(it))).toEqual(Array(3).fill('MARKET_CLOSED'))
})
