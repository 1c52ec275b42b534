/**
 * What the plain twin knows of a whole exchange: symbols and balances now, what they were at the end of
 * each block that may still be lost, and every journaled record. Matchers may be more or fewer after a
 * restart, so what survived one is the common past of those that follow.
 */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import { AssetId } from '../../../src/base/units.ts'
import type { Registry } from '../../../src/control/registry.ts'
import { BlockReader } from '../../../src/journal/block.ts'
import { type SymbolSpec, WALLET } from '../../../src/market/listing.ts'
import type { PlainRecord } from '../../model/plain-answer.ts'
import { PlainSymbol } from '../../model/plain-exchange.ts'
import { type PlainChanges, PlainLedger } from '../../model/plain-ledger.ts'
import type { PlainWorld } from '../../model/plain-market.ts'
import { emptyState, type PlainState } from '../../model/plain-order.ts'
import type { PlainPurses, PlainWalletState } from '../../model/plain-wallet.ts'
import { type Command, predict } from '../commands.ts'
import { type NamedRecord, readRecords } from '../records.ts'
import { newWorld } from '../simulation.ts'
import { WalletTwin } from '../wallet-twin.ts'
import { ASSETS, ruledSymbols } from '../world.ts'
import { foundingDeposits } from './founding.ts'

/** The matcher that has the wallet. */
const WALLET_MATCHER = 0

/** The hash of what a symbol's engine continues with, or the wallet. */
export type HashOf = (symbolId: number) => number

/** What one matcher had done at the end of a block. */
interface Landmark {
  readonly changes: PlainChanges
  /** By symbol id; its own symbols. */
  readonly states: ReadonlyMap<number, PlainState>
  readonly hashes: ReadonlyMap<number, number>
  /** Of the matcher that has it. */
  readonly wallet: PlainWalletState | undefined
  /** Its events until then. */
  readonly walletEvents: number
}

/** Its landmarks from `position` on: the last block that can no longer be lost. */
interface Trail {
  position: number
  readonly landmarks: Landmark[]
}

export interface RestartedProcess {
  readonly registry: Pick<Registry, 'accounts' | 'symbols' | 'deposited' | 'chains' | 'networks'>
  readonly matcherOf: readonly number[]
}

type Deposit = readonly [account: number, asset: number, atoms: bigint]

export class ExchangeTwin {
  world: PlainWorld = newWorld()
  symbols: readonly PlainSymbol[] = []
  /** By symbol id: all journaled events, oldest first. */
  readonly events: readonly NamedRecord[][] = ruledSymbols.map(() => [])
  /** Undefined before the first start. */
  wallet!: WalletTwin
  /** The wallet's journaled events, oldest first, and the position of each one's block. */
  readonly walletEvents: (readonly [event: NamedRecord, position: number])[] = []
  /** By asset: what operators paid in less what they took out. */
  readonly deposited: bigint[] = Array.from({ length: ASSETS }, () => 0n)
  private readonly deposits: Deposit[] = []
  /** Its client got no answer whether it was done. */
  private unsure: Deposit | undefined = undefined
  private specs: readonly SymbolSpec[] = ruledSymbols
  private past: PlainChanges = new Map()
  private states: readonly PlainState[] = ruledSymbols.map(() => emptyState())
  private hashes: ReadonlyMap<number, number> = new Map()
  private walletState: PlainWalletState | undefined = undefined
  /** By asset, as of the last batch of the wallet's that is shown: chain + debts - in flight. */
  private held: readonly bigint[] = []
  /** By matcher. */
  private trails: Trail[] = []
  private matcherOf: readonly number[] = []
  /** What is free for the wallet, in its matcher's open batch. */
  private readonly purses: PlainPurses = {
    free: (account, asset) => this.world.ledger.spendable(WALLET_MATCHER, account, asset),
    add: (account, asset, atoms) => {
      const { ledger } = this.world
      if (atoms >= 0n) ledger.earn(WALLET_MATCHER, account, asset, atoms)
      else {
        assert(ledger.lock(WALLET_MATCHER, account, asset, -atoms), 'what is taken is free')
        ledger.pay(WALLET_MATCHER, account, asset, -atoms)
      }
    },
  }
  private readonly block = new BlockReader()
  /** By matcher, position and checksum of a block: the hashes of its matcher's symbols behind it. */
  private readonly hashesByPlace = new Map<string, ReadonlyMap<number, number>>()

  constructor() {
    for (const deposit of foundingDeposits) this.deposit(...deposit)
  }

  /** Comes in, or, below zero, goes out. */
  deposit(account: number, asset: number, atoms: bigint): void {
    this.deposits.push([account, asset, atoms])
    this.deposited[asset]! += atoms
    this.world.ledger.deposit(account, asset, atoms)
  }

  /** An operator got no answer whether it was done: the next start has it, or has not. */
  mayDeposit(account: number, asset: number, atoms: bigint): void {
    this.unsure = [account, asset, atoms]
  }

  respecify(specs: readonly SymbolSpec[]): void {
    this.specs = specs
    for (const symbol of this.symbols) symbol.spec = specs[symbol.spec.id]!
  }

  /** Begins again from what survived, `positions` by matcher. */
  restart(
    { registry, matcherOf }: RestartedProcess,
    positions: readonly number[],
    hashOf: HashOf,
  ): void {
    const { accounts, symbols, chains, networks } = registry
    const matchers = positions.length
    this.specs = symbols
    this.settleUnsure(registry)
    this.world = { ...newWorld(), accounts: [...accounts], ledger: new PlainLedger(matchers + 1) }
    for (const deposit of this.deposits) this.world.ledger.deposit(...deposit)
    this.world.ledger.restore(matchers, this.past)
    this.symbols = this.specs.map((spec) => {
      const symbol = new PlainSymbol(spec, matcherOf[spec.id]!, this.world)
      symbol.state = structuredClone(this.states[spec.id]!)
      this.events[spec.id]!.length = symbol.state.sequence
      return symbol
    })
    for (const [id, hash] of this.hashes) {
      strictEqual(hashOf(id), hash, 'what survived is recovered')
    }
    this.wallet ??= new WalletTwin(chains, networks, accounts.length, this.purses)
    for (const network of networks) this.wallet.setNetwork(network)
    if (this.walletState !== undefined) this.wallet.plain.restore(this.walletState)
    this.world.orderListId = Math.max(...this.symbols.map(({ state }) => state.orderListId))
    this.matcherOf = matcherOf
    this.trails = positions.map((position) => ({ position, landmarks: [] }))
    for (const [matcher, { landmarks }] of this.trails.entries()) {
      landmarks.push(this.landmark(matcher, hashOf))
      this.published(matcher)
    }
  }

  private settleUnsure(registry: Pick<Registry, 'deposited'>): void {
    const unsure = this.unsure
    this.unsure = undefined
    if (unsure === undefined) return
    const [, asset, atoms] = unsure
    if (registry.deposited(AssetId(asset)) === this.deposited[asset]) return
    this.deposits.push(unsure)
    this.deposited[asset]! += atoms
  }

  predict(command: Command, timeMs: number, clockMs: number): PlainRecord[] {
    return predict(this.symbols[command.record.symbolId]!, command, timeMs, clockMs)
  }

  /** By asset: what all balances are together, as they are shown. */
  get total(): readonly bigint[] {
    return this.deposited.map((atoms, asset) => atoms + this.held[asset]!)
  }

  /** The journaled events of a withdrawal, each with the position of its block. */
  eventsOfWithdrawal(id: number): readonly (readonly [event: NamedRecord, position: number])[] {
    return this.walletEvents.filter(([{ withdrawalId }]) => withdrawalId === id)
  }

  /** What is to be done on a symbol before its next command: a change of its phase. */
  goOn(symbolId: number, timeMs: number): PlainRecord[] {
    return this.symbols[symbolId]!.goOn(timeMs)
  }

  /** The block is about to be written: from now on it may be there. Up to `flushed` none is lost. */
  appending(matcher: number, bytes: Uint8Array, flushed: number, hashOf: HashOf): void {
    const trail = this.trails[matcher]!
    const block = this.block
    block.open(bytes, 'The block to be written')
    strictEqual(block.position, trail.position + trail.landmarks.length, 'blocks have no gaps')
    const safe = Math.max(0, flushed - trail.position)
    trail.landmarks.splice(0, safe)
    trail.position += safe
    for (const record of readRecords(block.records, block.start, block.end)) {
      if (record.symbolId === WALLET) {
        this.walletEvents.push([record, block.position])
        strictEqual(record.sequence, this.walletEvents.length, 'a journal has every event')
        continue
      }
      const events = this.events[Number(record.symbolId)]!
      const lastMs = Number(events.at(-1)?.timeMs ?? 0)
      assert(Number(record.timeMs) >= lastMs, "a symbol's time never falls")
      events.push(record)
      strictEqual(record.sequence, events.length, 'a journal has every event')
    }
    for (const { spec, state } of this.symbols) {
      if (this.matcherOf[spec.id] !== matcher) continue
      strictEqual(this.events[spec.id]!.length, state.sequence, 'a block is a whole batch')
    }
    const landmark = this.landmark(matcher, hashOf)
    trail.landmarks.push(landmark)
    this.hashesByPlace.set(`${matcher}/${block.position}/${block.checksum}`, landmark.hashes)
  }

  /** By symbol: the hashes of what the leader's engines continued with behind a block. */
  hashesAt(matcher: number, position: number, checksum: number): ReadonlyMap<number, number> {
    const hashes = this.hashesByPlace.get(`${matcher}/${position}/${checksum}`)
    assert(hashes !== undefined, 'nobody follows what no leader wrote')
    return hashes
  }

  /** All matchers know at what prices this one has traded. */
  published(matcher: number): void {
    if (matcher === WALLET_MATCHER) this.held = this.wallet.held(ASSETS)
    for (const { spec, state } of this.symbols) {
      if (this.matcherOf[spec.id] === matcher) {
        this.world.publishedTicks[spec.id] = state.lastPriceTicks
      }
    }
  }

  /** Blocks of each matcher's journal up to these survive; nothing continues from here. */
  end(positions: readonly number[]): void {
    const changes = new Map<string, { free: bigint; locked: bigint }>()
    const add = (more: PlainChanges) => {
      for (const [key, { free, locked }] of more) {
        const sum = changes.get(key) ?? { free: 0n, locked: 0n }
        changes.set(key, { free: sum.free + free, locked: sum.locked + locked })
      }
    }
    const states = [...this.states]
    const hashes = new Map(this.hashes)
    add(this.past)
    for (const [matcher, { position, landmarks }] of this.trails.entries()) {
      const landmark = landmarks[positions[matcher]! - position]
      assert(landmark !== undefined, 'nothing that was flushed is lost, and nothing is made up')
      add(landmark.changes)
      for (const [symbolId, state] of landmark.states) states[symbolId] = state
      for (const [symbolId, hash] of landmark.hashes) hashes.set(symbolId, hash)
      if (matcher !== WALLET_MATCHER) continue
      this.walletState = landmark.wallet
      this.walletEvents.length = landmark.walletEvents
    }
    this.past = changes
    this.states = states
    this.hashes = hashes
    this.trails = []
  }

  private landmark(matcher: number, hashOf: HashOf): Landmark {
    const own = this.symbols.filter(({ spec }) => this.matcherOf[spec.id] === matcher)
    const hasWallet = matcher === WALLET_MATCHER
    return {
      changes: this.world.ledger.changes(matcher),
      states: new Map(own.map(({ spec, state }) => [spec.id, structuredClone(state)])),
      hashes: new Map(
        [...own.map(({ spec }) => spec.id), ...(hasWallet ? [WALLET] : [])].map((id) => [
          id,
          hashOf(id),
        ]),
      ),
      wallet: hasWallet ? this.wallet.plain.state : undefined,
      walletEvents: this.walletEvents.length,
    }
  }
}
