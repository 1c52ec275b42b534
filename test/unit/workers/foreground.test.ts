import { expect, test } from 'vitest'
import { raisePriorities } from '../../../src/workers/foreground.ts'
import { hosting } from '../../../src/workers/hosting.ts'

const THREADS = { matchers: [11, 12], gateways: [21, undefined] }

test('matchers go before gateways, and both before threads of the usual priority', () => {
  const given: string[] = []
  const sentence = raisePriorities(THREADS, (thread, niceness) =>
    given.push(`${thread} ${niceness}`),
  )
  const { matching, gateway } = hosting
  expect(given).toEqual([
    `11 ${matching.raisedTo}`,
    `12 ${matching.raisedTo}`,
    `21 ${gateway.raisedTo}`,
  ])
  expect(matching.raisedTo).toBeLessThan(gateway.raisedTo)
  expect(gateway.raisedTo).toBeLessThan(0)
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
