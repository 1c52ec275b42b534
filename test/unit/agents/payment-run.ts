/**
 * Withdrawals of a matcher that is killed around each step of their payment: what is sent was journaled first, each is
 * paid by one transaction however often that is sent, and no money is lost.
 */
import { mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { expect } from 'vitest'
import { writeApplyWithdrawal } from '../../../scripts/layout/codecs.gen.ts'
import { AgentInvoker } from '../../../src/agents/agent-driver.ts'
import { type Matching, MatchingAgent } from '../../../src/agents/matching-agent.ts'
import { Phase } from '../../../src/agents/memory.ts'
import type { ThreadReport, ThreadStart } from '../../../src/agents/messages.ts'
import type { ChainPort, SignedTransaction } from '../../../src/assembly/main/chain-port.ts'
import { PaymentSender } from '../../../src/assembly/main/payment-sender.ts'
import { WithdrawalStatus } from '../../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { AccountId, AssetId, Atoms, Ms, NetworkId } from '../../../src/base/units.ts'
import type { Balances } from '../../../src/core/ledger/balances.ts'
import type { WalletState } from '../../../src/core/wallet/wallet-state.ts'
import { recoverWal } from '../../../src/journal/checkpointer.ts'
import { ApplyWithdrawal } from '../../../src/layout/accessors.gen.ts'
import { plainExchange, usualAccount, WALLET } from '../../../src/market/listing.ts'
import { CommandRingProducer, commandSlots } from '../../../src/ring/command-ring.ts'
import { readCounters } from '../../../src/shared/counters.ts'
import type { Payment } from '../../../src/shared/payment.ts'
import { deposit, startOf } from '../../fixtures/thread-start.ts'
import { chainSpec, networkSpec, OUTSIDE } from '../core/wallet/wallet-scene.ts'

const ISSUED = 10n ** 9n
const FEE = 3n

const quiet = { warn: () => {} } as unknown as Logger

type FolderOf = (...names: readonly string[]) => string

/** A node whose every signature is another transaction, and which fails before or after it has sent one. */
export class Node implements ChainPort {
  readonly isUndoable = false
  /** What the outside has received, by withdrawal. */
  readonly paid = new Map<number, { readonly txIds: Set<string>; readonly atoms: bigint }>()
  private signed = 0
  private readonly prng: Prng

  constructor(prng: Prng) {
    this.prng = prng
  }

  async sign({ withdrawalId }: Payment): Promise<SignedTransaction> {
    const txId = `tx-${withdrawalId}-${++this.signed}`
    return { txId, transaction: `pays ${withdrawalId}` }
  }

  async send({ withdrawalId, txId, atoms, transaction }: Payment): Promise<void> {
    if (this.prng.chance(0.2)) throw new Error('the node is not there')
    expect(transaction).toBe(`pays ${withdrawalId}`)
    const paid = this.paid.get(withdrawalId) ?? { txIds: new Set(), atoms: BigInt(atoms) }
    this.paid.set(withdrawalId, paid)
    paid.txIds.add(txId)
    if (this.prng.chance(0.2)) throw new Error('the node did not answer')
  }
}

/** One run of the matcher, from what the folder has. */
export class Run {
  readonly agent: MatchingAgent
  readonly balances: Balances
  private readonly invoker: AgentInvoker
  private readonly sender: PaymentSender
  private readonly start: ThreadStart
  private readonly ring: CommandRingProducer
  private isKilled = false
  state!: WalletState

  constructor(folder: FolderOf, port: ChainPort, time: ManualTime) {
    mkdirSync(folder('journal-0'), { recursive: true })
    // As each start does before it reads the journals.
    recoverWal(folder(), 0)
    this.start = {
      ...startOf(
        {
          ...{ epoch: 1, idSalt: 1, symbols: [], exchange: plainExchange },
          accounts: [0, 1].map((id) => ({
            ...usualAccount,
            id: AccountId(id),
            name: `account-${id}`,
          })),
        },
        { data: folder(), accounts: 8, matchers: 1, gateways: 1 },
      ),
      ...{ chains: [chainSpec(0)], networks: [networkSpec(0)] },
    }
    this.balances = deposit(this.start, [[1, 0, ISSUED]])
    const report = (message: ThreadReport) => this.take(message)
    const opened = ({ symbols }: Matching) => {
      this.state = symbols.wallet!.state
    }
    this.agent = new MatchingAgent(this.start, { time, report, opened, checkpoint: () => {} })
    this.invoker = new AgentInvoker(this.agent)
    this.ring = new CommandRingProducer(this.start.regions.commandRings[0]![0]!)
    this.sender = new PaymentSender({
      ...{ port, time, log: quiet },
      journal: (step) => {
        if (this.isKilled) return
        this.agent.take({ order: 'control', number: 1, messages: [step] })
      },
    })
    this.invoker.start()
    Atomics.store(new Int32Array(this.start.regions.phase), 0, Phase.RECOVERED)
    this.invoker.invoke()
  }

  private take(report: ThreadReport): void {
    if (report.report === 'payments' && !this.isKilled) this.sender.take(report.payments)
  }

  apply(atoms: number, requestId: string): void {
    const at = this.ring.claim(commandSlots(ApplyWithdrawal.bytes))
    writeApplyWithdrawal(this.ring.buffer, at, {
      ...{ symbolId: WALLET, gateway: 0, correlation: 0, account: AccountId(1) },
      ...{ networkId: NetworkId(0), atoms: Atoms(atoms), expiresMs: Ms(0), isFeeIncluded: 0 },
      ...{ walletType: 0, requestId, address: OUTSIDE, tag: '' },
    })
    this.ring.commit()
    this.ring.publish()
  }

  /** The most commands that a batch had. */
  get batchCommandsMax(): number {
    const counters = readCounters(this.start.regions.counters, 1, 1)
    return counters.find(({ name }) => name === 'batchCommandsMax')!.value
  }

  free(account: number): bigint {
    return BigInt(this.balances.available(AccountId(account), AssetId(0)))
  }

  /** A duty cycle, and what the sender does of its own. */
  async cycle(): Promise<void> {
    this.invoker.invoke()
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Nothing that was under way is heard of again. */
  kill(): void {
    this.isKilled = true
    this.sender.close()
    this.invoker.close()
  }

  /** By asset 0: balances + in flight - chain - debts - issued. */
  get shortfall(): bigint {
    return this.balances.total(AssetId(0)) - this.state.heldAtoms(1)[0]! - ISSUED
  }
}

/** Throws unless nothing was lost, and nothing paid twice. */
export async function payBetweenKills(
  folder: FolderOf,
  seed: number,
  count: number,
): Promise<void> {
  const prng = new Prng(seed)
  const time = new ManualTime(new ManualClock(Ms(1_000)))
  const node = new Node(prng)
  let applied = 0
  let run = new Run(folder, node, time)
  for (let kills = 0; kills < count; kills++) {
    if (prng.chance(0.7)) run.apply(prng.between(10, 1_000), `w-${++applied}`)
    for (let left = prng.below(6); left > 0; left--) {
      await run.cycle()
      if (prng.chance(0.3)) time.advance(prng.between(1, 2_000))
    }
    run.kill()
    run = new Run(folder, node, time)
    expect(run.shortfall).toBe(0n)
  }
  const { state } = run
  for (let left = 2_000; state.withdrawals.size > 0 && left > 0; left--) {
    await run.cycle()
    time.advance(500)
  }
  const rows = state.rememberedOf(AccountId(1))
  expect(rows.length).toBeGreaterThan(count / 3)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([WithdrawalStatus.COMPLETED]))
  let left = ISSUED
  for (const { withdrawalId, txId, atoms } of rows) {
    const paid = node.paid.get(withdrawalId)!
    expect([...paid.txIds]).toEqual([txId])
    expect(paid.atoms).toBe(BigInt(atoms))
    left -= BigInt(atoms) + FEE
  }
  expect(node.paid.size).toBe(rows.length)
  expect(run.free(1)).toBe(left)
  expect(run.free(0)).toBe(FEE * BigInt(rows.length))
  expect(run.shortfall).toBe(0n)
  run.kill()
}
