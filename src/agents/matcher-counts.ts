/**
 * Counts of one matcher and its symbols, in memory that all threads share. Only its own thread writes
 * here. No decision depends on a count.
 */
import { SymbolId } from '../base/units.ts'
import { Counter } from '../core/matching/counters.ts'
import type { Engine } from '../core/matching/engine.ts'
import type { Wallet } from '../core/wallet/wallet.ts'
import { MatcherCounter, SymbolCounter, ThreadCounters, WalletCounter } from '../shared/counters.ts'
import { MatcherHistogram, ThreadHistograms } from '../shared/histograms.ts'

export class MatcherCounts {
  private readonly memory: SharedArrayBuffer
  private readonly counters: ThreadCounters
  private readonly histograms: ThreadHistograms
  private readonly walletCounters: ThreadCounters
  private countedOfWallet = 0
  /** By symbol id; made when the symbol is first counted. */
  private readonly symbolCounters: ThreadCounters[] = []
  /** By symbol id: its last event that was counted. */
  private readonly counted: number[] = []

  /** Sized by shared/counters.ts and shared/histograms.ts. */
  constructor(matcher: number, counters: SharedArrayBuffer, histograms: SharedArrayBuffer) {
    this.memory = counters
    this.counters = ThreadCounters.ofMatcher(counters, matcher)
    this.histograms = ThreadHistograms.ofMatcher(histograms, matcher)
    this.walletCounters = ThreadCounters.ofWallet(counters)
  }

  /** The clock is this far behind the journal's last time. */
  clockLag(ms: number): void {
    this.counters.set(MatcherCounter.clockLagMs, ms)
  }

  /** Counts the duration of an append, with its flush if the durability needs one. */
  flushed(ns: number): void {
    this.histograms.observe(MatcherHistogram.flush, ns)
    this.counters.raise(MatcherCounter.flushNsMax, ns)
  }

  /** Counts a query that was refused because its gateway's reply ring had no room. */
  answerHadNoRoom(): void {
    this.counters.add(MatcherCounter.answersWithoutRoom, 1)
  }

  /** Counts a command that waits behind an unfinished one. */
  deferred(): void {
    this.counters.add(MatcherCounter.commandsHeld, 1)
  }

  /** Counts a command that was refused, since its symbol or account had no room to wait. */
  deferredWereFull(): void {
    this.counters.add(MatcherCounter.deferredFull, 1)
  }

  /** Counts a published batch; `oversized` is the event ring's count. */
  published(commands: number, eventBytes: number, oversized: number): void {
    const counters = this.counters
    this.histograms.observe(MatcherHistogram.batchCommands, commands)
    counters.add(MatcherCounter.commands, commands)
    counters.raise(MatcherCounter.batchCommandsMax, commands)
    counters.add(MatcherCounter.eventBytes, eventBytes)
    counters.raise(MatcherCounter.batchEventBytesMax, eventBytes)
    counters.set(MatcherCounter.oversizedPublications, oversized)
  }

  /** Updates the gauges of symbols with new events. */
  symbols(engines: readonly (Engine | undefined)[]): void {
    for (const engine of engines) {
      if (engine === undefined) continue
      const { counters, book } = engine
      const { id } = engine.spec
      const sequence = counters[Counter.sequence]!
      if (this.counted[id] === sequence) continue
      this.counted[id] = sequence
      const cells = this.symbol(id)
      cells.set(SymbolCounter.events, sequence)
      cells.set(SymbolCounter.orders, counters[Counter.orderId]!)
      cells.set(SymbolCounter.trades, counters[Counter.tradeId]!)
      cells.set(SymbolCounter.restingOrders, book.restingCount)
      cells.set(SymbolCounter.waitingOrders, book.orderCount - book.restingCount)
      cells.set(SymbolCounter.levels, book.levelCount)
      cells.set(SymbolCounter.phase, engine.state.phase + 1)
      cells.set(SymbolCounter.waitsForOperator, engine.isWaiting ? 1 : 0)
    }
  }

  /** Updates the gauges of the wallet, if it has new events. */
  wallet(wallet: Wallet | undefined): void {
    if (wallet === undefined || wallet.state.sequence === this.countedOfWallet) return
    const { sequence, waiting, processing } = wallet.state
    this.countedOfWallet = sequence
    const cells = this.walletCounters
    cells.set(WalletCounter.events, sequence)
    cells.set(WalletCounter.withdrawalsWaiting, waiting.size)
    cells.set(WalletCounter.waitingSinceMs, firstOf(waiting)?.applyMs ?? 0)
    cells.set(WalletCounter.withdrawalsProcessing, processing.size)
    cells.set(WalletCounter.processingSinceMs, firstOf(processing)?.sinceMs ?? 0)
    cells.set(WalletCounter.chainsStopped, wallet.state.stoppedChains)
    cells.set(WalletCounter.assetsOwed, wallet.state.owedAssets)
  }

  private symbol(id: number): ThreadCounters {
    let cells = this.symbolCounters[id]
    if (cells === undefined) {
      cells = ThreadCounters.ofSymbol(this.memory, SymbolId(id))
      this.symbolCounters[id] = cells
    }
    return cells
  }
}

const firstOf = <Row>([row]: Iterable<Row>): Row | undefined => row
