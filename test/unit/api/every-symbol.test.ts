/** One command to each of many symbols: how many are under way, and what becomes of those without room. */
import { expect, test } from 'vitest'
import type { Collector, CommandSlot, Responder } from '../../../src/api/context.ts'
import { COMMANDS_AT_ONCE, EverySymbol } from '../../../src/api/handlers/every-symbol.ts'
import { RejectReason } from '../../../src/base/codes.ts'
import { Rejected } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { FLAG_LAST } from '../../../src/layout/records.gen.ts'
import { tradedSymbols } from '../../fixtures/one-thread-exchange.ts'

/** Symbols whose matchers have room for so many commands. */
function asking(count: number, room = Number.POSITIVE_INFINITY) {
  const told: string[] = []
  const underWay: Collector[] = []
  let free = room
  const responder: Pick<Responder, 'error'> = { error: (id) => void told.push(id) }
  const one = tradedSymbols()[0]!
  new EverySymbol({
    symbols: Array.from({ length: count }, () => one),
    responder: responder as Responder,
    claim: () => (free-- > 0 ? ({} as CommandSlot) : undefined),
    submit: (_, collector) => void underWay.push(collector),
    record: () => {},
    reply: () => void told.push('reply'),
  }).goOn()
  const answer = (refusal?: RejectReason) => {
    const collector = underWay.shift()!
    free = Math.max(0, free) + 1
    if (refusal !== undefined) {
      const buffer = RecordBuffer.allocate(Rejected.bytes)
      writeHead(buffer, 0, Rejected.type, Rejected.bytes, FLAG_LAST)
      Rejected.setReason(buffer, 0, refusal)
      collector.record(buffer, 0)
    }
    collector.done()
  }
  return { told, underWay, answer }
}

test('so many are under way at once, and the answer comes with the last', () => {
  const { told, underWay, answer } = asking(COMMANDS_AT_ONCE + 2)
  expect(underWay).toHaveLength(COMMANDS_AT_ONCE)
  for (let left = COMMANDS_AT_ONCE + 2; left > 0; left--) {
    expect(told).toEqual([])
    answer()
  }
  expect(told).toEqual(['reply'])
})

test('those without room wait for others to answer', () => {
  const { told, underWay, answer } = asking(3, 1)
  for (let i = 0; i < 3; i++) {
    expect(underWay).toHaveLength(1)
    answer()
  }
  expect(told).toEqual(['reply'])
})

test('without room for any the request is refused', () => {
  expect(asking(3, 0).told).toEqual(['SERVER_BUSY'])
})

test('the first failure is the answer, once, and no further symbol is asked', () => {
  const { told, underWay, answer } = asking(COMMANDS_AT_ONCE + 9)
  answer(RejectReason.TIMESTAMP_OUTSIDE_WINDOW)
  underWay.shift()!.failed('TIMEOUT')
  while (underWay.length > 0) answer()
  expect(told).toEqual(['TIMESTAMP_TOO_OLD'])
})

test('no symbol at all is answered', () => {
  expect(asking(0).told).toEqual(['reply'])
})
