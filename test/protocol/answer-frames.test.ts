/** What every answer of the WebSocket API that a test receives is held to: see check-answers.ts. */
import { expect, test } from 'vitest'
import { expectFrame } from '../fixtures/answer-shapes.ts'

const time = { serverTime: 1_700_000_000_000 }
const error = { code: -1121, msg: 'Invalid symbol.' }

test.each([
  ['time', { status: 200, result: time }],
  ['v3/time', { status: 200, result: time }],
  ['order.place', { status: 400, error }],
  ['session.status', { status: 200, result: { anything: true } }],
])('right: %s', (method, frame) => {
  expect(() => expectFrame(method, frame)).not.toThrow()
})

test.each([
  ['a result of another shape', 'time', { status: 200, result: { serverTime: 'now' } }],
  ['a result with more in it', 'time', { status: 200, result: { ...time, more: 1 } }],
  ['no result', 'time', { status: 200 }],
  ['an error that went well', 'order.place', { status: 200, error }],
  ['a result that did not', 'time', { status: 400, result: time }],
  ['an error without its code', 'order.place', { status: 400, error: { msg: 'no' } }],
])('wrong: %s', (_, method, frame) => {
  expect(() => expectFrame(method, frame)).toThrow()
})
