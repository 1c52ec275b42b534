import { expect, test } from 'vitest'
import {
  GATEWAY_NICENESS,
  MATCHER_NICENESS,
  raisePriorities,
} from '../../../src/threads/foreground.ts'

const THREADS = { matchers: [11, 12], gateways: [21, undefined] }

test('matchers go before gateways, and both before threads of the usual priority', () => {
  const given: string[] = []
  const sentence = raisePriorities(THREADS, (thread, niceness) =>
    given.push(`${thread} ${niceness}`),
  )
  expect(given).toEqual([
    `11 ${MATCHER_NICENESS}`,
    `12 ${MATCHER_NICENESS}`,
    `21 ${GATEWAY_NICENESS}`,
  ])
  expect(MATCHER_NICENESS).toBeLessThan(GATEWAY_NICENESS)
  expect(GATEWAY_NICENESS).toBeLessThan(0)
  expect(sentence).toBe('Matcher and gateway threads run at raised priority.')
})

test('without the right they keep theirs, and the log gets the reason', () => {
  let asked = 0
  const sentence = raisePriorities(THREADS, () => {
    asked++
    throw new Error('EACCES: permission denied')
  })
  expect(asked).toBe(1)
  expect(sentence).toMatch(/this process may not raise priorities\.$/)
})
