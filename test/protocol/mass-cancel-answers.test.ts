/** What a cancel of what is selected sends and answers, on one symbol and on all. */
import { expect, test } from 'vitest'
import { FakeContext } from '../../bench/workloads/fake-context.ts'
import { readCancelOrdersWhere } from '../../scripts/layout/codecs.gen.ts'
import { RejectReason } from '../../src/base/codes.ts'
import { OrderId } from '../../src/base/units.ts'
import { bodyOf } from './asking.ts'
import { answerCommand, send } from './fake-responder.ts'
import { closed, listChanged, rejected } from './records.ts'

const sentBy = (query: string) => {
  const context = new FakeContext()
  send(context, 'cancelWhere', query)
  return readCancelOrdersWhere(context.sent[0]!.buffer, 0)
}
const NO_BOUND = Number.MAX_SAFE_INTEGER

test.each([
  ['', { side: -1, minTicks: 0, maxTicks: NO_BOUND, prefix: '' }],
  ['side=SELL&clientOrderIdPrefix=bot-', { side: 1, prefix: 'bot-' }],
  ['minPrice=50000.001', { minTicks: 5_000_001, maxTicks: NO_BOUND }],
  ['maxPrice=50000.019', { minTicks: 1, maxTicks: 5_000_001 }],
  ['maxPrice=100000000.019', { minTicks: 1, maxTicks: 10_000_000_001 }],
  ['minPrice=100000000.001', { minTicks: 10_000_000_001, maxTicks: NO_BOUND }],
  ['minPrice=0', { minTicks: 1, maxTicks: NO_BOUND }],
  ['minPrice=0&maxPrice=0.001', { minTicks: 1, maxTicks: 0 }],
])('%s', (query, expected) => {
  expect(sentBy(`symbol=BTCUSDT&${query}`)).toMatchObject({ account: 7, ...expected })
})

const none = rejected(RejectReason.UNKNOWN_ORDER)
const order = (orderId: number) => closed({ orderId: OrderId(orderId) })

test('counts are by symbol and in all, and of symbols that had some', () => {
  const context = new FakeContext()
  const responder = send(context, 'cancelWhere', '')
  expect(context.sent.map(({ symbolId }) => symbolId)).toEqual([0, 1])
  answerCommand(context, none)
  expect(responder.answer).toBeUndefined()
  answerCommand(context, order(1), order(2), order(3), listChanged())
  const symbols = [{ symbol: 'ETHBTC', canceled: 3, lists: 1 }]
  expect(bodyOf(responder)).toEqual({ canceled: 3, lists: 1, symbols })
})

test('without such orders there is nothing to do', () => {
  const context = new FakeContext()
  const responder = send(context, 'cancelWhere', 'symbol=BTCUSDT')
  answerCommand(context, none)
  expect(bodyOf(responder)).toEqual({ canceled: 0, lists: 0, symbols: [] })
})

const codeOf = (body: string | undefined) => (JSON.parse(body!) as { code: number }).code

test('what is refused or lost behind cancels of other symbols is unknown', () => {
  for (const [outcome, alone] of [
    ['late', -1021],
    ['lost', -1016],
  ] as const) {
    for (const isPartly of [true, false]) {
      const context = new FakeContext()
      const responder = send(context, 'cancelWhere', '')
      answerCommand(context, isPartly ? order(1) : none)
      if (outcome === 'lost') context.sent.shift()!.collector.failed('SHUTTING_DOWN')
      else answerCommand(context, rejected(RejectReason.TIMESTAMP_OUTSIDE_WINDOW))
      expect(codeOf(responder.answer?.body)).toBe(isPartly ? -1007 : alone)
    }
  }
})

test('a full ring refuses the request, or waits for an answer', () => {
  const full = new FakeContext()
  full.ringIsFull = true
  expect(codeOf(send(full, 'cancelWhere', '').answer?.body)).toBe(-1008)
  const context = new FakeContext()
  const command = context.command.bind(context)
  let room = 1
  context.command = (...args) => (room-- > 0 ? command(...args) : undefined)
  const responder = send(context, 'cancelWhere', '')
  expect(context.sent).toHaveLength(1)
  room = 1
  answerCommand(context, order(1))
  answerCommand(context, order(2))
  expect(bodyOf(responder)).toMatchObject({ canceled: 2 })
})
