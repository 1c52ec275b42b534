/**
 * The matcher's side of a follower: takes blocks that another member's matcher has written, keeps them as
 * they are, applies them into the same engines, settles their effects and publishes their events. It decides
 * nothing. Queries are executed by the matcher beside it, which begins to lead from what this has applied.
 *
 * Each block is followed in the leader's order: journal, ledger, prices, events. So gateways and indexer
 * of a follower are the leader's.
 */
import { assert } from '../base/assert.ts'
import type { Correction } from '../base/corrections.ts'
import { type AccountId, type AssetId, Atoms, Ms, type SymbolId, Ticks } from '../base/units.ts'
import { applyEffects, applyWalletEffects, type EffectSink } from '../core/ledger/effects.ts'
import type { Holds } from '../core/ledger/holds.ts'
import { Counter } from '../core/matching/counters.ts'
import { BlockReader, blockLengthAt, JournalDamage } from '../journal/block.ts'
import { BlockChain, type JournalPoint } from '../journal/chain.ts'
import { PhaseChanged, RecordHeader } from '../layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../layout/record-buffer.ts'
import { WALLET } from '../market/listing.ts'
import type { MatcherOptions } from './matcher.ts'

/** The gateway of published events: the number in the block is that of a gateway of the leader. */
const NO_GATEWAY = -1

export interface FollowingOptions
  extends Pick<
    MatcherOptions,
    | 'index'
    | 'engines'
    | 'wallet'
    | 'holds'
    | 'lastPrices'
    | 'journal'
    | 'events'
    | 'readerBells'
    | 'published'
    | 'journaledMs'
    | 'counts'
  > {
  /** The journal's last block. */
  readonly point: JournalPoint
  readonly corrections?: readonly Correction[]
  /** Called when a block has changed a symbol's phase. */
  readonly phaseChanged: () => void
}

export class Following {
  private readonly options: FollowingOptions
  private readonly block: BlockReader
  private readonly chain: BlockChain
  private readonly effects: EffectSink
  private _point: JournalPoint
  private _journaledMs: Ms

  constructor(options: FollowingOptions) {
    this.options = options
    this.block = new BlockReader(options.corrections)
    this.chain = new BlockChain(options.index, options.point)
    this.effects = new SettledEffects(options.holds)
    this._point = options.point
    this._journaledMs = options.journaledMs
  }

  /** The last block. */
  get point(): JournalPoint {
    return this._point
  }

  /** Time of the last block of any journal, as far as this matcher knows. */
  get journaledMs(): Ms {
    return this._journaledMs
  }

  /**
   * Follows blocks that lie one behind another, from a multiple of 8 bytes on. Throws JournalDamage for one
   * that does not follow.
   */
  takeAll({ buffer, byteOffset, length }: Uint8Array): void {
    const heads = new RecordBuffer(buffer, byteOffset, length)
    for (let at = 0; at < length; ) {
      const bytes = blockLengthAt(heads, at, this.chain.position + 1)
      if (bytes === 0) throw new JournalDamage(`What follows ${this.name()} is no block.`)
      this.take(heads.bytes.subarray(at, at + bytes))
      at += bytes
    }
  }

  /** Follows the next block. Throws as `takeAll`. */
  take(bytes: Uint8Array): void {
    const { index, journal, holds, published, events, readerBells } = this.options
    const { counts, engines, wallet } = this.options
    const block = this.block
    const position = journal.lastPosition + 1
    const name = this.name(position)
    block.open(bytes, name)
    this.chain.check(block, name)
    // A copy that no other thread writes.
    journal.append(block.bytes)
    this.chain.advance(block)
    this._point = { position, checksum: block.checksum }
    this._journaledMs = Ms(Math.max(this._journaledMs, block.timeMs))
    this.apply()
    holds.settle(true, block.timeMs)
    this.publishPrices()
    const eventBytes = block.end - block.start
    events.write(block.records, eventBytes, block.start)
    Atomics.store(published, index, BigInt(position))
    events.publish()
    for (const bell of readerBells) bell.ring()
    counts.published(0, eventBytes, events.oversizedCount)
    counts.symbols(engines)
    counts.wallet(wallet)
  }

  private name(position = this.chain.position): string {
    return `block ${position} of journal-${this.options.index}`
  }

  private apply(): void {
    const { records, start, end } = this.block
    let hasPhaseChanged = false
    for (let at = start; at < end; at += recordLength(records, at)) {
      const symbolId = RecordHeader.symbolId(records, at)
      if (symbolId === WALLET) this.applyToWallet(records, at)
      else this.applyToSymbol(symbolId, records, at)
      RecordHeader.setGateway(records, at, NO_GATEWAY)
      if (recordType(records, at) === PhaseChanged.type) hasPhaseChanged = true
    }
    if (hasPhaseChanged) this.options.phaseChanged()
  }

  private applyToWallet(records: RecordBuffer, at: number): void {
    const { wallet } = this.options
    assert(wallet !== undefined, "a block has the wallet's events where its matcher has the wallet")
    wallet.recover(records, at)
    applyWalletEffects(records, at, this.effects)
  }

  private applyToSymbol(symbolId: SymbolId, records: RecordBuffer, at: number): void {
    const engine = this.options.engines[symbolId]
    assert(engine !== undefined, "a block has events of its matcher's symbols alone")
    engine.recover(records, at)
    applyEffects(records, at, engine.spec, this.effects)
  }

  private publishPrices(): void {
    const { engines, lastPrices } = this.options
    for (const engine of engines) {
      if (engine === undefined) continue
      lastPrices.publish(engine.spec.id, Ticks(engine.counters[Counter.lastPriceTicks]!))
    }
  }
}

/** Gathers effects in a matcher's overlay, which settles each balance once a block. */
class SettledEffects implements EffectSink {
  private readonly holds: Holds

  constructor(holds: Holds) {
    this.holds = holds
  }

  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    if (freeAtoms !== 0) this.holds.credit(account, asset, freeAtoms)
    if (lockedAtoms !== 0) this.holds.spend(account, asset, Atoms(-lockedAtoms))
  }
}
