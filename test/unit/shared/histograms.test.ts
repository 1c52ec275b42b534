import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BUCKETS,
  boundOf,
  GatewayHistogram,
  histogramsBytes,
  MatcherHistogram,
  readHistograms,
  ThreadHistograms,
} from '../../../src/shared/histograms.ts'

function counted(matchers: number, gateways: number) {
  const memory = new SharedArrayBuffer(histogramsBytes(matchers, gateways))
  const read = (name: string) =>
    readHistograms(memory, matchers, gateways).find((it) => it.name === name)!
  return { memory, read }
}

test('bounds are the log-linear ones, exact and rising', () => {
  const bounds = Array.from({ length: BUCKETS }, (_, bucket) => boundOf(bucket))
  expect(bounds.slice(0, 10)).toEqual([1, 2, 3, 4, 6, 8, 12, 16, 24, 32])
  expect(bounds.at(-1)).toBe(2 ** 26)
  for (const [bucket, bound] of bounds.entries()) {
    if (bucket > 0) expect(bound).toBeGreaterThan(bounds[bucket - 1]!)
    expect(Number.isInteger(bound)).toBe(true)
  }
})

describe('values', () => {
  const value = fc.oneof(
    fc.nat(40),
    fc.nat(2 ** 31 - 1),
    fc.double({ min: 0, max: 2 ** 40, noNaN: true }),
    fc.constantFrom(...Array.from({ length: BUCKETS }, (_, bucket) => 256 * boundOf(bucket))),
  )

  test('are counted where a search of the bounds would count them', () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const { memory, read } = counted(1, 1)
        const histograms = ThreadHistograms.ofGateway(memory, 0)
        for (const each of values) histograms.observe(GatewayHistogram.ring, each)
        const { counts, bounds, sum } = read('ring')
        const plain: number[] = new Array(BUCKETS + 1).fill(0)
        for (const each of values) {
          const found = bounds.findIndex((bound) => each <= bound)
          plain[found < 0 ? BUCKETS : found]!++
        }
        expect(counts).toEqual(plain)
        expect(sum).toBe(values.reduce((total, each) => total + each, 0))
      }),
    )
  })

  test('of small whole numbers have buckets of their own', () => {
    const { memory, read } = counted(1, 1)
    const histograms = ThreadHistograms.ofMatcher(memory, 0)
    for (const commands of [1, 2, 2, 3, 4, 5, 6, 7, 1024, 1025]) {
      histograms.observe(MatcherHistogram.batchCommands, commands)
    }
    const { bounds, counts } = read('batchCommands')
    const filled = bounds.flatMap((bound, bucket) =>
      counts[bucket]! > 0 ? [[bound, counts[bucket]!]] : [],
    )
    expect(filled).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 1],
      [6, 2],
      [8, 1],
      [1024, 1],
      [1536, 1],
    ])
  })
})

test('threads are added up, and each histogram is a place of its own', () => {
  const { memory, read } = counted(3, 2)
  for (let index = 0; index < 3; index++) {
    const matcher = ThreadHistograms.ofMatcher(memory, index)
    for (const [name, row] of Object.entries(MatcherHistogram)) {
      for (let i = 0; i <= row; i++) matcher.observe(row, name.length)
    }
  }
  for (let index = 0; index < 2; index++) {
    const gateway = ThreadHistograms.ofGateway(memory, index)
    for (const [name, row] of Object.entries(GatewayHistogram)) {
      for (let i = 0; i <= row; i++) gateway.observe(row, 1000 * name.length)
    }
  }
  const count = (name: string) => read(name).counts.reduce((total, each) => total + each)
  for (const [name, row] of Object.entries(MatcherHistogram)) {
    expect([count(name), read(name).sum]).toEqual([3 * (row + 1), 3 * (row + 1) * name.length])
  }
  for (const [name, row] of Object.entries(GatewayHistogram)) {
    const values = 2 * (row + 1)
    expect([count(name), read(name).sum]).toEqual([values, values * 1000 * name.length])
  }
})
