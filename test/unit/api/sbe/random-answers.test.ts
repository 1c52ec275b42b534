/**
 * Random answers by every template, through the encoder: two decoders, one of them ringbook/sbe, read what the JSON of
 * the same answer says.
 */
import { expect, test } from 'vitest'
import { MixedRows, type Reply } from '../../../../src/api/answers/answer.ts'
import type { Shown, Table } from '../../../../src/api/answers/element.ts'
import { canceledOrderList, placedOrderList } from '../../../../src/api/answers/order-lists.ts'
import { canceledOrder } from '../../../../src/api/answers/orders.ts'
import { plainRows } from '../../../../src/api/answers/plain.ts'
import { subscriptionEvent } from '../../../../src/api/answers/session.ts'
import { balanceChange } from '../../../../src/api/answers/user-events.ts'
import { listTemplates, rowTemplates } from '../../../../src/api/sbe/answer-templates.ts'
import type { Template } from '../../../../src/api/sbe/fields.ts'
import { sbeOf, sbeVersions, streamMessageOf } from '../../../../src/api/sbe/sbe.ts'
import { streamTemplates } from '../../../../src/api/sbe/stream-templates.ts'
import { templates } from '../../../../src/api/sbe/templates.ts'
import { INT64_MAX } from '../../../../src/base/int64.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { RandomRows } from '../../../fixtures/random-rows.ts'
import { expectDecoded, expectTwin, type Message, readMessage } from '../../../fixtures/sbe.ts'

const ROUNDS = 30

/** Members that may be null, by template and path: whether they have been, and whether they have not. */
const nulls = new Map<string, Set<boolean>>()
const names = new Set<string>()

/** Returns the templates of the answers. */
function compare(make: (random: RandomRows) => Reply, rounds = ROUNDS): ReadonlySet<string> {
  const made = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const reply = make(new RandomRows(new Prng(round)))
    const json = plainRows(reply)
    const bytes = isOfStream(reply)
      ? streamMessageOf(reply)
      : sbeOf(sbeVersions[round % sbeVersions.length]!, reply)
    if (bytes.length === 0) {
      expect(hasNoRoom(json)).toBe(true)
      continue
    }
    const message = readMessage(expectDecoded(bytes))
    see(message)
    if (message.name === 'NonRepresentableMessage') expect(hasNoRoom(json)).toBe(true)
    else {
      made.add(message.name)
      expectTwin(message, eventOf(json, message))
    }
  }
  return made
}

const streams: readonly Template[] = Object.values(streamTemplates)
const isOfStream = (reply: Reply): reply is Shown =>
  'answer' in reply && streams.includes(rowTemplates.get(reply.answer)!)

/** What JSON has around an event, the event has within in SBE. */
function eventOf(json: unknown, { values }: Message): unknown {
  const { event, subscriptionId } = json as Record<string, unknown>
  if (event === undefined) return json
  expect(Number(values.subscriptionId)).toBe(subscriptionId)
  return event
}

/** Whether a decimal of the answer has no mantissa of 64 bits at 10^-8. */
function hasNoRoom(json: unknown): boolean {
  if (typeof json === 'object' && json !== null) return Object.values(json).some(hasNoRoom)
  const text = String(json)
  return /^-?\d+\.\d{8}$/.test(text) && BigInt(text.replace(/[-.]/g, '')) > INT64_MAX
}

function see({ name, members, values }: Message, path = name): void {
  names.add(name)
  for (const [own, one] of Object.entries(members)) {
    const value = values[own]!
    const at = `${path}.${own}`
    if (one.is === 'group') {
      for (const entry of value as readonly Message['values'][])
        see({ name, members: one.members, values: entry } as Message, at)
    } else {
      const isNull = value === null || value === ''
      if (one.isOptional === true) nulls.set(at, (nulls.get(at) ?? new Set()).add(isNull))
      if (one.is === 'message' && value !== null) see(value as Message)
    }
  }
}

const named = ([table, { id, name }]: readonly [Table, Template]) => [name, id, table] as const

test.each([...rowTemplates].map(named))('%s, %i', (name, _id, table) => {
  expect(compare((random) => random.one(table))).toEqual(new Set([name]))
})

test.each([...listTemplates].map(named))('%s, %i: a list', (name, _id, table) => {
  expect(compare((random) => random.many(table))).toEqual(new Set([name]))
})

test('answers whose row chooses among templates', () => {
  expect(compare((random) => random.one(placedOrderList), 4 * ROUNDS)).toEqual(
    new Set(['Ack', 'Result', 'Full'].map((form) => `NewOrderList${form}Response`)),
  )
  expect(compare((random) => random.one(balanceChange))).toEqual(
    new Set(['BalanceUpdateEvent', 'ExternalLockUpdateEvent']),
  )
})

test('rows of several answers', () => {
  const parts = [canceledOrder, canceledOrderList]
  expect(compare((random) => new MixedRows(parts.map((table) => random.one(table))))).toEqual(
    new Set(['CancelOpenOrdersResponse']),
  )
})

test('events of subscriptions', () => {
  const made = compare((random) => random.one(subscriptionEvent), 2 * ROUNDS)
  expect(made.size).toBe(6)
})

/** What this exchange has no occasion to show, and what it always shows somewhere. */
const never = [
  ...['makerSymbol', 'expirationTime', 'sourceTradeId', 'sourceAllocationId', 'sourceSymbol'],
  // A routed order is in no list.
  'AccountAllocationsResponse.allocations.orderListId',
]
const always = [
  ...[
    'clearTime',
    'clientOrderId',
    'commissionAsset',
    'discountAsset',
    'icebergQty',
    'makerOrderId',
  ],
  ...['orderCreationTime', 'origClientOrderId', 'pegInstructionsAllowed', 'price'],
  ...['Buyer', 'ForOrderMaker', 'ForOrderTaker', 'Maker', 'Seller', 'Taker'].map(
    (of) => `specialCommission${of}`,
  ),
  ...['stopPrice', 'subscriptionId', 'tradeId', 'userDataStream'],
  ...['commission', 'commissionExponent'].map(
    (of) => `AccountAllocationsResponse.allocations.${of}`,
  ),
]

test('each template was made, and each member that may be null was null and was not', () => {
  expect([...templates, ...streams].filter(({ name }) => !names.has(name))).toEqual([])
  const only = (isNull: boolean) =>
    [...nulls].filter(([, seen]) => !seen.has(!isNull)).map(([path]) => path)
  const but = (paths: readonly string[], expected: readonly string[]) =>
    paths.filter(
      (path) =>
        !expected.includes(path) && !expected.includes(path.slice(path.lastIndexOf('.') + 1)),
    )
  expect(but(only(true), never)).toEqual([])
  expect(but(only(false), always)).toEqual([])
})
