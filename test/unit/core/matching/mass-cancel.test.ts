/** Cancels by side, price and client order id, as tapes: what is selected goes, oldest first, and nothing else. */
import { describe, expect, test } from 'vitest'
import { beginsClientOrderId, packClientOrderId } from '../../../../src/base/client-order-id.ts'
import { check } from './check-tapes.ts'

const canceled = (orderId: number, released: number) =>
  `closed ${orderId}: CANCELED, filled 0, released ${released}`

const both = [
  '1 BUY 5 @ 100 #bid-1',
  '1 SELL 5 @ 110 #ask-1',
  '2 BUY 5 @ 99 #bid-2',
  '1 BUY 5 @ 98 #bid-3',
  '1 SELL 5 @ 112 #quote',
]

describe('a cancel of what is selected', () => {
  check([
    ['by side', [...both, '1 cancel where BUY'], [canceled(1, 500), canceled(4, 490)]],
    ['from a price', [...both, '1 cancel where from 110'], [canceled(2, 5), canceled(5, 5)]],
    ['to a price', [...both, '1 cancel where to 98'], [canceled(4, 490)]],
    ['in a range', [...both, '1 cancel where from 99 to 110'], [canceled(1, 500), canceled(2, 5)]],
    ['by prefix', [...both, '1 cancel where like bid'], [canceled(1, 500), canceled(4, 490)]],
    ['by all of these', [...both, '1 cancel where SELL from 111 like q'], [canceled(5, 5)]],
    ['by nothing: all', [...both, '2 cancel where'], [canceled(3, 495)]],
    ['of none', [...both, '1 cancel where SELL to 100'], ['refused UNKNOWN_ORDER']],
    [
      'that came too late',
      [...both, '1 cancel where until 1'],
      ['refused TIMESTAMP_OUTSIDE_WINDOW'],
    ],
    [
      'takes all of a list with one leg, and no order without a price by a range',
      [
        '7 SELL 1 @ 100',
        '6 BUY 1 @ 100',
        '1 BUY 5 stop 120',
        '1 oco SELL 5 stop 90 | SELL 5 @ 110 MAKER',
        '1 cancel where from 110',
      ],
      [canceled(4, 0), canceled(5, 5), 'list 1: ALL_DONE'],
    ],
  ])
})

test.each([
  ['a', 'abc', true],
  ['abc', 'abc', true],
  ['abcd', 'abc', false],
  ['abcde', 'abcde', true],
  ['abcde', 'abcdefg', true],
  ['abcdef', 'abcdefg', true],
  ['abcdeg', 'abcdefg', false],
  ['b', 'abc', false],
  ['a', 'b', false],
  ['/'.repeat(35), '/'.repeat(36), true],
  ['/'.repeat(36), '/'.repeat(36), true],
  ['/'.repeat(36), '/'.repeat(35), false],
  ['', 'abc', true],
])('%o begins %o: %o', (prefix, id, expected) => {
  const words = new Int32Array(16)
  packClientOrderId(prefix, words, 0)
  packClientOrderId(id, words, 8)
  expect(beginsClientOrderId(words, 0, words, 8)).toBe(expected)
})
