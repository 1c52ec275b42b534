/** Every difference between the tables of the protocol and Binance's surface has a topic on the page. */
import { describe, expect, test } from 'vitest'
import { theirAnswers } from '../../../scripts/differences/binance-answers.ts'
import { theirOperations } from '../../../scripts/differences/binance-surface.ts'
import {
  differingFields,
  differingWeights,
  missingAnswerItems,
  ownAnswerItems,
} from '../../../scripts/differences/compare-answers.ts'
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
    const removed = missingItems().filter((item) => item !== 'SBE over FIX')
    expect(unexplained(removed, missingTopics)).toEqual(['no difference: SBE over FIX'])
  })

  test('their tables name each operation once', () => {
    const keys = theirOperations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect([...theirAnswers.keys()].sort()).toEqual(keys.sort())
  })

  test('fields, weights and texts are compared', () => {
    const fields = differingFields()
    expect(fields.filter(({ missing }) => missing.length > 0)).toEqual([])
    const own = ['matchType', 'allocId']
    expect(fields).toContainEqual({ operation: 'POST /api/v3/order', missing: [], own })
    const account = { operation: 'GET /api/v3/account', theirs: 20, ours: 10 }
    expect(differingWeights()).toContainEqual(account)
    const [texts, ownTexts] = [missingAnswerItems(), ownAnswerItems()]
    expect(texts).toContain('text -1104 Not all sent parameters were read.')
    expect(ownTexts).toContain('text -2010 Order book is full.')
    // With details filled in on one side or on both.
    const said = [...texts, ...ownTexts].join('\n')
    for (const known of [
      'Invalid symbol.',
      'Illegal characters',
      'Cannot be greater than',
      'Iceberg',
    ]) {
      expect(said).not.toContain(known)
    }
  })
})
