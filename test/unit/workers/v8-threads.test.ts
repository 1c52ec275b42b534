import { expect, test } from 'vitest'
import { v8ThreadsAmong } from '../../../src/workers/v8-threads.ts'

const threadsNamed = (names: readonly string[]) =>
  names.map((name, index) => ({ number: 100 + index, name }))

test("V8's threads are found by their names, or are the oldest after the first", () => {
  const alike = threadsNamed(Array.from({ length: 11 }, () => 'node'))
  expect(v8ThreadsAmong(alike.toReversed(), 100)).toEqual([101, 102, 103, 104, 105])
  const named = threadsNamed(['node', 'SignalInspector', 'V8Worker', 'libuv-worker', 'V8Worker'])
  expect(v8ThreadsAmong(named, 100)).toEqual([102, 104])
})
