/**
 * What one signed order costs the gateway besides its socket and its HMAC: parsing, checking and
 * writing the command, and rendering the reply from the events. Run: `node dist/bench/micro/codec.js`.
 * Requests are all different, and each reply is copied out, as into a socket.
 */

import {
  COMMAND_SLOT_BYTES,
  writeOrderAccepted,
  writeOrderRested,
  writeTrade,
} from '../../scripts/layout/codecs.gen.ts'
import type { Reply } from '../../src/api/answers/answer.ts'
import { bytesOf } from '../../src/api/answers/json.ts'
import { checkParams, checkSyntax, noShared } from '../../src/api/check.ts'
import type { Collector, CommandSlot, Responder } from '../../src/api/context.ts'
import { Fault } from '../../src/api/errors.ts'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { RawParams } from '../../src/api/params.ts'
import { packTerms } from '../../src/base/codes.ts'
import { Prng } from '../../src/base/prng.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { median, printTable } from '../harness/report.ts'
import { btcusdt, FakeContext, NOW_MS, trader } from '../workloads/fake-context.ts'

const REQUESTS = 4096
/** Requests whose answers are waited for at once: more would only make garbage live longer. */
const IN_FLIGHT = 64
const ROUNDS = 9
const PASSES = 20

/** A command slot that is always the same, and remembers who waits. */
class Slot implements CommandSlot {
  readonly buffer = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
  readonly at = 0
  collector: Collector | undefined

  submit(_type: number, _bytes: number, collector: Collector): void {
    this.collector = collector
  }
}

class BenchContext extends FakeContext {
  readonly slot = new Slot()

  override query(): CommandSlot {
    return this.slot
  }

  override command(): CommandSlot {
    return this.slot
  }

  override newClientOrderId(): string {
    return 'generatedGenerated0000'
  }
}

/** Copies each reply out, and complains of an error. */
class Socket implements Responder {
  private readonly bytes = Buffer.alloc(8192)
  bytesWritten = 0

  isReading(): boolean {
    return true
  }

  reply(answer: Reply): void {
    const view = bytesOf(answer)
    this.bytes.set(view)
    this.bytesWritten += view.length
  }

  error(id: string): void {
    throw new Error(`refused: ${id}`)
  }
}

const prng = new Prng(1)
const orders = Array.from({ length: REQUESTS }, (_, index) => ({
  index,
  priceTicks: prng.between(4_000_000, 6_000_000),
  lots: prng.between(1_000, 100_000),
}))

/** As a socket would deliver it: flat, one byte per letter, seen for the first time. */
const requests = orders.map(({ index, priceTicks, lots }) =>
  Buffer.from(
    `symbol=BTCUSDT&side=${index % 2 === 0 ? 'BUY' : 'SELL'}&type=LIMIT&timeInForce=GTC` +
      `&quantity=${(lots / 1e5).toFixed(5)}&price=${(priceTicks / 100).toFixed(2)}` +
      `&newClientOrderId=bench-${index}-client&recvWindow=5000&timestamp=${NOW_MS + index}` +
      `&signature=${'0123456789abcdef'.repeat(4)}`,
  ),
)

const header = {
  symbolId: SymbolId(0),
  gateway: 0,
  correlation: 1,
  timeMs: NOW_MS,
  sequence: 12345,
}
const terms = packTerms(0, 0, 0, 2)

/** The events of one order, and where each begins. */
function eventsOf(
  order: (typeof orders)[number],
  trades: number,
): { readonly events: RecordBuffer; readonly at: readonly number[] } {
  const events = RecordBuffer.allocate(1024)
  const { index, priceTicks, lots } = order
  const orderId = 1_000_000 + index
  const at = [0]
  let end = writeOrderAccepted(events, 0, {
    ...header,
    account: trader.id,
    terms,
    orderId: OrderId(orderId),
    priceTicks: Ticks(priceTicks),
    lots: Lots(lots),
    quoteAtoms: QuoteAtoms(0),
    heldAtoms: Atoms(priceTicks * lots * btcusdt.atomsPerTickLot),
    clientOrderId: 'generatedGenerated0000',
  })
  for (let trade = 0; trade < trades; trade++) {
    at.push(end)
    const tradeLots = Math.floor(lots / 4)
    end = writeTrade(events, end, {
      ...header,
      takerAccount: trader.id,
      makerAccount: AccountId(8),
      takerTerms: terms,
      makerTerms: terms ^ 1,
      tradeId: TradeId(77_000 + index),
      priceTicks: Ticks(priceTicks - 3),
      tradeLots: Lots(tradeLots),
      quoteAtoms: QuoteAtoms(tradeLots * priceTicks * btcusdt.atomsPerTickLot),
      updateId: 1,
      takerOrderId: OrderId(orderId),
      takerFilledLots: Lots(tradeLots * (trade + 1)),
      takerFilledAtoms: QuoteAtoms(tradeLots * (trade + 1) * priceTicks * btcusdt.atomsPerTickLot),
      takerCommissionAtoms: Atoms(12_345_678),
      makerOrderId: OrderId(5),
      makerFilledLots: Lots(1),
      makerFilledAtoms: QuoteAtoms(1),
      makerCommissionAtoms: Atoms(1),
      makerLots: Lots(1),
      makerCreatedMs: NOW_MS,
      takerPriceTicks: Ticks(priceTicks),
      takerQuoteAtoms: QuoteAtoms(0),
      takerStatus: 1,
      makerStatus: 2,
      takerCommissionAssetId: AssetId(-1),
      makerCommissionAssetId: AssetId(-1),
      takerLots: Lots(lots),
      takerCreatedMs: NOW_MS,
      takerClientOrderId: 'generatedGenerated0000',
      buyerReleasedAtoms: QuoteAtoms(0),
      makerClientOrderId: 'x',
    })
  }
  at.push(end)
  writeOrderRested(events, end, {
    ...header,
    account: trader.id,
    terms,
    orderId: OrderId(orderId),
    priceTicks: Ticks(priceTicks),
    restedLots: Lots(lots),
    updateId: 99,
  })
  return { events, at }
}

const context = new BenchContext()
const socket = new Socket()

function place(operation: Operation, query: string): void {
  const raw = RawParams.parse(query, '')
  if (raw instanceof Fault) throw new Error(raw.id)
  const params = checkSyntax(raw)
  if (params instanceof Fault) throw new Error(params.id)
  const fault = checkParams(operation, params, noShared)
  if (fault !== undefined) throw new Error(fault.id)
  operation.handler(
    {
      params,
      account: trader,
      key: undefined,
      nowMs: NOW_MS,
      expiresMs: Ms(NOW_MS + 5000),
      microseconds: false,
      encoding: 'JSON',
      limiter: 'RAW_REQUESTS',
      session: 0,
      charge: context.charge,
      servePart: () => {},
    },
    context,
    socket,
  )
}

/** ns per order for the request half, and for the reply half. */
function round(
  operation: Operation,
  answers: readonly ReturnType<typeof eventsOf>[],
): { requestNs: number; replyNs: number } {
  let requestNs = 0
  let replyNs = 0
  for (let done = 0; done < PASSES * REQUESTS; done += IN_FLIGHT) {
    const batch = orders.slice(done % REQUESTS, (done % REQUESTS) + IN_FLIGHT)
    const queries = batch.map(({ index }) => requests[index]!.toString('latin1'))
    const collectors: Collector[] = []
    const begun = process.hrtime.bigint()
    for (const query of queries) {
      place(operation, query)
      collectors.push(context.slot.collector as Collector)
    }
    requestNs += Number(process.hrtime.bigint() - begun)
    collectors.forEach((collector, place) => {
      const { events, at } = answers[batch[place]!.index]!
      const from = process.hrtime.bigint()
      for (const offset of at) collector.record(events, offset)
      collector.done()
      replyNs += Number(process.hrtime.bigint() - from)
    })
  }
  const count = PASSES * REQUESTS
  return { requestNs: requestNs / count, replyNs: replyNs / count }
}

/** The clock itself costs as much as a short reply; its share is measured and taken off. */
function clockNs(): number {
  const begun = process.hrtime.bigint()
  const count = 200_000
  for (let i = 0; i < count; i++) process.hrtime.bigint()
  return Number(process.hrtime.bigint() - begun) / count
}

const operation = operations.find(({ id }) => id === 'placeOrder') as Operation
const overheadNs = clockNs()
const rows = [0, 1, 3].map((trades) => {
  const answers = orders.map((order) => eventsOf(order, trades))
  const rounds = Array.from({ length: ROUNDS }, () => round(operation, answers)).slice(2)
  const requestNs = median(rounds.map((result) => result.requestNs))
  const replyNs = median(rounds.map((result) => result.replyNs)) - overheadNs
  return [`${trades} fills`, requestNs, replyNs, requestNs + replyNs] as const
})
printTable('codec, ns per signed LIMIT order', [['', 'request', 'reply', 'both'], ...rows])
