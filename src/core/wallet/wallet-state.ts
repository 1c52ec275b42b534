/**
 * State of the wallet: chains, deposits, withdrawals, debts, and its terms of the proof of funds. It changes by events
 * alone, so that engine, recovery, snapshot and follower come to the same (wallet.ts decides which).
 */
import { assert } from '../../base/assert.ts'
import { ChainChange, DepositStatus, TransferType, WithdrawalStatus } from '../../base/codes.ts'
import { minus, negative, plus } from '../../base/int64.ts'
import { type AccountId, AssetId, Atoms, type ChainId, type Ms } from '../../base/units.ts'
import {
  ChainBlock,
  type ChainBlockFields,
  ChainChanged,
  DebtPaid,
  DepositBlock,
  type DepositBlockFields,
  DepositChanged,
  EventHeader,
  FundsMoved,
  MovementBlock,
  type MovementBlockFields,
  TransactionSigned,
  WithdrawalBlock,
  type WithdrawalBlockFields,
  WithdrawalChanged,
} from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import {
  ChainImage,
  DebtImage,
  DepositImage,
  FundsImage,
  WithdrawalImage,
} from '../../layout/images.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { HashSink } from '../matching/hash-sink.ts'
import { type Chain, heightAt } from './chain-time.ts'
import { NamedMovements } from './named-movements.ts'

export type Deposit = DepositBlockFields
/** `transaction` is what is sent, '' before it is signed; `sinceMs` when it got its status. */
export type Withdrawal = WithdrawalBlockFields & { transaction: string; sinceMs: Ms }

/** Terms of the proof of funds of one asset. */
export interface Funds {
  chainAtoms: Atoms
  inFlightAtoms: Atoms
  debtAtoms: Atoms
}

/** Something that a reorganisation takes back, and has not yet. */
export interface TakenBack {
  readonly isDeposit: boolean
  readonly isDropped: boolean
  readonly id: number
}

/** Ended deposits of one account that are remembered: what a reorganisation reaches, and the senders' ids. */
export const ENDED_DEPOSITS_MAX = 256
/** Withdrawals of one account that are remembered, at most; those of a day always are. */
export const WITHDRAWALS_KEPT_MAX = 2048
export const DAY_MS = 24 * 60 * 60 * 1000
const REMEMBERED_MS = 90 * DAY_MS

const openDepositStatuses: ReadonlySet<number> = new Set([
  DepositStatus.PENDING,
  DepositStatus.CREDITED,
])
const openWithdrawals: ReadonlySet<number> = new Set([
  WithdrawalStatus.EMAIL_SENT,
  WithdrawalStatus.AWAITING_APPROVAL,
  WithdrawalStatus.PROCESSING,
])
export const isOpenDeposit = ({ status }: Deposit): boolean => openDepositStatuses.has(status)
export const isOpenWithdrawal = ({ status }: Withdrawal): boolean => openWithdrawals.has(status)
export const isCredited = ({ status }: Deposit): boolean =>
  status === DepositStatus.CREDITED || status === DepositStatus.SUCCESS

const newFunds = (): Funds => ({
  chainAtoms: Atoms(0),
  inFlightAtoms: Atoms(0),
  debtAtoms: Atoms(0),
})

const balanceKey = (account: AccountId, asset: AssetId): string => `${account} ${asset}`

export class WalletState {
  sequence = 0
  lastDepositId = 0
  lastWithdrawalId = 0
  lastMovementId = 0
  /** Those that something has happened to. */
  readonly chains = new Map<ChainId, Chain>()
  /** By id: deposits that may still change, and the newest that ended. */
  readonly deposits = new Map<number, Deposit>()
  readonly openDeposits = new Map<number, Deposit>()
  /** Ids of remembered deposits that ended, oldest first. */
  private readonly endedDeposits = new Map<AccountId, Set<number>>()
  private readonly depositsBySender = new Map<string, Deposit>()
  /** Transactions of open deposits that accounts of this exchange pay. */
  private readonly arriving = new Set<string>()
  /** By id: those under way. */
  readonly withdrawals = new Map<number, Withdrawal>()
  /** Those that wait for an operator, and those that are PROCESSING: the oldest first. */
  readonly waiting = new Set<Withdrawal>()
  readonly processing = new Set<Withdrawal>()
  /** Remembered, under way or not, oldest first. */
  private readonly withdrawalsOf = new Map<AccountId, Withdrawal[]>()
  readonly namedMovements = new NamedMovements()
  private readonly funds = new Map<AssetId, Funds>()
  /** What accounts owe, and what they may not withdraw yet. */
  private readonly debts = new Map<string, { account: AccountId; assetId: AssetId; atoms: Atoms }>()
  private readonly notUnlocked = new Map<string, Atoms>()
  /** In the order in which they are taken back. */
  readonly takenBack: TakenBack[] = []
  /** Called with each deposit and withdrawal that changes. */
  changed: (row: Deposit | Withdrawal) => void = () => {}

  fundsOf(asset: AssetId): Readonly<Funds> {
    return this.funds.get(asset) ?? newFunds()
  }

  get allFunds(): ReadonlyMap<AssetId, Readonly<Funds>> {
    return this.funds
  }

  /** By asset: what all balances are together beyond what operators paid in and took out. */
  heldAtoms(assets: number): readonly bigint[] {
    return Array.from({ length: assets }, (_, asset) => {
      const { chainAtoms, inFlightAtoms, debtAtoms } = this.fundsOf(AssetId(asset))
      return BigInt(chainAtoms) + BigInt(debtAtoms) - BigInt(inFlightAtoms)
    })
  }

  get stoppedChains(): number {
    return [...this.chains.values()].filter(({ stoppedMs }) => stoppedMs !== 0).length
  }

  get owedAssets(): number {
    return [...this.funds.values()].filter(({ debtAtoms }) => debtAtoms > 0).length
  }

  debtOf(account: AccountId, asset: AssetId): Atoms {
    return this.debts.get(balanceKey(account, asset))?.atoms ?? Atoms(0)
  }

  debtsOf(account: AccountId): readonly { readonly assetId: AssetId; readonly atoms: Atoms }[] {
    if (this.debts.size === 0) return []
    return [...this.debts.values()].filter((debt) => debt.account === account)
  }

  notUnlockedOf(account: AccountId, asset: AssetId): Atoms {
    return this.notUnlocked.get(balanceKey(account, asset)) ?? Atoms(0)
  }

  depositOfSender(requestId: string): Deposit | undefined {
    return requestId === '' ? undefined : this.depositsBySender.get(requestId)
  }

  /** What withdrawals of the account that have not ended took, with their fees. */
  withdrawingOf(account: AccountId): ReadonlyMap<AssetId, Atoms> {
    const taken = new Map<AssetId, Atoms>()
    for (const row of this.rememberedOf(account).filter(isOpenWithdrawal)) {
      const gross = plus(row.atoms, row.feeAtoms)
      taken.set(row.assetId, plus(taken.get(row.assetId) ?? Atoms(0), gross))
    }
    return taken
  }

  /** How many deposits and withdrawals wait for blocks of the chain. */
  transfersOf(chainId: ChainId): number {
    const isOn = (row: Deposit | Withdrawal) => row.chainId === chainId && row.height > 0
    const rows = [...this.openDeposits.values(), ...this.withdrawals.values()]
    return rows.filter(isOn).length
  }

  rememberedOf(account: AccountId): readonly Withdrawal[] {
    return this.withdrawalsOf.get(account) ?? []
  }

  /** Whether it has not ended, or what it pays within the exchange may still be taken back. */
  isUnderWay(row: Withdrawal): boolean {
    return isOpenWithdrawal(row) || this.arriving.has(row.txId)
  }

  /** Applies the event at byte `at`. */
  apply(events: RecordBuffer, at: number): void {
    this.sequence = EventHeader.sequence(events, at)
    switch (recordType(events, at)) {
      case DepositChanged.type:
        this.applyDeposit(events, at)
        break
      case WithdrawalChanged.type:
        this.applyWithdrawal(events, at)
        break
      case TransactionSigned.type:
        this.withdrawals.get(TransactionSigned.withdrawalId(events, at))!.transaction =
          TransactionSigned.transaction(events, at)
        break
      case ChainChanged.type:
        this.applyChain(events, at)
        break
      case DebtPaid.type: {
        const atoms = negative(DebtPaid.atoms(events, at))
        this.addDebt(DebtPaid.account(events, at), DebtPaid.assetId(events, at), atoms)
        break
      }
      case FundsMoved.type:
        this.applyMovement(events, FundsMoved.movementBlockAt(at))
        break
    }
  }

  private applyMovement(events: RecordBuffer, block: number): void {
    const row = {} as MovementBlockFields
    MovementBlock.read(events, block, row)
    this.lastMovementId = row.movementId
    if (row.requestId !== '') this.namedMovements.add(row)
  }

  private applyDeposit(events: RecordBuffer, at: number): void {
    const block = DepositChanged.depositBlockAt(at)
    const depositId = DepositBlock.depositId(events, block)
    const row = this.deposits.get(depositId) ?? ({ status: -1 } as unknown as Deposit)
    if (row.status === DepositStatus.CREDITED) this.lock(row, negative(row.atoms))
    DepositBlock.read(events, block, row)
    const debtAtoms = DepositChanged.debtAtoms(events, at)
    const funds = this.fundsFor(row.assetId)
    funds.chainAtoms = plus(
      funds.chainAtoms,
      minus(DepositChanged.movedAtoms(events, at), debtAtoms),
    )
    this.addDebt(row.account, row.assetId, debtAtoms)
    this.lastDepositId = Math.max(this.lastDepositId, depositId)
    this.keepDeposit(row)
    const ended = this.endedOf(row.account)
    if (isOpenDeposit(row)) ended.delete(depositId)
    else ended.add(depositId)
    this.tookBack(true, depositId)
    // One that is to be taken back is not forgotten.
    if (this.takenBack.length === 0) this.forgetEnded(ended)
    this.changed(row)
  }

  private keepDeposit(row: Deposit): void {
    const { depositId, requestId, txId } = row
    this.deposits.set(depositId, row)
    if (isOpenDeposit(row)) this.openDeposits.set(depositId, row)
    else this.openDeposits.delete(depositId)
    if (requestId !== '') this.depositsBySender.set(requestId, row)
    if (row.status === DepositStatus.CREDITED) this.lock(row, row.atoms)
    if (row.transferType === TransferType.EXTERNAL) return
    if (isOpenDeposit(row)) this.arriving.add(txId)
    else this.arriving.delete(txId)
  }

  private endedOf(account: AccountId): Set<number> {
    const ended = this.endedDeposits.get(account) ?? new Set()
    this.endedDeposits.set(account, ended)
    return ended
  }

  private forgetEnded(ended: Set<number>): void {
    for (const oldest of ended) {
      if (ended.size <= ENDED_DEPOSITS_MAX) return
      ended.delete(oldest)
      this.depositsBySender.delete(this.deposits.get(oldest)!.requestId)
      this.deposits.delete(oldest)
    }
  }

  private applyWithdrawal(events: RecordBuffer, at: number): void {
    const block = WithdrawalChanged.withdrawalBlockAt(at)
    const withdrawalId = WithdrawalBlock.withdrawalId(events, block)
    const known = this.withdrawals.get(withdrawalId)
    const row = known ?? ({ transaction: '', status: -1 } as unknown as Withdrawal)
    const { status } = row
    WithdrawalBlock.read(events, block, row)
    if (row.status !== status) row.sinceMs = EventHeader.timeMs(events, at)
    const funds = this.fundsFor(row.assetId)
    const movedAtoms = WithdrawalChanged.movedAtoms(events, at)
    funds.inFlightAtoms = minus(funds.inFlightAtoms, movedAtoms)
    if (row.status === WithdrawalStatus.COMPLETED) {
      funds.inFlightAtoms = minus(funds.inFlightAtoms, plus(row.atoms, row.feeAtoms))
      funds.chainAtoms = minus(funds.chainAtoms, row.atoms)
    }
    this.lastWithdrawalId = Math.max(this.lastWithdrawalId, withdrawalId)
    if (known === undefined) this.remember(row, EventHeader.timeMs(events, at))
    this.keepWithdrawal(row)
    this.tookBack(false, withdrawalId)
    this.changed(row)
  }

  private keepWithdrawal(row: Withdrawal): void {
    if (isOpenWithdrawal(row)) this.withdrawals.set(row.withdrawalId, row)
    else this.withdrawals.delete(row.withdrawalId)
    const isProcessing = row.status === WithdrawalStatus.PROCESSING
    keepIf(isProcessing, this.processing, row)
    keepIf(!isProcessing && isOpenWithdrawal(row), this.waiting, row)
  }

  private remember(row: Withdrawal, timeMs: Ms): void {
    const rows = this.withdrawalsOf.get(row.account) ?? []
    this.withdrawalsOf.set(row.account, rows)
    rows.push(row)
    // Those under way, which stay, are few.
    for (let at = 0; at < rows.length; ) {
      const oldest = rows[at]!
      if (this.isUnderWay(oldest)) at++
      else if (isForgotten(oldest, rows.length, timeMs)) rows.splice(at, 1)
      else return
    }
  }

  private applyChain(events: RecordBuffer, at: number): void {
    const chain = {} as ChainBlockFields
    ChainBlock.read(events, ChainChanged.chainBlockAt(at), chain)
    this.chains.set(chain.chainId, chain)
    const change = ChainChanged.change(events, at)
    if (change !== ChainChange.REORGANISE && change !== ChainChange.DROP) return
    const height = heightAt(chain, EventHeader.timeMs(events, at))
    const isDropping = change === ChainChange.DROP
    const isReached = (row: Deposit | Withdrawal) =>
      row.height > height && row.chainId === chain.chainId
    for (const row of byId(this.deposits)) {
      if (!isReached(row) || !(isOpenDeposit(row) || isCredited(row))) continue
      // One that is in no block yet is not lost.
      const isDropped = isDropping && row.height <= height + ChainChanged.blocks(events, at)
      this.takenBack.push({ isDeposit: true, isDropped, id: row.depositId })
    }
    for (const row of byId(this.withdrawals)) {
      if (!isReached(row)) continue
      this.takenBack.push({ isDeposit: false, isDropped: false, id: row.withdrawalId })
    }
  }

  private tookBack(isDeposit: boolean, id: number): void {
    const next = this.takenBack[0]
    if (next !== undefined && next.isDeposit === isDeposit && next.id === id) this.takenBack.shift()
  }

  private fundsFor(asset: AssetId): Funds {
    const funds = this.funds.get(asset) ?? newFunds()
    this.funds.set(asset, funds)
    return funds
  }

  private addDebt(account: AccountId, assetId: AssetId, change: Atoms): void {
    if (change === 0) return
    const key = balanceKey(account, assetId)
    const atoms = plus(this.debtOf(account, assetId), change)
    assert(atoms >= 0, 'an account pays no more than it owes')
    if (atoms === 0) this.debts.delete(key)
    else this.debts.set(key, { account, assetId, atoms })
    const funds = this.fundsFor(assetId)
    funds.debtAtoms = plus(funds.debtAtoms, change)
  }

  private lock({ account, assetId }: Deposit, change: Atoms): void {
    const key = balanceKey(account, assetId)
    const atoms = plus(this.notUnlocked.get(key) ?? Atoms(0), change)
    if (atoms === 0) this.notUnlocked.delete(key)
    else this.notUnlocked.set(key, atoms)
  }

  write(image: ImageWriter): void {
    image.double(this.sequence)
    image.double(this.lastDepositId)
    image.double(this.lastWithdrawalId)
    image.double(this.lastMovementId)
    image.word(this.chains.size)
    for (const chain of this.chains.values()) ChainImage.write(image, chain)
    image.word(this.deposits.size)
    for (const row of byId(this.deposits)) DepositImage.write(image, row)
    const ended = [...this.endedDeposits.values()].flatMap((ids) => [...ids])
    image.word(ended.length)
    for (const id of ended) image.double(id)
    const rows = [...this.withdrawalsOf.values()].flat()
    image.word(rows.length)
    for (const row of rows) WithdrawalImage.write(image, row)
    this.namedMovements.write(image)
    image.word(this.funds.size)
    for (const [assetId, funds] of this.funds) FundsImage.write(image, { assetId, ...funds })
    image.word(this.debts.size)
    for (const debt of this.debts.values()) DebtImage.write(image, debt)
    image.word(this.takenBack.length)
    for (const { isDeposit, isDropped, id } of this.takenBack) {
      image.word(isDeposit ? 1 : 0)
      image.word(isDropped ? 1 : 0)
      image.double(id)
    }
  }

  /** Into a state that has met nothing yet. */
  read(image: ImageReader): void {
    this.sequence = image.double()
    this.lastDepositId = image.double()
    this.lastWithdrawalId = image.double()
    this.lastMovementId = image.double()
    for (let left = image.word(); left > 0; left--) {
      const chain = ChainImage.read(image)
      this.chains.set(chain.chainId, chain)
    }
    for (let left = image.word(); left > 0; left--) {
      this.keepDeposit({ ...DepositImage.read(image) })
    }
    for (let left = image.word(); left > 0; left--) {
      const { account, depositId } = this.deposits.get(image.double())!
      this.endedOf(account).add(depositId)
    }
    const withdrawals: Withdrawal[] = []
    for (let left = image.word(); left > 0; left--) withdrawals.push(this.readWithdrawal(image))
    for (const row of withdrawals.sort(byAge)) this.keepWithdrawal(row)
    this.namedMovements.read(image)
    for (let left = image.word(); left > 0; left--) {
      const { assetId, chainAtoms, inFlightAtoms } = FundsImage.read(image)
      this.funds.set(assetId, { chainAtoms, inFlightAtoms, debtAtoms: Atoms(0) })
    }
    for (let left = image.word(); left > 0; left--) {
      const { account, assetId, atoms } = DebtImage.read(image)
      this.addDebt(account, assetId, atoms)
    }
    for (let left = image.word(); left > 0; left--) {
      const [isDeposit, isDropped] = [image.word() === 1, image.word() === 1]
      this.takenBack.push({ isDeposit, isDropped, id: image.double() })
    }
  }

  private readWithdrawal(image: ImageReader): Withdrawal {
    const row = { ...WithdrawalImage.read(image) }
    const rows = this.withdrawalsOf.get(row.account) ?? []
    this.withdrawalsOf.set(row.account, rows)
    rows.push(row)
    return row
  }

  /** Of all that an engine continues with, whatever it was read from. */
  hash(sink: HashSink): void {
    sink.int(this.sequence)
    for (const [chainId, chain] of this.chains) {
      sink.word(chainId)
      sink.int(chain.baseHeight)
      sink.int(chain.baseMs)
      sink.int(chain.stoppedMs)
      sink.word(chain.delayBlocks)
    }
    for (const row of byId(this.deposits)) {
      sink.int(row.depositId)
      sink.word(row.status)
      sink.int(row.atoms)
      sink.int(row.height)
    }
    for (const row of byId(this.withdrawals)) {
      sink.int(row.withdrawalId)
      sink.word(row.status)
      sink.int(row.atoms)
      sink.int(row.height)
      for (let i = 0; i < row.txId.length; i++) sink.word(row.txId.charCodeAt(i))
    }
    for (const asset of [...this.funds.keys()].sort((a, b) => a - b)) {
      const { chainAtoms, inFlightAtoms, debtAtoms } = this.fundsOf(asset)
      if (chainAtoms === 0 && inFlightAtoms === 0 && debtAtoms === 0) continue
      sink.word(asset)
      sink.int(chainAtoms)
      sink.int(inFlightAtoms)
      sink.int(debtAtoms)
    }
    for (const [key, atoms] of [...this.notUnlocked].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (let i = 0; i < key.length; i++) sink.word(key.charCodeAt(i))
      sink.int(atoms)
    }
    this.namedMovements.hash(sink)
    sink.word(this.takenBack.length)
  }
}

/** Ended deposits of a state that goes on may stand behind newer ones. */
function byId<Row>(rows: ReadonlyMap<number, Row>): readonly Row[] {
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
}

function keepIf<Row>(isMember: boolean, rows: Set<Row>, row: Row): void {
  if (isMember) rows.add(row)
  else rows.delete(row)
}

/** As `waiting` and `processing` are ordered. */
const byAge = (a: Withdrawal, b: Withdrawal): number =>
  agedFromMs(a) - agedFromMs(b) || a.withdrawalId - b.withdrawalId
const agedFromMs = ({ status, applyMs, sinceMs }: Withdrawal): Ms =>
  status === WithdrawalStatus.PROCESSING ? sinceMs : applyMs

/** Whether the oldest of so many that ended is needed no more. */
function isForgotten({ applyMs, requestId }: Withdrawal, rows: number, timeMs: Ms): boolean {
  const ageMs = timeMs - applyMs
  if (ageMs <= DAY_MS) return false
  return ageMs > REMEMBERED_MS || requestId === '' || rows > WITHDRAWALS_KEPT_MAX
}
