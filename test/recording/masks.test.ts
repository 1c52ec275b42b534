/** What recordings may differ in stands for itself by name and number; nothing else is touched. */
import { expect, test } from 'vitest'
import { Masks } from './masks.ts'

test('what comes again is seen to come again', () => {
  const masks = new Masks()
  const [one, other] = ['a'.repeat(22), 'b'.repeat(22)]
  expect(masks.of(`{"clientOrderId":"${one}","c":"${other}"}`)).toBe(
    '{"clientOrderId":"<ID 1>","c":"<ID 2>"}',
  )
  expect(masks.of(`{"C":"${other}","origClientOrderId":"mine"}`)).toBe(
    '{"C":"<ID 2>","origClientOrderId":"mine"}',
  )
  const key = 'K1'.repeat(32)
  expect(masks.of(`{"listenKey":"${key}"} ${key}x`)).toBe(`{"listenKey":"<KEY 1>"} ${key}x`)
})

test('durations, and no other numbers', () => {
  const stages = '{"receipt":{"parse":1,"total":20},"time":1781697600000,"i":5}'
  expect(new Masks().of(stages)).toBe(
    '{"receipt":{"parse":#,"total":#},"time":1781697600000,"i":5}',
  )
})
