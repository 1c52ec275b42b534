/**
 * The engine writes every declared field of each event and reply, by random commands of every kind: two
 * runs from one seed, whose buffers were filled with two patterns, leave no byte of either pattern. A
 * record that the schema gains is looked for at once.
 */
import { expect, test } from 'vitest'
import {
  ChainChange,
  ReferenceCalculation,
  SymbolStatus,
  WalletSubject,
  WithdrawalDecision,
} from '../../../src/base/codes.ts'
import { AccountId, Atoms, OrderId, type SymbolId } from '../../../src/base/units.ts'
import type { EngineOutput } from '../../../src/core/matching/output.ts'
import { OrderAccepted as orderAccepted } from '../../../src/layout/accessors.gen.ts'
import { type RecordBuffer, recordLength, recordType } from '../../../src/layout/record-buffer.ts'
import { schemas } from '../../../src/layout/schema.ts'
import { PATTERNS, unwrittenInRecord } from '../../fixtures/poison.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { asking, EngineRun, wholeBook } from '../../replay/engine-run.ts'
import { ACCOUNTS, symbols } from '../../sim/world.ts'
import { GroupTape } from '../core/matching/group-tape.ts'
import { chainSpec, networkSpec, WalletScene } from '../core/wallet/wallet-scene.ts'

/** Accessors are constants; a planted defect replaces one. */
const OrderAccepted: {
  -readonly [Name in keyof typeof orderAccepted]: (typeof orderAccepted)[Name]
} = orderAccepted

const SEEDS = [1, 2]
const BATCHES = 300
const ASK_EVERY = 40

const folder = folderPerTest()

const expected = schemas.filter((it) => it.kind !== 'command')
const seen = new Set<number>()
const unwritten = new Set<string>()

function compare([first, second]: readonly [RecordBuffer, RecordBuffer], end: number): void {
  for (let at = 0; at < end; at += recordLength(first, at)) {
    seen.add(recordType(first, at))
    for (const field of unwrittenInRecord(first, second, at)) unwritten.add(field)
  }
}

/** All open orders of an account, and a book. */
function ask(runs: readonly [EngineRun, EngineRun], account: AccountId, symbolId: SymbolId): void {
  const page = { limit: 10_000, afterOrderId: OrderId(0), untilOrderId: OrderId(0) }
  const record = { ...asking(symbolId), account, ...page }
  for (const command of [{ name: 'QueryOpenOrders', record } as const, wholeBook(symbolId)]) {
    const [first, second] = [runs[0].ask(command), runs[1].ask(command)]
    const last = first.offsets.at(-1)!
    expect(second.offsets).toEqual(first.offsets)
    compare([first.buffer, second.buffer], last + recordLength(first.buffer, last))
  }
}

/** Two runs of one seed, each with its pattern. */
const runsOf = (seed: number) =>
  PATTERNS.map((pattern) => new EngineRun(folder(String(pattern)), seed, pattern)) as [
    EngineRun,
    EngineRun,
  ]

function step(runs: readonly [EngineRun, EngineRun]): void {
  compareBatches(runs.map((run) => run.batch()) as [Batch, Batch])
}

function compareBatches([first, second]: readonly [Batch, Batch]): void {
  expect(second.eventsEnd).toBe(first.eventsEnd)
  expect(second.repliesEnd).toBe(first.repliesEnd)
  compare([first.events, second.events], first.eventsEnd)
  compare([first.replies, second.replies], first.repliesEnd)
  compare([first.notices, second.notices], first.noticesEnd)
}

test.each(SEEDS)('events and replies are written whole: seed %i', (seed) => {
  const runs = runsOf(seed)
  for (let batch = 0; batch < BATCHES; batch++) {
    step(runs)
    if (batch % ASK_EVERY === 0)
      ask(runs, AccountId(1 + ((batch / ASK_EVERY) % (ACCOUNTS - 1))), symbols[0]!.id)
  }
  for (const run of runs) run.close()
  expect([...unwritten]).toEqual([])
})

test('a field that a writer forgets has a name', () => {
  const { setHeldAtoms } = OrderAccepted
  OrderAccepted.setHeldAtoms = () => {}
  try {
    const [first, second] = runsOf(1)
    for (let batch = 0; batch < BATCHES / 10; batch++) step([first, second])
    for (const run of [first, second]) run.close()
  } finally {
    OrderAccepted.setHeldAtoms = setHeldAtoms
  }
  expect([...unwritten]).toEqual(['OrderAccepted.heldAtoms'])
  unwritten.clear()
})

test('so are those of a call and its auction', () => {
  const runs = runsOf(3)
  const { PRE_TRADING, AUCTION_MATCH, TRADING } = SymbolStatus
  for (let day = 0; day < 3; day++) {
    for (const status of [PRE_TRADING, AUCTION_MATCH, TRADING]) {
      for (let batch = 0; batch < 20; batch++) step(runs)
      for (const { id } of symbols) {
        compareBatches(runs.map((run) => run.respecify(id, { status })) as [Batch, Batch])
      }
    }
  }
  for (const run of runs) run.close()
  expect([...unwritten]).toEqual([])
})

test('so are those of a reference price', () => {
  const runs = runsOf(4)
  const { ARITHMETIC_MEAN, EXTERNAL } = ReferenceCalculation
  const mean = { calculation: ARITHMETIC_MEAN, bucketCount: 5, bucketWidthMs: 10, externalId: 0 }
  const external = { calculation: EXTERNAL, bucketCount: 0, bucketWidthMs: 0, externalId: 2 }
  for (const reference of [mean, external]) {
    for (const { id } of symbols) {
      compareBatches(runs.map((run) => run.respecify(id, { reference })) as [Batch, Batch])
    }
    for (let batch = 0; batch < 60; batch++) step(runs)
    for (const { id } of symbols) ask(runs, AccountId(1), id)
  }
  for (const run of runs) run.close()
  expect([...unwritten]).toEqual([])
})

test('so are those of routed orders', () => {
  const lines = [
    '1: 1 SELL 9 @ 100',
    '1: 2 SELL 9 @ 101 show 4',
    '0: 2 SELL 9 @ 102',
    '0: 1 BUY 15 @ 200 decrement strategy 7 sor',
    '0: 1 BUY 2 @ 200 sor',
    '1: 1 SELL 3 @ 90',
    '0: 1 BUY 5 @ 95 maker sor',
    '1: 1 SELL 9 @ 90',
    '0: 1 BUY 5 @ 95 decrement sor',
    '0: 1 BUY 5 @ 95 taker sor',
  ]
  const tapes = PATTERNS.map(() => new GroupTape()) as [GroupTape, GroupTape]
  for (const line of lines) {
    const [first, second] = tapes.map((tape, i) => {
      const { output } = tape.market
      output.events.bytes.fill(PATTERNS[i]!)
      tape.run(line)
      return output
    }) as [EngineOutput, EngineOutput]
    compare([first.events, second.events], first.eventsEnd)
  }
  expect([...unwritten]).toEqual([])
})

/** Deposits and withdrawals in each state, a chain that fails, a debt, movements, and each query. */
function walletRun(pattern: number): WalletScene {
  const networks = [networkSpec(0), networkSpec(1, { approvalAbove: Atoms(20) })]
  const scene = new WalletScene(networks, [chainSpec(0)], pattern)
  const { APPROVE, CANCEL, CONFIRM, FAIL, REJECT } = WithdrawalDecision
  scene.issue(1, 0, 1_000n)
  scene.send(100, scene.addressOf(2), { requestId: 'sent' })
  scene.send(100, scene.addressOf(2), { requestId: 'sent' })
  scene.send(1, scene.addressOf(2))
  scene.advance(250)
  scene.move(1, 2, 5, { requestId: 'moved' })
  scene.move(1, 2, 5, { requestId: 'moved' })
  scene.move(1, 2, 5_000)
  for (let i = 0; i < 4; i++) scene.apply({ networkId: 1, atoms: 50, requestId: `${i}` })
  scene.apply({ networkId: 1, atoms: 50, requestId: '0' })
  scene.apply({ atoms: 20, address: scene.addressOf(2) })
  scene.apply({ atoms: 20 })
  scene.decide(1, CONFIRM)
  scene.decide(1, APPROVE)
  scene.decide(2, CANCEL)
  scene.decide(3, REJECT)
  for (const id of [1, 5]) scene.pay(id)
  scene.decide(6, FAIL)
  for (const subject of Object.values(WalletSubject)) scene.query(subject)
  scene.move(2, 1, 5)
  scene.change(ChainChange.CONGEST, 2)
  scene.advance(500)
  scene.apply({ account: 2, atoms: 90 })
  scene.change(ChainChange.DROP, 7)
  scene.change(ChainChange.STOP)
  scene.change(ChainChange.RESUME)
  scene.issue(2, 0, 500n)
  scene.move(2, 1, 5)
  scene.advance(1_000)
  return scene
}

test('so are those of the wallet', () => {
  const [first, second] = PATTERNS.map(walletRun) as [WalletScene, WalletScene]
  for (const written of ['journal', 'replied'] as const) {
    expect(second[written].length).toBe(first[written].length)
    for (const [at, buffer] of first[written].entries()) {
      compare([buffer, second[written][at]!], buffer.bytes.length)
    }
  }
  expect([...unwritten]).toEqual([])
})

type Batch = ReturnType<EngineRun['batch']>

test('each event and each reply was written', () => {
  expect(expected.filter(({ type }) => !seen.has(type)).map(({ name }) => name)).toEqual([])
})
