/**
 * The numbers and cancels of sessions, over rings that are full now and then and answers that are lost:
 * every cancel is carried out, behind what the session placed, and no number is used twice at a time.
 */

import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Collector } from '../../../../src/api/context.ts'
import { RejectReason } from '../../../../src/base/codes.ts'
import { SESSIONS_PER_GATEWAY } from '../../../../src/base/limits.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms, SymbolId } from '../../../../src/base/units.ts'
import {
  type BoundSession,
  SessionOrders,
} from '../../../../src/gateway/engine-link/session-orders.ts'
import { Rejected } from '../../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'
import {
  type CancelSessionOrdersRecord,
  readCancelSessionOrders,
  writeRejected,
} from '../../../../src/layout/records.gen.ts'

const GATEWAY = 3

let time: ManualTime
beforeEach(() => {
  time = new ManualTime(new ManualClock(Ms(0)))
})

/** A ring whose commands wait until the test answers them. */
class FakeRing {
  isFull = false
  readonly sent: { readonly command: CancelSessionOrdersRecord; readonly answer: Collector }[] = []
  private ids = 0

  command(symbolId: number) {
    if (this.isFull) return undefined
    const buffer = RecordBuffer.allocate(256)
    const submit = (_type: number, _bytes: number, answer: Collector) => {
      this.sent.push({
        command: { ...readCancelSessionOrders(buffer, 0), symbolId: SymbolId(symbolId) },
        answer,
      })
    }
    return { buffer, at: 0, submit }
  }

  newClientOrderId(): string {
    return `id-${++this.ids}`
  }
}

test('a session that placed nothing sends nothing, and its number is free at once', () => {
  const ring = new FakeRing()
  const orders = new SessionOrders(GATEWAY, ring, time)
  const first = orders.begin()!
  expect(first.number).toBe(GATEWAY * SESSIONS_PER_GATEWAY + 1)
  orders.end(first)
  while (time.step());
  expect([ring.sent, orders.count, orders.begin()!.number]).toEqual([[], 0, first.number])
})

test('there are as many numbers as said, and then none', () => {
  const orders = new SessionOrders(0, new FakeRing(), time)
  const numbers = new Set<number>()
  for (let i = 1; i < SESSIONS_PER_GATEWAY; i++) numbers.add(orders.begin()!.number)
  expect(numbers.size).toBe(SESSIONS_PER_GATEWAY - 1)
  expect(numbers.has(0)).toBe(false)
  expect(orders.begin()).toBeUndefined()
})

test('nothing is sent after it was closed', () => {
  const ring = new FakeRing()
  const orders = new SessionOrders(GATEWAY, ring, time)
  const session = orders.begin()!
  session.places(AccountId(1), SymbolId(2))
  orders.end(session)
  orders.close()
  while (time.step());
  expect(ring.sent).toEqual([])
})

const step = fc.record({
  act: fc.constantFrom(
    'begin',
    'place',
    'place',
    'end',
    'fill',
    'drain',
    'pass',
    'done',
    'fail',
    'busy',
  ),
  pick: fc.nat(),
  account: fc.integer({ min: 0, max: 2 }),
  symbolId: fc.integer({ min: 0, max: 2 }),
})

test('whatever happens, all is canceled in the end', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const ring = new FakeRing()
      const orders = new SessionOrders(GATEWAY, ring, time)
      const living: BoundSession[] = []
      /** `number account symbol` of what ended sessions may have open. */
      const open = new Set<string>()
      const placed = new Map<BoundSession, Set<string>>()
      const answer = (pick: number, isDone: boolean) => {
        const [taken] = ring.sent.splice(pick % Math.max(1, ring.sent.length), 1)
        if (taken === undefined) return
        const { session, account, symbolId } = taken.command
        // Even when the answer is lost, the command is carried out.
        open.delete(`${session} ${account} ${symbolId}`)
        if (isDone) taken.answer.done()
        else taken.answer.failed('TIMEOUT')
      }
      const refuse = (pick: number) => {
        const [taken] = ring.sent.splice(pick % Math.max(1, ring.sent.length), 1)
        if (taken === undefined) return
        const refusal = { ...taken.command, gateway: GATEWAY, correlation: 0, spare: 0 }
        const records = RecordBuffer.allocate(Rejected.bytes)
        writeRejected(records, 0, { ...refusal, reason: RejectReason.SYMBOL_BUSY })
        taken.answer.record(records, 0)
        taken.answer.done()
      }
      for (const { act, pick, account, symbolId } of steps) {
        const session = living[pick % Math.max(1, living.length)]
        if (act === 'begin') {
          const begun = orders.begin()!
          const isFresh = [...open].every((key) => !key.startsWith(`${begun.number} `))
          expect(isFresh && living.every(({ number }) => number !== begun.number)).toBe(true)
          living.push(begun)
          placed.set(begun, new Set())
        } else if (act === 'place' && session !== undefined) {
          session.places(AccountId(account), SymbolId(symbolId))
          placed.get(session)!.add(`${session.number} ${account} ${symbolId}`)
        } else if (act === 'end' && session !== undefined) {
          living.splice(living.indexOf(session), 1)
          for (const key of placed.get(session)!) open.add(key)
          orders.end(session)
        } else if (act === 'fill' || act === 'drain') ring.isFull = act === 'fill'
        else if (act === 'pass') time.advance(7)
        else if (act === 'busy') refuse(pick)
        else if (act === 'done' || act === 'fail') answer(pick, act === 'done')
      }
      ring.isFull = false
      while (orders.count > 0) {
        time.advance(20)
        while (ring.sent.length > 0) answer(0, true)
      }
      expect([...open]).toEqual([])
    }),
    { numRuns: 300 },
  )
})
