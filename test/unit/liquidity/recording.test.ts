import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { marketOf } from '../../../src/liquidity/market.ts'
import { RecordedBook } from '../../../src/liquidity/recorded-book.ts'
import { type RecordedLevel, readRecorded } from '../../../src/liquidity/recording.ts'

const diff = { e: 'depthUpdate', E: 1_700_000_000_000, s: 'A', U: 1, u: 2, b: [['5', '1']], a: [] }
const trade = { e: 'trade', E: 1_700_000_000_000_000, s: 'A', t: 1, p: '5', q: '0.5', m: true }
const levels = [{ side: 'BUY', price: '5', quantity: '1' }]

describe('a line of a recording', () => {
  test.each([
    [diff, { event: 'depth', timeMs: 1_700_000_000_000, levels, isWhole: false }],
    [{ stream: 'a@depth', data: diff }, expect.objectContaining({ event: 'depth' })],
    [
      { lastUpdateId: 1, bids: [['5', '1']], asks: [] },
      { event: 'depth', timeMs: 0, levels, isWhole: true },
    ],
    [
      trade,
      { event: 'trade', timeMs: 1_700_000_000_000, side: 'SELL', price: '5', quantity: '0.5' },
    ],
    [{ ...trade, e: 'aggTrade', m: false }, expect.objectContaining({ side: 'BUY' })],
    [{ ...trade, s: 'B' }, undefined],
    [
      { stream: 'a@depth5', data: { lastUpdateId: 1, bids: [], asks: [] } },
      { event: 'depth', timeMs: 0, levels: [], isWhole: true },
    ],
    [{ stream: 'b@depth5', data: { lastUpdateId: 1, bids: [], asks: [] } }, undefined],
    [{ e: 'kline', E: 1, s: 'A' }, undefined],
    [7, undefined],
  ])('%j', (line, event) => {
    expect(readRecorded(JSON.stringify(line), 'A')).toEqual(event)
  })

  test.each([
    ['{', 'it is not JSON'],
    [JSON.stringify({ ...trade, p: 5 }), 'a price or quantity is no decimal'],
    [JSON.stringify({ ...diff, b: 1 }), 'a side of the book is no list'],
    [JSON.stringify({ ...diff, b: [['-1', '1']] }), 'a price or quantity is no decimal'],
  ])('%s is refused', (line, why) => {
    expect(() => readRecorded(line, 'A')).toThrow(new RangeError(why))
  })
})

describe('the book of a recording', () => {
  const market = marketOf({
    symbol: 'A',
    status: 'TRADING',
    baseAsset: 'B',
    quoteAsset: 'Q',
    filters: [
      { filterType: 'PRICE_FILTER', tickSize: '1', minPrice: '1', maxPrice: '100' },
      { filterType: 'LOT_SIZE', stepSize: '1', minQty: '1', maxQty: '100' },
    ],
  })
  const level = fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    price: fc.integer({ min: 1, max: 6 }).map(String),
    quantity: fc.integer({ min: 0, max: 3 }).map(String),
  })
  const event = fc.record({
    levels: fc.array(level, { maxLength: 5 }),
    isWhole: fc.boolean(),
    /** Prices at which something trades afterwards, which takes the order away. */
    traded: fc.array(fc.integer({ min: 1, max: 6 }).map(String), { maxLength: 2 }),
  })

  test('what is asked for makes the book what was recorded', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const book = new RecordedBook(market)
        const orders = new Map<number, RecordedLevel>()
        let ids = 0
        for (const { levels, isWhole, traded } of events) {
          const actions = book.actions({ event: 'depth', timeMs: 0, levels, isWhole })
          for (const { key, action } of [...actions.cancels, ...actions.places]) {
            if (action.action !== 'place') orders.delete(action.orderId)
            if (action.action === 'cancel') continue
            orders.set(++ids, action)
            book.placed(key, ids)
          }
          // The last word on each price, after which its order has that quantity or is not there.
          const said = new Map(levels.map((it) => [`${it.side} ${it.price}`, it]))
          const standing = [...orders.values()]
          for (const { side, price, quantity } of said.values()) {
            const at = standing.filter((it) => it.side === side && it.price === price)
            expect(at.map((it) => it.quantity)).toEqual(quantity === '0' ? [] : [quantity])
          }
          if (isWhole) {
            expect(standing.every((it) => said.has(`${it.side} ${it.price}`))).toBe(true)
          }
          for (const price of traded) {
            book.touch(price)
            for (const [id, it] of orders) if (it.price === price) orders.delete(id)
          }
        }
      }),
    )
  })

  test('asks for nothing where nothing changed, and passes over what filters refuse', () => {
    const book = new RecordedBook(market)
    const at = (price: string, quantity: string) => [{ side: 'BUY' as const, price, quantity }]
    const actions = (levels: RecordedLevel[]) => {
      const { cancels, places } = book.actions({
        event: 'depth',
        timeMs: 0,
        levels,
        isWhole: false,
      })
      return [...cancels, ...places].map(({ action }) => action.action)
    }
    expect(actions(at('5', '2'))).toEqual(['place'])
    book.placed('BUY 5', 9)
    expect(actions(at('5.00', '2'))).toEqual([])
    expect(actions(at('5', '1'))).toEqual(['replace'])
    book.placed('BUY 5', 0)
    expect(actions(at('5', '1'))).toEqual(['place'])
    expect(actions([...at('5.5', '1'), ...at('6', '0.5'), ...at('7', '0')])).toEqual([])
    expect(book.unfit).toBe(2)
  })
})
