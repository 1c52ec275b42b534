/** What operators ask of the wallet: the command of its matcher, and the rows that it answers. */
import type { Collector, CommandSlot, Context } from '../api/context.ts'
import { errorMessage } from '../api/errors.ts'
import { worthOf } from '../api/handlers/worth.ts'
import { WalletRefusal } from '../base/codes.ts'
import { AccountId } from '../base/units.ts'
import {
  ChainBlock,
  type ChainBlockFields,
  ChainState,
  ChangeChain,
  DecideWithdrawal,
  DepositBlock,
  type DepositBlockFields,
  DepositChanged,
  DepositState,
  FundsState,
  QueryWallet,
  SendToExchange,
  WalletEnd,
  WalletRejected,
  WithdrawalBlock,
  type WithdrawalBlockFields,
  WithdrawalChanged,
  WithdrawalState,
} from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import { WALLET } from '../market/listing.ts'
import type {
  OperatorQueryAnswer,
  ValuedWithdrawal,
  WalletAnswer,
  WalletQuery,
} from '../shared/operator-query.ts'

/** In place of an account. */
const ALL = AccountId(-1)
const WRONG_CHAIN = 'The chain is stopped already, or it is not, or it has fewer blocks.'
const UNKNOWN = 'Whether it was done is unknown.'

const refusals: Readonly<Record<WalletRefusal, string>> = {
  [WalletRefusal.NO_NETWORK]: 'There is no such network.',
  [WalletRefusal.SUSPENDED]: 'The network is suspended.',
  [WalletRefusal.BAD_ADDRESS]: 'The address is none of the exchange.',
  [WalletRefusal.BAD_TAG]: 'The memo is not one of the network.',
  [WalletRefusal.BELOW_MINIMUM]: 'The amount is too small.',
  [WalletRefusal.ABOVE_MAXIMUM]: 'The amount is too large.',
  [WalletRefusal.NOT_A_MULTIPLE]: 'The amount is no multiple of the step of the network.',
  [WalletRefusal.ABOVE_DAY_LIMIT]: 'The account withdraws too much in 24 hours.',
  [WalletRefusal.INSUFFICIENT_BALANCE]: 'The account has too little that is free.',
  [WalletRefusal.NOT_UNLOCKED]: 'The account has too little that is unlocked.',
  [WalletRefusal.IN_DEBT]: 'The account owes a deposit that was taken back.',
  [WalletRefusal.ACCOUNT_CLOSED]: 'The account is frozen or closed.',
  [WalletRefusal.OTHER_CONTENT]: 'Another transfer has this id.',
  [WalletRefusal.NO_WITHDRAWAL]: 'There is no such withdrawal under way.',
  [WalletRefusal.WRONG_STATUS]: 'It is in another state.',
  [WalletRefusal.NO_CHAIN]: 'There is no such chain.',
  [WalletRefusal.FULL]: 'Too many are under way.',
  [WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW]: 'It came too late.',
  [WalletRefusal.NOT_LEADING]: 'Another member leads.',
  [WalletRefusal.NOT_ARCHIVED]: 'The archive is behind: it cannot say yet whether this was done.',
}

/** Resolves to a WalletAnswer, or to the refusal. */
export function askWallet(query: WalletQuery, context: Context): Promise<OperatorQueryAnswer> {
  const { type, bytes } = commandOf(query)
  const slot = query.ask === 'wallet' ? context.query(WALLET) : context.command(WALLET, bytes)
  if (slot === undefined) return Promise.resolve({ refused: errorMessage('SERVER_BUSY') })
  write(query, slot)
  return new Promise((resolve) => {
    slot.submit(type, bytes, new Reading(query, context, resolve), undefined)
  })
}

function commandOf({ ask }: WalletQuery) {
  if (ask === 'wallet') return QueryWallet
  if (ask === 'chainSend') return SendToExchange
  return ask === 'decideWithdrawal' ? DecideWithdrawal : ChangeChain
}

function write(query: WalletQuery, { buffer, at }: CommandSlot): void {
  switch (query.ask) {
    case 'wallet':
      QueryWallet.setSubject(buffer, at, query.subject)
      QueryWallet.setAccount(buffer, at, query.account ?? ALL)
      QueryWallet.setId(buffer, at, query.id ?? 0)
      QueryWallet.setLimit(buffer, at, query.limit ?? 0)
      QueryWallet.setAfterId(buffer, at, query.afterId ?? 0)
      break
    case 'chainSend':
      SendToExchange.setNetworkId(buffer, at, query.networkId)
      SendToExchange.setSpare(buffer, at, 0)
      SendToExchange.setAtoms(buffer, at, query.atoms)
      SendToExchange.setRequestId(buffer, at, query.requestId)
      SendToExchange.setAddress(buffer, at, query.address)
      SendToExchange.setTag(buffer, at, query.tag)
      break
    case 'decideWithdrawal':
      DecideWithdrawal.setWithdrawalId(buffer, at, query.withdrawalId)
      DecideWithdrawal.setDecision(buffer, at, query.decision)
      DecideWithdrawal.setSpare(buffer, at, 0)
      DecideWithdrawal.setTxId(buffer, at, '')
      DecideWithdrawal.setTransaction(buffer, at, '')
      break
    case 'changeChain':
      ChangeChain.setChainId(buffer, at, query.chainId)
      ChangeChain.setChange(buffer, at, query.change)
      ChangeChain.setBlocks(buffer, at, query.blocks)
      ChangeChain.setSpare(buffer, at, 0)
      break
  }
}

class Reading implements Collector {
  private readonly query: WalletQuery
  private readonly context: Context
  private readonly resolve: (answer: OperatorQueryAnswer) => void
  private readonly answer: { -readonly [Key in keyof WalletAnswer]: WalletAnswer[Key] } & {
    deposits: DepositBlockFields[]
    withdrawals: ValuedWithdrawal[]
  } = { deposits: [], withdrawals: [], isKnown: false, isWhole: true }
  private refused: string | undefined

  constructor(
    query: WalletQuery,
    context: Context,
    resolve: (answer: OperatorQueryAnswer) => void,
  ) {
    this.query = query
    this.context = context
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    const { answer } = this
    switch (recordType(buffer, at)) {
      case DepositChanged.type:
        this.addDeposit(buffer, DepositChanged.depositBlockAt(at))
        break
      case DepositState.type:
        answer.isKnown = true
        this.addDeposit(buffer, DepositState.depositBlockAt(at))
        break
      case WithdrawalChanged.type:
        this.addWithdrawal(buffer, WithdrawalChanged.withdrawalBlockAt(at))
        break
      case WithdrawalState.type:
        answer.isKnown = true
        this.addWithdrawal(buffer, WithdrawalState.withdrawalBlockAt(at))
        break
      case ChainState.type:
        answer.chain = {
          height: ChainState.height(buffer, at),
          transfers: ChainState.transfers(buffer, at),
          ...chainAt(buffer, ChainState.chainBlockAt(at)),
        }
        break
      case FundsState.type:
        answer.funds = {
          chainAtoms: FundsState.chainAtoms(buffer, at),
          inFlightAtoms: FundsState.inFlightAtoms(buffer, at),
          debtAtoms: FundsState.debtAtoms(buffer, at),
        }
        break
      case WalletEnd.type:
        answer.isWhole = WalletEnd.isWhole(buffer, at) === 1
        break
      case WalletRejected.type:
        this.refused = this.refusalOf(WalletRejected.reason(buffer, at) as WalletRefusal)
        break
    }
  }

  private refusalOf(reason: WalletRefusal): string {
    const isChain = this.query.ask === 'changeChain' && reason === WalletRefusal.WRONG_STATUS
    return isChain ? WRONG_CHAIN : refusals[reason]
  }

  private addDeposit(buffer: RecordBuffer, at: number): void {
    const row = {} as DepositBlockFields
    DepositBlock.read(buffer, at, row)
    this.answer.deposits.push(row)
  }

  private addWithdrawal(buffer: RecordBuffer, at: number): void {
    const row = {} as WithdrawalBlockFields
    WithdrawalBlock.read(buffer, at, row)
    this.answer.withdrawals.push({ ...row, ...this.worthOf(row) })
  }

  private worthOf({
    assetId,
    atoms: free,
  }: WithdrawalBlockFields): Pick<ValuedWithdrawal, 'worth'> {
    const { assets, valuationAsset } = this.context
    if (valuationAsset === undefined) return {}
    const row = { asset: assets[assetId]!, free, locked: 0 }
    const atoms = worthOf(this.context, row, valuationAsset.name)
    return atoms === 0 ? {} : { worth: { assetId: valuationAsset.id, atoms } }
  }

  done(): void {
    this.resolve(this.refused === undefined ? { value: this.answer } : { refused: this.refused })
  }

  failed(): void {
    this.resolve({ refused: UNKNOWN })
  }
}

function chainAt(buffer: RecordBuffer, at: number): ChainBlockFields {
  const row = {} as ChainBlockFields
  ChainBlock.read(buffer, at, row)
  return row
}
