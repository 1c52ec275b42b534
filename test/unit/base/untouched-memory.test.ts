import { expect, test } from 'vitest'
import { untouchedMemory } from '../../../src/base/untouched-memory.ts'

test('it has the bytes, all zero, and threads share it', () => {
  for (const bytes of [1, 65_536, 65_537, 9 << 20]) {
    const memory = untouchedMemory(bytes)
    expect(memory).toBeInstanceOf(SharedArrayBuffer)
    expect(memory.byteLength).toBeGreaterThanOrEqual(bytes)
    expect(new Uint8Array(memory).every((byte) => byte === 0)).toBe(true)
    const clone = structuredClone(memory)
    new Uint8Array(clone)[bytes - 1] = 7
    expect(new Uint8Array(memory)[bytes - 1]).toBe(7)
  }
})

test('more than a WebAssembly memory can have is given too', () => {
  expect(untouchedMemory(2 ** 32 + 1).byteLength).toBe(2 ** 32 + 1)
})
