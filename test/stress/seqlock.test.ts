import { expect, test } from 'vitest'
import { seqlockBytes } from '../../src/ring/seqlock.ts'
import { onThread } from './ring-threads.ts'

test('no reader sees a mixture of two versions, or an older one after a newer', async () => {
  const count = 300_000
  const memory = new SharedArrayBuffer(seqlockBytes(256))
  const done = new SharedArrayBuffer(8)
  const flags = new Int32Array(done)
  const task = { memory, done, count, seed: 0, stallChance: 0 }
  const readers = [onThread('readVersions', task), onThread('readVersions', task)]
  while (Atomics.load(flags, 1) < readers.length) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await onThread('writeVersions', task)
  for (const { read, versions } of await Promise.all(readers)) {
    expect(read).toBeGreaterThan(0)
    expect(versions).toBeGreaterThan(1)
  }
})
