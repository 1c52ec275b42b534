/** The wallet beside its plain twin, at every step of random days; its journal and its snapshots come to the same. */
import { describe, expect, test } from 'vitest'
import {
  ChainChange,
  DepositStatus,
  WalletRefusal,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../../../src/base/codes.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { AccountId, AssetId, Atoms, ChainId } from '../../../../src/base/units.ts'
import {
  PlainBalances,
  PlainWallet,
  type PlainWithdrawal,
  plainNetwork,
} from '../../../model/plain-wallet.ts'
import {
  ACCOUNTS,
  ASSETS,
  chainSpec,
  hashOf,
  networkSpec,
  OUTSIDE,
  WalletScene,
} from './wallet-scene.ts'

const CHAINS = [chainSpec(0), chainSpec(1, { blockMs: 37, seed: '6'.repeat(64) })]
const NETWORKS = [
  networkSpec(0),
  networkSpec(1, { chain: ChainId(1), asset: AssetId(1), minConfirm: 3, unLockConfirm: 3 }),
  networkSpec(2, { chain: ChainId(1), approvalAbove: Atoms(40), withdrawFee: Atoms(0) }),
]
const STEPS = 400
/** Of an account that is not open. */
const NOBODY = 9

const { CONFIRM, APPROVE, CANCEL, REJECT, FAIL, SIGN, SEND } = WithdrawalDecision

/** What happened on any of the days. */
const met = new Set<string>()

class Pair {
  readonly real = new WalletScene(NETWORKS, CHAINS)
  private readonly balances = new PlainBalances()
  private readonly plain = new PlainWallet(
    CHAINS.map(({ blockMs }) => blockMs),
    this.balances,
  )
  private readonly networks = NETWORKS.map(plainNetwork)
  /** Who owed something, at `account asset`. */
  private readonly indebted = new Set<string>()
  private readonly prng: Prng

  constructor(seed: number) {
    this.prng = new Prng(seed)
    this.plain.at(this.real.nowMs)
    for (let account = 1; account < ACCOUNTS; account++) {
      const asset = this.prng.below(ASSETS)
      this.real.issue(account, asset, 100n)
      this.balances.add(account, asset, 100n)
    }
  }

  step(): void {
    const chance = this.prng.below(100)
    if (chance < 35) this.advance(this.prng.between(1, 150))
    else if (chance < 50) this.deposit()
    else if (chance < 62) this.apply()
    else if (chance < 68) this.move()
    else if (chance < 90) this.decide()
    else if (chance < 92) this.suspend()
    else this.change()
    this.plain.settle()
    this.compare()
  }

  private advance(ms: number): void {
    const { real, plain } = this
    for (let nowMs = real.nowMs + 1; nowMs <= real.nowMs + ms; nowMs++) {
      plain.at(nowMs)
      plain.settle()
    }
    real.advance(ms)
  }

  private account(): number {
    return this.prng.between(1, ACCOUNTS - 1)
  }

  private deposit(): void {
    const networkId = this.prng.below(NETWORKS.length)
    const owner = this.prng.chance(0.1) ? NOBODY : this.account()
    const atoms = this.prng.between(1, 60)
    const address = this.real.addressOf(owner, NETWORKS[networkId]!.chain)
    this.real.send(atoms, address, { networkId })
    const to = owner === NOBODY ? undefined : owner
    this.plain.deposit(this.networks[networkId]!, to, BigInt(atoms))
  }

  private apply(): void {
    const networkId = this.prng.below(NETWORKS.length)
    const account = this.account()
    const to = this.prng.chance(0.3) ? this.account() : undefined
    const { chain } = NETWORKS[networkId]!
    const address = to === undefined ? OUTSIDE : this.real.addressOf(to, chain)
    const atoms = this.prng.between(10, 80)
    const { refusal } = this.real.apply({ account, networkId, atoms, address })
    expect(refusal).toBe(this.plain.apply(this.networks[networkId]!, account, BigInt(atoms), to))
    met.add(refusal === 0 ? 'applied' : 'refused')
  }

  private move(): void {
    const [from, to, asset] = [this.account(), this.account(), this.prng.below(ASSETS)]
    const atoms = this.prng.between(1, 60)
    const requestId = this.prng.chance(0.5) ? String(this.prng.below(3)) : ''
    const { refusal } = this.real.move(from, to, atoms, { asset, requestId, master: from })
    expect(refusal).toBe(this.plain.move(from, to, asset, BigInt(atoms), requestId))
    met.add(refusal === 0 ? 'moved' : `not moved ${refusal}`)
  }

  private decide(): void {
    const rows = this.plain.withdrawals.slice(-8)
    if (rows.length === 0) return
    const row = this.prng.pick(rows)
    const decisions = this.prng.pick([
      ...[[CONFIRM], [APPROVE], [CANCEL], [REJECT], [FAIL], [SIGN], [SEND]],
      ...[
        [SIGN, SEND],
        [SEND, SEND],
        [SIGN, SIGN],
      ],
    ])
    for (const decision of decisions) this.decideOne(row, decision)
  }

  private decideOne(row: PlainWithdrawal, decision: WithdrawalDecision): void {
    const isOfTransaction = decision === SIGN || decision === SEND
    const txId = isOfTransaction ? `tx-${row.id}` : ''
    const { refusal } = this.real.decide(row.id, decision, txId, 'signed')
    expect(refusal).toBe(this.plain.decide(row.id, decision, txId))
  }

  private suspend(): void {
    const networkId = this.prng.below(NETWORKS.length)
    const depositEnabled = this.prng.chance(0.5)
    this.networks[networkId]!.depositEnabled = depositEnabled
    this.real.setNetwork({ ...NETWORKS[networkId]!, depositEnabled })
  }

  private change(): void {
    const { prng } = this
    const chain = prng.below(CHAINS.length)
    const { STOP, RESUME, CONGEST, DROP, REORGANISE } = ChainChange
    const change = prng.pick([STOP, RESUME, RESUME, CONGEST, DROP, REORGANISE, REORGANISE])
    const blocks = change === CONGEST ? prng.below(4) : prng.between(1, 12)
    const { refusal } = this.real.change(change, blocks, chain)
    expect(refusal).toBe(this.plain.change(chain, change, blocks))
  }

  private compare(): void {
    this.compareBalances()
    const { plain } = this
    const { state } = this.real.wallet
    const known = plain.deposits.filter(({ id }) => state.deposits.has(id))
    expect(known.map(({ id }) => id)).toEqual([...state.deposits.keys()].sort((a, b) => a - b))
    for (const { id, status, height } of known) {
      expect({ id, ...shown(state.deposits.get(id)!) }).toEqual({ id, status, height })
      met.add(`deposit ${status}`)
    }
    for (const { id, account, status, height } of plain.withdrawals) {
      const rows = state.rememberedOf(AccountId(account))
      const row = rows.find(({ withdrawalId }) => withdrawalId === id)!
      expect({ id, ...shown(row) }).toEqual({ id, status, height })
      met.add(`withdrawal ${status}`)
    }
  }

  private compareBalances(): void {
    const { real, plain } = this
    for (let account = 0; account < ACCOUNTS; account++) {
      for (let asset = 0; asset < ASSETS; asset++) {
        const debt = real.wallet.state.debtOf(AccountId(account), AssetId(asset))
        expect(real.free(account, asset)).toBe(this.balances.free(account, asset))
        expect(BigInt(debt)).toBe(plain.debtOf(account, asset))
        const key = `${account} ${asset}`
        if (debt > 0) this.indebted.add(key)
        else if (this.indebted.has(key)) met.add('debt ended')
      }
    }
    expect(real.shortfalls).toEqual([0n, 0n])
  }
}

const shown = ({ status, height }: { status: number; height: number }) => ({ status, height })

describe.each([1, 2, 3, 4, 5, 6])('seed %i', (seed) => {
  test('is as its twin, and comes back from journal and snapshot', () => {
    const pair = new Pair(seed)
    for (let step = 0; step < STEPS; step++) {
      pair.step()
      if (step % 50 !== 0) continue
      const { real } = pair
      expect(real.isRecovered).toBe(true)
      const again = real.begunAgain()
      expect([hashOf(again.state), again.dueMs]).toEqual([real.hash, real.wallet.dueMs])
    }
  })
})

test('the days had everything', () => {
  const statusOf = (what: string, statuses: object) =>
    Object.values(statuses).map((status) => `${what} ${status}`)
  const wanted = [
    ...['applied', 'refused', 'debt ended', 'moved'],
    ...[
      WalletRefusal.INSUFFICIENT_BALANCE,
      WalletRefusal.NOT_UNLOCKED,
      WalletRefusal.IN_DEBT,
      WalletRefusal.OTHER_CONTENT,
    ].map((refusal) => `not moved ${refusal}`),
    ...statusOf('deposit', DepositStatus),
    ...statusOf('withdrawal', WithdrawalStatus),
  ]
  expect(wanted.filter((what) => !met.has(what))).toEqual([])
})
