/**
 * The wallet's engine: commands in, events and replies out, as a symbol's engine has it, without a book. Deterministic:
 * time comes from its matcher, and the chains of the house are functions of it. It is the only writer of its state.
 * Matcher 0 hosts it, and journals what it wrote; other matchers' symbols share balances with it by the ledger.
 *
 * Money leaves an account when a withdrawal is applied for, stays in flight until the chain has confirmed it or it
 * ended otherwise, and enters an account when a deposit has its confirmations.
 */
import { unreachable } from '../../base/assert.ts'
import {
  ChainChange,
  DepositStatus,
  TransferType,
  WalletRefusal,
  WalletSubject,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../base/codes.ts'
import { isMore, least, minus, most, negative, plus } from '../../base/int64.ts'
import { type AccountId, AssetId, Atoms, ChainId, Ms } from '../../base/units.ts'
import {
  ApplyWithdrawal,
  ChangeChain,
  DecideWithdrawal,
  MoveFunds,
  QueryWallet,
  SendToExchange,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { addressPattern } from '../../market/address-pattern.ts'
import { ownerOfAddress, transactionId } from '../../market/deposit-address.ts'
import { type AccountSpec, EXCHANGE_ACCOUNT } from '../../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../../market/network.ts'
import type { Holds } from '../ledger/holds.ts'
import type { EngineOutput } from '../matching/output.ts'
import {
  type Chain,
  heightAt,
  newChain,
  nextHeight,
  reorganised,
  resumed,
  stopped,
  timeOfHeight,
} from './chain-time.ts'
import { DueHeights, dueHeightOfDeposit, dueHeightOfWithdrawal } from './due-heights.ts'
import type { Movement } from './named-movements.ts'
import {
  DAY_MS,
  type Deposit,
  isCredited,
  type TakenBack,
  WalletState,
  type Withdrawal,
} from './wallet-state.ts'
import { WalletWriter } from './wallet-writer.ts'

/** Of one account. What it pays to others of the exchange counts until it is unlocked there. */
export const OPEN_WITHDRAWALS_MAX = 64
export const DAY_WITHDRAWALS_MAX = 1000
/** From outside. */
export const OPEN_DEPOSITS_MAX = 256
/** Of one asset over chains: with what operators pay in, 2^62, it fits 64 bits with a sign. */
export const SUPPLY_ATOMS_MAX = Atoms(2n ** 61n)
/** Blocks of a reorganisation. */
export const REORGANISED_MAX = 1000
export const DELAY_BLOCKS_MAX = 10_000
/** What is due, or taken back, in one batch. */
const DUE_MAX = 16

const NEVER = Ms(Number.POSITIVE_INFINITY)
const ADMITTED = 0

/** A withdrawal, with the chain that it goes over. */
export interface Payment extends Withdrawal {
  readonly chain: ChainSpec
}

interface Network {
  spec: NetworkSpec
  isAddress: (text: string) => boolean
  isMemo: (text: string) => boolean
  readonly deposits: DueHeights<Deposit>
  readonly withdrawals: DueHeights<Withdrawal>
}

export interface WalletParts {
  readonly holds: Holds
  readonly output: EngineOutput
}

export class Wallet {
  readonly state = new WalletState()
  private readonly holds: Holds
  private readonly writer: WalletWriter
  /** By id. */
  private readonly chainSpecs: ChainSpec[] = []
  private readonly networks: Network[] = []
  private readonly accounts: AccountSpec[] = []
  private timeMs = Ms(0)
  private clockMs = Ms(0)
  private nextMs = NEVER
  /** Withdrawals that wait for what pays them, and were not taken since they changed. */
  private readonly unpaid = new Set<Withdrawal>()

  constructor({ holds, output }: WalletParts) {
    this.holds = holds
    this.writer = new WalletWriter(this.state, output)
    this.state.changed = (row) => this.changed(row)
  }

  setAccount(account: AccountSpec): void {
    this.accounts[account.id] = account
  }

  setChain(chain: ChainSpec): void {
    this.chainSpecs[chain.id] = chain
  }

  setNetwork(spec: NetworkSpec): void {
    const isAddress = addressPattern(spec.addressRegex)
    const isMemo =
      spec.memoRegex === '' ? (text: string) => text === '' : addressPattern(spec.memoRegex)
    const before = this.networks[spec.id]
    if (before === undefined) {
      const deposits = new DueHeights(this.state.deposits, dueHeightOfDeposit)
      const withdrawals = new DueHeights(this.state.withdrawals, dueHeightOfWithdrawal)
      this.networks[spec.id] = { spec, isAddress, isMemo, deposits, withdrawals }
    } else Object.assign(before, { spec, isAddress, isMemo })
    this.find()
  }

  /** Executes the command at byte `at`. `clockMs` judges whether it has expired. */
  execute(commands: RecordBuffer, at: number, timeMs: Ms, clockMs = timeMs): void {
    this.timeMs = timeMs
    this.clockMs = clockMs
    this.writer.begin(commands, at, timeMs)
    switch (recordType(commands, at)) {
      case ApplyWithdrawal.type:
        this.finish(this.apply(commands, at))
        break
      case DecideWithdrawal.type:
        this.finish(this.decide(commands, at))
        break
      case SendToExchange.type:
        this.finish(this.send(commands, at))
        break
      case ChangeChain.type:
        this.finish(this.changeChain(commands, at))
        break
      case MoveFunds.type:
        this.finish(this.move(commands, at))
        break
      case QueryWallet.type:
        this.query(commands, at)
        break
      default:
        unreachable('a command ring carries commands')
    }
    this.find()
  }

  /** Refuses the command at byte `at`. */
  refuse(commands: RecordBuffer, at: number, reason: WalletRefusal): void {
    this.writer.begin(commands, at, this.timeMs)
    this.writer.rejected(reason)
  }

  /** Applies the journaled event at byte `at`. `recovered` follows the last. */
  recover(events: RecordBuffer, at: number): void {
    this.state.apply(events, at)
  }

  /** State and networks are known: what is due can be found. */
  recovered(): void {
    for (const row of this.state.deposits.values()) this.changed(row)
    for (const row of this.state.withdrawals.values()) this.changed(row)
    this.find()
  }

  get hasUnpaid(): boolean {
    return this.unpaid.size > 0
  }

  /** Takes withdrawals that are to be signed or sent, as they stand. */
  takeUnpaid(): readonly Payment[] {
    const rows = [...this.unpaid]
    this.unpaid.clear()
    return rows.map((row) => ({ ...row, chain: this.chainSpecs[row.chainId]! }))
  }

  /** When it next changes by itself; infinite when it does not. */
  get dueMs(): Ms {
    return this.isUnfinished ? Ms(0) : this.nextMs
  }

  /** Whether a reorganisation is not done: no command is executed meanwhile. */
  private get isUnfinished(): boolean {
    return this.state.takenBack.length > 0
  }

  /** Does what was due by `clockMs`, a batch of it. */
  fire(timeMs: Ms, clockMs: Ms): void {
    this.timeMs = timeMs
    let left = DUE_MAX
    for (; left > 0 && this.isUnfinished; left--) this.takeBack(this.state.takenBack[0]!)
    for (; left > 0 && this.nextMs <= clockMs; left--) this.fireFirst()
    this.find()
  }

  private fireFirst(): void {
    for (const network of this.networks) {
      if (this.dueMsOf(network) > this.nextMs) continue
      const deposit = this.dueDeposit(network)
      const withdrawal = network.withdrawals.first()
      const chain = this.chain(network.spec.chain)
      this.writer.beginConsequence(this.timeMs)
      if (deposit !== undefined && timeOfHeight(chain, deposit.height) <= this.nextMs) {
        this.confirm(deposit.row)
      } else this.complete(withdrawal!.row)
      this.writer.end()
      break
    }
    this.find()
  }

  /** A deposit has as many confirmations as the next state needs. */
  private confirm(row: Deposit): void {
    if (row.status === DepositStatus.CREDITED) {
      this.writer.deposit({ ...row, status: DepositStatus.SUCCESS })
      return
    }
    const { account, assetId, atoms, minConfirm, unlockConfirm } = row
    const paid = least(atoms, this.state.debtOf(account, assetId))
    const moved = minus(atoms, paid)
    const status = unlockConfirm > minConfirm ? DepositStatus.CREDITED : DepositStatus.SUCCESS
    if (moved > 0) this.holds.credit(account, assetId, moved)
    this.writer.deposit({ ...row, status, completeMs: this.timeMs }, moved, negative(paid))
  }

  private complete(row: Withdrawal): void {
    const completed = { ...row, status: WithdrawalStatus.COMPLETED, completeMs: this.timeMs }
    if (row.feeAtoms > 0) this.holds.credit(EXCHANGE_ACCOUNT, row.assetId, row.feeAtoms)
    this.writer.withdrawal(completed, Atoms(0), row.feeAtoms)
  }

  /** What the block had comes into a later one, or is lost; what was credited is taken from free, else owed. */
  private takeBack({ isDeposit, isDropped, id }: TakenBack): void {
    this.writer.beginConsequence(this.timeMs)
    if (isDeposit) this.takeDepositBack(this.state.deposits.get(id)!, isDropped)
    else {
      const row = this.state.withdrawals.get(id)!
      this.writer.withdrawal({ ...row, height: this.nextHeightOf(row) })
    }
    this.writer.end()
  }

  private takeDepositBack(row: Deposit, isDropped: boolean): void {
    const isLost = isDropped && row.transferType === TransferType.EXTERNAL
    const taken = isCredited(row) ? this.takeFree(row.account, row.assetId, row.atoms) : Atoms(0)
    const owed = isCredited(row) ? minus(row.atoms, taken) : Atoms(0)
    const status = isLost ? DepositStatus.REJECTED : DepositStatus.PENDING
    const height = isLost ? row.height : this.nextHeightOf(row)
    this.writer.deposit({ ...row, status, height, completeMs: Ms(0) }, negative(taken), owed)
  }

  private nextHeightOf({ chainId }: Deposit | Withdrawal): number {
    return nextHeight(this.chain(chainId), this.timeMs)
  }

  /** Takes up to so much of what is free, and returns what it took. */
  private takeFree(account: AccountId, asset: AssetId, atoms: Atoms): Atoms {
    const { holds } = this
    // Another matcher may hold some of it meanwhile.
    for (let taken = atoms; taken > 0; ) {
      taken = most(Atoms(0), least(taken, holds.available(account, asset)))
      if (taken > 0 && holds.hold(account, asset, taken)) {
        holds.spend(account, asset, taken)
        return taken
      }
    }
    return Atoms(0)
  }

  private apply(commands: RecordBuffer, at: number): WalletRefusal | 0 {
    if (this.isLate(ApplyWithdrawal.expiresMs(commands, at))) {
      return WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW
    }
    const account = ApplyWithdrawal.account(commands, at)
    const network = this.networks[ApplyWithdrawal.networkId(commands, at)]
    if (network === undefined) return WalletRefusal.NO_NETWORK
    const { spec } = network
    const isFeeIncluded = ApplyWithdrawal.isFeeIncluded(commands, at) === 1
    const named = ApplyWithdrawal.atoms(commands, at)
    const row: Withdrawal = {
      account,
      networkId: spec.id,
      assetId: spec.asset,
      chainId: spec.chain,
      status: WithdrawalStatus.PROCESSING,
      withdrawalId: this.state.lastWithdrawalId + 1,
      atoms: isFeeIncluded ? minus(named, spec.withdrawFee) : named,
      feeAtoms: spec.withdrawFee,
      applyMs: this.timeMs,
      completeMs: Ms(0),
      height: 0,
      transferType: TransferType.EXTERNAL,
      walletType: ApplyWithdrawal.walletType(commands, at),
      reason: 0,
      confirmations: spec.minConfirm,
      spare: 0,
      requestId: ApplyWithdrawal.requestId(commands, at),
      address: ApplyWithdrawal.address(commands, at),
      tag: ApplyWithdrawal.tag(commands, at),
      txId: '',
      transaction: '',
      sinceMs: this.timeMs,
    }
    const known = this.appliedBefore(row)
    if (known !== undefined) return this.answerAgain(known, row)
    const refused = this.judge(row, network, named)
    if (refused !== ADMITTED) return refused
    return this.debit(row, network, commands, at)
  }

  private appliedBefore({ account, requestId }: Withdrawal): Withdrawal | undefined {
    if (requestId === '') return undefined
    return this.state.rememberedOf(account).find((row) => row.requestId === requestId)
  }

  private answerAgain(known: Withdrawal, row: Withdrawal): WalletRefusal | 0 {
    const isSame =
      known.networkId === row.networkId &&
      known.address === row.address &&
      known.tag === row.tag &&
      plus(known.atoms, known.feeAtoms) === plus(row.atoms, row.feeAtoms)
    if (!isSame) return WalletRefusal.OTHER_CONTENT
    this.writer.withdrawalState(known)
    return ADMITTED
  }

  /** What needs no balance. */
  private judge(row: Withdrawal, network: Network, named: Atoms): WalletRefusal | 0 {
    const { spec, isAddress, isMemo } = network
    const { account } = row
    if (!this.mayWithdraw(account)) return WalletRefusal.ACCOUNT_CLOSED
    if (!spec.withdrawEnabled) return WalletRefusal.SUSPENDED
    if (!isAddress(row.address)) return WalletRefusal.BAD_ADDRESS
    if (row.tag !== '' && !isMemo(row.tag)) return WalletRefusal.BAD_TAG
    if (BigInt(named) % BigInt(spec.withdrawMultiple) !== 0n) return WalletRefusal.NOT_A_MULTIPLE
    if (isMore(spec.withdrawMin, named) || row.atoms <= 0) return WalletRefusal.BELOW_MINIMUM
    if (isMore(named, spec.withdrawMax)) return WalletRefusal.ABOVE_MAXIMUM
    const rows = this.state.rememberedOf(account)
    const today = rows.filter(({ applyMs }) => this.timeMs - applyMs < DAY_MS)
    const open = rows.filter((it) => this.state.isUnderWay(it))
    if (open.length >= OPEN_WITHDRAWALS_MAX || today.length >= DAY_WITHDRAWALS_MAX) {
      return WalletRefusal.FULL
    }
    if (spec.withdrawDayMax === 0) return ADMITTED
    const sum = today
      .filter((it) => it.networkId === spec.id && (it.completeMs === 0 || isCompleted(it)))
      .reduce((atoms, it) => plus(atoms, it.atoms), row.atoms)
    return isMore(sum, spec.withdrawDayMax) ? WalletRefusal.ABOVE_DAY_LIMIT : ADMITTED
  }

  private mayWithdraw(account: AccountId): boolean {
    const spec = this.accounts[account]
    return spec !== undefined && !spec.frozen
  }

  /** Takes amount and fee from free at once. */
  private debit(
    row: Withdrawal,
    { spec }: Network,
    commands: RecordBuffer,
    at: number,
  ): WalletRefusal | 0 {
    const { account, assetId } = row
    const gross = plus(row.atoms, row.feeAtoms)
    const refused = this.take(account, assetId, gross, commands, at)
    if (refused !== ADMITTED) return refused
    const waits = spec.approvalAbove > 0 && isMore(row.atoms, spec.approvalAbove)
    const isInternal = this.ownerOf(spec.chain, row) !== undefined
    const status = waits ? WithdrawalStatus.EMAIL_SENT : WithdrawalStatus.PROCESSING
    const transferType = isInternal ? TransferType.INTERNAL : TransferType.EXTERNAL
    this.writer.withdrawal({ ...row, status, transferType }, negative(gross))
    return ADMITTED
  }

  /** Takes it from what the account may withdraw, once its debts are paid. */
  private take(
    account: AccountId,
    assetId: AssetId,
    atoms: Atoms,
    commands: RecordBuffer,
    at: number,
  ): WalletRefusal | 0 {
    if (!this.payDebts(account)) return WalletRefusal.IN_DEBT
    this.writer.begin(commands, at, this.timeMs)
    const free = this.holds.available(account, assetId)
    if (isMore(atoms, free)) return WalletRefusal.INSUFFICIENT_BALANCE
    if (isMore(atoms, minus(free, this.state.notUnlockedOf(account, assetId)))) {
      return WalletRefusal.NOT_UNLOCKED
    }
    if (!this.holds.hold(account, assetId, atoms)) return WalletRefusal.INSUFFICIENT_BALANCE
    this.holds.spend(account, assetId, atoms)
    return ADMITTED
  }

  /** What an account may not withdraw it may not give to another either. */
  private move(commands: RecordBuffer, at: number): WalletRefusal | 0 {
    if (this.isLate(MoveFunds.expiresMs(commands, at))) {
      return WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW
    }
    const row: Movement = {
      from: MoveFunds.from(commands, at),
      to: MoveFunds.to(commands, at),
      assetId: MoveFunds.assetId(commands, at),
      master: MoveFunds.master(commands, at),
      movementId: this.state.lastMovementId + 1,
      atoms: MoveFunds.atoms(commands, at),
      requestId: MoveFunds.requestId(commands, at),
    }
    const { from, to, assetId, atoms, requestId } = row
    if (requestId !== '') {
      const { namedMovements } = this.state
      const known = namedMovements.of(row.master, requestId)
      if (known !== undefined) return this.movedBefore(known, row)
      // One that is forgotten here the archive may not have known when it was asked.
      const isArchived = MoveFunds.archivedId(commands, at) >= namedMovements.forgottenId
      if (!isArchived) return WalletRefusal.NOT_ARCHIVED
    }
    if (!this.mayWithdraw(from) || !this.mayWithdraw(to)) return WalletRefusal.ACCOUNT_CLOSED
    const refused = this.take(from, assetId, atoms, commands, at)
    if (refused !== ADMITTED) return refused
    this.holds.credit(to, assetId, atoms)
    this.writer.moved(row)
    return ADMITTED
  }

  private movedBefore(known: Movement, row: Movement): WalletRefusal | 0 {
    const isSame =
      known.from === row.from &&
      known.to === row.to &&
      known.assetId === row.assetId &&
      known.atoms === row.atoms
    if (!isSame) return WalletRefusal.OTHER_CONTENT
    this.writer.movementState(known)
    return ADMITTED
  }

  private isLate(expiresMs: Ms): boolean {
    return expiresMs > 0 && this.clockMs > expiresMs
  }

  /** Takes what the account owes from free, an execution for each debt; false, with nothing taken, if it has too little. */
  private payDebts(account: AccountId): boolean {
    const debts = this.state.debtsOf(account)
    const isLacking = debts.some(({ assetId, atoms }) =>
      isMore(atoms, this.holds.available(account, assetId)),
    )
    if (isLacking) return false
    for (const { assetId, atoms } of debts) {
      this.writer.beginConsequence(this.timeMs)
      const paid = this.takeFree(account, assetId, atoms)
      if (paid > 0) this.writer.debtPaid(account, assetId, paid)
      this.writer.end()
    }
    return this.state.debtsOf(account).length === 0
  }

  /** The account that the address is of, if it is one of this exchange that is open. */
  private ownerOf(
    chain: ChainId,
    { address, tag }: Pick<Withdrawal, 'address' | 'tag'>,
  ): AccountId | undefined {
    const account = ownerOfAddress(this.chainSpecs[chain]!, address, tag)?.account
    const spec = account === undefined ? undefined : this.accounts[account]
    return spec?.closed === true ? undefined : spec?.id
  }

  private decide(commands: RecordBuffer, at: number): WalletRefusal | 0 {
    const id = DecideWithdrawal.withdrawalId(commands, at)
    const row = this.state.withdrawals.get(id)
    if (row === undefined) {
      const isKnown = id >= 1 && id <= this.state.lastWithdrawalId
      return isKnown ? WalletRefusal.WRONG_STATUS : WalletRefusal.NO_WITHDRAWAL
    }
    const txId = DecideWithdrawal.txId(commands, at)
    const waits = row.status !== WithdrawalStatus.PROCESSING
    switch (DecideWithdrawal.decision(commands, at)) {
      case WithdrawalDecision.CONFIRM:
        if (row.status !== WithdrawalStatus.EMAIL_SENT) return this.unchanged(row)
        this.writer.withdrawal({ ...row, status: WithdrawalStatus.AWAITING_APPROVAL })
        return ADMITTED
      case WithdrawalDecision.APPROVE:
        if (!waits) return this.unchanged(row)
        if (!this.mayWithdraw(row.account)) return WalletRefusal.ACCOUNT_CLOSED
        this.writer.withdrawal({ ...row, status: WithdrawalStatus.PROCESSING })
        return ADMITTED
      case WithdrawalDecision.CANCEL:
        return waits
          ? this.refund(row, WithdrawalStatus.CANCELLED, WithdrawalDecision.CANCEL)
          : WalletRefusal.WRONG_STATUS
      case WithdrawalDecision.REJECT:
        return waits
          ? this.refund(row, WithdrawalStatus.REJECTED, WithdrawalDecision.REJECT)
          : WalletRefusal.WRONG_STATUS
      case WithdrawalDecision.SIGN:
        return waits ? WalletRefusal.WRONG_STATUS : this.sign(row, commands, at)
      case WithdrawalDecision.SEND:
        return waits || row.txId !== txId || txId === ''
          ? WalletRefusal.WRONG_STATUS
          : this.carry(row)
      case WithdrawalDecision.FAIL: {
        // Of one that is signed only what signed it knows that no chain will have it.
        const mayFail = !waits && row.height === 0 && row.txId === txId
        return mayFail
          ? this.refund(row, WithdrawalStatus.FAILURE, WithdrawalDecision.FAIL)
          : WalletRefusal.WRONG_STATUS
      }
      default:
        return WalletRefusal.WRONG_STATUS
    }
  }

  private unchanged(row: Withdrawal): 0 {
    this.writer.withdrawalState(row)
    return ADMITTED
  }

  private refund(row: Withdrawal, status: WithdrawalStatus, reason: WithdrawalDecision): 0 {
    const gross = plus(row.atoms, row.feeAtoms)
    this.holds.credit(row.account, row.assetId, gross)
    this.writer.withdrawal({ ...row, status, reason, completeMs: this.timeMs }, gross)
    return ADMITTED
  }

  /** A withdrawal has one transaction: a second one is answered by the first. */
  private sign(row: Withdrawal, commands: RecordBuffer, at: number): WalletRefusal | 0 {
    if (row.txId !== '') return this.unchanged(row)
    const txId = DecideWithdrawal.txId(commands, at)
    if (txId === '') return WalletRefusal.WRONG_STATUS
    this.writer.signed(row, txId, DecideWithdrawal.transaction(commands, at))
    this.writer.withdrawal({ ...row, txId })
    return ADMITTED
  }

  /** The chain takes the transaction into its next block, however often it is sent. */
  private carry(row: Withdrawal): 0 {
    if (row.height > 0) return this.unchanged(row)
    const height = this.nextHeightOf(row)
    this.writer.withdrawal({ ...row, height })
    const account = this.ownerOf(row.chainId, row)
    const network = this.networks[row.networkId]!
    const { txId, address, tag, atoms } = row
    if (account === undefined) return ADMITTED
    this.writer.deposit({
      ...this.newDeposit(network.spec, account, atoms),
      ...{ height, txId, address, tag, transferType: TransferType.INTERNAL },
    })
    return ADMITTED
  }

  private send(commands: RecordBuffer, at: number): WalletRefusal | 0 {
    const network = this.networks[SendToExchange.networkId(commands, at)]
    if (network === undefined) return WalletRefusal.NO_NETWORK
    const { spec } = network
    const atoms = SendToExchange.atoms(commands, at)
    const requestId = SendToExchange.requestId(commands, at)
    const address = SendToExchange.address(commands, at)
    const tag = SendToExchange.tag(commands, at)
    const known = this.state.depositOfSender(requestId)
    if (known !== undefined) {
      const isSame =
        known.networkId === spec.id &&
        known.atoms === atoms &&
        known.address === address &&
        known.tag === tag
      if (!isSame) return WalletRefusal.OTHER_CONTENT
      this.writer.depositState(known)
      return ADMITTED
    }
    const chain = this.chainSpecs[spec.chain]!
    if (ownerOfAddress(chain, address, tag) === undefined) return WalletRefusal.BAD_ADDRESS
    if (atoms <= 0) return WalletRefusal.BELOW_MINIMUM
    if (isMore(plus(this.suppliedOf(spec.asset), atoms), SUPPLY_ATOMS_MAX)) {
      return WalletRefusal.ABOVE_MAXIMUM
    }
    const account = this.ownerOf(spec.chain, { address, tag })
    if (this.openDepositsOf(account ?? EXCHANGE_ACCOUNT) >= OPEN_DEPOSITS_MAX)
      return WalletRefusal.FULL
    const row = this.newDeposit(spec, account, atoms)
    const txId = transactionId(chain, 'deposit', row.depositId)
    this.writer.deposit({ ...row, requestId, txId, address, tag })
    return ADMITTED
  }

  /** What balances have of the asset, or will have, beyond what operators paid in. */
  private suppliedOf(asset: AssetId): Atoms {
    const { chainAtoms, debtAtoms } = this.state.fundsOf(asset)
    let atoms = plus(chainAtoms, debtAtoms)
    for (const row of this.state.openDeposits.values()) {
      const isComing = row.status === DepositStatus.PENDING && row.assetId === asset
      if (isComing) atoms = plus(atoms, row.atoms)
    }
    return atoms
  }

  private openDepositsOf(account: AccountId): number {
    let count = 0
    for (const row of this.state.openDeposits.values()) {
      const isFromOutside = row.transferType === TransferType.EXTERNAL
      if (isFromOutside && row.account === account) count++
    }
    return count
  }

  private newDeposit(spec: NetworkSpec, owner: AccountId | undefined, atoms: Atoms): Deposit {
    const isWrong = owner === undefined || isMore(spec.depositMin, atoms)
    return {
      account: owner ?? EXCHANGE_ACCOUNT,
      networkId: spec.id,
      assetId: spec.asset,
      chainId: spec.chain,
      status: isWrong ? DepositStatus.WRONG : DepositStatus.PENDING,
      depositId: this.state.lastDepositId + 1,
      atoms,
      height: nextHeight(this.chain(spec.chain), this.timeMs),
      insertMs: this.timeMs,
      completeMs: Ms(0),
      minConfirm: spec.minConfirm,
      unlockConfirm: spec.unLockConfirm,
      transferType: TransferType.EXTERNAL,
      requestId: '',
      txId: '',
      address: '',
      tag: '',
    }
  }

  private changeChain(commands: RecordBuffer, at: number): WalletRefusal | 0 {
    const id = ChangeChain.chainId(commands, at)
    if (this.chainSpecs[id] === undefined) return WalletRefusal.NO_CHAIN
    const chain = this.chain(id)
    const change = ChangeChain.change(commands, at)
    const blocks = ChangeChain.blocks(commands, at)
    const changed = this.changedChain(chain, change, blocks)
    if (changed === undefined) return WalletRefusal.WRONG_STATUS
    this.writer.chain(changed, change, blocks)
    return ADMITTED
  }

  /** Undefined where that cannot be. */
  private changedChain(chain: Chain, change: number, blocks: number): Chain | undefined {
    switch (change) {
      case ChainChange.STOP:
        return chain.stoppedMs === 0 ? stopped(chain, this.timeMs) : undefined
      case ChainChange.RESUME:
        return chain.stoppedMs === 0 ? undefined : resumed(chain, this.timeMs)
      case ChainChange.CONGEST: {
        const isBounded = blocks >= 0 && blocks <= DELAY_BLOCKS_MAX
        return isBounded ? { ...chain, delayBlocks: blocks } : undefined
      }
      case ChainChange.REORGANISE:
      case ChainChange.DROP: {
        const isBounded = blocks >= 1 && blocks <= REORGANISED_MAX
        return isBounded && blocks <= heightAt(chain, this.timeMs)
          ? reorganised(chain, blocks)
          : undefined
      }
      default:
        return undefined
    }
  }

  /** As the subject says; a page of states where there may be many. */
  private query(commands: RecordBuffer, at: number): void {
    const { state, writer } = this
    const id = QueryWallet.id(commands, at)
    const account = QueryWallet.account(commands, at)
    const subject = QueryWallet.subject(commands, at)
    switch (subject) {
      case WalletSubject.FUNDS:
        writer.fundsState(AssetId(id))
        break
      case WalletSubject.WITHDRAWING: {
        const taken = state.withdrawingOf(account)
        for (const [assetId, atoms] of taken) writer.withdrawing(account, assetId, atoms)
        writer.pageEnd(taken.size, true)
        break
      }
      case WalletSubject.CHAIN:
        if (this.chainSpecs[id] === undefined) writer.rejected(WalletRefusal.NO_CHAIN)
        else {
          const chain = this.chain(ChainId(id))
          writer.chainState(chain, heightAt(chain, this.timeMs), state.transfersOf(chain.chainId))
        }
        break
      case WalletSubject.DEPOSITS:
        this.page(commands, at, state.openDeposits, isAny, (row) => writer.depositState(row, 0))
        break
      case WalletSubject.WITHDRAWALS:
      case WalletSubject.UNDECIDED: {
        const isWanted = subject === WalletSubject.UNDECIDED ? isUnsigned : isAny
        const write = (row: Withdrawal) => writer.withdrawalState(row, 0)
        this.page(commands, at, state.withdrawals, isWanted, write)
        break
      }
      case WalletSubject.TRANSACTIONS:
        this.page(commands, at, state.withdrawals, isSigned, (row) => writer.transactionState(row))
        break
      default:
        writer.rejected(WalletRefusal.WRONG_STATUS)
    }
  }

  private page<Row extends Deposit | Withdrawal>(
    commands: RecordBuffer,
    at: number,
    rows: ReadonlyMap<number, Row>,
    isWanted: (row: Row) => boolean,
    write: (row: Row) => void,
  ): void {
    const account = QueryWallet.account(commands, at)
    const limit = QueryWallet.limit(commands, at)
    const afterId = QueryWallet.afterId(commands, at)
    const found = [...rows]
      .filter(([id, row]) => id > afterId && isWanted(row))
      .filter(([, row]) => account < 0 || row.account === account)
      .sort(([a], [b]) => a - b)
    const page = found.slice(0, limit)
    for (const [, row] of page) write(row)
    this.writer.pageEnd(page.length, page.length === found.length)
  }

  private finish(verdict: WalletRefusal | 0): void {
    this.writer.end()
    if (verdict !== ADMITTED) this.writer.rejected(verdict)
  }

  private chain(id: ChainId): Chain {
    return this.state.chains.get(id) ?? newChain(this.chainSpecs[id]!)
  }

  private changed(row: Deposit | Withdrawal): void {
    const network = this.networks[row.networkId]
    if ('depositId' in row) network?.deposits.add(row.depositId, row)
    else {
      network?.withdrawals.add(row.withdrawalId, row)
      if (isUnpaid(row)) this.unpaid.add(row)
      else this.unpaid.delete(row)
    }
  }

  /** Looks for what is due next. */
  private find(): void {
    let nextMs = NEVER
    for (const network of this.networks) {
      const dueMs = this.dueMsOf(network)
      if (dueMs < nextMs) nextMs = dueMs
    }
    this.nextMs = nextMs
  }

  private dueMsOf(network: Network): Ms {
    const deposit = this.dueDeposit(network)
    const withdrawal = network.withdrawals.first()
    if (deposit === undefined && withdrawal === undefined) return NEVER
    const height = Math.min(
      deposit?.height ?? Number.POSITIVE_INFINITY,
      withdrawal?.height ?? Number.POSITIVE_INFINITY,
    )
    return timeOfHeight(this.chain(network.spec.chain), height)
  }

  /** Deposits of a suspended network wait until it is resumed. */
  private dueDeposit({ spec, deposits }: Network) {
    return spec.depositEnabled ? deposits.first() : undefined
  }
}

/** Whether the chain has it not yet. */
const isUnpaid = ({ status, height }: Withdrawal): boolean =>
  status === WithdrawalStatus.PROCESSING && height === 0
const isCompleted = ({ status }: Withdrawal): boolean => status === WithdrawalStatus.COMPLETED
const isSigned = ({ txId }: Withdrawal): boolean => txId !== ''
const isAny = (): boolean => true
const isUnsigned = ({ txId }: Withdrawal): boolean => txId === ''
