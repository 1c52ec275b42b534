/** The counterparty fills exactly what is wished for, whatever stands before the order: a plain book beside it. */
import { expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { OrderId } from '../../../src/base/units.ts'
import { ActionError } from '../../../src/control/action.ts'
import { Counterparty } from '../../../src/control/counterparty.ts'
import type { Purchase } from '../../../src/sandbox/requests.ts'
import type { HouseOrderQuery, OperatorQuery } from '../../../src/shared/operator-query.ts'
import { ActionBench } from './plain-control-plane.ts'

/** Lots of BTCUSDT, at the front of the book first: those of better levels, and those before the order at its price. */
class PlainBook {
  readonly better: number[]
  readonly ahead: number[]
  readonly order: { lots: number; filled: number; status: string }
  orders = 0

  constructor(ahead: readonly number[], lots: number, filled = 0, better: readonly number[] = []) {
    this.better = [...better]
    this.ahead = [...ahead]
    this.order = { lots, filled, status: filled === 0 ? 'NEW' : 'PARTIALLY_FILLED' }
  }

  answer(query: OperatorQuery) {
    if (query.ask === 'houseOrder') return { value: this.meet(query) }
    if (query.ask === 'openOrders') return { value: [{ orderId: 7 }] }
    if (query.ask === 'operation' && query.operation === 'depth') {
      const { better } = this
      const best =
        better.length > 0 ? [`${100 + better.length}.00`, text(better[0]!)] : ['100.00', '1']
      return { value: { bids: [best], asks: [] } }
    }
    const { lots, filled, status } = this.order
    const row = { side: 'BUY', price: '100.00', isWorking: OPEN.includes(status), status }
    return { value: { ...row, origQty: text(lots), executedQty: text(filled) } }
  }

  private meet({ lots, priceTicks }: HouseOrderQuery): number {
    this.orders++
    if (priceTicks > PRICE_TICKS) {
      expect([lots, priceTicks]).toEqual([this.better[0], PRICE_TICKS + 100 * this.better.length])
      return this.better.shift()!
    }
    expect([priceTicks, this.better]).toEqual([PRICE_TICKS, []])
    let left = lots as number
    while (left > 0 && this.ahead.length > 0) {
      const met = Math.min(left, this.ahead[0]!)
      left -= met
      this.ahead[0]! -= met
      if (this.ahead[0] === 0) this.ahead.shift()
    }
    const met = Math.min(left, this.order.lots - this.order.filled)
    this.order.filled += met
    if (met > 0) this.order.status = this.isFull ? 'FILLED' : 'PARTIALLY_FILLED'
    return lots - (left - met)
  }

  private get isFull(): boolean {
    return this.order.filled === this.order.lots
  }
}
const OPEN = ['NEW', 'PARTIALLY_FILLED']
/** The order's price: 100.00. */
const PRICE_TICKS = 10_000
/** The bench's step. */
const STEP = 0.01
const text = (lots: number) => (lots * STEP).toFixed(8)

async function counterpartyOf(book: PlainBook) {
  const bench = await ActionBench.make()
  const { executor, registry } = bench
  const view = {
    ...executor.view,
    openOrders: () => 1,
    balance: () => ({ free: 10n ** 15n, locked: 0n }),
    ask: async (_: number, query: OperatorQuery) => book.answer(query),
  }
  const acts: string[] = []
  const act = (action: string, given: Readonly<Record<string, string>>) => {
    acts.push(action)
    return executor.act(action, given)
  }
  const counterparty = new Counterparty({ view, act }, registry)
  const fill = (
    quantity: string | undefined,
    step?: { index: number; of: number },
    count?: (purchase: Purchase) => void,
  ) => {
    const order = { symbol: 'BTCUSDT', orderId: OrderId(7), quantity, account: undefined }
    return counterparty.fill({ ...order, ...(step && { step }) }, count)
  }
  return { fill, acts }
}

test('the order gets exactly the wish, and orders before it are taken first', async () => {
  const prng = new Prng(5)
  for (let run = 0; run < 20; run++) {
    const ahead = Array.from({ length: prng.between(0, 6) }, () => prng.between(1, 90))
    const better = Array.from({ length: prng.between(0, 4) }, () => prng.between(1, 500))
    const lots = prng.between(10, 100)
    const filled = prng.between(0, 5)
    const wished = prng.between(1, lots - filled)
    const book = new PlainBook(ahead, lots, filled, better)
    const { fill } = await counterpartyOf(book)
    const sum = [...ahead, ...better].reduce((all, each) => all + each, 0)
    expect(await fill(text(wished))).toMatchObject({
      filled: text(wished),
      left: text(lots - filled - wished),
      alsoTaken: text(sum),
    })
    expect(book.order.filled).toBe(filled + wished)
  }
})

test('steps of a share add up to it, rounded down to the step of the symbol', async () => {
  for (const [lots, of, all] of [
    [101, 3, 30],
    [100, 7, 30],
    [9, 3, 2],
  ] as const) {
    const book = new PlainBook([], lots)
    const { fill } = await counterpartyOf(book)
    for (let index = 0; index < of; index++) {
      await fill('30%', { index, of }).catch(({ message }) =>
        expect(message).toBe('That is less than the smallest step of the symbol.'),
      )
    }
    expect(book.order.filled).toBe(all)
  }
})

test('all that the house pays is counted before it is traded, to orders that stand before it, too', async () => {
  const book = new PlainBook([20], 50, 0, [30])
  const { fill } = await counterpartyOf(book)
  const paid: bigint[] = []
  await fill('0.1', undefined, ({ asset, atoms }) => {
    expect(asset).toBe('BTC')
    paid.push(atoms)
  })
  expect(paid).toEqual([10_000_000n, 30_000_000n, 10_000_000n, 10_000_000n])

  const refused = counterpartyOf(new PlainBook([], 50, 0, [30]))
  const refuse = ({ atoms }: Purchase) => {
    if (atoms > 20_000_000n) throw new ActionError('Too much.')
  }
  await expect((await refused).fill('0.1', undefined, refuse)).rejects.toThrow('Too much.')
})

test('its account is opened once', async () => {
  const { fill, acts } = await counterpartyOf(new PlainBook([], 100))
  await Promise.all([fill('0.1'), fill('0.2')])
  expect(acts).toEqual(['account-open'])
})

test('a book that never ends is given up', async () => {
  const book = new PlainBook(new Array(2_000).fill(50), 50)
  const { fill } = await counterpartyOf(book)
  await expect(fill(undefined)).rejects.toThrow('Too much stands before the order.')
  expect(book.orders).toBe(1_000)
})

test('an order that is canceled meanwhile is said to be', async () => {
  const book = new PlainBook([10], 50)
  const { fill } = await counterpartyOf(book)
  book.order.status = 'CANCELED'
  await expect(fill('0.1')).rejects.toThrow('The order 7 is CANCELED, so nothing can fill it.')
})
