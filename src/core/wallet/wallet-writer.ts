/** Writes the wallet's events and replies into its matcher's output. Each event is applied into the state at once. */
import type { WalletRefusal } from '../../base/codes.ts'
import { type AccountId, type AssetId, Atoms, Ms } from '../../base/units.ts'
import {
  ChainChanged,
  ChainState,
  DebtPaid,
  DepositChanged,
  DepositState,
  EventHeader,
  FundsMoved,
  FundsState,
  MovementState,
  RecordHeader,
  TransactionSigned,
  TransactionState,
  WalletEnd,
  WalletRejected,
  WithdrawalChanged,
  WithdrawalState,
  WithdrawingState,
} from '../../layout/accessors.gen.ts'
import { addFlag, type RecordBuffer, writeHead } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'
import { WALLET } from '../../market/listing.ts'
import type { EngineOutput } from '../matching/output.ts'
import type { Chain } from './chain-time.ts'
import type { Movement } from './named-movements.ts'
import type { Deposit, WalletState, Withdrawal } from './wallet-state.ts'

export class WalletWriter {
  private readonly state: WalletState
  private readonly output: EngineOutput
  private gateway = -1
  private correlation = 0
  private timeMs = Ms(0)
  private lastAt = -1

  constructor(state: WalletState, output: EngineOutput) {
    this.state = state
    this.output = output
  }

  /** What follows answers the command at byte `at`. */
  begin(commands: RecordBuffer, at: number, timeMs: Ms): void {
    this.gateway = RecordHeader.gateway(commands, at)
    this.correlation = RecordHeader.correlation(commands, at)
    this.timeMs = timeMs
    this.lastAt = -1
  }

  /** What follows is an execution without a request. */
  beginConsequence(timeMs: Ms): void {
    this.gateway = -1
    this.correlation = 0
    this.timeMs = timeMs
    this.lastAt = -1
  }

  /** Marks the last event of the execution. */
  end(): void {
    if (this.lastAt >= 0) addFlag(this.output.events, this.lastAt, FLAG_LAST)
  }

  /** `movedAtoms` is what the account's free gains, `debtAtoms` what it owes more. */
  deposit(row: Deposit, movedAtoms = Atoms(0), debtAtoms = Atoms(0)): void {
    const { at, events } = this.event(DepositChanged)
    DepositChanged.writeDeposit(events, at, row)
    DepositChanged.setMovedAtoms(events, at, movedAtoms)
    DepositChanged.setDebtAtoms(events, at, debtAtoms)
    this.state.apply(events, at)
  }

  withdrawal(row: Readonly<Withdrawal>, movedAtoms = Atoms(0), feeMovedAtoms = Atoms(0)): void {
    const { at, events } = this.event(WithdrawalChanged)
    WithdrawalChanged.writeWithdrawal(events, at, row)
    WithdrawalChanged.setMovedAtoms(events, at, movedAtoms)
    WithdrawalChanged.setFeeMovedAtoms(events, at, feeMovedAtoms)
    this.state.apply(events, at)
  }

  signed({ withdrawalId }: Withdrawal, txId: string, transaction: string): void {
    const { at, events } = this.event(TransactionSigned)
    TransactionSigned.setWithdrawalId(events, at, withdrawalId)
    TransactionSigned.setTxId(events, at, txId)
    TransactionSigned.setTransaction(events, at, transaction)
    this.state.apply(events, at)
  }

  chain(chain: Chain, change: number, blocks: number): void {
    const { at, events } = this.event(ChainChanged)
    ChainChanged.writeChain(events, at, chain)
    ChainChanged.setChange(events, at, change)
    ChainChanged.setBlocks(events, at, blocks)
    this.state.apply(events, at)
  }

  debtPaid(account: Deposit['account'], assetId: Deposit['assetId'], atoms: Atoms): void {
    const { at, events } = this.event(DebtPaid)
    DebtPaid.setAccount(events, at, account)
    DebtPaid.setAssetId(events, at, assetId)
    DebtPaid.setAtoms(events, at, atoms)
    this.state.apply(events, at)
  }

  moved(movement: Movement): void {
    const { at, events } = this.event(FundsMoved)
    FundsMoved.writeMovement(events, at, movement)
    this.state.apply(events, at)
  }

  rejected(reason: WalletRefusal): void {
    const { at, replies } = this.reply(WalletRejected, FLAG_LAST)
    WalletRejected.setReason(replies, at, reason)
    WalletRejected.setSpare(replies, at, 0)
  }

  depositState(row: Deposit, flags = FLAG_LAST): void {
    const { at, replies } = this.reply(DepositState, flags)
    DepositState.writeDeposit(replies, at, row)
  }

  withdrawalState(row: Readonly<Withdrawal>, flags = FLAG_LAST): void {
    const { at, replies } = this.reply(WithdrawalState, flags)
    WithdrawalState.writeWithdrawal(replies, at, row)
  }

  movementState(movement: Movement): void {
    const { at, replies } = this.reply(MovementState, FLAG_LAST)
    MovementState.writeMovement(replies, at, movement)
  }

  transactionState({ withdrawalId, txId, transaction }: Readonly<Withdrawal>): void {
    const { at, replies } = this.reply(TransactionState, 0)
    TransactionState.setWithdrawalId(replies, at, withdrawalId)
    TransactionState.setTxId(replies, at, txId)
    TransactionState.setTransaction(replies, at, transaction)
  }

  chainState(chain: Chain, height: number, transfers: number): void {
    const { at, replies } = this.reply(ChainState, FLAG_LAST)
    ChainState.writeChain(replies, at, chain)
    ChainState.setHeight(replies, at, height)
    ChainState.setTransfers(replies, at, transfers)
  }

  fundsState(assetId: Deposit['assetId']): void {
    const { chainAtoms, inFlightAtoms, debtAtoms } = this.state.fundsOf(assetId)
    const { at, replies } = this.reply(FundsState, FLAG_LAST)
    FundsState.setAssetId(replies, at, assetId)
    FundsState.setSpare(replies, at, 0)
    FundsState.setChainAtoms(replies, at, chainAtoms)
    FundsState.setInFlightAtoms(replies, at, inFlightAtoms)
    FundsState.setDebtAtoms(replies, at, debtAtoms)
  }

  withdrawing(account: AccountId, assetId: AssetId, atoms: Atoms): void {
    const { at, replies } = this.reply(WithdrawingState, 0)
    WithdrawingState.setAccount(replies, at, account)
    WithdrawingState.setAssetId(replies, at, assetId)
    WithdrawingState.setAtoms(replies, at, atoms)
  }

  pageEnd(count: number, isWhole: boolean): void {
    const { at, replies } = this.reply(WalletEnd, FLAG_LAST)
    WalletEnd.setCount(replies, at, count)
    WalletEnd.setIsWhole(replies, at, isWhole ? 1 : 0)
  }

  private event({ type, bytes }: { readonly type: number; readonly bytes: number }) {
    const { output, state } = this
    const at = output.event(bytes)
    const { events } = output
    writeHead(events, at, type, bytes)
    this.head(events, at)
    EventHeader.setTimeMs(events, at, this.timeMs)
    EventHeader.setSequence(events, at, state.sequence + 1)
    this.lastAt = at
    return { at, events }
  }

  private reply({ type, bytes }: { readonly type: number; readonly bytes: number }, flags: number) {
    const at = this.output.reply(bytes)
    const { replies } = this.output
    writeHead(replies, at, type, bytes, flags)
    this.head(replies, at)
    return { at, replies }
  }

  private head(buffer: RecordBuffer, at: number): void {
    RecordHeader.setSymbolId(buffer, at, WALLET)
    RecordHeader.setGateway(buffer, at, this.gateway)
    RecordHeader.setCorrelation(buffer, at, this.correlation)
  }
}
