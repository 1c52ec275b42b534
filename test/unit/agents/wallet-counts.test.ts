/** What a matcher counts of its wallet, for metrics and alerts. */
import { expect, test } from 'vitest'
import { MatcherCounts } from '../../../src/agents/matcher-counts.ts'
import { ChainChange, WithdrawalDecision } from '../../../src/base/codes.ts'
import { Atoms } from '../../../src/base/units.ts'
import { countersBytes, readCounters } from '../../../src/shared/counters.ts'
import { histogramsBytes } from '../../../src/shared/histograms.ts'
import { networkSpec, WalletScene } from '../core/wallet/wallet-scene.ts'

const BLOCK_MS = 100

function begun() {
  const counters = new SharedArrayBuffer(countersBytes(1, 1))
  const counts = new MatcherCounts(0, counters, new SharedArrayBuffer(histogramsBytes(1, 1)))
  const scene = new WalletScene([networkSpec(0, { approvalAbove: Atoms(20) })])
  scene.issue(1, 0, 1_000n)
  const read = (wallet = scene.wallet) => {
    counts.wallet(wallet)
    const ours = readCounters(counters, 1, 1).filter(({ scope }) => scope === 'wallet')
    return Object.fromEntries(ours.map(({ name, value }) => [name, value]))
  }
  return { scene, counters, read }
}

const NOTHING = {
  ...{ withdrawalsWaiting: 0, waitingSinceMs: 0, withdrawalsProcessing: 0, processingSinceMs: 0 },
  ...{ chainsStopped: 0, assetsOwed: 0 },
}

test('withdrawals that wait are counted from their application, those that are PROCESSING from then on', () => {
  const { scene, read } = begun()
  expect(read()).toEqual({ events: 0, ...NOTHING })
  for (const nowMs of [1_000, 2_000, 3_000]) {
    scene.nowMs = nowMs
    scene.apply({ atoms: 21 })
  }
  expect(read()).toMatchObject({ events: 3, withdrawalsWaiting: 3, waitingSinceMs: 1_000 })
  scene.nowMs = 4_000
  scene.decide(1, WithdrawalDecision.CONFIRM)
  expect(read()).toMatchObject({ withdrawalsWaiting: 3, waitingSinceMs: 1_000 })
  scene.decide(2, WithdrawalDecision.APPROVE)
  scene.nowMs = 5_000
  scene.decide(1, WithdrawalDecision.APPROVE)
  const processing = { withdrawalsProcessing: 2, processingSinceMs: 4_000 }
  const all = { withdrawalsWaiting: 1, waitingSinceMs: 3_000, ...processing }
  expect(read()).toMatchObject(all)
  scene.pay(2)
  expect(read()).toMatchObject(all)
  scene.advance(10 * BLOCK_MS)
  expect(read()).toMatchObject({ withdrawalsProcessing: 1, processingSinceMs: 5_000 })
  scene.decide(3, WithdrawalDecision.REJECT)
  scene.decide(1, WithdrawalDecision.FAIL)
  const { events, ...rest } = read()
  expect([events, rest]).toEqual([scene.wallet.state.sequence, NOTHING])
})

test('a snapshot keeps since when, whatever the accounts', () => {
  const { scene, read } = begun()
  scene.issue(3, 0, 1_000n)
  for (const [account, nowMs] of [
    [1, 1_000],
    [3, 2_000],
    [1, 3_000],
    [3, 4_000],
    [1, 5_000],
  ] as const) {
    scene.nowMs = nowMs
    scene.apply({ account, atoms: 21 })
  }
  scene.decide(1, WithdrawalDecision.CANCEL)
  scene.nowMs = 6_000
  scene.decide(4, WithdrawalDecision.APPROVE)
  scene.nowMs = 7_000
  scene.decide(3, WithdrawalDecision.APPROVE)
  const before = read()
  expect(before).toMatchObject({ waitingSinceMs: 2_000, processingSinceMs: 6_000 })
  expect(begun().read(scene.begunAgain())).toEqual(before)
})

test('chains that are stopped are counted, and assets that are owed', () => {
  const { scene, read } = begun()
  scene.change(ChainChange.STOP)
  expect(read()).toMatchObject({ chainsStopped: 1, assetsOwed: 0 })
  scene.change(ChainChange.RESUME)
  scene.send(100, scene.addressOf(2))
  scene.advance(10 * BLOCK_MS)
  expect(read()).toMatchObject({ chainsStopped: 0, assetsOwed: 0 })
  scene.move(2, 1, 100)
  scene.change(ChainChange.DROP, 10)
  expect(read()).toMatchObject({ assetsOwed: 1 })
  scene.issue(2, 0, 110n)
  scene.apply({ account: 2, atoms: 10, isFeeIncluded: 1 })
  expect(read()).toMatchObject({ assetsOwed: 0 })
})
