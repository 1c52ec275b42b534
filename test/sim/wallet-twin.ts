/**
 * The plain wallet beside a real one: each command that the real one executed, and each batch of what was due, is done
 * by both, and both have the same deposits, withdrawals, debts and terms of the proof of funds then.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { WalletRefusal } from '../../src/base/codes.ts'
import { AccountId, AssetId } from '../../src/base/units.ts'
import type { WalletState } from '../../src/core/wallet/wallet-state.ts'
import { ownerOfAddress } from '../../src/market/deposit-address.ts'
import type { ChainSpec, NetworkSpec } from '../../src/market/network.ts'
import {
  type PlainNetwork,
  type PlainPurses,
  PlainWallet,
  plainNetwork,
} from '../model/plain-wallet.ts'
import type { WalletCommand } from './commands.ts'
import type { Execution, WalletFiring } from './pipeline-engine.ts'
import type { NamedRecord } from './records.ts'

/** What is due in one batch. */
const DUE_MAX = 16
/** Refusals of which the plain wallet knows nothing: they change nothing. */
const beyond: readonly number[] = [
  ...[WalletRefusal.ACCOUNT_CLOSED, WalletRefusal.SUSPENDED, WalletRefusal.FULL],
  ...[WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW, WalletRefusal.NOT_LEADING],
]

export class WalletTwin {
  readonly plain: PlainWallet
  private readonly chains: readonly ChainSpec[]
  private readonly networks: readonly PlainNetwork[]
  /** Accounts that there are. */
  private readonly accounts: number

  constructor(
    chains: readonly ChainSpec[],
    networks: readonly NetworkSpec[],
    accounts: number,
    purses: PlainPurses,
  ) {
    this.chains = chains
    this.accounts = accounts
    this.networks = networks.map(plainNetwork)
    const blockMs = chains.map((it) => it.blockMs)
    this.plain = new PlainWallet(blockMs, purses, chains[0]!.genesisMs)
  }

  /** By asset: what balances are together beyond what operators paid in and took out. */
  held(assets: number): readonly bigint[] {
    return Array.from({ length: assets }, (_, asset) => {
      const { chain, debt, inFlight } = this.plain.fundsOf(asset)
      return chain + debt - inFlight
    })
  }

  setNetwork({ id, depositEnabled }: NetworkSpec): void {
    this.networks[id]!.depositEnabled = depositEnabled
  }

  /** Executes the same command, and compares what `state` is then. */
  executed({ command, timeMs, records }: Execution<WalletCommand>, state: WalletState): void {
    this.plain.at(timeMs)
    const refused = records.find(({ name }) => name === 'WalletRejected')
    const reason = refused === undefined ? 0 : Number(refused.reason)
    if (!beyond.includes(reason)) strictEqual(reason, this.predict(command, records, reason))
    this.compare(state)
  }

  /** Does what is due, and compares. */
  fired({ timeMs, clockMs }: WalletFiring, state: WalletState): void {
    this.plain.at(timeMs)
    this.plain.settle(clockMs, DUE_MAX)
    this.compare(state)
  }

  private predict(
    { name, record }: WalletCommand,
    records: readonly NamedRecord[],
    reason: number,
  ): number {
    const { plain } = this
    switch (name) {
      case 'ApplyWithdrawal': {
        const network = this.networks[record.networkId]!
        const { account, atoms, isFeeIncluded, requestId } = record
        const net = BigInt(atoms) - (isFeeIncluded === 1 ? network.fee : 0n)
        return plain.apply(network, account, net, this.ownerOf(network, record), requestId)
      }
      case 'DecideWithdrawal':
        return plain.decide(record.withdrawalId, record.decision as never, record.txId)
      case 'SendToExchange': {
        const network = this.networks[record.networkId]!
        const isNew = records.some((it) => it.name === 'DepositChanged')
        if (isNew) plain.deposit(network, this.ownerOf(network, record), BigInt(record.atoms))
        // It knows no ids of senders.
        return isNew ? 0 : reason
      }
      case 'ChangeChain':
        return plain.change(record.chainId, record.change as never, record.blocks)
      case 'MoveFunds': {
        const { from, to, assetId, atoms, requestId, master } = record
        return plain.move(from, to, assetId, BigInt(atoms), requestId, master)
      }
      case 'QueryWallet':
        return 0
    }
  }

  private ownerOf(
    { chain }: PlainNetwork,
    { address, tag }: { readonly address: string; readonly tag: string },
  ): number | undefined {
    const account = ownerOfAddress(this.chains[chain]!, address, tag)?.account
    return account === undefined || account >= this.accounts ? undefined : account
  }

  private compare(state: WalletState): void {
    const { plain } = this
    for (const { id, status, height } of plain.deposits) {
      const row = state.deposits.get(id)
      // Older ones that ended are forgotten.
      if (row === undefined) continue
      deepStrictEqual([id, row.status, row.height], [id, status, height], 'a deposit')
    }
    for (const { id, account, status, height, txId } of plain.withdrawals) {
      const rows = state.rememberedOf(AccountId(account))
      const row = rows.find(({ withdrawalId }) => withdrawalId === id)
      assert(row !== undefined, `withdrawal ${id} is known`)
      const shown = [id, row.status, row.height, row.txId]
      deepStrictEqual(shown, [id, status, height, txId], 'a withdrawal')
    }
    for (const { asset } of this.networks) {
      const { chain, inFlight, debt } = plain.fundsOf(asset)
      const { chainAtoms, inFlightAtoms, debtAtoms } = state.fundsOf(AssetId(asset))
      const shown = [BigInt(chainAtoms), BigInt(inFlightAtoms), BigInt(debtAtoms)]
      deepStrictEqual(shown, [chain, inFlight, debt], `terms of asset ${asset}`)
    }
  }
}
