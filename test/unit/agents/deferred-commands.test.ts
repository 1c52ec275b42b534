/** Commands that wait behind an unfinished one, compared with a plain list of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandAccount, DeferredCommands } from '../../../src/agents/deferred-commands.ts'
import { AccountId, SymbolId } from '../../../src/base/units.ts'
import type { Engine } from '../../../src/core/matching/engine.ts'
import { PlaceOrder, RecordHeader } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES, RecordType } from '../../../src/layout/records.gen.ts'
import { commands } from '../../../src/layout/schema/commands.ts'

interface Sent {
  readonly symbol: number
  readonly account: number
  readonly number: number
}

const buffer = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
function written({ symbol, account, number }: Sent): RecordBuffer {
  writeHead(buffer, 0, RecordType.PlaceOrder, COMMAND_SLOT_BYTES, 0)
  RecordHeader.setSymbolId(buffer, 0, SymbolId(symbol))
  RecordHeader.setCorrelation(buffer, 0, number)
  PlaceOrder.setAccount(buffer, 0, AccountId(account))
  return buffer
}

const unfinished = (id: number, unfinishedAccount: number): Engine =>
  ({ spec: { id }, unfinishedAccount }) as Engine

const arrival = fc.record({ symbol: fc.nat(3), account: fc.nat(3) })
const round = fc.record({
  arrivals: fc.array(arrival, { maxLength: 8 }),
  unfinished: fc.array(fc.record({ id: fc.nat(3), account: fc.integer({ min: -1, max: 3 }) }), {
    maxLength: 2,
  }),
  room: fc.nat(6),
})

/** The rule in words: what a command waits for, given those that wait before it. */
function mustWait(
  sent: Sent,
  before: readonly Sent[],
  blocked: readonly Engine[],
  full: Set<number>,
) {
  return (
    full.has(sent.symbol) ||
    blocked.some(({ spec }) => spec.id === sent.symbol) ||
    blocked.some(({ unfinishedAccount }) => unfinishedAccount === sent.account) ||
    before.some(({ account }) => account === sent.account)
  )
}

test('commands wait and go as in a plain list', () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
      const deferred = new DeferredCommands(8 * COMMAND_SLOT_BYTES)
      let waiting: Sent[] = []
      let number = 0
      for (const { arrivals, room, ...rest } of rounds) {
        const engines = rest.unfinished.map(({ id, account }) => unfinished(id, account))
        deferred.begin(engines)
        const executed: number[] = []
        const expected: number[] = []
        deferred.release((commands, at) => {
          if (executed.length === room) return false
          executed.push(RecordHeader.correlation(commands, at))
          return true
        })
        const kept: Sent[] = []
        const full = new Set<number>()
        for (const sent of waiting) {
          if (!mustWait(sent, kept, engines, full) && expected.length < room) {
            expected.push(sent.number)
            continue
          }
          if (!mustWait(sent, kept, engines, full)) full.add(sent.symbol)
          kept.push(sent)
        }
        waiting = kept
        expect(executed).toEqual(expected)
        for (const { symbol, account } of arrivals) {
          const sent = { symbol, account, number: ++number }
          const waits = mustWait(sent, waiting, engines, full)
          expect(deferred.mustWait(written(sent), 0)).toBe(waits)
          if (!waits) continue
          expect(deferred.keep(written(sent), 0)).toBe(waiting.length < 8)
          if (waiting.length < 8) waiting.push(sent)
          else break
        }
        expect(deferred.count).toBe(waiting.length)
      }
      const all: number[] = []
      deferred.begin([])
      expect(deferred.canRelease(() => false)).toBe(false)
      expect(deferred.canRelease(() => true)).toBe(waiting.length > 0)
      deferred.begin([])
      deferred.release((commands, at) => all.push(RecordHeader.correlation(commands, at)) > 0)
      expect(all).toEqual(waiting.map(({ number }) => number))
      expect(deferred.isActive).toBe(false)
    }),
  )
})

test('every command begins with its account, except a query of the book', () => {
  for (const { name, type, fields } of commands) {
    const hasAccount = fields[0]?.[0] === 'account'
    expect(hasAccount, name).toBe(name !== 'QueryBook')
    writeHead(buffer, 0, type, COMMAND_SLOT_BYTES, 0)
    PlaceOrder.setAccount(buffer, 0, AccountId(7))
    expect(commandAccount(buffer, 0), name).toBe(hasAccount ? 7 : -1)
  }
})
