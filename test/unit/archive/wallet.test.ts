/** Deposits, withdrawals and chains in the archive. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type DepositChangedRecord,
  type WithdrawalChangedRecord,
  writeChainChanged,
  writeDepositChanged,
  writeFundsMoved,
  writeWithdrawalChanged,
} from '../../../scripts/layout/codecs.gen.ts'
import { History } from '../../../src/archive/history.ts'
import { IdHash } from '../../../src/archive/id-hash.ts'
import { Projection } from '../../../src/archive/project.ts'
import { archiveOptions } from '../../../src/archive/tables.ts'
import { noValuation } from '../../../src/archive/volumes.ts'
import { ChainChange, DepositStatus, WithdrawalStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, ChainId, Ms, NetworkId } from '../../../src/base/units.ts'
import type {
  DepositsQuery,
  MovementsQuery,
  WithdrawalsQuery,
} from '../../../src/history/account-history.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { WALLET } from '../../../src/market/listing.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const ONE = AccountId(1)
const TWO = AccountId(2)
const THREE = AccountId(3)
const head = { symbolId: WALLET, gateway: -1, correlation: 0, timeMs: Ms(0), sequence: 1 }

const deposit = (depositId: number, more: Partial<DepositChangedRecord> = {}) => ({
  ...head,
  account: ONE,
  networkId: NetworkId(0),
  assetId: AssetId(0),
  status: DepositStatus.PENDING,
  depositId,
  atoms: Atoms(2n ** 61n),
  height: 7,
  insertMs: Ms(depositId * 10),
  completeMs: Ms(0),
  minConfirm: 2,
  unlockConfirm: 3,
  transferType: 0,
  chainId: ChainId(0),
  requestId: '',
  txId: `tx${depositId}`,
  address: 'a'.repeat(128),
  tag: 't'.repeat(64),
  movedAtoms: Atoms(0),
  debtAtoms: Atoms(0),
  ...more,
})

const withdrawal = (withdrawalId: number, more: Partial<WithdrawalChangedRecord> = {}) => ({
  ...head,
  account: ONE,
  networkId: NetworkId(0),
  assetId: AssetId(0),
  status: WithdrawalStatus.EMAIL_SENT,
  withdrawalId,
  atoms: Atoms(5),
  feeAtoms: Atoms(1),
  applyMs: Ms(withdrawalId * 10),
  completeMs: Ms(0),
  height: 0,
  transferType: 0,
  walletType: 0,
  reason: 0,
  confirmations: 1,
  chainId: ChainId(0),
  spare: 0,
  requestId: '',
  address: 'address',
  tag: '',
  txId: '',
  movedAtoms: Atoms(-6),
  feeMovedAtoms: Atoms(0),
  ...more,
})

const movement = (
  movementId: number,
  from: AccountId,
  to: AccountId,
  master = ONE,
  requestId = '',
) => ({
  ...head,
  timeMs: Ms(movementId * 10),
  from,
  to,
  assetId: AssetId(movementId),
  master,
  movementId,
  atoms: Atoms(2n ** 61n),
  requestId,
})

const chain = (stoppedMs: number) => ({
  ...head,
  chainId: ChainId(3),
  delayBlocks: 0,
  baseHeight: 0,
  baseMs: Ms(0),
  blockMs: Ms(1_000),
  stoppedMs: Ms(stoppedMs),
  change: ChainChange.STOP,
  blocks: 0,
})

type Write = (buffer: RecordBuffer) => number
const depositEvent =
  (...of: Parameters<typeof deposit>): Write =>
  (buffer) =>
    writeDepositChanged(buffer, 0, deposit(...of))
const withdrawalEvent =
  (...of: Parameters<typeof withdrawal>): Write =>
  (buffer) =>
    writeWithdrawalChanged(buffer, 0, withdrawal(...of))

const movementEvent =
  (...of: Parameters<typeof movement>): Write =>
  (buffer) =>
    writeFundsMoved(buffer, 0, movement(...of))

const folder = folderPerTest()
let history: History

function archive(...events: readonly Write[]): void {
  const environment = new Environment(archiveOptions(folder()))
  const projection = new Projection(environment, noValuation, new IdHash(environment))
  const buffer = RecordBuffer.allocate(1024)
  environment.write(() => {
    for (const write of events) projection.apply(buffer, 0, write(buffer))
  }, Sync.KERNEL)
  environment.close()
}

const query = {
  account: ONE,
  assetId: undefined,
  status: undefined,
  startTime: Ms(0),
  endTime: Ms(1_000_000),
  offset: 0,
  limit: 100,
}
const askDeposits = (more: Partial<DepositsQuery> = {}) =>
  history.read(() => history.deposits({ ...query, txId: undefined, ...more }))
const depositIds = (more?: Partial<DepositsQuery>) =>
  askDeposits(more).map(({ depositId }) => depositId)
const withdrawalIds = (more: Partial<WithdrawalsQuery> = {}) =>
  history
    .read(() => history.withdrawals({ ...query, requestId: undefined, ids: undefined, ...more }))
    .map(({ withdrawalId }) => withdrawalId)

const allMovements = (more: Partial<MovementsQuery> = {}) => {
  const { account: _, assetId: __, status: ___, ...page } = query
  const all = { accounts: [ONE, TWO, THREE], side: undefined, countMax: 0 }
  return history.read(() => history.movements({ ...page, ...all, ...more }))
}
const movements = (more: Partial<MovementsQuery> = {}) => allMovements(more).rows

beforeEach(() => {
  archive()
  history = new History(folder())
  return () => history.close()
})

test('a deposit is as its last event has it', () => {
  archive(depositEvent(1), depositEvent(1, { status: DepositStatus.CREDITED, completeMs: Ms(20) }))
  const {
    movedAtoms: _,
    debtAtoms: __,
    ...expected
  } = deposit(1, { status: DepositStatus.CREDITED })
  const { symbolId, gateway, correlation, timeMs, sequence, ...row } = expected
  expect(askDeposits()).toEqual([{ ...row, completeMs: 20 }])
})

describe('lists', () => {
  test.each<[string, Partial<DepositsQuery>, readonly number[]]>([
    ['all, the newest first', {}, [5, 4, 3, 2, 1]],
    ['some', { limit: 2 }, [5, 4]],
    ['behind others', { limit: 2, offset: 2 }, [3, 2]],
    ['behind all', { offset: 5 }, []],
    ['of an asset', { assetId: AssetId(1) }, [4]],
    ['of a status', { status: DepositStatus.SUCCESS }, [3]],
    ['of a transaction', { txId: 'tx2' }, [2]],
    ['of times, both included', { startTime: Ms(20), endTime: Ms(40) }, [4, 3, 2]],
    ['behind others that match', { startTime: Ms(20), endTime: Ms(40), offset: 1 }, [3, 2]],
    ['of another account', { account: TWO }, [6]],
  ])('deposits: %s', (_, more, expected) => {
    archive(
      ...[1, 2, 5].map((id) => depositEvent(id)),
      depositEvent(3, { status: DepositStatus.SUCCESS }),
      depositEvent(4, { assetId: AssetId(1) }),
      depositEvent(6, { account: TWO }),
    )
    expect(depositIds(more)).toEqual(expected)
  })

  test.each<[string, Partial<WithdrawalsQuery>, readonly number[]]>([
    ['all, the newest first', {}, [5, 4, 3, 2, 1]],
    ['behind others', { limit: 2, offset: 1 }, [4, 3]],
    ['of an asset', { assetId: AssetId(1) }, [4]],
    ['of a status', { status: WithdrawalStatus.COMPLETED }, [3]],
    ['of ids', { ids: [1, 5, 9] }, [5, 1]],
    ["of a client's id", { requestId: 'mine' }, [2]],
    ["of a client's id and a time", { requestId: 'mine', startTime: Ms(21) }, []],
    ['of times, both included', { startTime: Ms(20), endTime: Ms(40) }, [4, 3, 2]],
    ["of another account with the client's id", { account: TWO, requestId: 'mine' }, [6]],
  ])('withdrawals: %s', (_, more, expected) => {
    archive(
      ...[1, 5].map((id) => withdrawalEvent(id)),
      withdrawalEvent(2, { requestId: 'mine' }),
      withdrawalEvent(3, { status: WithdrawalStatus.COMPLETED }),
      withdrawalEvent(4, { assetId: AssetId(1) }),
      withdrawalEvent(6, { account: TWO, requestId: 'mine' }),
    )
    expect(withdrawalIds(more)).toEqual(expected)
  })
})

test("a client's id names its account's withdrawal, as it stands", () => {
  const long = 'x'.repeat(64)
  archive(
    withdrawalEvent(1, { requestId: long }),
    withdrawalEvent(2, { account: TWO, requestId: 'x' }),
    withdrawalEvent(1, { requestId: long, status: WithdrawalStatus.COMPLETED, txId: 'tx' }),
  )
  const named = (account: AccountId, requestId: string) =>
    history.read(() => history.withdrawalOf({ account, requestId }))
  expect(named(ONE, long)).toMatchObject({ withdrawalId: 1, status: 6, txId: 'tx' })
  expect([named(ONE, 'x'), named(TWO, long), named(TWO, '')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(named(TWO, 'x')).toMatchObject({ withdrawalId: 2 })
})

test('a chain is as its last change left it', () => {
  const changed =
    (stoppedMs: number): Write =>
    (buffer) =>
      writeChainChanged(buffer, 0, chain(stoppedMs))
  archive(changed(5), changed(0))
  const { chainId, delayBlocks, baseHeight, baseMs, blockMs, stoppedMs } = chain(0)
  expect(history.read(() => history.chains())).toEqual([
    { chainId, delayBlocks, baseHeight, baseMs, blockMs, stoppedMs },
  ])
})

describe('movements', () => {
  test.each<[string, Partial<MovementsQuery>, readonly number[]]>([
    ['all, each once, the newest first', {}, [4, 3, 2, 1]],
    ['of one account', { accounts: [THREE] }, [4, 3]],
    ['of an account without any', { accounts: [AccountId(4)] }, []],
    ['from one account', { accounts: [ONE], side: 'from' }, [1]],
    ['to one account', { accounts: [ONE], side: 'to' }, [4, 2]],
    ['some', { limit: 3 }, [4, 3, 2]],
    ['behind others', { limit: 2, offset: 1 }, [3, 2]],
    ['behind all', { offset: 4 }, []],
    ['of times, both included', { startTime: Ms(20), endTime: Ms(30) }, [3, 2]],
    [
      'of one account behind others that match',
      { accounts: [ONE], endTime: Ms(30), offset: 1 },
      [1],
    ],
  ])('%s', (_, more, expected) => {
    archive(
      movementEvent(1, ONE, TWO),
      movementEvent(2, TWO, ONE),
      movementEvent(3, TWO, THREE),
      movementEvent(4, THREE, ONE),
    )
    expect(movements(more).map(({ movementId }) => movementId)).toEqual(expected)
  })

  test("are found by their master's id, however many came since", () => {
    const of = (account: AccountId, requestId: string) => {
      const { made, lastId } = history.read(() => history.movementOf({ account, requestId }))
      return [made?.movementId, lastId]
    }
    expect(of(ONE, 'a')).toEqual([undefined, 0])
    archive(
      movementEvent(1, ONE, TWO, ONE, 'a'),
      movementEvent(2, TWO, THREE, TWO, 'a'),
      movementEvent(3, ONE, TWO, ONE, 'ab'),
      movementEvent(4, ONE, TWO),
    )
    expect([of(ONE, 'a'), of(TWO, 'a'), of(ONE, 'ab'), of(THREE, 'a')]).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
      [undefined, 3],
    ])
  })

  test('are counted beyond the page, up to a number', () => {
    archive(...[1, 2, 3, 4].map((id) => movementEvent(id, ONE, TWO)))
    const of = (more: Partial<MovementsQuery>) => {
      const { rows, total } = allMovements(more)
      return [rows.map(({ movementId }) => movementId), total]
    }
    expect(of({ limit: 1, countMax: 100 })).toEqual([[4], 4])
    expect(of({ limit: 1, countMax: 3 })).toEqual([[4], 3])
    expect(of({ limit: 2, offset: 2, countMax: 4, endTime: Ms(30) })).toEqual([[1], 3])
    expect(of({ limit: 2, offset: 2, countMax: 3 })).toEqual([[2, 1], 4])
  })

  test('have what the event has, and its time', () => {
    archive(movementEvent(7, ONE, TWO))
    const { symbolId, gateway, correlation, timeMs, sequence, ...row } = movement(7, ONE, TWO)
    expect(movements()).toEqual([{ ...row, movedMs: 70 }])
  })
})
