/** Commands that wait behind an unfinished one, compared with a plain list of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  commandAccount,
  Deferral,
  DeferredCommands,
  type LacksFunds,
} from '../../../src/agents/deferred-commands.ts'
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
  /** It lacked funds when it could have passed. */
  lacked: boolean
}

const SYMBOLS = 4
const BOUNDS = { bytes: 8 * COMMAND_SLOT_BYTES, accountCommands: 3 }

const buffer = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
function written({ symbol, account, number }: Sent): RecordBuffer {
  writeHead(buffer, 0, RecordType.PlaceOrder, COMMAND_SLOT_BYTES, 0)
  RecordHeader.setSymbolId(buffer, 0, SymbolId(symbol))
  RecordHeader.setCorrelation(buffer, 0, number)
  PlaceOrder.setAccount(buffer, 0, AccountId(account))
  return buffer
}

/** In a group with symbols of these ids. */
const unfinished = (
  id: number,
  unfinishedAccount: number,
  others: readonly number[] = [],
): Engine =>
  ({
    spec: { id },
    group: [id, ...others].map((member) => ({ spec: { id: member } })),
    unfinishedAccount,
  }) as unknown as Engine

const arrival = fc.record({ symbol: fc.nat(SYMBOLS - 1), account: fc.nat(3) })
const round = fc.record({
  arrivals: fc.array(arrival, { maxLength: 8 }),
  unfinished: fc.array(fc.record({ id: fc.nat(3), account: fc.integer({ min: -1, max: 3 }) }), {
    maxLength: 2,
  }),
  /** Accounts that can pay nothing. */
  poor: fc.array(fc.nat(3), { maxLength: 2 }),
  room: fc.nat(6),
})

/** What waits, as a list, and the rules in words. */
class PlainDeferral {
  waiting: Sent[] = []
  private blocked: readonly Engine[] = []
  private poor: readonly number[] = []

  begin(blocked: readonly Engine[], poor: readonly number[]): void {
    this.blocked = blocked
    this.poor = poor
  }

  /** `before` are those that wait already. */
  mustWait(sent: Sent, before: readonly Sent[]): boolean {
    const { account, symbol } = sent
    if (this.blocked.some(({ spec }) => spec.id === symbol)) return true
    if (before.some((other) => other.account === account && other.symbol === symbol)) return true
    const isBusy =
      this.blocked.some(({ unfinishedAccount }) => unfinishedAccount === account) ||
      before.some((other) => other.account === account)
    if (isBusy && this.poor.includes(account)) sent.lacked = true
    return isBusy && sent.lacked
  }

  /** Returns the numbers of those that go. */
  release(room: number): number[] {
    const gone: number[] = []
    const kept: Sent[] = []
    for (const sent of this.waiting) {
      if (this.mustWait(sent, kept) || gone.length >= room) kept.push(sent)
      else gone.push(sent.number)
    }
    this.waiting = kept
    return gone
  }

  judge(sent: Sent): Deferral {
    if (!this.mustWait(sent, this.waiting)) return Deferral.PASSES
    const others = this.waiting.filter(({ symbol }) => symbol !== sent.symbol).length
    const ofSymbol = this.waiting.length - others
    const ofAccount = this.waiting.filter(({ account }) => account === sent.account).length
    if (ofSymbol + 1 > (8 - others) / 2 || ofAccount === 3) return Deferral.REFUSED
    this.waiting.push(sent)
    return Deferral.WAITS
  }
}

test('commands wait, go and are refused as in a plain list', () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
      let poorNow: readonly number[] = []
      const lacksFunds: LacksFunds = (commands, at) =>
        poorNow.includes(PlaceOrder.account(commands, at))
      const deferred = new DeferredCommands(lacksFunds, BOUNDS)
      const plain = new PlainDeferral()
      let number = 0
      for (const { arrivals, room, poor, ...rest } of rounds) {
        const engines = rest.unfinished.map(({ id, account }) => unfinished(id, account))
        poorNow = poor
        deferred.begin(engines)
        plain.begin(engines, poor)
        const executed: number[] = []
        deferred.release((commands, at) => {
          if (executed.length === room) return false
          executed.push(RecordHeader.correlation(commands, at))
          return true
        })
        expect(executed).toEqual(plain.release(room))
        for (const { symbol, account } of arrivals) {
          const sent = { symbol, account, number: ++number, lacked: false }
          const expected = plain.judge(sent)
          expect(deferred.judge(written(sent), 0)).toBe(expected)
        }
        expect(deferred.count).toBe(plain.waiting.length)
        expect(deferred.of(0)).toEqual({ orders: plain.waiting.length, queries: 0 })
      }
      const all: number[] = []
      poorNow = []
      plain.begin([], [])
      expect(deferred.canRelease(() => false)).toBe(false)
      expect(deferred.canRelease(() => true)).toBe(plain.waiting.length > 0)
      while (deferred.count > 0) {
        deferred.begin([])
        const before = all.length
        deferred.release((commands, at) => all.push(RecordHeader.correlation(commands, at)) > 0)
        expect(all.slice(before)).toEqual(plain.release(Number.POSITIVE_INFINITY))
        expect(all.length).toBeGreaterThan(before)
      }
      expect(deferred.isActive).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('bounds are met exactly, and room comes back', () => {
  const deferred = new DeferredCommands(() => false)
  deferred.begin([unfinished(0, -1), unfinished(1, -1)])
  const send = (symbol: number, account: number) =>
    deferred.judge(written({ symbol, account, number: 0, lacked: false }), 0)
  // 256 KiB have 2,048 commands; one symbol has half of them, the next half of the others.
  for (let i = 0; i < 1024; i++) expect(send(0, 1 + Math.floor(i / 64))).toBe(Deferral.WAITS)
  expect(send(0, 100)).toBe(Deferral.REFUSED)
  for (let i = 0; i < 512; i++) expect(send(1, 50 + Math.floor(i / 64))).toBe(Deferral.WAITS)
  expect(send(1, 100)).toBe(Deferral.REFUSED)
  expect(send(1, 1)).toBe(Deferral.REFUSED)
  expect(send(2, 1)).toBe(Deferral.PASSES)
  deferred.begin([unfinished(1, -1)])
  deferred.release(() => true)
  expect(deferred.count).toBe(512)
  expect(send(1, 1)).toBe(Deferral.WAITS)
})

test('every command begins with its account, except those of none', () => {
  const ofNone = ['QueryBook', 'SetReferencePrice']
  for (const { name, type, fields } of commands) {
    const hasAccount = fields[0]?.[1] === 'accountId'
    expect(hasAccount, name).toBe(!ofNone.includes(name))
    writeHead(buffer, 0, type, COMMAND_SLOT_BYTES, 0)
    PlaceOrder.setAccount(buffer, 0, AccountId(7))
    expect(commandAccount(buffer, 0), name).toBe(hasAccount ? 7 : -1)
  }
})

test('commands of the other symbols of a group wait as well', () => {
  const deferred = new DeferredCommands(() => false, BOUNDS)
  deferred.begin([unfinished(1, -1, [3])])
  const judged = [0, 1, 2, 3].map((symbol) =>
    deferred.judge(written({ symbol, account: symbol, number: symbol, lacked: false }), 0),
  )
  const { PASSES, WAITS } = Deferral
  expect(judged).toEqual([PASSES, WAITS, PASSES, WAITS])
})
