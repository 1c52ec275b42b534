/** Deposits and withdrawals, one rule of the wallet after another. */
import { describe, expect, test } from 'vitest'
import {
  ChainChange,
  DepositStatus,
  WalletRefusal,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../../../src/base/units.ts'
import {
  DebtPaid,
  DepositChanged,
  DepositState,
  FundsMoved,
  MovementState,
  TransactionSigned,
  WithdrawalChanged,
  WithdrawalState,
} from '../../../../src/layout/accessors.gen.ts'
import { hashOf, networkSpec, OUTSIDE, WalletScene } from './wallet-scene.ts'

const ONE = AccountId(1)
const BTC = AssetId(0)
const BLOCK_MS = 100

const sceneOf = (more: Parameters<typeof networkSpec>[1] = {}): WalletScene =>
  new WalletScene([networkSpec(0, more)])

function deposited(scene: WalletScene, atoms: number | bigint = 100): void {
  scene.send(atoms, scene.addressOf(1))
  scene.advance(10 * BLOCK_MS)
}

const statusOf = ({ wallet }: WalletScene, id = 1): number | undefined =>
  wallet.state.rememberedOf(ONE).find(({ withdrawalId }) => withdrawalId === id)?.status

describe('a deposit', () => {
  test('is credited with its confirmations, to the millisecond, and unlocked with more', () => {
    const scene = sceneOf()
    expect(scene.send(100, scene.addressOf(1)).types).toEqual([DepositChanged.type])
    const row = scene.wallet.state.deposits.get(1)!
    expect(row).toMatchObject({ status: DepositStatus.PENDING, height: 1 })
    scene.advance(198)
    expect([scene.nowMs, scene.free(1), row.status]).toEqual([199, 0n, DepositStatus.PENDING])
    scene.advance(1)
    expect([scene.free(1), row.status]).toEqual([100n, DepositStatus.CREDITED])
    expect(scene.apply({ atoms: 50 }).refusal).toBe(WalletRefusal.NOT_UNLOCKED)
    scene.advance(199)
    expect(row.status).toBe(DepositStatus.CREDITED)
    scene.advance(1)
    expect(row.status).toBe(DepositStatus.SUCCESS)
    expect(scene.apply({ atoms: 50 }).refusal).toBe(0)
  })

  test('below the least amount, or of a memo that is nobody’s, is not credited', () => {
    const scene = sceneOf()
    deposited(scene, 4)
    expect(scene.wallet.state.deposits.get(1)!.status).toBe(DepositStatus.WRONG)
    expect(scene.free(1)).toBe(0n)
    expect(scene.send(100, OUTSIDE).refusal).toBe(WalletRefusal.BAD_ADDRESS)
    deposited(scene, 5)
    expect(scene.free(1)).toBe(5n)
  })

  test('to a closed account credits nobody, from outside or from another account', () => {
    const scene = sceneOf()
    scene.issue(2, 0, 100n)
    scene.close(1)
    deposited(scene)
    scene.apply({ account: 2, atoms: 50, address: scene.addressOf(1) })
    scene.pay(1)
    scene.advance(10 * BLOCK_MS)
    expect(scene.wallet.state.deposits.get(1)!.status).toBe(DepositStatus.WRONG)
    expect([scene.free(1), scene.free(2), scene.wallet.state.deposits.size]).toEqual([0n, 47n, 1])
    expect(scene.wallet.state.fundsOf(BTC).chainAtoms).toBe(-50)
  })

  test('is refused beyond what balances have room for, whatever of it is credited or owed', () => {
    const scene = sceneOf()
    const [half, address] = [2n ** 60n, scene.addressOf(1)]
    deposited(scene, half)
    expect(scene.send(half + 1n, address).refusal).toBe(WalletRefusal.ABOVE_MAXIMUM)
    scene.send(half, address)
    expect(scene.send(5, address).refusal).toBe(WalletRefusal.ABOVE_MAXIMUM)
    scene.advance(10 * BLOCK_MS)
    expect(scene.free(1)).toBe(2n ** 61n)
    expect(scene.send(5, address).refusal).toBe(WalletRefusal.ABOVE_MAXIMUM)
    // What is taken back leaves room; what is owed for it does not.
    scene.issue(1, 0, -half)
    scene.issue(2, 0, half)
    scene.change(ChainChange.DROP, 20)
    scene.advance(1)
    expect(scene.wallet.state.fundsOf(BTC)).toMatchObject({ chainAtoms: 0, debtAtoms: half })
    expect(scene.send(half + 1n, scene.addressOf(2)).refusal).toBe(WalletRefusal.ABOVE_MAXIMUM)
    expect(scene.send(half, scene.addressOf(2)).refusal).toBe(0)
  })

  test('of a suspended network waits until it is resumed', () => {
    const scene = sceneOf({ depositEnabled: false })
    deposited(scene)
    expect([scene.free(1), scene.wallet.dueMs]).toEqual([0n, Number.POSITIVE_INFINITY])
    scene.setNetwork(networkSpec(0))
    expect(scene.free(1)).toBe(100n)
  })

  test('sent again under its id is the same; with other content it is refused', () => {
    const scene = sceneOf()
    const address = scene.addressOf(1)
    scene.send(100, address, { requestId: 'mine' })
    scene.advance(10 * BLOCK_MS)
    const again = scene.send(100, address, { requestId: 'mine' })
    expect(again.types).toEqual([DepositState.type])
    const other = scene.send(101, address, { requestId: 'mine' })
    expect(other.refusal).toBe(WalletRefusal.OTHER_CONTENT)
    expect(scene.wallet.state.lastDepositId).toBe(1)
  })
})

describe('a chain', () => {
  test('that stands still confirms nothing, and continues within the block', () => {
    const scene = sceneOf()
    scene.send(100, scene.addressOf(1))
    scene.advance(149)
    scene.change(ChainChange.STOP)
    scene.advance(10_000)
    expect([scene.free(1), scene.wallet.dueMs]).toEqual([0n, Number.POSITIVE_INFINITY])
    scene.change(ChainChange.RESUME)
    expect(scene.wallet.dueMs).toBe(10_200)
    scene.advance(50)
    expect(scene.free(1)).toBe(100n)
  })

  test('that is congested takes transfers later', () => {
    const scene = sceneOf()
    scene.change(ChainChange.CONGEST, 5)
    scene.send(100, scene.addressOf(1))
    expect(scene.wallet.state.deposits.get(1)!.height).toBe(6)
  })

  test('that is reorganised takes a credited deposit back, and credits it again', () => {
    const scene = sceneOf()
    deposited(scene)
    scene.change(ChainChange.REORGANISE, 10)
    const row = scene.wallet.state.deposits.get(1)!
    expect([scene.free(1), row.status, row.height]).toEqual([0n, DepositStatus.PENDING, 1])
    scene.advance(10 * BLOCK_MS)
    expect([scene.free(1), row.status]).toEqual([100n, DepositStatus.SUCCESS])
    expect(scene.shortfalls).toEqual([0n, 0n])
  })

  test('takes what is left; the rest is a debt that blocks withdrawals until it is paid', () => {
    const scene = sceneOf()
    deposited(scene)
    scene.apply({ atoms: 77 })
    scene.pay(1)
    scene.advance(10 * BLOCK_MS)
    expect(scene.free(1)).toBe(20n)
    scene.change(ChainChange.DROP, 20)
    const { state } = scene.wallet
    expect([scene.free(1), state.debtOf(ONE, BTC)]).toEqual([0n, 80])
    expect(state.deposits.get(1)!.status).toBe(DepositStatus.REJECTED)
    scene.issue(1, 0, 79n)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(WalletRefusal.IN_DEBT)
    scene.issue(1, 0, 21n)
    const { types } = scene.apply({ atoms: 17 })
    expect(types).toEqual([DebtPaid.type, WithdrawalChanged.type])
    expect([scene.free(1), state.debtOf(ONE, BTC)]).toEqual([0n, 0])
    expect(scene.shortfalls).toEqual([0n, 0n])
  })

  test('takes a payment back that was not complete, and confirms it again', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.advance(BLOCK_MS)
    scene.apply({ atoms: 97 })
    scene.pay(1)
    const row = scene.wallet.state.withdrawals.get(1)!
    expect(row.height).toBe(2)
    scene.advance(BLOCK_MS)
    scene.change(ChainChange.REORGANISE, 2)
    expect([row.height, row.txId]).toEqual([1, 'tx-1'])
    scene.advance(2 * BLOCK_MS)
    expect([row.status, scene.free(0)]).toEqual([WithdrawalStatus.COMPLETED, 3n])
  })
})

describe('a withdrawal', () => {
  test('takes amount and fee at once; the fee is paid once, when it is complete', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    expect(scene.apply({ atoms: 97 }).types).toEqual([WithdrawalChanged.type])
    expect([scene.free(1), scene.free(0)]).toEqual([0n, 0n])
    scene.pay(1)
    scene.pay(1)
    scene.advance(20 * BLOCK_MS)
    expect([statusOf(scene), scene.free(0)]).toEqual([WithdrawalStatus.COMPLETED, 3n])
    const { chainAtoms, inFlightAtoms } = scene.wallet.state.fundsOf(BTC)
    expect([chainAtoms, inFlightAtoms]).toEqual([-97, 0])
  })

  test('has one transaction: another one is answered by the first', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 50 })
    expect(scene.decide(1, WithdrawalDecision.SIGN, 'a', 'first').types).toEqual([
      ...[TransactionSigned.type, WithdrawalChanged.type],
    ])
    expect(scene.decide(1, WithdrawalDecision.SIGN, 'b', 'second').types).toEqual([
      WithdrawalState.type,
    ])
    const row = scene.wallet.state.withdrawals.get(1)!
    expect([row.txId, row.transaction]).toEqual(['a', 'first'])
    expect(scene.decide(1, WithdrawalDecision.SEND, 'b').refusal).toBe(WalletRefusal.WRONG_STATUS)
    scene.decide(1, WithdrawalDecision.SEND, 'a')
    expect(scene.decide(1, WithdrawalDecision.SEND, 'a').types).toEqual([WithdrawalState.type])
    expect(row.height).toBe(1)
  })

  test('that is signed fails only by its transaction, and not once it was sent', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 40 })
    scene.decide(1, WithdrawalDecision.SIGN, 'a', 'signed')
    expect(scene.decide(1, WithdrawalDecision.FAIL).refusal).toBe(WalletRefusal.WRONG_STATUS)
    expect(scene.decide(1, WithdrawalDecision.FAIL, 'a').refusal).toBe(0)
    expect([statusOf(scene), scene.free(1)]).toEqual([WithdrawalStatus.FAILURE, 100n])
    scene.apply({ atoms: 40 })
    scene.pay(2)
    expect(scene.decide(2, WithdrawalDecision.FAIL, 'tx-2').refusal).not.toBe(0)
  })

  test.each([
    [WithdrawalDecision.CANCEL, WithdrawalStatus.CANCELLED],
    [WithdrawalDecision.REJECT, WithdrawalStatus.REJECTED],
  ])('that waits ends by decision %i, and is refunded once', (decision, status) => {
    const scene = sceneOf({ approvalAbove: Atoms(20) })
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 50 })
    expect(statusOf(scene)).toBe(WithdrawalStatus.EMAIL_SENT)
    scene.decide(1, WithdrawalDecision.CONFIRM)
    expect(statusOf(scene)).toBe(WithdrawalStatus.AWAITING_APPROVAL)
    scene.decide(1, decision)
    expect(scene.decide(1, decision).refusal).toBe(WalletRefusal.WRONG_STATUS)
    expect([statusOf(scene), scene.free(1)]).toEqual([status, 100n])
  })

  test('above the limit waits for approval; at it, it does not', () => {
    const scene = sceneOf({ approvalAbove: Atoms(20) })
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 20 })
    expect(statusOf(scene)).toBe(WithdrawalStatus.PROCESSING)
    scene.apply({ atoms: 21 })
    expect(scene.decide(2, WithdrawalDecision.SIGN, 'a', 'x').refusal).toBe(
      WalletRefusal.WRONG_STATUS,
    )
    scene.decide(2, WithdrawalDecision.APPROVE)
    expect(statusOf(scene, 2)).toBe(WithdrawalStatus.PROCESSING)
  })

  test('to an address of this exchange becomes a deposit by the same transaction', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 50, address: scene.addressOf(2) })
    scene.pay(1)
    scene.advance(10 * BLOCK_MS)
    expect(scene.free(2)).toBe(50n)
    expect(scene.wallet.state.deposits.get(1)).toMatchObject({ txId: 'tx-1', transferType: 1 })
    expect(scene.wallet.state.fundsOf(BTC).chainAtoms).toBe(0)
  })

  test('under a known id is answered by the first, also when it has ended', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    const applied = { atoms: 30, requestId: 'mine' }
    scene.apply(applied)
    expect(scene.apply(applied).types).toEqual([WithdrawalState.type])
    expect(scene.apply({ ...applied, atoms: 31 }).refusal).toBe(WalletRefusal.OTHER_CONTENT)
    scene.pay(1)
    scene.advance(10 * BLOCK_MS)
    expect(scene.apply(applied).types).toEqual([WithdrawalState.type])
    expect(scene.free(1)).toBe(67n)
  })

  test('may have the fee in its amount', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 100, isFeeIncluded: 1 })
    expect(scene.wallet.state.withdrawals.get(1)).toMatchObject({ atoms: 97, feeAtoms: 3 })
    expect(scene.free(1)).toBe(0n)
  })

  test.each([
    ['SUSPENDED', { withdrawEnabled: false }, {}],
    ['BAD_ADDRESS', {}, { address: '0x12' }],
    ['BAD_TAG', {}, { tag: '7' }],
    ['BELOW_MINIMUM', {}, { atoms: 9 }],
    ['ABOVE_MAXIMUM', { withdrawMax: Atoms(49) }, {}],
    ['NOT_A_MULTIPLE', { withdrawMultiple: Atoms(20) }, {}],
    ['ABOVE_DAY_LIMIT', { withdrawDayMax: Atoms(49) }, {}],
    ['INSUFFICIENT_BALANCE', {}, { atoms: 98 }],
    ['NO_NETWORK', {}, { networkId: 5 }],
    ['TIMESTAMP_OUTSIDE_WINDOW', {}, { expiresMs: 1 }],
  ] as const)('is refused: %s', (reason, network, applied) => {
    const scene = sceneOf(network)
    scene.issue(1, 0, 100n)
    scene.advance(10)
    expect(scene.apply({ atoms: 50, ...applied }).refusal).toBe(WalletRefusal[reason])
    expect(scene.free(1)).toBe(100n)
  })

  test('of a frozen account is refused', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    scene.freeze(1)
    expect(scene.apply({ atoms: 50 }).refusal).toBe(WalletRefusal.ACCOUNT_CLOSED)
  })

  test('counts against the day for 24 hours', () => {
    const scene = sceneOf({ withdrawDayMax: Atoms(50) })
    scene.issue(1, 0, 200n)
    scene.apply({ atoms: 30 })
    expect(scene.apply({ atoms: 21 }).refusal).toBe(WalletRefusal.ABOVE_DAY_LIMIT)
    expect(scene.apply({ atoms: 20 }).refusal).toBe(0)
    scene.advance(24 * 60 * 60 * 1000 - 1)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(WalletRefusal.ABOVE_DAY_LIMIT)
    scene.advance(1)
    expect(scene.apply({ atoms: 50 }).refusal).toBe(0)
  })

  test('is one of 64 of its account under way', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 10_000n)
    for (let i = 0; i < 64; i++) expect(scene.apply({ atoms: 10 }).refusal).toBe(0)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(WalletRefusal.FULL)
    scene.pay(1)
    scene.advance(10 * BLOCK_MS)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(0)
  })
})

describe('a withdrawal of an account that is frozen', () => {
  test('is not approved, and may be canceled', () => {
    const scene = sceneOf({ approvalAbove: Atoms(20) })
    scene.issue(1, 0, 100n)
    scene.apply({ atoms: 50 })
    scene.freeze(1)
    const { refusal } = scene.decide(1, WithdrawalDecision.APPROVE)
    expect(refusal).toBe(WalletRefusal.ACCOUNT_CLOSED)
    scene.decide(1, WithdrawalDecision.CANCEL)
    expect([statusOf(scene), scene.free(1)]).toEqual([WithdrawalStatus.CANCELLED, 100n])
  })
})

describe('a follower', () => {
  test('keeps nothing of what its leader has paid and confirmed', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 1_000n)
    for (let i = 1; i <= 9; i++) {
      scene.apply({ atoms: 10 })
      scene.pay(i)
      scene.send(10, scene.addressOf(2))
      scene.advance(4 * BLOCK_MS)
    }
    const follower = scene.followed()
    expect(hashOf(follower.state)).toBe(scene.hash)
    expect(follower.hasUnpaid).toBe(false)
  })
})

describe('a movement', () => {
  test('takes from one account what the other gets, and counts', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100n)
    for (const movementId of [1, 2]) {
      const { types, events } = scene.move(1, 2, 50)
      expect(types).toEqual([FundsMoved.type])
      expect(FundsMoved.movementId(events, 0)).toBe(movementId)
    }
    expect([scene.free(1), scene.free(2), scene.shortfalls]).toEqual([0n, 100n, [0n, 0n]])
    expect(scene.move(1, 2, 1).refusal).toBe(WalletRefusal.INSUFFICIENT_BALANCE)
    expect(scene.isRecovered).toBe(true)
    expect(hashOf(scene.begunAgain().state)).toBe(scene.hash)
  })

  test('takes nothing that may not be withdrawn yet', () => {
    const scene = sceneOf()
    scene.send(100, scene.addressOf(1))
    scene.advance(2 * BLOCK_MS)
    expect(scene.move(1, 2, 100).refusal).toBe(WalletRefusal.NOT_UNLOCKED)
    scene.advance(2 * BLOCK_MS)
    expect(scene.move(1, 2, 100).refusal).toBe(0)
  })

  test('waits until the account has paid what it owes', () => {
    const scene = sceneOf()
    deposited(scene)
    scene.move(1, 2, 60)
    scene.change(ChainChange.DROP, 10)
    expect([scene.free(1), scene.free(2)]).toEqual([0n, 60n])
    scene.issue(1, 0, 59n)
    expect(scene.move(1, 2, 1).refusal).toBe(WalletRefusal.IN_DEBT)
    scene.issue(1, 0, 2n)
    expect(scene.move(1, 2, 1).types).toEqual([DebtPaid.type, FundsMoved.type])
    expect([scene.free(1), scene.free(2)]).toEqual([0n, 61n])
  })

  test('of or to a frozen account is refused, and so is one that comes late', () => {
    const scene = sceneOf()
    for (const account of [1, 2, 3]) scene.issue(account, 0, 10n)
    scene.freeze(2)
    expect(scene.move(1, 2, 1).refusal).toBe(WalletRefusal.ACCOUNT_CLOSED)
    expect(scene.move(2, 1, 1).refusal).toBe(WalletRefusal.ACCOUNT_CLOSED)
    scene.advance(100)
    const late = WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW
    expect(scene.move(1, 3, 1, { expiresMs: scene.nowMs - 1 }).refusal).toBe(late)
    expect(scene.move(1, 3, 1, { expiresMs: scene.nowMs }).refusal).toBe(0)
  })
})

describe('a movement with an id', () => {
  const named = { requestId: 'mine' }

  test('is made once, whatever has come to pass since', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 50n)
    expect(scene.move(1, 2, 50, named).types).toEqual([FundsMoved.type])
    scene.freeze(2)
    expect(scene.move(1, 2, 50, named)).toMatchObject({ types: [MovementState.type], refusal: 0 })
    expect([scene.free(1), scene.free(2)]).toEqual([0n, 50n])
    expect(scene.isRecovered).toBe(true)
    expect(hashOf(scene.begunAgain().state)).toBe(scene.hash)
    const state = scene.begunAgain().state.namedMovements
    expect(state.of(AccountId(1), 'mine')).toMatchObject({ movementId: 1, atoms: 50 })
  })

  test.each<[string, Parameters<WalletScene['move']>]>([
    ['from another account', [3, 2, 10, named]],
    ['to another account', [1, 3, 10, named]],
    ['of another amount', [1, 2, 11, named]],
    ['of another asset', [1, 2, 10, { ...named, asset: 1 }]],
  ])('is refused %s', (_, other) => {
    const scene = sceneOf()
    for (const account of [1, 3]) for (const asset of [0, 1]) scene.issue(account, asset, 100n)
    scene.move(1, 2, 10, named)
    expect(scene.move(...other).refusal).toBe(WalletRefusal.OTHER_CONTENT)
    expect(scene.free(1)).toBe(90n)
  })

  test('leaves the id to other masters, and to one whose movement was refused', () => {
    const scene = sceneOf()
    expect(scene.move(1, 2, 10, named).refusal).toBe(WalletRefusal.INSUFFICIENT_BALANCE)
    scene.issue(1, 0, 100n)
    for (const master of [1, 2]) {
      expect(scene.move(1, 2, 10, { ...named, master }).types).toEqual([FundsMoved.type])
    }
  })

  test('that is older than the newest 1,024 is for the archive to say', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 5_000n)
    const move = (at: number, archivedId = 0) =>
      scene.move(1, 2, 1, { requestId: String(at), archivedId })
    for (let at = 1; at <= 1_024; at++) expect(move(at).refusal).toBe(0)
    scene.move(1, 2, 1)
    expect(move(1).types).toEqual([MovementState.type])
    expect(move(1_025).types).toEqual([FundsMoved.type])
    expect(move(1).refusal).toBe(WalletRefusal.NOT_ARCHIVED)
    expect(move(1_026).refusal).toBe(WalletRefusal.NOT_ARCHIVED)
    expect(move(2).types).toEqual([MovementState.type])
    expect(hashOf(scene.begunAgain().state)).toBe(scene.hash)
    expect(scene.isRecovered).toBe(true)
    expect(move(1_026, 1).types).toEqual([FundsMoved.type])
    expect(move(1_027, 1).refusal).toBe(WalletRefusal.NOT_ARCHIVED)
  })
})

describe('bounds', () => {
  test('an account applies for 1,000 withdrawals in 24 hours', () => {
    const scene = sceneOf()
    scene.issue(1, 0, 100_000n)
    for (let i = 1; i <= 1000; i++) {
      expect(scene.apply({ atoms: 10 }).refusal).toBe(0)
      scene.decide(i, WithdrawalDecision.FAIL)
    }
    expect(scene.apply({ atoms: 10 }).refusal).toBe(WalletRefusal.FULL)
    scene.advance(24 * 60 * 60 * 1000 + 1)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(0)
    expect(scene.wallet.state.rememberedOf(ONE).length).toBeLessThan(1001)
  })

  test('an account has 256 deposits that are not unlocked', () => {
    const scene = sceneOf()
    const address = scene.addressOf(1)
    for (let i = 0; i < 256; i++) expect(scene.send(10, address).refusal).toBe(0)
    expect(scene.send(10, address).refusal).toBe(WalletRefusal.FULL)
    expect(scene.send(10, scene.addressOf(2)).refusal).toBe(0)
  })

  test('deposits that other accounts pay take no room from those of outside', () => {
    const scene = sceneOf({ withdrawFee: Atoms(0), unLockConfirm: 4 })
    scene.issue(1, 0, 10_000n)
    for (let i = 1; i <= 64; i++) {
      expect(scene.apply({ atoms: 10, address: scene.addressOf(2) }).refusal).toBe(0)
      scene.pay(i)
    }
    for (let i = 0; i < 256; i++) expect(scene.send(10, scene.addressOf(2)).refusal).toBe(0)
    expect(scene.send(10, scene.addressOf(2)).refusal).toBe(WalletRefusal.FULL)
    // Complete, and not unlocked where they went: they count for the account that paid them.
    scene.advance(2 * BLOCK_MS)
    expect(scene.wallet.state.withdrawals.size).toBe(0)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(WalletRefusal.FULL)
    expect(hashOf(scene.begunAgain().state)).toBe(scene.hash)
    scene.advance(2 * BLOCK_MS)
    expect(scene.apply({ atoms: 10 }).refusal).toBe(0)
  })

  test('of deposits that ended, the newest 256 of each account are remembered', () => {
    const scene = sceneOf()
    const address = scene.addressOf(1)
    scene.send(1, scene.addressOf(2), { requestId: 'other' })
    for (let i = 0; i < 256; i++) scene.send(1, address, { requestId: `r-${i}` })
    expect(scene.send(1, address, { requestId: 'r-0' }).types).toEqual([DepositState.type])
    scene.send(1, address, { requestId: 'r-256' })
    expect(scene.wallet.state.deposits.size).toBe(257)
    const again = scene.begunAgain().state
    expect(hashOf(again)).toBe(scene.hash)
    for (const state of [again, scene.wallet.state]) {
      expect(state.depositOfSender('r-0')).toBeUndefined()
      expect(state.depositOfSender('r-1')!.depositId).toBe(3)
    }
    expect(scene.send(1, scene.addressOf(2), { requestId: 'other' }).types).toEqual([
      DepositState.type,
    ])
    expect(scene.send(1, address, { requestId: 'r-0' }).types).toEqual([DepositChanged.type])
  })

  test('a reorganisation forgets none of the deposits that it takes back', () => {
    const fast = networkSpec(1, { minConfirm: 1, unLockConfirm: 1 })
    const scene = new WalletScene([networkSpec(0, { unLockConfirm: 1000 }), fast])
    scene.send(10, scene.addressOf(1))
    for (let i = 0; i < 256; i++) {
      if (i === 128) scene.advance(BLOCK_MS)
      expect(scene.send(10, scene.addressOf(1), { networkId: 1 }).refusal).toBe(0)
    }
    scene.advance(3 * BLOCK_MS)
    scene.change(ChainChange.DROP, 4)
    const { state } = scene.wallet
    expect([scene.free(1), state.debtOf(ONE, BTC), state.takenBack]).toEqual([0n, 0, []])
    expect(scene.shortfalls).toEqual([0n, 0n])
    expect(scene.isRecovered).toBe(true)
    expect(state.deposits.size).toBe(256)
  })

  test('a withdrawal that nobody decides keeps no others remembered', () => {
    const scene = sceneOf({ approvalAbove: Atoms(50) })
    scene.issue(1, 0, 100_000n)
    scene.apply({ atoms: 51 })
    for (let day = 1; day <= 3; day++) {
      scene.apply({ atoms: 10 })
      scene.decide(day + 1, WithdrawalDecision.FAIL)
      scene.advance(24 * 60 * 60 * 1000 + 1)
    }
    scene.apply({ atoms: 10 })
    const ids = scene.wallet.state.rememberedOf(ONE).map(({ withdrawalId }) => withdrawalId)
    expect(ids).toEqual([1, 5])
  })

  test('a chain loses at most 1,000 blocks, and none that it has not; it delays at most 10,000', () => {
    const scene = sceneOf()
    scene.advance(1_001 * BLOCK_MS)
    expect(scene.change(ChainChange.REORGANISE, 1_001).refusal).toBe(WalletRefusal.WRONG_STATUS)
    expect(scene.change(ChainChange.REORGANISE, 1_000).refusal).toBe(0)
    expect(scene.change(ChainChange.REORGANISE, 2).refusal).toBe(WalletRefusal.WRONG_STATUS)
    expect(scene.change(ChainChange.CONGEST, 10_001).refusal).toBe(WalletRefusal.WRONG_STATUS)
    expect(scene.change(ChainChange.CONGEST, 10_000).refusal).toBe(0)
  })
})

test('a jump of a year costs by transfers, and a start does what fell due', () => {
  const scene = sceneOf()
  scene.send(100, scene.addressOf(1))
  const again = scene.begunAgain()
  const yearMs = Ms(365 * 24 * 60 * 60 * 1000)
  again.fire(yearMs, yearMs)
  expect(again.state.deposits.get(1)!.status).toBe(DepositStatus.SUCCESS)
  expect(again.dueMs).toBe(Number.POSITIVE_INFINITY)
})
