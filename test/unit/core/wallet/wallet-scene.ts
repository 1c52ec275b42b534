/** A wallet alone, with a ledger, driven by commands and time. */
import {
  writeApplyWithdrawal,
  writeChangeChain,
  writeDecideWithdrawal,
  writeMoveFunds,
  writeQueryWallet,
  writeSendToExchange,
} from '../../../../scripts/layout/codecs.gen.ts'
import { type WalletSubject, WithdrawalDecision } from '../../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, ChainId, Ms, NetworkId } from '../../../../src/base/units.ts'
import { Balances } from '../../../../src/core/ledger/balances.ts'
import { applyWalletEffects } from '../../../../src/core/ledger/effects.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import { EngineOutput } from '../../../../src/core/matching/output.ts'
import { StateHash } from '../../../../src/core/state-hash.ts'
import { Wallet } from '../../../../src/core/wallet/wallet.ts'
import type { WalletState } from '../../../../src/core/wallet/wallet-state.ts'
import { WalletRejected } from '../../../../src/layout/accessors.gen.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { RecordBuffer, recordLength, recordType } from '../../../../src/layout/record-buffer.ts'
import { depositAddress } from '../../../../src/market/deposit-address.ts'
import { type AccountSpec, WALLET } from '../../../../src/market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../../../../src/market/network.ts'

export const ACCOUNTS = 4
export const ASSETS = 2
export const OUTSIDE = `0x${'ab'.repeat(20)}`

export const chainSpec = (id: number, more: Partial<ChainSpec> = {}): ChainSpec => ({
  id: ChainId(id),
  name: `CHAIN${id}`,
  addressForm: 'ethereum',
  hasMemo: false,
  blockMs: 100,
  genesisMs: Ms(0),
  seed: '5'.repeat(64),
  ...more,
})

export const networkSpec = (id: number, more: Partial<NetworkSpec> = {}): NetworkSpec => ({
  id: NetworkId(id),
  chain: ChainId(0),
  asset: AssetId(0),
  title: 'a network',
  addressRegex: '^0x[0-9a-f]{40}$',
  memoRegex: '',
  isDefault: true,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 2,
  unLockConfirm: 4,
  depositMin: Atoms(5),
  withdrawFee: Atoms(3),
  withdrawMin: Atoms(10),
  withdrawMax: Atoms(1_000_000),
  withdrawMultiple: Atoms(1),
  withdrawDayMax: Atoms(0),
  approvalAbove: Atoms(0),
  depositText: '',
  withdrawText: '',
  ...more,
})

const accountSpec = (id: number, frozen = false, closed = false) =>
  ({ id: AccountId(id), name: `account-${id}`, frozen, closed }) as AccountSpec

interface Applied {
  readonly networkId?: number
  readonly account?: number
  readonly atoms: number | bigint
  readonly requestId?: string
  readonly address?: string
  readonly tag?: string
  readonly isFeeIncluded?: number
  readonly expiresMs?: number
}

interface Sent {
  readonly networkId?: number
  readonly requestId?: string
  readonly tag?: string
}

interface Moved {
  readonly asset?: number
  readonly master?: number
  readonly requestId?: string
  readonly expiresMs?: number
  readonly archivedId?: number
}

export interface Answer {
  readonly events: RecordBuffer
  /** Types of events and replies, in order. */
  readonly types: readonly number[]
  /** Why it was refused; 0 if it was not. */
  readonly refusal: number
}

/** More than a command writes. */
const WRITTEN_BYTES = 16_384
const head = { symbolId: WALLET, gateway: 2, correlation: 7 }

export class WalletScene {
  readonly balances: Balances
  readonly wallet: Wallet
  /** Events of each batch so far, and replies. */
  readonly journal: RecordBuffer[] = []
  readonly replied: RecordBuffer[] = []
  /** Paid in by operators, by asset. */
  readonly issued: bigint[] = new Array<bigint>(ASSETS).fill(0n)
  nowMs = 1
  private readonly chains: readonly ChainSpec[]
  private readonly networks: NetworkSpec[]
  private readonly holds: Holds
  private readonly output = new EngineOutput()
  private readonly command = RecordBuffer.allocate(2048)
  /** What stands where the wallet writes. */
  private readonly pattern: number

  constructor(
    networks: readonly NetworkSpec[],
    chains: readonly ChainSpec[] = [chainSpec(0)],
    pattern = 0,
  ) {
    this.pattern = pattern
    this.chains = chains
    this.networks = [...networks]
    this.balances = newBalances()
    this.holds = new Holds(this.balances, ACCOUNTS, ASSETS)
    this.wallet = this.open(this.holds, this.output)
  }

  private open(holds: Holds, output: EngineOutput): Wallet {
    const wallet = new Wallet({ holds, output })
    for (const chain of this.chains) wallet.setChain(chain)
    for (const network of this.networks) wallet.setNetwork(network)
    for (let id = 0; id < ACCOUNTS; id++) wallet.setAccount(accountSpec(id))
    return wallet
  }

  setNetwork(network: NetworkSpec): void {
    this.networks[network.id] = network
    this.wallet.setNetwork(network)
    this.fire()
  }

  freeze(account: number): void {
    this.wallet.setAccount(accountSpec(account, true))
  }

  close(account: number): void {
    this.wallet.setAccount(accountSpec(account, true, true))
  }

  issue(account: number, asset: number, atoms: bigint): void {
    this.balances.credit(AccountId(account), AssetId(asset), Atoms(atoms))
    this.issued[asset]! += atoms
  }

  free(account: number, asset = 0): bigint {
    return BigInt(this.balances.available(AccountId(account), AssetId(asset)))
  }

  addressOf(account: number, chain = 0): string {
    return depositAddress(this.chains[chain]!, AccountId(account)).address
  }

  apply(applied: Applied): Answer {
    return this.execute(() =>
      writeApplyWithdrawal(this.command, 0, {
        ...head,
        account: AccountId(applied.account ?? 1),
        networkId: NetworkId(applied.networkId ?? 0),
        atoms: Atoms(applied.atoms),
        expiresMs: Ms(applied.expiresMs ?? 0),
        isFeeIncluded: applied.isFeeIncluded ?? 0,
        walletType: 0,
        requestId: applied.requestId ?? '',
        address: applied.address ?? OUTSIDE,
        tag: applied.tag ?? '',
      }),
    )
  }

  decide(withdrawalId: number, decision: WithdrawalDecision, txId = '', transaction = ''): Answer {
    const decided = { withdrawalId, decision, spare: 0, txId, transaction }
    return this.execute(() => writeDecideWithdrawal(this.command, 0, { ...head, ...decided }))
  }

  /** Signs and sends it. */
  pay(withdrawalId: number): Answer {
    this.decide(withdrawalId, WithdrawalDecision.SIGN, `tx-${withdrawalId}`, 'signed')
    return this.decide(withdrawalId, WithdrawalDecision.SEND, `tx-${withdrawalId}`)
  }

  send(atoms: number | bigint, address: string, sent: Sent = {}): Answer {
    return this.execute(() =>
      writeSendToExchange(this.command, 0, {
        ...head,
        networkId: NetworkId(sent.networkId ?? 0),
        spare: 0,
        atoms: Atoms(atoms),
        requestId: sent.requestId ?? '',
        address,
        tag: sent.tag ?? '',
      }),
    )
  }

  change(change: number, blocks = 0, chain = 0): Answer {
    const changed = { chainId: ChainId(chain), change, blocks, spare: 0 }
    return this.execute(() => writeChangeChain(this.command, 0, { ...head, ...changed }))
  }

  move(from: number, to: number, atoms: number, moved: Moved = {}): Answer {
    return this.execute(() =>
      writeMoveFunds(this.command, 0, {
        ...head,
        from: AccountId(from),
        to: AccountId(to),
        assetId: AssetId(moved.asset ?? 0),
        master: AccountId(moved.master ?? 1),
        atoms: Atoms(atoms),
        requestId: moved.requestId ?? '',
        expiresMs: Ms(moved.expiresMs ?? 0),
        archivedId: moved.archivedId ?? 0,
      }),
    )
  }

  query(subject: WalletSubject, id = 0, account = 1): Answer {
    const asked = { subject, account: AccountId(account), id, limit: 10, afterId: 0 }
    return this.execute(() => writeQueryWallet(this.command, 0, { ...head, ...asked }))
  }

  /** Executes what `write` has written, behind what is due. */
  private execute(write: () => void): Answer {
    this.fire()
    write()
    this.reset()
    this.wallet.execute(this.command, 0, Ms(this.nowMs))
    const answer = this.settle()
    this.fire()
    return answer
  }

  /** Passes time, and stops at each moment at which something is due. */
  advance(ms: number): void {
    const untilMs = this.nowMs + ms
    while (this.wallet.dueMs <= untilMs) {
      this.nowMs = Math.max(this.nowMs, this.wallet.dueMs)
      this.fire()
    }
    this.nowMs = untilMs
  }

  fire(): void {
    while (this.wallet.dueMs <= this.nowMs) {
      this.reset()
      this.wallet.fire(Ms(this.nowMs), Ms(this.nowMs))
      this.settle()
    }
  }

  private reset(): void {
    const { events, replies } = this.output
    this.output.reset()
    for (const { bytes } of [events, replies]) bytes.fill(this.pattern, 0, WRITTEN_BYTES)
  }

  private settle(): Answer {
    const { replies, repliesEnd, eventsEnd } = this.output
    const events = copyOf(this.output.events, eventsEnd)
    this.journal.push(events)
    this.replied.push(copyOf(replies, repliesEnd))
    this.holds.settle(true, Ms(this.nowMs))
    const types = [...typesIn(events, eventsEnd), ...typesIn(replies, repliesEnd)]
    const isRefused = repliesEnd > 0 && recordType(replies, 0) === WalletRejected.type
    return { events, types, refusal: isRefused ? WalletRejected.reason(replies, 0) : 0 }
  }

  /** By asset: balances + in flight - chain - debts - issued, which must be 0. */
  get shortfalls(): readonly bigint[] {
    const held = this.wallet.state.heldAtoms(ASSETS)
    return held.map((atoms, asset) => this.ownedOf(asset) - atoms)
  }

  /** All balances of the asset, less what operators paid in. */
  private ownedOf(asset: number): bigint {
    return this.balances.total(AssetId(asset)) - this.issued[asset]!
  }

  get hash(): number {
    return hashOf(this.wallet.state)
  }

  /** A wallet that has applied the journal. */
  followed(balances = newBalances()): Wallet {
    const wallet = this.open(new Holds(balances, ACCOUNTS, ASSETS), new EngineOutput())
    for (const events of this.journal) {
      for (let at = 0; at < events.bytes.length; at += recordLength(events, at)) {
        wallet.recover(events, at)
        applyWalletEffects(events, at, balances)
      }
    }
    return wallet
  }

  /** Whether the journal comes to this state, and to these balances beyond what was issued. */
  get isRecovered(): boolean {
    const balances = newBalances()
    const wallet = this.followed(balances)
    const isOwned = (_: bigint, asset: number) =>
      balances.total(AssetId(asset)) === this.ownedOf(asset)
    return hashOf(wallet.state) === this.hash && this.issued.every(isOwned)
  }

  /** A wallet that goes on from a snapshot of this one. */
  begunAgain(): Wallet {
    const wallet = this.open(this.holds, this.output)
    const image = new ImageWriter()
    this.wallet.state.write(image)
    const reader = new ImageReader(image.bytes())
    wallet.state.read(reader)
    if (!reader.isRead) throw new Error('the image has more')
    wallet.recovered()
    return wallet
  }
}

function copyOf({ bytes }: RecordBuffer, end: number): RecordBuffer {
  const copy = RecordBuffer.allocate(end)
  copy.bytes.set(bytes.subarray(0, end))
  return copy
}

function typesIn(records: RecordBuffer, end: number): readonly number[] {
  const types: number[] = []
  for (let at = 0; at < end; at += recordLength(records, at)) types.push(recordType(records, at))
  return types
}

export const hashOf = (state: WalletState): number => {
  const hash = new StateHash()
  state.hash(hash)
  return hash.value
}

const newBalances = () =>
  new Balances(new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)
