/**
 * The wallet as plainly as it can be said: amounts are bigints, a chain counts the milliseconds that it ran, and at each
 * step every row is looked at. Compared with core/wallet at every step.
 */
import {
  ChainChange,
  DepositStatus,
  WalletRefusal,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../src/base/codes.ts'
import type { NetworkSpec } from '../../src/market/network.ts'

export interface PlainNetwork {
  readonly id: number
  readonly chain: number
  readonly asset: number
  readonly minConfirm: number
  readonly unLockConfirm: number
  readonly fee: bigint
  readonly depositMin: bigint
  readonly approvalAbove: bigint
  depositEnabled: boolean
}

export function plainNetwork(spec: NetworkSpec): PlainNetwork {
  const { id, chain, asset, minConfirm, unLockConfirm, depositEnabled } = spec
  return {
    ...{ id, chain, asset, minConfirm, unLockConfirm, depositEnabled },
    fee: BigInt(spec.withdrawFee),
    depositMin: BigInt(spec.depositMin),
    approvalAbove: BigInt(spec.approvalAbove),
  }
}

export interface PlainDeposit {
  readonly id: number
  readonly account: number
  readonly network: PlainNetwork
  readonly atoms: bigint
  readonly isInternal: boolean
  status: number
  height: number
}

export interface PlainWithdrawal {
  readonly id: number
  readonly account: number
  readonly network: PlainNetwork
  readonly atoms: bigint
  /** The account of this exchange that it goes to. */
  readonly to: number | undefined
  /** The client's name for it; '' for none. */
  readonly requestId: string
  status: number
  height: number
  /** '' before it is signed. */
  txId: string
}

interface PlainChain {
  readonly blockMs: number
  /** For how long it stood still, in all. */
  stillMs: number
  takenBack: number
  delay: number
  /** Undefined while it runs. */
  stoppedMs: number | undefined
}

/** A deposit that a reorganisation takes back, or a withdrawal. */
interface TakenBack {
  readonly deposit?: number
  readonly withdrawal?: number
  readonly isLost: boolean
}

/** Free balances, which the wallet shares with books where there are any. */
export interface PlainPurses {
  free(account: number, asset: number): bigint
  /** Below zero: takes from what is free. */
  add(account: number, asset: number, atoms: bigint): void
}

export interface PlainDebt {
  readonly account: number
  readonly asset: number
  readonly atoms: bigint
}

export interface PlainFunds {
  readonly chain: bigint
  readonly inFlight: bigint
  readonly debt: bigint
}

/** All that a wallet goes on from. */
export interface PlainWalletState {
  readonly nowMs: number
  readonly deposits: readonly PlainDeposit[]
  readonly withdrawals: readonly PlainWithdrawal[]
  readonly chains: readonly PlainChain[]
  readonly debts: ReadonlyMap<string, bigint>
  readonly takenBack: readonly TakenBack[]
  readonly named: ReadonlyMap<string, string>
}

const { PENDING, CREDITED, SUCCESS, REJECTED: LOST, WRONG } = DepositStatus
const { EMAIL_SENT, AWAITING_APPROVAL, PROCESSING, COMPLETED } = WithdrawalStatus
const { CANCELLED, REJECTED, FAILURE } = WithdrawalStatus
const { STOP, RESUME, CONGEST } = ChainChange

const isWaiting = ({ status }: PlainWithdrawal): boolean =>
  status === EMAIL_SENT || status === AWAITING_APPROVAL
const isInFlight = (row: PlainWithdrawal): boolean => isWaiting(row) || row.status === PROCESSING
const isCredited = ({ status }: PlainDeposit): boolean => status === CREDITED || status === SUCCESS
const isDeposit = (row: PlainDeposit | PlainWithdrawal): row is PlainDeposit => 'isInternal' in row
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, it) => all + it, 0n)

/** Balances of a wallet without books. */
export class PlainBalances implements PlainPurses {
  private readonly atoms = new Map<string, bigint>()

  free(account: number, asset: number): bigint {
    return this.atoms.get(`${account} ${asset}`) ?? 0n
  }

  add(account: number, asset: number, atoms: bigint): void {
    this.atoms.set(`${account} ${asset}`, this.free(account, asset) + atoms)
  }
}

export class PlainWallet {
  deposits: PlainDeposit[] = []
  withdrawals: PlainWithdrawal[] = []
  chains: PlainChain[]
  private debts = new Map<string, bigint>()
  /** In the order in which they are taken back. */
  private takenBack: TakenBack[] = []
  /** What was moved, by its id. */
  private named = new Map<string, string>()
  private nowMs = 0
  private readonly purses: PlainPurses
  private readonly genesisMs: number

  constructor(blockMs: readonly number[], purses: PlainPurses, genesisMs = 0) {
    this.purses = purses
    this.genesisMs = genesisMs
    this.chains = blockMs.map((ms) => ({
      blockMs: ms,
      stillMs: 0,
      takenBack: 0,
      delay: 0,
      stoppedMs: undefined,
    }))
  }

  get state(): PlainWalletState {
    const copies = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row }))
    return {
      nowMs: this.nowMs,
      deposits: copies(this.deposits),
      withdrawals: copies(this.withdrawals),
      chains: copies(this.chains),
      debts: new Map(this.debts),
      takenBack: [...this.takenBack],
      named: new Map(this.named),
    }
  }

  /** Goes back to what it was. */
  restore(state: PlainWalletState): void {
    const { nowMs, deposits, withdrawals, chains, debts, takenBack, named } = state
    this.nowMs = nowMs
    this.deposits = deposits.map((row) => ({ ...row }))
    this.withdrawals = withdrawals.map((row) => ({ ...row }))
    this.chains = chains.map((row) => ({ ...row }))
    this.debts = new Map(debts)
    this.takenBack = [...takenBack]
    this.named = new Map(named)
  }

  /** The time is now `nowMs`: what is due stays to be settled. */
  at(nowMs: number): void {
    this.nowMs = nowMs
  }

  debtOf(account: number, asset: number): bigint {
    return this.debts.get(`${account} ${asset}`) ?? 0n
  }

  notUnlockedOf(account: number, asset: number): bigint {
    const isNotUnlocked = (row: PlainDeposit) =>
      row.status === CREDITED && row.account === account && row.network.asset === asset
    return sum(this.deposits.filter(isNotUnlocked).map(({ atoms }) => atoms))
  }

  /** What the account may withdraw. */
  withdrawableOf(account: number, asset: number): bigint {
    if (this.debtsOf(account).length > 0) return 0n
    const atoms = this.purses.free(account, asset) - this.notUnlockedOf(account, asset)
    return atoms > 0n ? atoms : 0n
  }

  /** What withdrawals of the account that have not ended took of the asset. */
  withdrawingOf(account: number, asset: number): bigint {
    const isIts = (row: PlainWithdrawal) =>
      row.account === account && row.network.asset === asset && isInFlight(row)
    return sum(this.withdrawals.filter(isIts).map(({ atoms, network }) => atoms + network.fee))
  }

  /** Terms of the proof of funds: balances + in flight = chain + debt + what operators paid in. */
  fundsOf(asset: number): PlainFunds {
    const credited = this.deposits.filter((row) => row.network.asset === asset && isCredited(row))
    const its = this.withdrawals.filter(({ network }) => network.asset === asset)
    const completed = its.filter(({ status }) => status === COMPLETED)
    const debts = [...this.debts].filter(([key]) => key.endsWith(` ${asset}`))
    return {
      chain: sum(credited.map(({ atoms }) => atoms)) - sum(completed.map(({ atoms }) => atoms)),
      inFlight: sum(its.filter(isInFlight).map(({ atoms, network }) => atoms + network.fee)),
      debt: sum(debts.map(([, atoms]) => atoms)),
    }
  }

  /** What balances have of the asset over chains, or will have. */
  suppliedOf(asset: number): bigint {
    const { chain, debt } = this.fundsOf(asset)
    const coming = this.deposits.filter(
      (row) => row.network.asset === asset && row.status === PENDING,
    )
    return chain + debt + sum(coming.map(({ atoms }) => atoms))
  }

  height(chain: number): number {
    const { stillMs, blockMs, takenBack, stoppedMs = this.nowMs } = this.chains[chain]!
    return Math.floor((stoppedMs - this.genesisMs - stillMs) / blockMs) - takenBack
  }

  private next(chain: number): number {
    return this.height(chain) + 1 + this.chains[chain]!.delay
  }

  get isTakingBack(): boolean {
    return this.takenBack.length > 0
  }

  /** Does what is due by `clockMs`, the oldest first, and `limit` at most. */
  settle(clockMs = this.nowMs, limit = Number.POSITIVE_INFINITY): void {
    for (let left = limit; left > 0; left--) {
      const taken = this.takenBack.shift()
      const due = taken === undefined ? this.due(clockMs) : undefined
      if (taken?.deposit !== undefined) this.takeBack(this.depositOf(taken.deposit), taken.isLost)
      else if (taken?.withdrawal !== undefined) this.carryLater(taken.withdrawal)
      else if (due === undefined) return
      else if (isDeposit(due)) this.confirm(due)
      else this.complete(due)
    }
  }

  /** What is due first by `clockMs`; on one moment by network, deposits before withdrawals, by block and id. */
  due(clockMs: number): PlainDeposit | PlainWithdrawal | undefined {
    const rows = [...this.deposits, ...this.withdrawals]
      .map((row) => ({ row, ms: this.dueMs(row) }))
      .filter(({ ms }) => ms <= clockMs)
    const kind = (row: PlainDeposit | PlainWithdrawal) => (isDeposit(row) ? 0 : 1)
    rows.sort(
      (a, b) =>
        a.ms - b.ms ||
        a.row.network.id - b.row.network.id ||
        kind(a.row) - kind(b.row) ||
        a.row.id - b.row.id,
    )
    return rows[0]?.row
  }

  private dueMs(row: PlainDeposit | PlainWithdrawal): number {
    const { network, height, status } = row
    const { blockMs, stillMs, takenBack, stoppedMs } = this.chains[network.chain]!
    const confirmations = isDeposit(row)
      ? network.depositEnabled
        ? { [PENDING]: network.minConfirm, [CREDITED]: network.unLockConfirm }[status]
        : undefined
      : status === PROCESSING && height > 0
        ? network.minConfirm
        : undefined
    if (confirmations === undefined) return Number.POSITIVE_INFINITY
    const ms = this.genesisMs + stillMs + (height + confirmations - 1 + takenBack) * blockMs
    return stoppedMs !== undefined && ms > stoppedMs ? Number.POSITIVE_INFINITY : ms
  }

  private confirm(row: PlainDeposit): void {
    const { account, network, atoms } = row
    if (row.status === CREDITED) {
      row.status = SUCCESS
      return
    }
    const owed = this.debtOf(account, network.asset)
    const paid = owed < atoms ? owed : atoms
    this.owe(account, network.asset, -paid)
    this.purses.add(account, network.asset, atoms - paid)
    row.status = network.unLockConfirm > network.minConfirm ? CREDITED : SUCCESS
  }

  private complete(row: PlainWithdrawal): void {
    row.status = COMPLETED
    this.purses.add(0, row.network.asset, row.network.fee)
  }

  private owe(account: number, asset: number, atoms: bigint): void {
    this.debts.set(`${account} ${asset}`, this.debtOf(account, asset) + atoms)
  }

  deposit(
    network: PlainNetwork,
    account: number | undefined,
    atoms: bigint,
    isInternal = false,
  ): void {
    const isWrong = account === undefined || atoms < network.depositMin
    this.deposits.push({
      id: this.deposits.length + 1,
      account: account ?? 0,
      network,
      atoms,
      isInternal,
      status: isWrong ? WRONG : PENDING,
      height: this.next(network.chain),
    })
  }

  /** Returns why it was refused, 0 when it was not. */
  apply(
    network: PlainNetwork,
    account: number,
    atoms: bigint,
    to: number | undefined,
    requestId = '',
  ): WalletRefusal | 0 {
    const isKnown = (row: PlainWithdrawal) =>
      requestId !== '' && row.requestId === requestId && row.account === account
    const known = this.withdrawals.find(isKnown)
    if (known !== undefined) {
      const isSame = known.network.id === network.id && known.to === to && known.atoms === atoms
      return isSame ? 0 : WalletRefusal.OTHER_CONTENT
    }
    const { asset, fee, approvalAbove } = network
    const refused = this.take(account, asset, atoms + fee)
    if (refused !== 0) return refused
    const waits = approvalAbove > 0n && atoms > approvalAbove
    this.withdrawals.push({
      ...{ id: this.withdrawals.length + 1, account, network, atoms, to, requestId },
      ...{ status: waits ? EMAIL_SENT : PROCESSING, height: 0, txId: '' },
    })
    return 0
  }

  /** Returns why it was refused, 0 when it was not. `id`: what the master calls it. */
  move(
    from: number,
    to: number,
    asset: number,
    atoms: bigint,
    id = '',
    master = from,
  ): WalletRefusal | 0 {
    const content = `${from} ${to} ${asset} ${atoms}`
    const known = id === '' ? undefined : this.named.get(`${master} ${id}`)
    if (known !== undefined) return known === content ? 0 : WalletRefusal.OTHER_CONTENT
    const refused = this.take(from, asset, atoms)
    if (refused !== 0) return refused
    this.purses.add(to, asset, atoms)
    if (id !== '') this.named.set(`${master} ${id}`, content)
    return 0
  }

  /** Who owes what. */
  get allDebts(): readonly PlainDebt[] {
    return [...this.debts]
      .filter(([, atoms]) => atoms > 0n)
      .map(([key, atoms]) => {
        const [account, asset] = key.split(' ').map(Number) as [number, number]
        return { account, asset, atoms }
      })
  }

  private debtsOf(account: number): readonly PlainDebt[] {
    return this.allDebts.filter((debt) => debt.account === account)
  }

  /** Pays what the account owes, and takes the amount. */
  private take(account: number, asset: number, atoms: bigint): WalletRefusal | 0 {
    const owed = this.debtsOf(account)
    if (owed.some((debt) => this.purses.free(account, debt.asset) < debt.atoms)) {
      return WalletRefusal.IN_DEBT
    }
    for (const debt of owed) {
      this.owe(account, debt.asset, -debt.atoms)
      this.purses.add(account, debt.asset, -debt.atoms)
    }
    const free = this.purses.free(account, asset)
    if (atoms > free) return WalletRefusal.INSUFFICIENT_BALANCE
    if (atoms > free - this.notUnlockedOf(account, asset)) return WalletRefusal.NOT_UNLOCKED
    this.purses.add(account, asset, -atoms)
    return 0
  }

  /** Returns why it was refused, 0 when it was not. */
  decide(id: number, decision: WithdrawalDecision, txId = ''): WalletRefusal | 0 {
    const row = this.withdrawals.find((it) => it.id === id)
    if (row === undefined) return WalletRefusal.NO_WITHDRAWAL
    const isAllowed = this.isAllowed(row, decision, txId)
    if (isAllowed) this.decided(row, decision, txId)
    return isAllowed ? 0 : WalletRefusal.WRONG_STATUS
  }

  private isAllowed(row: PlainWithdrawal, decision: WithdrawalDecision, txId: string): boolean {
    const isProcessing = row.status === PROCESSING
    switch (decision) {
      case WithdrawalDecision.CONFIRM:
      case WithdrawalDecision.APPROVE:
        return isInFlight(row)
      case WithdrawalDecision.CANCEL:
      case WithdrawalDecision.REJECT:
        return isWaiting(row)
      case WithdrawalDecision.SIGN:
        return isProcessing && (row.txId !== '' || txId !== '')
      case WithdrawalDecision.SEND:
        return isProcessing && row.txId !== '' && row.txId === txId
      case WithdrawalDecision.FAIL:
        return isProcessing && row.height === 0 && row.txId === txId
    }
  }

  private decided(row: PlainWithdrawal, decision: WithdrawalDecision, txId: string): void {
    switch (decision) {
      case WithdrawalDecision.CONFIRM:
        if (row.status === EMAIL_SENT) row.status = AWAITING_APPROVAL
        break
      case WithdrawalDecision.APPROVE:
        row.status = PROCESSING
        break
      case WithdrawalDecision.CANCEL:
        this.refund(row, CANCELLED)
        break
      case WithdrawalDecision.REJECT:
        this.refund(row, REJECTED)
        break
      case WithdrawalDecision.SIGN:
        if (row.txId === '') row.txId = txId
        break
      case WithdrawalDecision.SEND:
        if (row.height === 0) this.carry(row)
        break
      case WithdrawalDecision.FAIL:
        this.refund(row, FAILURE)
        break
    }
  }

  private refund(row: PlainWithdrawal, status: number): void {
    row.status = status
    this.purses.add(row.account, row.network.asset, row.atoms + row.network.fee)
  }

  private carry(row: PlainWithdrawal): void {
    row.height = this.next(row.network.chain)
    if (row.to !== undefined) this.deposit(row.network, row.to, row.atoms, true)
  }

  /** Returns why it was refused, 0 when it was not. */
  change(id: number, change: ChainChange, blocks: number): WalletRefusal | 0 {
    const chain = this.chains[id]!
    const { stoppedMs } = chain
    const isStopped = stoppedMs !== undefined
    if (change === STOP ? isStopped : change === RESUME && !isStopped) {
      return WalletRefusal.WRONG_STATUS
    }
    if (change === STOP) chain.stoppedMs = this.nowMs
    else if (change === RESUME) {
      chain.stillMs += this.nowMs - stoppedMs!
      chain.stoppedMs = undefined
    } else if (change === CONGEST) chain.delay = blocks
    else if (blocks > this.height(id)) return WalletRefusal.WRONG_STATUS
    else this.reorganise(id, blocks, change === ChainChange.DROP)
    return 0
  }

  private reorganise(id: number, blocks: number, isDropping: boolean): void {
    const before = this.height(id)
    this.chains[id]!.takenBack += blocks
    const height = this.height(id)
    const isReached = (row: PlainDeposit | PlainWithdrawal) =>
      row.network.chain === id && row.height > height
    for (const row of this.deposits) {
      if (!isReached(row) || !(isCredited(row) || row.status === PENDING)) continue
      const isLost = isDropping && !row.isInternal && row.height <= before
      this.takenBack.push({ deposit: row.id, isLost })
    }
    for (const row of this.withdrawals) {
      const isTaken = isReached(row) && row.status === PROCESSING
      if (isTaken) this.takenBack.push({ withdrawal: row.id, isLost: false })
    }
  }

  private depositOf(id: number): PlainDeposit {
    return this.deposits.find((row) => row.id === id)!
  }

  private carryLater(id: number): void {
    const row = this.withdrawals.find((it) => it.id === id)!
    row.height = this.next(row.network.chain)
  }

  private takeBack(row: PlainDeposit, isLost: boolean): void {
    const { account, network, atoms } = row
    if (isCredited(row)) {
      const free = this.purses.free(account, network.asset)
      const taken = free < atoms ? free : atoms
      this.purses.add(account, network.asset, -taken)
      this.owe(account, network.asset, atoms - taken)
    }
    row.status = isLost ? LOST : PENDING
    if (!isLost) row.height = this.next(network.chain)
  }
}
