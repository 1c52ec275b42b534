/**
 * The wallet of the simulated exchange: chains and networks, random commands to it, and what its plain twin, which
 * shares the twin's ledger with the books, makes of each. Blocks are so short that deposits and withdrawals have their
 * confirmations within some dozens of steps.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { MoveFundsRecord } from '../../scripts/layout/codecs.gen.ts'
import { assert } from '../../src/base/assert.ts'
import {
  ChainChange,
  DepositStatus,
  WalletRefusal,
  WalletSubject,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../src/base/codes.ts'
import type { Int64 } from '../../src/base/int64.ts'
import type { Prng } from '../../src/base/prng.ts'
import { AccountId, AssetId, Atoms, ChainId, Ms, NetworkId } from '../../src/base/units.ts'
import type { Wallet } from '../../src/core/wallet/wallet.ts'
import { depositAddress } from '../../src/market/deposit-address.ts'
import { WALLET } from '../../src/market/listing.ts'
import type { PlainLedger } from '../model/plain-ledger.ts'
import { type PlainPurses, PlainWallet, plainNetwork } from '../model/plain-wallet.ts'
import { chainSpec, networkSpec, OUTSIDE } from '../unit/core/wallet/wallet-scene.ts'
import type { WalletCommand } from './commands.ts'
import type { NamedRecord } from './records.ts'
import { ACCOUNTS, ASSETS, accounts } from './world.ts'

/** Hours before the clock's beginning, so that it may be set back. */
const GENESIS_MS = Ms(1_700_000_000_000 - 10 * 60 * 60 * 1000)
/** The wallet is one of matcher 0. */
export const WALLET_MATCHER = 0
/** What is due, or taken back, in one batch. */
const BATCH_MAX = 16
/** Of one asset over chains. */
const SUPPLY_MAX = 2n ** 61n
/** Of an account that is not open. */
const NOBODY = 90

export const chains = [
  chainSpec(0, { blockMs: 20, genesisMs: GENESIS_MS }),
  chainSpec(1, { blockMs: 37, genesisMs: GENESIS_MS, seed: '6'.repeat(64) }),
]
const RED = AssetId(0)
const BLUE = AssetId(1)
const VAST = AssetId(3)
const vast = { depositMin: Atoms(2n ** 50n), withdrawFee: Atoms(2n ** 54n + 1n) }

/** One asset has two networks, one amounts that no number carries, two withdrawals that wait for operators. */
export const networks = [
  networkSpec(0, { asset: RED, withdrawMax: Atoms(2n ** 61n) }),
  networkSpec(1, {
    ...{ chain: ChainId(1), asset: BLUE, minConfirm: 3, unLockConfirm: 3 },
    ...{
      approvalAbove: Atoms(2_000_000),
      withdrawFee: Atoms(1_000),
      withdrawMax: Atoms(2n ** 61n),
    },
  }),
  networkSpec(2, {
    ...{ chain: ChainId(1), asset: RED, approvalAbove: Atoms(20_000_000) },
    ...{ withdrawFee: Atoms(0), withdrawMax: Atoms(2n ** 61n) },
  }),
  networkSpec(3, { ...vast, asset: VAST, withdrawMax: Atoms(2n ** 61n) }),
]
/** By asset: about what one transfer has. */
const SCALES = [10n ** 6n, 10n ** 5n, 1n, 2n ** 50n]

const plainNetworks = networks.map(plainNetwork)

const addressOf = (chain: number, account: number) =>
  depositAddress(chains[chain]!, AccountId(account)).address
/** By chain and address. */
const owners = chains.map(
  ({ id }) => new Map(accounts.map((account) => [addressOf(id, account.id), Number(account.id)])),
)

/** What of the twin's ledger the wallet's matcher may spend. */
class LedgerPurses implements PlainPurses {
  private readonly ledger: PlainLedger

  constructor(ledger: PlainLedger) {
    this.ledger = ledger
  }

  free(account: number, asset: number): bigint {
    return this.ledger.spendable(WALLET_MATCHER, account, asset)
  }

  add(account: number, asset: number, atoms: bigint): void {
    if (atoms >= 0n) {
      this.ledger.earn(WALLET_MATCHER, account, asset, atoms)
      return
    }
    const isTaken = this.ledger.lock(WALLET_MATCHER, account, asset, -atoms)
    assert(isTaken, 'a wallet takes what is free')
    this.ledger.pay(WALLET_MATCHER, account, asset, -atoms)
  }
}

export const newPlainWallet = (ledger: PlainLedger): PlainWallet =>
  new PlainWallet(
    chains.map(({ blockMs }) => blockMs),
    new LedgerPurses(ledger),
    GENESIS_MS,
  )

/** By asset: what all balances are together beyond what operators paid in, as the twin's own rows say. */
export const heldOf = (plain: PlainWallet): readonly bigint[] =>
  Array.from({ length: ASSETS }, (_, asset) => {
    const { chain, debt, inFlight } = plain.fundsOf(asset)
    return chain + debt - inFlight
  })

export class WalletWorkload {
  private readonly prng: Prng
  private requests = 0
  /** What was moved last. */
  private moved: Omit<MoveFundsRecord, keyof typeof head | 'expiresMs'> | undefined = undefined

  constructor(prng: Prng) {
    this.prng = prng
  }

  next(plain: PlainWallet, validMs: number): WalletCommand {
    const dice = this.prng.unit()
    const expiresMs = Ms(this.prng.chance(0.6) ? 0 : validMs)
    if (dice < 0.26) return this.deposit()
    if (dice < 0.49) return this.apply(plain, expiresMs)
    if (dice < 0.73) return this.decide(plain)
    if (dice < 0.84) return this.move(plain, expiresMs)
    return dice < 0.92 ? this.change() : this.query()
  }

  private account(): number {
    return this.prng.between(1, ACCOUNTS - 1)
  }

  private amount(asset: number): bigint {
    return BigInt(this.prng.between(1, 60)) * SCALES[asset]! + BigInt(this.prng.below(3))
  }

  private deposit(): WalletCommand {
    const network = this.prng.pick(networks)
    const owner = this.prng.chance(0.06) ? NOBODY : this.account()
    const isSmall = this.prng.chance(0.06)
    const atoms = isSmall ? BigInt(network.depositMin) - 1n : this.amount(network.asset)
    const record = {
      ...{ ...head, networkId: NetworkId(network.id), spare: 0, atoms: Atoms(atoms) },
      ...{ requestId: '', address: addressOf(network.chain, owner), tag: '' },
    }
    return { name: 'SendToExchange', record }
  }

  /** Now and then all that may be withdrawn, and now and then what was asked for before. */
  private apply(plain: PlainWallet, expiresMs: Ms): WalletCommand {
    const { prng } = this
    const again = prng.chance(0.15) ? plain.withdrawals.findLast(() => prng.chance(0.3)) : undefined
    const network = again?.network ?? prng.pick(plainNetworks)
    const account = again?.account ?? this.account()
    const locked = prng.chance(0.4) ? plain.notUnlockedOf(account, network.asset) : 0n
    const whole = plain.withdrawableOf(account, network.asset) + locked - network.fee
    const isWhole = prng.chance(0.35) && whole >= 10n
    const atoms = again?.atoms ?? (isWhole ? whole : this.amount(network.asset) + 10n)
    const other = prng.chance(0.3) ? this.account() : undefined
    const to = again === undefined ? other : again.to
    const isOther = again !== undefined && prng.chance(0.2)
    const record = {
      ...{ ...head, account: AccountId(account), networkId: NetworkId(network.id), expiresMs },
      ...{ atoms: Atoms(isOther ? atoms + 1n : atoms), isFeeIncluded: 0, walletType: 0, tag: '' },
      address: to === undefined ? OUTSIDE : addressOf(network.chain, to),
      requestId: again?.requestId ?? (prng.chance(0.2) ? '' : `w-${++this.requests}`),
    }
    return { name: 'ApplyWithdrawal', record }
  }

  /** What operators decide: mostly of a withdrawal that waits for them. */
  private decide(plain: PlainWallet): WalletCommand {
    const { prng } = this
    const { EMAIL_SENT, AWAITING_APPROVAL } = WithdrawalStatus
    const isOpen = ({ status }: { status: number }) =>
      status === EMAIL_SENT || status === AWAITING_APPROVAL
    const waiting = plain.withdrawals.filter(isOpen)
    const isUnsigned = (row: { status: number; txId: string }) =>
      row.status === WithdrawalStatus.PROCESSING && row.txId === ''
    const unsigned = prng.chance(0.4) ? plain.withdrawals.filter(isUnsigned) : []
    const others = waiting.length > 0 && prng.chance(0.8) ? waiting : plain.withdrawals.slice(-6)
    const rows = unsigned.length > 0 ? unsigned : others
    const { CONFIRM, APPROVE, CANCEL, REJECT, FAIL } = WithdrawalDecision
    const record = {
      ...{ ...head, withdrawalId: rows.length === 0 ? 1 : prng.pick(rows).id },
      decision: prng.pick([CONFIRM, CONFIRM, APPROVE, APPROVE, CANCEL, REJECT, FAIL, FAIL]),
      ...{ spare: 0, txId: '', transaction: '' },
    }
    return { name: 'DecideWithdrawal', record }
  }

  /** Now and then to an account that owes something, or from one, which then pays. */
  private move(plain: PlainWallet, expiresMs: Ms): WalletCommand {
    const { prng } = this
    const debt = prng.chance(0.7) ? plain.allDebts.at(-1) : undefined
    const isPaid = debt !== undefined && prng.chance(0.6)
    const from = debt !== undefined && !isPaid ? debt.account : this.account()
    const asset = isPaid ? AssetId(debt.asset) : prng.pick([RED, BLUE, VAST])
    const whole = plain.withdrawableOf(from, asset)
    const some = prng.chance(0.25) && whole > 0n ? whole : this.amount(asset)
    const atoms = isPaid ? debt.atoms + some : some
    const to = AccountId(isPaid ? debt.account : (from % (ACCOUNTS - 1)) + 1)
    const moved = { from: AccountId(from), to, assetId: asset, atoms: Atoms(atoms) }
    const isAgain = this.moved !== undefined && prng.chance(0.1)
    const requestId = prng.chance(0.3) ? '' : `m-${++this.requests}`
    const record = { ...moved, master: moved.from, requestId, archivedId: 0 }
    this.moved = isAgain ? this.moved : record
    return { name: 'MoveFunds', record: { ...head, ...this.moved!, expiresMs } }
  }

  private change(): WalletCommand {
    const { prng } = this
    const { STOP, RESUME, CONGEST, DROP, REORGANISE } = ChainChange
    const change = prng.pick([STOP, RESUME, RESUME, CONGEST, DROP, DROP, REORGANISE])
    const blocks = change === CONGEST ? prng.below(4) : prng.pick([1, 3, 8, 90, 90])
    const record = { ...head, chainId: prng.pick(chains).id, change, blocks, spare: 0 }
    return { name: 'ChangeChain', record }
  }

  private query(): WalletCommand {
    const { prng } = this
    const subject = prng.pick(Object.values(WalletSubject))
    const of = { account: AccountId(this.account()), id: prng.below(2), limit: 3, afterId: 0 }
    return { name: 'QueryWallet', record: { ...head, subject, ...of } }
  }
}

const head = { symbolId: WALLET, gateway: -1, correlation: 0 }

/** Has the twin do what the command says, and compares the answer with what it makes of it. */
export function answer(
  plain: PlainWallet,
  { name, record }: WalletCommand,
  timeMs: Ms,
  clockMs: Ms,
  records: readonly NamedRecord[],
): void {
  plain.at(timeMs)
  if (name === 'QueryWallet') {
    answerQuery(plain, record, records)
    return
  }
  const isLate = 'expiresMs' in record && record.expiresMs > 0 && clockMs > record.expiresMs
  const refusal = isLate ? WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW : perform(plain, { name, record })
  const refused = records.find((it) => it.name === 'WalletRejected')
  strictEqual(Number(refused?.reason ?? 0), refusal, `why ${name} is refused`)
}

type Performed = Exclude<WalletCommand, { name: 'QueryWallet' }>

function perform(plain: PlainWallet, command: { name: string; record: object }): number {
  const { name, record } = command as Performed
  switch (name) {
    case 'SendToExchange': {
      const network = plainNetworks[record.networkId]!
      const owner = owners[network.chain]!.get(record.address)
      const atoms = BigInt(record.atoms)
      if (plain.suppliedOf(network.asset) + atoms > SUPPLY_MAX) return WalletRefusal.ABOVE_MAXIMUM
      plain.deposit(network, owner, atoms)
      return 0
    }
    case 'ApplyWithdrawal': {
      const { account, atoms, address, requestId } = record
      const network = plainNetworks[record.networkId]!
      const to = owners[network.chain]!.get(address)
      return plain.apply(network, account, BigInt(atoms), to, requestId)
    }
    case 'DecideWithdrawal':
      return plain.decide(record.withdrawalId, record.decision as WithdrawalDecision, record.txId)
    case 'MoveFunds':
      return plain.move(
        record.from,
        record.to,
        record.assetId,
        BigInt(record.atoms),
        record.requestId,
      )
    case 'ChangeChain':
      return plain.change(record.chainId, record.change as ChainChange, record.blocks)
  }
}

function answerQuery(
  plain: PlainWallet,
  { subject, account, id, limit }: Extract<WalletCommand, { name: 'QueryWallet' }>['record'],
  records: readonly NamedRecord[],
): void {
  const [first] = records as [NamedRecord]
  const amount = (value: unknown) => BigInt(value as Int64)
  const ids = records.slice(0, -1).map((it) => Number(it.depositId ?? it.withdrawalId))
  const idsOf = (rows: readonly { id: number; account: number }[]) =>
    rows
      .filter((row) => row.account === account)
      .map((row) => row.id)
      .slice(0, limit)
  switch (subject) {
    case WalletSubject.FUNDS: {
      const { chain, inFlight, debt } = plain.fundsOf(id)
      const { chainAtoms, inFlightAtoms, debtAtoms } = first
      deepStrictEqual([chainAtoms, inFlightAtoms, debtAtoms].map(amount), [chain, inFlight, debt])
      break
    }
    case WalletSubject.WITHDRAWING:
      for (let asset = 0; asset < ASSETS; asset++) {
        const shown = records.find((it) => it.assetId === asset)
        strictEqual(amount(shown?.atoms ?? 0), plain.withdrawingOf(account, asset))
      }
      break
    case WalletSubject.CHAIN:
      strictEqual(first.height, plain.height(id))
      break
    case WalletSubject.DEPOSITS:
      deepStrictEqual(ids, idsOf(plain.deposits.filter(isComing)))
      break
    case WalletSubject.WITHDRAWALS:
      deepStrictEqual(ids, idsOf(plain.withdrawals.filter(isUnderWay)))
      break
    case WalletSubject.TRANSACTIONS: {
      const signed = plain.withdrawals.filter((row) => isUnderWay(row) && row.txId !== '')
      deepStrictEqual(ids, idsOf(signed))
      break
    }
  }
}

const isComing = ({ status }: { status: number }): boolean =>
  status === DepositStatus.PENDING || status === DepositStatus.CREDITED
const isUnderWay = ({ status }: { status: number }): boolean =>
  status === WithdrawalStatus.EMAIL_SENT ||
  status === WithdrawalStatus.AWAITING_APPROVAL ||
  status === WithdrawalStatus.PROCESSING

/** Time has come: the twin does a batch of what is due. */
export function fire(plain: PlainWallet, timeMs: Ms, clockMs: Ms): void {
  plain.at(timeMs)
  plain.settle(clockMs, BATCH_MAX)
}

/** The wallet has what its twin has: each row, each debt, each term. */
export function compareWallet(plain: PlainWallet, { state }: Wallet): void {
  strictEqual(state.deposits.size, plain.deposits.length)
  for (const { id, status, height, atoms, account } of plain.deposits) {
    const row = state.deposits.get(id)!
    const isSame = row.status === status && row.height === height && row.account === account
    if (isSame && BigInt(row.atoms) === atoms) continue
    deepStrictEqual({ ...row }, { id, status, height, atoms, account }, `deposit ${id}`)
  }
  const underWay = plain.withdrawals.filter(isUnderWay)
  strictEqual(state.withdrawals.size, underWay.length)
  for (const { id, status, height, txId, atoms, account } of underWay) {
    const row = state.withdrawals.get(id)!
    const isSame = row.status === status && row.height === height && row.txId === txId
    if (isSame && BigInt(row.atoms) === atoms && row.account === account) continue
    deepStrictEqual({ ...row }, { id, status, height, txId, atoms, account }, `withdrawal ${id}`)
  }
  strictEqual(state.lastWithdrawalId, plain.withdrawals.length)
  strictEqual(state.takenBack.length > 0, plain.isTakingBack)
  for (let asset = 0; asset < ASSETS; asset++) compareAsset(plain, state, AssetId(asset))
}

function compareAsset(plain: PlainWallet, state: Wallet['state'], asset: AssetId): void {
  const { chainAtoms, inFlightAtoms, debtAtoms } = state.fundsOf(asset)
  const { chain, inFlight, debt } = plain.fundsOf(asset)
  strictEqual(BigInt(chainAtoms), chain, `credited and not paid out of asset ${asset}`)
  strictEqual(BigInt(inFlightAtoms), inFlight, `in flight of asset ${asset}`)
  strictEqual(BigInt(debtAtoms), debt, `owed of asset ${asset}`)
  for (let id = 0; id < ACCOUNTS; id++) {
    const account = AccountId(id)
    strictEqual(BigInt(state.debtOf(account, asset)), plain.debtOf(id, asset), `owed by ${id}`)
    const isLocked = BigInt(state.notUnlockedOf(account, asset)) === plain.notUnlockedOf(id, asset)
    assert(isLocked, 'the wallet locks what is credited and not unlocked')
  }
}
