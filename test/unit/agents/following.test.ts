/** A matcher that follows another member's: its state, its events, queries, and how it begins to lead. */
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { INDICATIVE_MS } from '../../../src/agents/calls.ts'
import { RejectReason, Side, SymbolStatus } from '../../../src/base/codes.ts'
import { int64ToBigint } from '../../../src/base/int64.ts'
import { AccountId, Ms, SymbolId } from '../../../src/base/units.ts'
import { BlockReader, BlockWriter, JournalDamage } from '../../../src/journal/block.ts'
import { RecordBuffer, recordLength, recordType } from '../../../src/layout/record-buffer.ts'
import { BlockHead } from '../../../src/layout/rows.gen.ts'
import { carrierOf } from '../../../src/layout/schema/field.ts'
import { fieldsOf, schemas } from '../../../src/layout/schema.ts'
import { OneMatcher } from './one-matcher.ts'

const newFollower = (nowMs = 1000) => new OneMatcher('committed', 4096, 0, nowMs, 1 << 16, false)

/** A leader with three blocks: a rested order, a trade, and another rested order. */
function newLeader(): OneMatcher {
  const leader = new OneMatcher('flushed')
  for (const [side, account] of [
    [Side.BUY, 1],
    [Side.SELL, 2],
    [Side.SELL, 1],
  ] as const) {
    leader.place(1, side, account)
    leader.matcher.doWork()
  }
  return leader
}

const blocksOf = ({ journal }: OneMatcher) => Array.from(journal.blocks(1), ({ block }) => block)

const moneyOf = (it: OneMatcher) =>
  [1, 2].flatMap((account) => [0, 1].map((asset) => it.free(AccountId(account), asset)))

test('has and publishes what the leader has and publishes, as events of no gateway', () => {
  const leader = newLeader()
  const follower = newFollower()
  follower.following.takeAll(Buffer.concat(blocksOf(leader)))
  expect(blocksOf(follower)).toEqual(blocksOf(leader))
  expect(moneyOf(follower)).toEqual(moneyOf(leader))
  expect(follower.published[0]).toBe(leader.published[0])
  const price = leader.lastPrices.ticksOf(SymbolId(0))
  expect(price).toBeGreaterThan(0)
  expect(follower.lastPrices.ticksOf(SymbolId(0))).toBe(price)
  const events = leader.read()
  expect(events.map(({ gateway }) => gateway)).toContain(1)
  expect(follower.read()).toEqual(events.map((event) => ({ ...event, gateway: -1 })))
  expect(follower.counter('eventBytes')).toBe(leader.counter('eventBytes'))
})

/** The leader's blocks as layout 3 had them: its amounts were doubles where they are. */
function olderBlocksOf(leader: OneMatcher): Uint8Array[] {
  const block = new BlockReader()
  let previous = 0
  return blocksOf(leader).map((bytes) => {
    block.open(bytes, 'A block')
    const older = RecordBuffer.allocate(bytes.length)
    older.bytes.set(bytes)
    for (let at = block.start; at < block.end; at += recordLength(older, at)) {
      const schema = schemas.find(({ type }) => type === recordType(older, at))!
      for (const { type, offset } of fieldsOf(schema)) {
        if (carrierOf(type) !== 'int64') continue
        const words = (at + offset) >> 2
        older.f64[words >> 1] = Number(int64ToBigint(older.i32, words))
      }
    }
    BlockHead.setLayout(older, 0, 3)
    BlockHead.setPrevious(older, 0, previous)
    previous = crc32(older.bytes.subarray(BlockHead.layoutStart)) | 0
    BlockHead.setChecksum(older, 0, previous)
    return older.bytes
  })
}

test('keeps blocks of an older layout as they are, and publishes events of its own', () => {
  const leader = newLeader()
  const follower = newFollower()
  const older = olderBlocksOf(leader)
  follower.following.takeAll(Buffer.concat(older))
  expect(blocksOf(follower)).toEqual(older)
  expect(moneyOf(follower)).toEqual(moneyOf(leader))
  const events = leader.read()
  expect(follower.read()).toEqual(events.map((event) => ({ ...event, gateway: -1 })))
})

test('answers queries and refuses orders', () => {
  const follower = newFollower()
  follower.following.takeAll(Buffer.concat(blocksOf(newLeader())))
  follower.read()
  follower.query(0, 1)
  follower.place(1)
  expect(follower.matcher.doWork()).toBe(2)
  const [open] = follower.readReplies(0)
  expect(open!.record).toMatchObject({ name: 'OrderState', gateway: 0, orderId: 3 })
  const [refused] = follower.readReplies(1)
  expect(refused!.record).toMatchObject({ name: 'Rejected', reason: RejectReason.MARKET_CLOSED })
  expect(follower.read()).toEqual([])
  expect(follower.journal.lastPosition).toBe(3)
})

test.each([
  ['is left out', (blocks: Uint8Array[]) => [blocks[0]!, blocks[2]!]],
  ['is repeated', (blocks: Uint8Array[]) => [blocks[0]!, blocks[0]!]],
  ['is changed', ([first, second]: Uint8Array[]) => [first!, second!.fill(7, 60, 61)]],
  ['is of another history', ([first]: Uint8Array[]) => [first!, anotherSecond()]],
])('takes no block behind one that %s', (_, change) => {
  const follower = newFollower()
  const [first, wrong] = change(blocksOf(newLeader()))
  follower.following.take(first!)
  const before = moneyOf(follower)
  expect(() => follower.following.take(wrong!)).toThrow(JournalDamage)
  expect([follower.journal.lastPosition, moneyOf(follower)]).toEqual([1, before])
})

/** The second block of a leader whose first one has another time. */
function anotherSecond(): Uint8Array {
  const leader = new OneMatcher('flushed', 4096, 0, 999)
  for (let block = 0; block < 2; block++) {
    leader.place(0)
    leader.matcher.doWork()
  }
  return blocksOf(leader)[1]!
}

test('credits what is due in the wallet once it leads, and not before', () => {
  const leader = new OneMatcher('flushed')
  const before = leader.free(AccountId(1), 0)
  leader.receive(0, 100)
  leader.matcher.doWork()
  const follower = newFollower()
  const { following, matcher } = follower
  following.takeAll(Buffer.concat(blocksOf(leader)))
  // Both count what their wallets have.
  expect([leader, follower].map((it) => it.counter('events', 'wallet'))).toEqual([1, 1])
  follower.nowMs = Ms(10_000)
  // As a query does.
  follower.options.wallet!.recovered()
  expect(matcher.doWork()).toBe(0)
  expect(follower.free(AccountId(1), 0)).toBe(before)
  const previous = following.point.checksum
  matcher.lead(new BlockWriter({ matcher: 0, epoch: 2, previous }), following.journaledMs)
  expect(matcher.idleMsMax).toBe(0)
  matcher.doWork()
  expect(follower.free(AccountId(1), 0)).toBe(before + 100n)
})

test('begins to lead behind the last block, and its time does not fall', () => {
  const follower = newFollower(500)
  const { following, matcher, journal } = follower
  following.takeAll(Buffer.concat(blocksOf(newLeader())))
  expect(matcher.isLeading).toBe(false)
  const previous = following.point.checksum
  matcher.lead(new BlockWriter({ matcher: 0, epoch: 2, previous }), following.journaledMs)
  follower.place(0)
  expect(matcher.doWork()).toBe(1)
  const block = new BlockReader()
  block.open(blocksOf(follower)[3]!, 'The block')
  const { epoch, timeMs, position } = block
  expect([epoch, timeMs, position, block.previous]).toEqual([2, Ms(1000), 4, previous])
  expect(journal.flushedPosition).toBe(0)
  expect(follower.read().at(-1)).toMatchObject({ name: 'Trade', gateway: 0 })
})

test('publishes the indicative price of a call that it follows, and ends no phase itself', () => {
  const leader = newLeader()
  const [engine] = leader.options.engines
  const { AUCTION_MATCH, TRADING } = SymbolStatus
  const phases = { ...engine!.spec.phases, randomEndMs: 10, seed: 1 }
  const change = (status: SymbolStatus) => {
    engine!.respecify({ ...engine!.spec, status, phases })
    leader.matcher.takeUnfinished()
    while (leader.matcher.doWork() > 0);
  }
  change(AUCTION_MATCH)
  leader.place(1, Side.BUY, 2)
  leader.nowMs = Ms(leader.nowMs + INDICATIVE_MS)
  leader.matcher.doWork()
  const indicative = leader.read().findLast(({ name }) => name === 'AuctionIndicative')!
  expect(indicative).toMatchObject({ volume: 1 })

  const follower = newFollower()
  expect(follower.matcher.idleMsMax).toBe(Number.POSITIVE_INFINITY)
  follower.following.takeAll(Buffer.concat(blocksOf(leader)))
  expect(follower.matcher.idleMsMax).toBe(0)
  while (follower.matcher.doWork() > 0);
  const { priceTicks, volume, surplus } = indicative
  expect(follower.read().at(-1)).toMatchObject({
    name: 'AuctionIndicative',
    priceTicks,
    volume,
    surplus,
  })
  expect(follower.matcher.idleMsMax).toBeGreaterThan(0)

  const before = blocksOf(leader).length
  change(TRADING)
  follower.following.takeAll(Buffer.concat(blocksOf(leader).slice(before)))
  const [followed] = follower.options.engines
  expect(followed!.phaseEndsMs).toBeGreaterThan(0)
  follower.nowMs = Ms(follower.nowMs + 1000)
  while (follower.matcher.doWork() > 0);
  expect(followed!.state.phase).toBe(AUCTION_MATCH)
  expect(follower.matcher.idleMsMax).toBeGreaterThan(0)
})
