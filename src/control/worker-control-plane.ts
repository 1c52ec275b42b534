/**
 * Applies operators' facts: moves their money in the shared ledger, and announces them to the workers,
 * matchers before gateways, so that no gateway accepts a client that a matcher does not know. Used on the
 * main thread, one action at a time.
 */

import { assert } from '../base/assert.ts'
import { int64, int64ToBigint } from '../base/int64.ts'
import type { Clock } from '../base/time.ts'
import { AccountId, type AssetId, Atoms } from '../base/units.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import { BALANCE_WORDS, type Balances } from '../core/ledger/balances.ts'
import { Open, OpenCounts } from '../core/matching/open-counts.ts'
import type { BackupCut } from '../journal/backup.ts'
import type { ControlStore } from '../journal/control-store.ts'
import type { StateKind } from '../journal/states.ts'
import type { WalCells } from '../journal/wal-cells.ts'
import { isRevoked } from '../market/key-spec.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import { LatencyReader } from '../shared/account-latency.ts'
import {
  type BalanceChange,
  type ControlMessage,
  type NewSymbol,
  type OrdersToCancel,
  Pause,
} from '../shared/control-message.ts'
import { type CounterReading, readCounters } from '../shared/counters.ts'
import type { DiskCells } from '../shared/disk.ts'
import type { OperatorQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'
import type { RoleReading } from '../shared/role.ts'
import type { WarningLog } from '../telemetry/warning-log.ts'
import {
  ActionError,
  type BackupProgress,
  type ExchangeView,
  type JournalPoint,
  type MachineClock,
  type Networks,
  type Reread,
} from './action.ts'
import type { ControlPlane } from './command-executor.ts'
import { distributionOf } from './distributions.ts'
import type { Fact } from './facts.ts'
import type { FaultBook } from './fault-book.ts'
import { keySpecOf } from './keys.ts'
import type { Registry } from './registry.ts'
import type { SavedStates } from './saved-states.ts'
import type { Vault } from './vault.ts'
import { counted } from './words.ts'

/** What the control plane needs of a worker thread. */
export interface NotifiedWorker {
  /** Resolves when the worker has applied the message. Rejects when it fails first. */
  notify(messages: readonly ControlMessage[]): Promise<unknown>
}

/** What it needs of a gateway. */
export interface QueriedWorker extends NotifiedWorker {
  /** Resolves to the answer. Rejects when the worker fails first. */
  answer(query: OperatorQuery): Promise<OperatorQueryAnswer>
}

/** What it needs of the thread that makes snapshots. */
export interface SnapshotWorker {
  /** Notifies without waiting. */
  send(messages: readonly ControlMessage[]): void
  /** Resolves when the snapshot is made, or refused. */
  snapshot(): Promise<{ readonly said?: string; readonly refused?: string }>
}

/** What it needs of the thread that makes backups. */
export interface BackupMaker {
  readonly isBusy: boolean
  readonly progress: BackupProgress | undefined
  /** Copies the archive for the copy in this folder. Does without it when it is large. */
  copyArchive(folder: string): Promise<void>
  /** Resolves when the copy is made, or refused. */
  copy(
    cut: BackupCut,
    folder: string,
    as?: StateKind,
  ): Promise<{ readonly blocks?: number; readonly refused?: string }>
}

/** What it needs of a member of a quorum. */
export interface MemberActions {
  role(): RoleReading
  /** Has this member take the lead. Returns a sentence about it. */
  promote(): string
  /** Resolves to a sentence when another member leads. Rejects with ActionError when none does. */
  handOver(successor: string): Promise<string>
}

export interface ControlPlaneSettings {
  readonly matchers: number
  readonly gateways: number
  readonly accounts: number
  /** Name of the asset in which trading volumes are counted. */
  readonly valuationAsset: string
}

type BookMemory = Pick<NewSymbol, 'book' | 'openCounts'>

/** What operators decide, as memory and disk have it. */
export interface Decided {
  readonly registry: Registry
  readonly vault: Vault
  readonly control: ControlStore
  readonly balances: Balances
}

/** The workers that it notifies. */
export interface NotifiedCrew {
  readonly matchers: readonly NotifiedWorker[]
  /** Rung when a pause ends. */
  readonly matcherBells: readonly Doorbell[]
  readonly gateways: readonly QueriedWorker[]
  readonly indexer: NotifiedWorker
  /** Undefined when no snapshots are made. */
  readonly snapshots: SnapshotWorker | undefined
  readonly backups: BackupMaker
  /** Undefined without a quorum. */
  readonly member: MemberActions | undefined
}

/** Shared memory that it reads, except the first cell, which it writes. */
export interface ControlPlaneCells {
  /** One cell, 1 under maintenance. */
  readonly maintenance: SharedArrayBuffer
  /** shared/counters.ts. */
  readonly counters: SharedArrayBuffer
  /** shared/account-latency.ts. */
  readonly accountLatency: SharedArrayBuffer
  /** By symbol id: open orders of accounts. */
  readonly openCounts: readonly SharedArrayBuffer[]
  /** By matcher: positions of the last block that was published, and archived. */
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  readonly wals: readonly WalCells[]
  readonly disk: Pick<DiskCells, 'read'>
}

/** How the exchange is. */
export interface Condition {
  readonly isReady: () => boolean
  readonly degraded: () => readonly string[]
  /** Returns undefined where this member leads. */
  readonly whyNoActions: () => string | undefined
  readonly warnings: WarningLog
  /** Returns its number; 0 without one. */
  readonly newestSnapshot: () => number
  readonly clock: Clock
}

/** What actions have done besides messages. */
export interface ActionEffects {
  readonly listenKeys: { revoke(account: AccountId): void }
  /** Reserves the memory of a symbol's book. Throws RangeError when there is none. */
  readonly bookMemory: () => BookMemory
  readonly readAgain: ExchangeView['readAgain']
  readonly ownerToken: ExchangeView['ownerToken']
  /** Gateways go by what was read again. */
  readonly reloaded: (reread: Reread) => void
  /** The rules of the sandbox; undefined while it is off. */
  readonly faults: FaultBook | undefined
  /** Undefined where the time is the machine's. */
  readonly clock: VirtualClock | undefined
  /** The saved states of the sandbox; undefined while it is off. */
  readonly states: SavedStates | undefined
  readonly networks: Networks | undefined
  readonly machineClock: MachineClock | undefined
  readonly quorumAheadMs: () => number | undefined
  readonly hasRemovedBlocks: () => boolean
  readonly startAgain: () => Promise<void>
  readonly drain: () => Promise<void>
  readonly stop: () => void
  readonly fail: (error: Error) => void
}

export interface ControlPlaneParts {
  readonly settings: ControlPlaneSettings
  readonly decided: Decided
  readonly crew: NotifiedCrew
  readonly cells: ControlPlaneCells
  readonly condition: Condition
  readonly effects: ActionEffects
}

type Movement = Extract<Fact, { fact: 'deposit' | 'withdrawal' | 'lock' }>

export class WorkerControlPlane implements ControlPlane {
  readonly view: ExchangeView
  readonly whyNoActions: () => string | undefined
  private readonly parts: ControlPlaneParts
  /** By symbol id: the memory of symbols that are about to be listed. */
  private readonly prepared = new Map<number, BookMemory>()
  /** By id of the symbols that the threads know: the matcher that owns it. */
  private readonly matcherOf: number[]
  /** By symbol id. */
  private readonly openCounts: OpenCounts[]
  private scheduleChanged = () => {}

  constructor(parts: ControlPlaneParts) {
    const { settings, crew, cells, condition, effects } = parts
    const { registry, balances } = parts.decided
    const words = new Int32Array(BALANCE_WORDS)
    this.parts = parts
    this.whyNoActions = condition.whyNoActions
    this.matcherOf = registry.symbols.map(({ id }) => registry.ownerOf(id, settings.matchers))
    this.openCounts = cells.openCounts.map((memory) => new OpenCounts(memory))
    this.announceMaintenance()
    const recovered = this.symbolEvents()
    this.view = {
      balance: (account, asset) => {
        balances.read(account, asset, words)
        return { free: int64ToBigint(words, 1), locked: int64ToBigint(words, 3) }
      },
      total: (asset) => balances.total(asset),
      matcherOf: (symbol) => this.matcherOf[symbol]!,
      symbolEvents: () => this.symbolEvents().map((count, id) => count - (recovered[id] ?? 0)),
      openOrders: (symbol, account) => this.openCounts[symbol]?.of(account, Open.ORDERS) ?? 0,
      ask: (gateway, query) => crew.gateways[gateway]!.answer(query),
      counters: () => this.readCounters(),
      latency: new LatencyReader(cells.accountLatency),
      journals: () => this.journals(),
      isReady: condition.isReady,
      degraded: condition.degraded,
      role: () => crew.member?.role(),
      disk: () => cells.disk.read(),
      warnings: (limit) => condition.warnings.newest(limit),
      backup: () => crew.backups.progress,
      readAgain: effects.readAgain,
      ownerToken: effects.ownerToken,
      matchers: settings.matchers,
      gateways: settings.gateways,
      accountsMax: settings.accounts,
      faults: effects.faults,
      clock: effects.clock,
      states: effects.states,
      networks: effects.networks,
      machineClock: effects.machineClock,
      quorumAheadMs: effects.quorumAheadMs,
      journalAheadMs: () => this.journalAheadMs(),
      hasRemovedBlocks: effects.hasRemovedBlocks,
      startAgain: effects.startAgain,
    }
  }

  /** Calls it when a schedule is another, or how far it is carried out. */
  onScheduleChanged(changed: () => void): void {
    this.scheduleChanged = changed
  }

  hold(account: AccountId, asset: AssetId, atoms: bigint): boolean {
    return this.parts.decided.balances.hold(account, asset, Atoms(int64(atoms)))
  }

  release(account: AccountId, asset: AssetId, atoms: bigint): void {
    this.parts.decided.balances.move(account, asset, 0n, 0n, atoms)
  }

  prepare(facts: readonly Fact[], registry: Registry): void {
    this.prepared.clear()
    for (const fact of facts) {
      if (fact.fact !== 'symbol' || fact.id < this.matcherOf.length) continue
      // Throws for what cannot be listed.
      registry.specify(fact)
      this.prepared.set(fact.id, this.newBookMemory())
    }
  }

  journal(facts: readonly Fact[], texts?: readonly string[]): void {
    const { control } = this.parts.decided
    if (texts === undefined) control.appendAll(facts)
    else control.appendTexts(texts)
  }

  async enforce(facts: readonly Fact[]): Promise<void> {
    for (const fact of facts) this.settle(fact)
    this.announceMaintenance()
    const messages = facts.flatMap((fact) => this.controlMessagesOf(fact))
    await this.notify(messages)
    const openings = messages.flatMap((it) => (it.kind === 'listing' ? [openingOf(it.listed)] : []))
    await this.notifyGateways(openings)
    await this.endListenKeys(facts)
    await this.settlePhases(facts)
    if (facts.some(concernsSchedules)) this.scheduleChanged()
  }

  /** After a kill, repeating the action cancels the remaining orders. */
  cancelOrders(orders: Omit<OrdersToCancel, 'kind'>): Promise<void> {
    return this.notifyMatchers([{ kind: 'cancelOrders', ...orders }])
  }

  async reload(reread: Reread): Promise<void> {
    const { hasTls, trustedProxies, exemptAddresses, sbe } = reread
    await this.notifyGateways([{ kind: 'reload', hasTls, trustedProxies, exemptAddresses, sbe }])
    this.parts.effects.reloaded(reread)
  }

  async cut(): Promise<BackupCut> {
    const { backups } = this.parts.crew
    const { control } = this.parts.decided
    const { published } = this.parts.cells
    const { newestSnapshot } = this.parts.condition
    if (backups.isBusy) throw new ActionError('A backup is under way already.')
    // One that is made later may cover later blocks.
    const snapshot = newestSnapshot()
    const memory = new SharedArrayBuffer(4)
    const cell = new Int32Array(memory)
    await this.notifyMatchers([{ kind: 'pause', cell: memory }])
    const positions = this.parts.crew.matchers.map((_, at) => Number(Atomics.load(published, at)))
    const found = Atomics.compareExchange(cell, 0, Pause.PAUSED, Pause.RESUMED)
    this.wakeMatchers()
    if (found !== Pause.PAUSED)
      throw new ActionError('The matchers did not pause in time; try again.')
    const timeMs = this.parts.condition.clock.nowMs()
    return { timeMs, control: control.lastSequence, positions, snapshot }
  }

  /** This member leads from now on, in place of another. Resolves when the matchers write. */
  lead(epoch: number): Promise<void> {
    return this.notifyMatchers([{ kind: 'lead', epoch }])
  }

  /**
   * Finishes what is under way, once gateways take no orders, and holds the matchers while `action` runs;
   * it resolves to whether another member leads. The matchers write nothing more if one does.
   */
  async holdWhile(msMax: number, action: () => Promise<boolean>): Promise<boolean> {
    const memory = new SharedArrayBuffer(4)
    const cell = new Int32Array(memory)
    let isLeft = false
    await this.notifyGateways([{ kind: 'finish' }])
    await this.notifyMatchers([{ kind: 'pause', cell: memory, msMax }])
    try {
      isLeft = await action()
    } finally {
      Atomics.store(cell, 0, isLeft ? Pause.LEFT : Pause.RESUMED)
      this.wakeMatchers()
    }
    return isLeft
  }

  copyArchive(folder: string): Promise<void> {
    return this.parts.crew.backups.copyArchive(folder)
  }

  async backup(cut: BackupCut, folder: string, as?: StateKind): Promise<string> {
    const { blocks, refused } = await this.parts.crew.backups.copy(cut, folder, as)
    if (refused !== undefined) throw new ActionError(refused)
    return `${folder} holds ${counted(blocks ?? 0, 'block')} up to ${new Date(cut.timeMs).toISOString()}.`
  }

  /** Matchers note it once they have read the clock. */
  private async journalAheadMs(): Promise<number> {
    await this.notifyMatchers([{ kind: 'settle' }])
    const lags = this.readCounters().filter(({ name }) => name === 'clockLagMs')
    return Math.max(0, ...lags.map(({ value }) => value))
  }

  promote(): string {
    return this.member.promote()
  }

  handOver(successor: string): Promise<string> {
    return this.member.handOver(successor)
  }

  drain(): Promise<void> {
    return this.parts.effects.drain()
  }

  async snapshot(): Promise<string> {
    const { snapshots } = this.parts.crew
    if (snapshots === undefined) throw new ActionError('Snapshots are off (--snapshot-minutes).')
    const { said = '', refused } = await snapshots.snapshot()
    if (refused !== undefined) throw new ActionError(refused)
    return said
  }

  stop(): void {
    this.parts.effects.stop()
  }

  fail(error: Error): void {
    this.parts.effects.fail(error)
  }

  private get member(): MemberActions {
    const { member } = this.parts.crew
    assert(member !== undefined, 'actions on members are refused without a quorum')
    return member
  }

  /** Releases the hold of money that was taken. */
  private settle(fact: Fact): void {
    if (!isMovement(fact)) return
    const { balances } = this.parts.decided
    const { account, asset, timeMs } = fact
    const atoms = BigInt(fact.atoms)
    if (fact.fact === 'deposit') balances.credit(account, asset, atoms)
    else if (fact.fact === 'withdrawal') balances.move(account, asset, -atoms, 0n, atoms)
    else balances.move(account, asset, -atoms, atoms, atoms > 0n ? atoms : 0n)
    balances.markChanged(account, timeMs)
  }

  /**
   * A listed symbol reaches every thread that must understand its events before any thread can cause one:
   * gateways, which learn of it last, send no command for it before it is opened.
   */
  private async notify(messages: readonly ControlMessage[]): Promise<void> {
    const { indexer, snapshots } = this.parts.crew
    const toArchive = messages.filter(concernsArchive)
    if (toArchive.length > 0) {
      await indexer.notify(toArchive)
      snapshots?.send(toArchive)
    }
    await this.notifyMatchers(messages.filter(({ kind }) => TO_MATCHERS.has(kind)))
    await this.notifyGateways(messages)
  }

  /** Holds the auctions of a schedule's change to their end, where the next change is due already. */
  private async settlePhases(facts: readonly Fact[]): Promise<void> {
    const { decided, condition } = this.parts
    if (!facts.some(({ fact }) => fact === 'transition')) return
    if (decided.registry.schedules.nextMs > condition.clock.nowMs()) return
    await this.notifyMatchers([{ kind: 'settle' }])
  }

  private async notifyMatchers(messages: readonly ControlMessage[]): Promise<void> {
    if (messages.length === 0) return
    await Promise.all(this.parts.crew.matchers.map((matcher) => matcher.notify(messages)))
  }

  /** They look at the cell of their pause. */
  private wakeMatchers(): void {
    for (const bell of this.parts.crew.matcherBells) bell.ring()
  }

  private async notifyGateways(messages: readonly ControlMessage[]): Promise<void> {
    if (messages.length === 0) return
    await Promise.all(this.parts.crew.gateways.map((gateway) => gateway.notify(messages)))
  }

  /**
   * Ends the listen keys of accounts that lost an API key. All gateways refuse that key by now, so it
   * makes no new listen key.
   */
  private async endListenKeys(facts: readonly Fact[]): Promise<void> {
    const accounts = facts.flatMap(losesListenKey)
    if (accounts.length === 0) return
    for (const account of new Set(accounts))
      this.parts.effects.listenKeys.revoke(AccountId(account))
    await this.notifyGateways([{ kind: 'listenKey' }])
  }

  /** By symbol id: all events ever journaled. */
  private symbolEvents(): readonly number[] {
    const { counters } = this.parts.cells
    const { registry } = this.parts.decided
    return readCounters(counters, 0, 0, registry.symbols.length)
      .filter(({ scope, name }) => scope === 'symbol' && name === 'events')
      .map(({ value }) => value)
  }

  private readCounters(): readonly CounterReading[] {
    const { settings } = this.parts
    const { counters } = this.parts.cells
    const { registry } = this.parts.decided
    return readCounters(counters, settings.matchers, settings.gateways, registry.symbols.length)
  }

  private journals(): readonly JournalPoint[] {
    const { published, archived, wals } = this.parts.cells
    return wals.map((wal, matcher) => ({
      published: Number(Atomics.load(published, matcher)),
      checkpointed: wal.checkpointed,
      archived: Number(Atomics.load(archived, matcher)),
    }))
  }

  private announceMaintenance(): void {
    const { maintenance } = this.parts.cells
    const { registry } = this.parts.decided
    Atomics.store(new Int32Array(maintenance), 0, registry.isUnderMaintenance ? 1 : 0)
  }

  private controlMessagesOf(fact: Fact): readonly ControlMessage[] {
    const { registry, vault } = this.parts.decided
    switch (fact.fact) {
      case 'account':
        return [{ kind: 'account', account: registry.accounts[fact.id]! }]
      case 'asset': {
        const isValuation = fact.name === this.parts.settings.valuationAsset
        return [{ kind: 'asset', asset: registry.assets[fact.id]!, isValuation }]
      }
      case 'symbol':
        return [this.symbolMessage(registry.symbols[fact.id]!)]
      case 'transition':
        return fact.symbols.map((id) => ({ kind: 'symbol', symbol: registry.symbols[id]! }))
      case 'chain':
        return [{ kind: 'chain', chain: registry.chains[fact.id]! }]
      case 'network':
        return [{ kind: 'network', network: registry.networks[fact.id]! }]
      case 'exchange':
        return [{ kind: 'exchange', exchange: registry.exchange }]
      case 'key':
        return [{ kind: 'key', key: keySpecOf(fact, vault) }]
      case 'deposit':
      case 'withdrawal':
      case 'lock':
        return this.moneyMessages(fact)
      default:
        return []
    }
  }

  private symbolMessage(symbol: SymbolSpec): ControlMessage {
    const memory = this.prepared.get(symbol.id)
    if (memory === undefined) return { kind: 'symbol', symbol }
    const { settings } = this.parts
    const { registry } = this.parts.decided
    const matcher = registry.ownerOf(symbol.id, settings.matchers)
    this.prepared.delete(symbol.id)
    this.matcherOf.push(matcher)
    this.openCounts.push(new OpenCounts(memory.openCounts))
    return { kind: 'listing', listed: { symbol, matcher, ...memory } }
  }

  private newBookMemory(): BookMemory {
    try {
      return this.parts.effects.bookMemory()
    } catch {
      throw new RangeError('there is no memory for another book')
    }
  }

  private moneyMessages(fact: Movement): readonly ControlMessage[] {
    const message = { kind: 'balance', change: changeOf(fact) } as const
    if (fact.fact !== 'deposit') return [message]
    // One action makes one deposit in a category: the last one.
    const distribution = distributionOf(fact, this.parts.decided.registry.depositCount)
    return distribution === undefined
      ? [message]
      : [message, { kind: 'distribution', distribution }]
  }
}

const concernsSchedules = ({ fact }: Fact): boolean =>
  fact === 'schedule' || fact === 'held' || fact === 'transition'

/** Whether matchers need the message; others are for gateways only. */
const TO_MATCHERS: ReadonlySet<ControlMessage['kind']> = new Set([
  'account',
  'chain',
  'network',
  'symbol',
  'exchange',
  'listing',
])

const concernsArchive = (message: ControlMessage): boolean =>
  message.kind === 'listing' ||
  message.kind === 'distribution' ||
  (message.kind === 'asset' && message.isValuation)

/** The account whose listen key ends with the fact, if any. */
function losesListenKey(fact: Fact): readonly number[] {
  if (fact.fact === 'key' && isRevoked(fact)) return [fact.account]
  return fact.fact === 'account' && fact.closed === true ? [fact.id] : []
}

const openingOf = ({ symbol }: NewSymbol): ControlMessage => ({ kind: 'opening', symbol })

const isMovement = (fact: Fact): fact is Movement =>
  fact.fact === 'deposit' || fact.fact === 'withdrawal' || fact.fact === 'lock'

function changeOf({ fact, account, asset, atoms, timeMs }: Movement): BalanceChange {
  const signed = fact === 'withdrawal' ? `-${atoms}` : atoms
  return { account, assetId: asset, atoms: signed, isLock: fact === 'lock', timeMs }
}
