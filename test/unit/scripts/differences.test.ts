/** Every difference between the tables of the protocol and Binance's surface has a topic on the page. */
import { describe, expect, test } from 'vitest'
import { theirOperations } from '../../../scripts/differences/binance-surface.ts'
import {
  differingMethods,
  missingItems,
  ownItems,
  unexplained,
} from '../../../scripts/differences/comparison.ts'
import { missingTopics, ownTopics } from '../../../scripts/differences/topics.ts'

describe('differences from Binance', () => {
  test('each thing of theirs that is not here has a topic, and no topic is stale', () => {
    expect(unexplained(missingItems(), missingTopics)).toEqual([])
  })

  test('each thing here that is not theirs has a topic, and no topic is stale', () => {
    expect(unexplained(ownItems(), ownTopics)).toEqual([])
  })

  test('methods of the WebSocket API have the same names', () => {
    expect(differingMethods()).toEqual([])
  })

  test('an operation that is added or removed fails without a topic', () => {
    const added = [...ownItems(), 'GET /api/v3/another']
    expect(unexplained(added, ownTopics)).toEqual(['GET /api/v3/another'])
    const removed = missingItems().filter((item) => item !== 'filter MAX_ASSET')
    expect(unexplained(removed, missingTopics)).toEqual(['no difference: filter MAX_ASSET'])
  })

  test('their table names each operation once', () => {
    const keys = theirOperations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
