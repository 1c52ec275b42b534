import { expect, test } from 'vitest'
import { SeqlockReader, SeqlockWriter, seqlockBytes } from '../../../src/ring/seqlock.ts'

function lock(payloadBytes = 32, byteOffset = 128) {
  const memory = new SharedArrayBuffer(byteOffset + seqlockBytes(payloadBytes))
  return {
    memory,
    writer: new SeqlockWriter(memory, byteOffset, payloadBytes),
    reader: new SeqlockReader(memory, byteOffset, payloadBytes),
  }
}

function write(writer: SeqlockWriter, value: number): void {
  writer.begin()
  writer.buffer.f64.fill(value)
  writer.end()
}

test('a reader has a copy of what was written last', () => {
  const { writer, reader } = lock()
  expect(reader.read()).toBe(true)
  expect([...reader.buffer.f64]).toEqual([0, 0, 0, 0])
  write(writer, 1.5)
  expect([...reader.buffer.f64]).toEqual([0, 0, 0, 0])
  expect(reader.read()).toBe(true)
  expect([...reader.buffer.f64]).toEqual([1.5, 1.5, 1.5, 1.5])
})

test('while it is being written a read gives up after a bounded number of attempts', () => {
  const { writer, reader } = lock()
  writer.begin()
  expect(reader.read()).toBe(false)
  writer.end()
  expect(reader.read()).toBe(true)
})

test('the version may pass 2^32', () => {
  const { memory, writer, reader } = lock()
  new Int32Array(memory, 128, 1)[0] = -2
  write(writer, 7)
  expect(reader.read()).toBe(true)
  expect(reader.buffer.f64[3]).toBe(7)
  write(writer, 8)
  expect(reader.read()).toBe(true)
  expect(reader.buffer.f64[0]).toBe(8)
})

test('begin and end alternate', () => {
  const { writer } = lock()
  expect(() => writer.end()).toThrow('end follows begin')
  const second = lock().writer
  second.begin()
  expect(() => second.begin()).toThrow('begin follows end')
})

test.each([0, 12, -8])('a payload of %i bytes is refused', (payloadBytes) => {
  expect(() => seqlockBytes(payloadBytes)).toThrow('multiple of 8')
})
