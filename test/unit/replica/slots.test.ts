/** Slots, and a journal that waits for them. */

import { expect, test, vi } from 'vitest'
import { readOrderRested, writeOrderRested } from '../../../scripts/layout/codecs.gen.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms, OrderId } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { StorageError } from '../../../src/journal/environment.ts'
import { type JournalQuorum, openJournal } from '../../../src/journal/journal.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { factBlocks, joinFacts } from '../../../src/replica/control-facts.ts'
import { NO_POINT } from '../../../src/replica/quorum.ts'
import { blockSlot, controlSlot, ReplicaSlot } from '../../../src/replica/slots.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'

const folder = folderPerTest()

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('a slot keeps what is offered until it is acknowledged', () => {
  const memory = blockSlot()
  const writer = new ReplicaSlot(memory)
  const reader = new ReplicaSlot(memory)
  reader.acknowledge(4)
  expect(reader.take()).toBeUndefined()
  writer.offer(5, 5, Buffer.from('five'))
  for (let tries = 0; tries < 2; tries++) {
    const offer = reader.take()!
    expect([offer.first, offer.last, text(offer.bytes)]).toEqual([5, 5, 'five'])
  }
  expect(writer.wait(new RealTime(), 5, 1)).toBe(false)
  reader.acknowledge(5)
  expect(writer.wait(new RealTime(), 5, 1)).toBe(true)
  expect(reader.take()).toBeUndefined()
  expect(writer.hasRoom(memory.byteLength)).toBe(false)
  expect(new ReplicaSlot(controlSlot()).hasRoom(1 << 20)).toBe(true)
})

test('an offer is announced once its bytes, its first block and its length are there', () => {
  const memory = blockSlot()
  const writer = new ReplicaSlot(memory)
  const reader = new ReplicaSlot(memory)
  const seen: unknown[] = []
  // Each number that the writer stores is looked at by the reader first.
  const look = (bytes: string) =>
    new Proxy(Buffer.from(bytes), {
      get: (target, name) => {
        if (name === 'length' || /^\d+$/.test(String(name))) seen.push(reader.take())
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  for (const [i, bytes] of ['long enough', 'short'].entries()) {
    const store = vi.spyOn(Atomics, 'store')
    writer.offer(1 + 2 * i, 2 + 2 * i, look(bytes))
    const last = store.mock.calls.at(-1)!
    store.mockRestore()
    expect(last[2], 'the message comes last').toBe(BigInt(2 + 2 * i))
    const offer = reader.take()!
    expect([offer.first, offer.last, text(offer.bytes)]).toEqual([1 + 2 * i, 2 + 2 * i, bytes])
    reader.acknowledge(2 + 2 * i)
  }
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((offer) => offer !== undefined)).toEqual([])
})

test('facts of one act are blocks of their own', () => {
  const texts = ['{"fact":"a"}', '{"fact":"b\\n"}', '[]']
  const blocks = factBlocks(joinFacts(texts), NO_POINT)
  expect(blocks.map(({ bytes }) => text(bytes))).toEqual(texts)
  expect(blocks.map(({ position }) => position)).toEqual([1, 2, 3])
  expect(blocks.map(({ previous }) => previous)).toEqual([
    0,
    ...blocks.slice(0, -1).map(({ checksum }) => checksum),
  ])
})

function blockAt(blocks: BlockWriter, position: number): Uint8Array {
  const events = RecordBuffer.allocate(1024)
  const end = writeOrderRested(events, 0, {
    ...zeroRecord(readOrderRested),
    sequence: position,
    orderId: OrderId(position),
  })
  return blocks.seal(events, end, position, Ms(0))
}

test('other threads see a block once the quorum has it, and none after a refusal', () => {
  const seen: [call: string, position: number, written: number][] = []
  let isRefused = false
  const quorum: JournalQuorum = {
    offer: (_, position) => seen.push(['offer', position, journal.cells.written]),
    wait: (position) => {
      seen.push(['wait', position, journal.cells.written])
      if (isRefused) throw new StorageError('The quorum does not answer.')
    },
  }
  const journal = openJournal(folder(), 0, 'replicated', undefined, quorum)
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  journal.append(blockAt(blocks, 1))
  expect(journal.cells.written).toBe(1)
  isRefused = true
  expect(() => journal.append(blockAt(blocks, 2))).toThrow(StorageError)
  expect(journal.cells.written).toBe(1)
  expect(seen).toEqual([
    ['offer', 1, 0],
    ['wait', 1, 0],
    ['offer', 2, 1],
    ['wait', 2, 1],
  ])
  expect(() => journal.append(blockAt(blocks, 2))).toThrow()
  journal.close()
})

test('the control journal has no fact that the quorum lacks', () => {
  const sent: string[] = []
  let isRefused = false
  const control = ControlStore.open(folder(), {
    before: (first, texts) => {
      if (isRefused) throw new StorageError('The quorum does not answer.')
      sent.push(`${first}: ${texts.join(' ')}`)
    },
  })
  control.appendAll([{ a: 1 }, { b: 2 }])
  isRefused = true
  expect(() => control.append({ c: 3 })).toThrow(StorageError)
  expect([...control.texts()]).toEqual(['{"a":1}', '{"b":2}'])
  expect(sent).toEqual(['1: {"a":1} {"b":2}'])
  control.close()
})
