/** Actions that show or cancel what clients do, against gateways that answer from lists. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { OperatorQueryAnswer } from '../../../src/shared/operator-query.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
let controlPlane: ActionBench['controlPlane']

beforeEach(async () => {
  bench = await ActionBench.make()
  ;({ controlPlane } = bench)
})
const ask = (text: string) => bench.ask(text)

describe('reading what clients do', () => {
  const pagesOf = async (text: string, key: string): Promise<unknown[]> => {
    const seen: unknown[] = []
    let { rows, more } = await ask(text)
    while (true) {
      seen.push(...rows.map((row) => row[key]))
      if (more === undefined) return seen
      ;({ rows, more } = await ask(`${text} --after ${more}`))
    }
  }

  beforeEach(async () => {
    await ask('symbol-list USDT BTC --like BTCUSDT')
    await ask('account-open bob')
  })

  test.each([1, 2, 7, 300, 1000])('open orders are on exactly one page of %d', async (limit) => {
    let orderId = 0
    for (const [symbolId, account, count] of [
      [0, 1, 3],
      [0, 2, 600],
      [1, 1, 4],
    ]) {
      for (let i = 0; i < count!; i++) {
        const order = { symbolId: symbolId!, account: account!, orderId: ++orderId, time: 1 }
        controlPlane.asked.orders.push(order)
      }
    }
    const all = Array.from({ length: 607 }, (_, index) => index + 1)
    expect(await pagesOf(`orders --limit ${limit}`, 'orderId')).toEqual(all)
    const ofAlice = [1, 2, 3, 604, 605, 606, 607]
    expect(await pagesOf(`orders alice --limit ${limit}`, 'orderId')).toEqual(ofAlice)
    const onUsdt = [604, 605, 606, 607]
    expect(await pagesOf(`orders --symbol USDTBTC --limit ${limit}`, 'orderId')).toEqual(onUsdt)
    expect(await pagesOf(`orders bob USDTBTC --limit ${limit}`, 'orderId')).toEqual([])
  })

  test('sessions of both gateways, page by page, and one is closed', async () => {
    for (let session = 1; session <= 5; session++) {
      controlPlane.asked.sessions.push({ gateway: session % 2, session, account: session % 3 })
    }
    const all = ['0:2', '0:4', '1:1', '1:3', '1:5']
    for (const limit of [1, 2, 3, 100]) {
      expect(await pagesOf(`sessions --limit ${limit}`, 'session')).toEqual(all)
    }
    expect(await pagesOf('sessions bob', 'session')).toEqual(['0:2', '1:5'])
    expect((await ask('session-close 1:3')).said).toBe('Session 1:3 is closed.')
    for (const text of ['1:4', '7:1', '1', 'x:y', '-1:1']) {
      await expect(ask(`session-close ${text}`)).rejects.toThrow(`There is no session ${text}.`)
    }
  })

  test('one order, the book and trades are asked of a gateway as clients ask', async () => {
    const { asked } = controlPlane
    asked.result = { value: { orderId: 7, status: 'NEW', time: 1_700_000_000_000 } }
    expect((await ask('order alice BTCUSDT 7')).rows).toContainEqual({
      field: 'time',
      value: '2023-11-14T22:13:20.000Z',
    })
    await ask('order alice BTCUSDT my-id')
    expect(asked.operations.map(({ params }) => params)).toEqual([
      { symbol: 'BTCUSDT', orderId: '7' },
      { symbol: 'BTCUSDT', origClientOrderId: 'my-id' },
    ])
    asked.result = { refused: 'Order does not exist.' }
    await expect(ask('order alice BTCUSDT 8')).rejects.toThrow('Order does not exist.')
    asked.result = {
      value: {
        bids: [['1', '5']],
        asks: [
          ['2', '6'],
          ['3', '7'],
        ],
      },
    }
    expect((await ask('book BTCUSDT')).rows.map(({ price }) => price)).toEqual(['3', '2', '1'])
    const trade = { id: 1, price: '1', qty: '2', quoteQty: '2', time: 5, isBuyerMaker: true }
    asked.result = { value: [trade, { ...trade, id: 2, time: 9 }] }
    expect((await ask('trades')).rows.map(({ symbol, tradeId }) => [symbol, tradeId])).toEqual([
      ['BTCUSDT', 1],
      ['USDTBTC', 1],
      ['BTCUSDT', 2],
      ['USDTBTC', 2],
    ])
    expect((await ask('trades --limit 1')).rows).toMatchObject([{ tradeId: 2, taker: 'SELL' }])
    await expect(ask('trades --from 1')).rejects.toThrow('from needs a symbol')
  })

  test('a status names what lags, and what is degraded', async () => {
    const { said, rows } = await ask('status')
    expect(said).toBe('The exchange accepts orders.')
    const what = { what: 'degraded', value: 'The archive is applied again.', unit: '' }
    expect(rows).toContainEqual(what)
    expect(rows).toContainEqual({ what: 'archive behind by', value: 3, unit: 'blocks' })
    expect(rows).toContainEqual({
      what: 'write-ahead log',
      value: 2,
      unit: 'blocks to move into LMDB',
    })
  })

  test('a status tells how much of the disk is free, and when its reserve is reached', async () => {
    const { disk } = controlPlane
    const mib = 2 ** 20
    const room = { freeBytes: 3_000 * mib, totalBytes: 60_000 * mib, reserveBytes: 1_000 * mib }
    disk.write({ ...disk.read(), ...room, bytesAnHour: -1, journalBytesAnHour: -1 })
    let { said, rows } = await ask('status')
    expect(said).toBe('The exchange accepts orders.')
    expect(rows).toContainEqual({ what: 'disk free', value: 5, unit: '%, 3000 MiB' })
    const unknown = {
      what: 'reserve reached in',
      value: '-',
      unit: 'known ten minutes after the start',
    }
    expect(rows).toContainEqual(unknown)
    const growth = { bytesAnHour: 400 * mib, journalBytes: 70 * mib, journalBytesAnHour: 40 * mib }
    disk.write({ ...disk.read(), ...growth, hasJournalAlarm: true, isRefusing: true })
    ;({ said, rows } = await ask('status'))
    expect(said).toBe('The exchange accepts no new orders: disk reserve.')
    const left = { what: 'reserve reached in', value: 5, unit: 'hours, at 400 MiB an hour' }
    expect(rows).toContainEqual(left)
    expect(rows).toContainEqual({ what: 'journals', value: 70, unit: 'MiB' })
    const alarm = { value: 50, unit: 'hours, at 40 MiB an hour: alarm' }
    expect(rows).toContainEqual({ what: 'by the journals alone in', ...alarm })
  })

  test('orders of an account, a symbol, both or all are canceled', async () => {
    await ask('cancel-orders alice --all on')
    await ask('cancel-orders --symbol USDTBTC --all on')
    await ask('cancel-orders alice BTCUSDT')
    await ask('cancel-orders --all on')
    const clientOrderId = 'cancel-orders'
    expect(controlPlane.done.map((text) => JSON.parse(text.slice('cancel '.length)))).toEqual([
      { account: 1, clientOrderId },
      { symbolId: 1, clientOrderId },
      { account: 1, symbolId: 0, clientOrderId },
      { clientOrderId },
    ])
  })

  test('one open order is canceled, and what became of it is read afterwards', async () => {
    const { asked, done } = controlPlane
    const orderIs = (status: string) => {
      asked.result = { value: { orderId: 7, status } }
    }
    orderIs('FILLED')
    const isFilled = 'Order 7 of alice on BTCUSDT is FILLED, not open.'
    await expect(ask('cancel-order alice BTCUSDT 7')).rejects.toThrow(isFilled)
    asked.result = { refused: 'Order does not exist.' }
    await expect(ask('cancel-order alice BTCUSDT my-id')).rejects.toThrow('Order does not exist.')
    expect(done).toEqual([])
    for (const [status, said] of [
      ['CANCELED', 'Order my-id of alice on BTCUSDT is canceled.'],
      ['FILLED', 'Order my-id of alice on BTCUSDT was FILLED before it could be canceled.'],
    ] as const) {
      orderIs('PARTIALLY_FILLED')
      controlPlane.canceling = () => orderIs(status)
      const answer = ask('cancel-order alice BTCUSDT my-id').then((it) => it.said)
      expect(await answer.catch((error: Error) => error.message)).toBe(said)
    }
    const order = { account: 1, symbolId: 0, orderId: 7, clientOrderId: 'cancel-order' }
    expect(done.map((text) => JSON.parse(text.slice('cancel '.length)))).toEqual([order, order])
  })

  test('so many reading actions are under way at once, and none waits for one that changes', async () => {
    let release = () => {}
    const held = new Promise<OperatorQueryAnswer>((resolve) => {
      release = () => resolve({ value: { bids: [], asks: [] } })
    })
    controlPlane.asked.answer = () => held as unknown as OperatorQueryAnswer
    const books = Array.from({ length: 8 }, () => ask('book BTCUSDT'))
    await expect(ask('accounts')).rejects.toThrow('8 reading commands are under way already')
    expect((await ask('halt BTCUSDT')).said).toMatch(/^Now halted/)
    release()
    await Promise.all(books)
    expect((await ask('accounts')).said).toBe('3 accounts.')
  })
})
