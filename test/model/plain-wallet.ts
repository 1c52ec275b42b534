/**
 * The wallet as plainly as it can be said: amounts are bigints, a chain counts the milliseconds that it ran, and at each
 * step every row is looked at. Compared with core/wallet at every step.
 */
import { DepositStatus, WithdrawalStatus } from '../../src/base/codes.ts'

export interface PlainNetwork {
  readonly chain: number
  readonly asset: number
  readonly minConfirm: number
  readonly unLockConfirm: number
  readonly fee: bigint
  readonly depositMin: bigint
  readonly approvalAbove: bigint
  depositEnabled: boolean
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
  status: number
  height: number
  isSigned: boolean
}

interface PlainChain {
  readonly blockMs: number
  ranMs: number
  takenBack: number
  delay: number
  isStopped: boolean
}

const isWaiting = ({ status }: PlainWithdrawal): boolean =>
  status === WithdrawalStatus.EMAIL_SENT || status === WithdrawalStatus.AWAITING_APPROVAL
const isCredited = ({ status }: PlainDeposit): boolean =>
  status === DepositStatus.CREDITED || status === DepositStatus.SUCCESS

export class PlainWallet {
  readonly deposits: PlainDeposit[] = []
  readonly withdrawals: PlainWithdrawal[] = []
  readonly chains: PlainChain[]
  /** At `account asset`. */
  readonly free = new Map<string, bigint>()
  readonly debts = new Map<string, bigint>()

  constructor(blockMs: readonly number[]) {
    this.chains = blockMs.map((ms) => ({
      blockMs: ms,
      ranMs: 0,
      takenBack: 0,
      delay: 0,
      isStopped: false,
    }))
  }

  of(map: ReadonlyMap<string, bigint>, account: number, asset: number): bigint {
    return map.get(`${account} ${asset}`) ?? 0n
  }

  private add(map: Map<string, bigint>, account: number, asset: number, atoms: bigint): void {
    map.set(`${account} ${asset}`, this.of(map, account, asset) + atoms)
  }

  pay(account: number, asset: number, atoms: bigint): void {
    this.add(this.free, account, asset, atoms)
  }

  height(chain: number): number {
    const { ranMs, blockMs, takenBack } = this.chains[chain]!
    return Math.floor(ranMs / blockMs) - takenBack
  }

  private next(chain: number): number {
    return this.height(chain) + 1 + this.chains[chain]!.delay
  }

  /** A millisecond passes. */
  tick(): void {
    for (const chain of this.chains) if (!chain.isStopped) chain.ranMs++
    this.settle()
  }

  /** Does what is due. */
  settle(): void {
    for (const row of this.deposits) this.confirm(row)
    for (const row of this.withdrawals) this.complete(row)
  }

  private confirm(row: PlainDeposit): void {
    const { account, network, atoms } = row
    if (!network.depositEnabled) return
    const confirmations = this.height(network.chain) - row.height + 1
    if (row.status === DepositStatus.PENDING && confirmations >= network.minConfirm) {
      const owed = this.of(this.debts, account, network.asset)
      const paid = owed < atoms ? owed : atoms
      if (paid > 0n) this.add(this.debts, account, network.asset, -paid)
      this.add(this.free, account, network.asset, atoms - paid)
      row.status = DepositStatus.CREDITED
    }
    if (row.status === DepositStatus.CREDITED && confirmations >= network.unLockConfirm) {
      row.status = DepositStatus.SUCCESS
    }
  }

  private complete(row: PlainWithdrawal): void {
    const { network } = row
    if (row.status !== WithdrawalStatus.PROCESSING || row.height === 0) return
    if (this.height(network.chain) - row.height + 1 < network.minConfirm) return
    row.status = WithdrawalStatus.COMPLETED
    this.add(this.free, 0, network.asset, network.fee)
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
      status: isWrong ? DepositStatus.WRONG : DepositStatus.PENDING,
      height: this.next(network.chain),
    })
  }

  private notUnlocked(account: number, asset: number): bigint {
    return this.deposits
      .filter((row) => row.status === DepositStatus.CREDITED && row.account === account)
      .filter((row) => row.network.asset === asset)
      .reduce((sum, { atoms }) => sum + atoms, 0n)
  }

  /** Returns whether it was taken. */
  apply(network: PlainNetwork, account: number, atoms: bigint, to: number | undefined): boolean {
    const { asset, fee } = network
    if (!this.take(account, asset, atoms + fee)) return false
    const waits = network.approvalAbove > 0n && atoms > network.approvalAbove
    this.withdrawals.push({
      ...{
        id: this.withdrawals.length + 1,
        account,
        network,
        atoms,
        to,
        height: 0,
        isSigned: false,
      },
      status: waits ? WithdrawalStatus.EMAIL_SENT : WithdrawalStatus.PROCESSING,
    })
    return true
  }

  /** Returns whether it was moved. */
  move(from: number, to: number, asset: number, atoms: bigint): boolean {
    if (!this.take(from, asset, atoms)) return false
    this.add(this.free, to, asset, atoms)
    return true
  }

  /** Pays what the account owes, and takes the amount. Returns whether it did. */
  private take(account: number, asset: number, atoms: bigint): boolean {
    const owed = [...this.debts].filter(([key, debt]) => key.startsWith(`${account} `) && debt > 0n)
    if (owed.some(([key, debt]) => (this.free.get(key) ?? 0n) < debt)) return false
    for (const [key, debt] of owed) {
      this.debts.set(key, 0n)
      this.free.set(key, this.free.get(key)! - debt)
    }
    const free = this.of(this.free, account, asset)
    if (atoms > free - this.notUnlocked(account, asset)) return false
    this.add(this.free, account, asset, -atoms)
    return true
  }

  confirmByMail(row: PlainWithdrawal): void {
    if (row.status === WithdrawalStatus.EMAIL_SENT) row.status = WithdrawalStatus.AWAITING_APPROVAL
  }

  approve(row: PlainWithdrawal): void {
    if (isWaiting(row)) row.status = WithdrawalStatus.PROCESSING
  }

  end(row: PlainWithdrawal, status: number): void {
    const mayFail = row.status === WithdrawalStatus.PROCESSING && !row.isSigned
    if (status === WithdrawalStatus.FAILURE ? !mayFail : !isWaiting(row)) return
    row.status = status
    this.add(this.free, row.account, row.network.asset, row.atoms + row.network.fee)
  }

  sign(row: PlainWithdrawal): void {
    if (row.status === WithdrawalStatus.PROCESSING) row.isSigned = true
  }

  send(row: PlainWithdrawal): void {
    if (row.status !== WithdrawalStatus.PROCESSING || !row.isSigned || row.height > 0) return
    row.height = this.next(row.network.chain)
    if (row.to !== undefined) this.deposit(row.network, row.to, row.atoms, true)
  }

  stop(chain: number): void {
    this.chains[chain]!.isStopped = true
  }

  resume(chain: number): void {
    this.chains[chain]!.isStopped = false
  }

  congest(chain: number, blocks: number): void {
    this.chains[chain]!.delay = blocks
  }

  reorganise(chain: number, blocks: number, isDropping: boolean): void {
    const before = this.height(chain)
    if (blocks > before) return
    this.chains[chain]!.takenBack += blocks
    const height = this.height(chain)
    for (const row of this.deposits) {
      const isIn = row.network.chain === chain && row.height > height
      if (!isIn || !(isCredited(row) || row.status === DepositStatus.PENDING)) continue
      this.takeBack(row, isDropping && !row.isInternal && row.height <= before)
    }
    for (const row of this.withdrawals) {
      const isIn = row.network.chain === chain && row.height > height
      if (isIn && row.status === WithdrawalStatus.PROCESSING) row.height = this.next(chain)
    }
  }

  private takeBack(row: PlainDeposit, isLost: boolean): void {
    const { account, network, atoms } = row
    if (isCredited(row)) {
      const free = this.of(this.free, account, network.asset)
      const taken = free < atoms ? free : atoms
      this.add(this.free, account, network.asset, -taken)
      if (taken < atoms) this.add(this.debts, account, network.asset, atoms - taken)
    }
    row.status = isLost ? DepositStatus.REJECTED : DepositStatus.PENDING
    if (!isLost) row.height = this.next(network.chain)
  }
}
