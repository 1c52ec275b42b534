/**
 * `npm run bench -- render [--rounds N]`: two ways to write responses: by hand, and by fast-json-stringify
 * from the shape (src/api/render/shape-text.ts). Both begin with the same rows and make the same values.
 * Prints nanoseconds of one text.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { priceText, quantityText, timeOf, unitsText } from '../../src/api/render/decimals.ts'
import {
  type Envelope,
  executionReport,
  type Occurrence,
  type ReportedOrder,
} from '../../src/api/render/execution-report.ts'
import { orderRecord } from '../../src/api/render/order-record.ts'
import { rendererOf } from '../../src/api/render/shape-text.ts'
import {
  preventionName,
  sideNames,
  statusNames,
  timeInForceNames,
  typeNames,
} from '../../src/api/render/terms.ts'
import { decimal, flag, integer, object, type Schema, text } from '../../src/api/shapes/schema.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import {
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  sideOf,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import type { OrderRow } from '../../src/history/account-history.ts'
import { specifySymbol } from '../../src/market/listing.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'

export const flags = { rounds: 9 } as const satisfies Flags

const ROWS = 512
const PASSES = 16
const START_MS = Ms(1_700_000_000_000)

const spec = specifySymbol({
  id: SymbolId(0),
  name: 'BTCUSDT',
  base: { id: AssetId(0), name: 'BTC' },
  quote: { id: AssetId(1), name: 'USDT' },
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
  ],
  preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
  preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
})
const terms = packTerms(
  Side.BUY,
  OrderType.LIMIT,
  TimeInForce.GTC,
  SelfTradePrevention.EXPIRE_MAKER,
)

const price = (i: number) => Ticks(5_000_000 + i * 7)
const lots = (i: number) => Lots(1000 + i * 13)
const amount = (i: number) => QuoteAtoms(5_000_000_000 + i * 12_345)

/** A way to write each of some rows; the values are those of the shape. */
interface Case<Row> {
  readonly name: string
  readonly shape: Schema
  readonly rows: readonly Row[]
  byHand(row: Row): string
  values(row: Row): unknown
}

const rowsOf = <Row>(rowOf: (i: number) => Row): Row[] =>
  Array.from({ length: ROWS }, (_, i) => rowOf(i))

const orderCase: Case<OrderRow> = {
  name: 'order',
  shape: shapes.Order,
  rows: rowsOf((i) => ({
    ...{
      orderId: OrderId(1000 + i),
      account: AccountId(1),
      terms,
      priceTicks: price(i),
      lots: lots(i),
    },
    ...{ quoteAtoms: QuoteAtoms(0), filledLots: Lots(i), filledAtoms: amount(i) },
    ...{ preventedLots: Lots(0), preventedMatchIdPlusOne: 0, reason: 0 },
    ...{
      status: OrderStatus.PARTIALLY_FILLED,
      createdMs: Ms(START_MS + i),
      updatedMs: Ms(START_MS + 2 * i),
    },
    clientOrderId: `bench-${i}-abcdefghijkl`,
  })),
  byHand: (row) => orderRecord(spec, row, false),
  values: (row) => ({
    symbol: spec.name,
    orderId: row.orderId,
    orderListId: -1,
    clientOrderId: row.clientOrderId,
    price: priceText(spec, row.priceTicks),
    origQty: quantityText(spec, row.lots),
    executedQty: quantityText(spec, row.filledLots),
    cummulativeQuoteQty: unitsText(row.filledAtoms),
    status: statusNames[row.status],
    timeInForce: timeInForceNames[timeInForceOf(row.terms)],
    type: typeNames[typeOf(row.terms)],
    side: sideNames[sideOf(row.terms)],
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    time: timeOf(row.createdMs, false),
    updateTime: timeOf(row.updatedMs, false),
    isWorking: true,
    workingTime: timeOf(row.createdMs, false),
    origQuoteOrderQty: unitsText(row.quoteAtoms),
    selfTradePreventionMode: preventionName(row.terms),
  }),
}

interface Report {
  readonly envelope: Envelope
  readonly order: ReportedOrder
  readonly occurrence: Occurrence
}

/** User streams have no shape among those of responses. */
const reportShape = object({
  ...{ e: text, E: integer, s: text, c: text, S: text, o: text, f: text, q: decimal, p: decimal },
  ...{ P: decimal, F: decimal, g: integer, C: text, x: text, X: text, r: text, i: integer },
  ...{ z: decimal, T: integer, I: integer, w: flag, O: integer, Z: decimal, Q: decimal },
  ...{ l: decimal, L: decimal, n: text, N: text, t: integer, m: flag, M: flag, Y: decimal },
  ...{ W: integer, V: text },
})

const reportCase: Case<Report> = {
  name: 'executionReport',
  shape: reportShape,
  rows: rowsOf((i) => ({
    envelope: {
      ...{ spec, eventTimeMs: Ms(START_MS + i), timeMs: Ms(START_MS + i), executionId: 77 + i },
      microseconds: false,
    },
    order: {
      ...{ orderId: OrderId(1000 + i), terms, priceTicks: price(i), lots: lots(i) },
      ...{ quoteAtoms: QuoteAtoms(0), filledLots: Lots(i), filledAtoms: amount(i) },
      ...{ createdMs: START_MS, workingMs: START_MS, clientOrderId: `bench-${i}-abcdefghijkl` },
      ...{ renamedFrom: '', details: undefined },
    },
    occurrence: {
      execution: 'TRADE',
      status: OrderStatus.PARTIALLY_FILLED,
      working: true,
      fill: {
        ...{ priceTicks: price(i), lots: Lots(i), quoteAtoms: amount(i), tradeId: TradeId(i) },
        ...{ commission: { asset: spec.base, atoms: QuoteAtoms(10 + i) }, isMaker: false },
      },
    },
  })),
  byHand: ({ envelope, order, occurrence }) => executionReport(envelope, order, occurrence),
  values: ({ envelope, order, occurrence }) => ({
    e: 'executionReport',
    E: timeOf(envelope.eventTimeMs, false),
    s: envelope.spec.name,
    c: order.clientOrderId,
    S: sideNames[sideOf(order.terms)],
    o: typeNames[typeOf(order.terms)],
    f: timeInForceNames[timeInForceOf(order.terms)],
    q: quantityText(spec, order.lots),
    p: priceText(spec, order.priceTicks),
    P: '0.00000000',
    F: '0.00000000',
    g: -1,
    C: order.renamedFrom,
    x: occurrence.execution,
    X: statusNames[occurrence.status],
    r: 'NONE',
    i: order.orderId,
    z: quantityText(spec, order.filledLots),
    T: timeOf(envelope.timeMs, false),
    I: envelope.executionId,
    w: occurrence.working,
    O: timeOf(order.createdMs, false),
    Z: unitsText(order.filledAtoms),
    Q: unitsText(order.quoteAtoms),
    l: quantityText(spec, occurrence.fill!.lots),
    L: priceText(spec, occurrence.fill!.priceTicks),
    n: unitsText(occurrence.fill!.commission.atoms),
    N: occurrence.fill!.commission.asset.name,
    t: occurrence.fill!.tradeId,
    m: occurrence.fill!.isMaker,
    M: true,
    Y: unitsText(occurrence.fill!.quoteAtoms),
    W: timeOf(order.workingMs, false),
    V: preventionName(order.terms),
  }),
}

const ways = ['by hand', 'from the shape'] as const

/** Nanoseconds of a text, by way. Throws when two ways say different things. */
function waysOf<Row>(it: Case<Row>): readonly (() => number)[] {
  const render = rendererOf<unknown>(it.shape)
  const writers = [it.byHand, (row: Row) => render(it.values(row))]
  const [first, ...others] = writers.map((write) => JSON.parse(write(it.rows[0]!)))
  for (const other of others) deepStrictEqual(other, first)
  const passes = (PASSES * ROWS) / it.rows.length / (it.rows.length === 1 ? 64 : 1)
  return writers.map((write) => () => {
    let bytes = 0
    const begun = process.hrtime.bigint()
    for (let pass = 0; pass < passes; pass++) {
      // A socket reads the text as a whole: so is it here.
      for (const row of it.rows) bytes += Buffer.byteLength(write(row))
    }
    const elapsed = Number(process.hrtime.bigint() - begun)
    if (bytes === 0) throw new Error('nothing was written')
    return elapsed / (passes * it.rows.length)
  })
}

function measure<Row>(it: Case<Row>, rounds: number): number[] {
  const runs = waysOf(it)
  for (const run of runs) run()
  const taken = runs.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of runs.entries()) taken[i]!.push(run())
  }
  return taken.map(median)
}

export async function run({ rounds }: SettingsOf<typeof flags>): Promise<BenchResult> {
  const found = [
    [orderCase.name, measure(orderCase, rounds)],
    [reportCase.name, measure(reportCase, rounds)],
  ] as const
  printTable('Nanoseconds of one text', [
    ['', ...ways],
    ...found.map(([name, taken]): [string, ...number[]] => [name, ...taken.map(Math.round)]),
  ])
  return {
    ratios: Object.fromEntries(
      found.map(([name, taken]) => [`${name}: from the shape over hand`, taken[1]! / taken[0]!]),
    ),
    figures: {
      rounds,
      ...Object.fromEntries(
        found.flatMap(([name, taken]) => ways.map((way, i) => [`${name} ${way}`, taken[i]!])),
      ),
    },
  }
}
